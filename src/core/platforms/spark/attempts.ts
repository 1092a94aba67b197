import { bytes, ints } from "../../kernel/index.js";
import { Attempts } from "../../record/index.js";

/** Locality levels, best first. */
export const PROCESS_LOCAL = 0;
export const NODE_LOCAL = 1;
export const NO_PREF = 2;
export const RACK_LOCAL = 3;
export const ANY = 4;

export type SparkLevel = typeof PROCESS_LOCAL | typeof NODE_LOCAL | typeof NO_PREF | typeof RACK_LOCAL | typeof ANY;

export const SPARK_LEVELS = ["PROCESS_LOCAL", "NODE_LOCAL", "NO_PREF", "RACK_LOCAL", "ANY"] as const;

/** All attempts of an application. The running ones of a task set are a list through them, in the order of launch. */
export class SparkAttempts extends Attempts {
  /** Number of its task set. */
  set = ints();
  executor = ints();
  isSpeculative = bytes();
  /** The one before it of its task, or NOWHERE. */
  earlier = ints();
  /** Those of its task set that run and were launched before and after it, or NOWHERE. */
  before = ints();
  after = ints();

  /** The last one never was. */
  removeLast(): void {
    this.length--;
  }

  isRunning(attempt: number): boolean {
    return this.endUs[attempt] < 0;
  }
}
