import { MAP, REDUCE, RUNNING, type JobTable } from "../jobs/job-table.js";
import type { Recorder } from "../metrics/recorder.js";
import type { JobLifecycle } from "./job-lifecycle.js";
import type { NodeLosses } from "./node-losses.js";

export interface StrandedParts {
  readonly jobs: JobTable;
  readonly recorder: Recorder;
  readonly lifecycle: JobLifecycle;
  readonly losses: NodeLosses;
}

/**
 * What has not ended never will, unless a silent node is heard again: no node that lives has a map slot, or a reduce slot,
 * and all jobs wait for such slots.
 */
export function isStranded(parts: StrandedParts): boolean {
  const { jobs, recorder, lifecycle, losses } = parts;
  const noMaps = losses.hasNone(MAP);
  const noReduces = losses.hasNone(REDUCE);
  if ((!noMaps && !noReduces) || lifecycle.ends.size > 0) return false;
  if (noMaps && noReduces) return true;
  const isCleaningUp = recorder.jobsSubmitted - recorder.jobsRefused - recorder.jobsEnded > jobs.size;
  if (lifecycle.nextSubmissionUs < Infinity || isCleaningUp) return false;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] !== 0 && !(noMaps ? waitsForMapSlots(jobs, job) : waitsForReduceSlots(jobs, job))) return false;
  }
  return true;
}

/** Its reduces, if some run, wait for its maps. */
function waitsForMapSlots({ state, pending, running }: JobTable, job: number): boolean {
  return state[job] === RUNNING && pending[MAP][job] > 0 && running[MAP][job] === 0;
}

function waitsForReduceSlots({ state, pending, running }: JobTable, job: number): boolean {
  if (state[job] !== RUNNING || pending[MAP][job] + running[MAP][job] > 0) return false;
  return pending[REDUCE][job] > 0 && running[REDUCE][job] === 0;
}
