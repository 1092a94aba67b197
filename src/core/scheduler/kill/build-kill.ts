import type { SchedulerSpec } from "../../scenario/scenario.js";
import { buildFlatWith } from "../build-flat.js";
import { buildWait } from "../build-wait.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";
import { RULES } from "../rules.js";
import { KillScheduler } from "./kill-scheduler.js";

/** Fair order, under which jobs get their shares at once, by killing. */
export function buildKill(spec: SchedulerSpec, surroundings: SchedulerSurroundings): BuiltScheduler {
  const around = { ...surroundings, mapsMayReturn: true };
  const wait = buildWait(spec, RULES.paper, around);
  return buildFlatWith(wait, spec, around, (parts) => new KillScheduler(parts, around.heartbeatUs));
}
