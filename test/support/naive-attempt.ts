import type { RuntimeSpec } from "../../dist/core/scenario/index.js";
import type { NaiveJob, NaiveTask, TaskType } from "./naive-job.js";

/** A running attempt, on its node and as the master knows it. */
export interface NaiveAttempt {
  readonly job: NaiveJob;
  readonly type: TaskType;
  readonly task: NaiveTask;
  /** 0 for the first of its task. */
  readonly number: number;
  readonly node: number;
  readonly level: number;
  /** Within the node: map slots first, then reduce slots. */
  readonly slot: number;
  readonly launchUs: number;
  /** When its copying ends, of a reduce that does not know yet that all maps are done. */
  readonly copiedUs: number;
  finishUs: number | null;
  /** It has asked leave to commit: it holds no slot any more, and `finishUs` is the end of the commit. */
  aside: boolean;
  /** Its node has had a heartbeat since the launch. */
  reported: boolean;
  /** The order to kill it goes out with the next reply to its node. */
  killOrdered: boolean;
  /** When that reply came. */
  killedUs: number | null;
}

/** When it ends, or Infinity as long as nobody knows. */
export function endOf({ killedUs, finishUs }: NaiveAttempt): number {
  return killedUs ?? finishUs ?? Infinity;
}

/**
 * What has done its work asks leave to commit, if it has output: reduces, and maps that feed none. It gets it, unless
 * it is to be killed. False: there is nothing to ask.
 */
export function askToCommit(attempt: NaiveAttempt, { commit }: RuntimeSpec, nowUs: number): boolean {
  const { type, job, aside, killedUs } = attempt;
  if (commit === null || aside || killedUs !== null || (type === "map" && job.spec.reduces > 0)) return false;
  attempt.aside = true;
  attempt.finishUs = attempt.killOrdered ? Infinity : nowUs + Math.max(1, commit.pollUs + commit.commitUs);
  return true;
}

/** In the order of reports: after all slots, where it holds none. */
export function placeOf({ slot, aside }: NaiveAttempt): number {
  return slot + (aside ? 1_000 : 0);
}

/** How long a map runs. */
export function mapUs({ job, task, level }: NaiveAttempt, runtime: RuntimeSpec, speed: number): number {
  const { node, rack, row, any } = runtime.localityFactor;
  const factor = [node, rack, any, node, row][level];
  return Math.max(1, Math.round((job.spec.mapLengths.lengthUs(task.index) * factor) / speed));
}

/** How long a reduce sorts and reduces, once it has copied everything. */
export function reduceUs({ job, task }: NaiveAttempt, speed: number): number {
  return Math.max(1, Math.round(job.spec.reduceLengths.lengthUs(task.index) / speed));
}

/**
 * In the reply to its node: if it is a reduce whose maps are now all done, the last one's share must still be fetched.
 */
export function tellOfMaps(attempt: NaiveAttempt, nowUs: number, speed: number): void {
  const { job, task, type, finishUs, copiedUs } = attempt;
  if (type === "map" || finishUs !== null || !job.allMapsDone) return;
  const tailUs = Math.round(job.spec.copyLengths.lengthUs(task.index) / Math.max(1, job.spec.maps));
  attempt.finishUs = Math.max(copiedUs, nowUs + tailUs) + reduceUs(attempt, speed);
}
