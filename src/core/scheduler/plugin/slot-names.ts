import { MAP, type SlotType } from "../../jobs/job-table.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../../jobs/nearness.js";
import type { Reach, SlotName } from "./plugin-face.js";

export function slotName(type: SlotType): SlotName {
  return type === MAP ? "map" : "reduce";
}

/** The levels that a job may go to, by the names they have in plugins, nearest first. */
export const REACHES: ReadonlyMap<unknown, number> = new Map<Reach, number>([
  ["node", NODE_LOCAL],
  ["rack", RACK_LOCAL],
  ["row", ROW_LOCAL],
  ["any", OFF_RACK],
]);
