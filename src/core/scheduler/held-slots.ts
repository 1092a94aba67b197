import type { SlotType } from "../jobs/job-table.js";

/** What holds slots, for a scheduler that plans for more than the node at hand. */
export interface HeldSlots {
  /** How many places there are: all are numbered below it. */
  readonly places: number;
  /** Slots of the type on the node that hold nothing; 0 on a node that was given up. */
  freeOn(node: number, type: SlotType): number;
  /** Every slot of the type that holds a task of a job in the table, in order of nodes. */
  forEach(type: SlotType, visit: VisitHeld): void;
}

/** `isReported`: `Launcher.forEachReported` names it, so it may be killed. `place` is the attempt's number there. */
export type VisitHeld = (
  place: number,
  job: number,
  task: number,
  node: number,
  launchUs: number,
  isReported: boolean,
) => void;
