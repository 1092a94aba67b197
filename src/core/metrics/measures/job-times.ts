import type { JobColumns } from "../run-record.js";

/** What a comparison job by job needs of a run, when the rest of it has been let go. */
export interface JobTimes {
  readonly maps: Int32Array;
  readonly submitAtUs: Float64Array;
  /** -1: the job has not ended, or has failed. */
  readonly responseUs: Float64Array;
}

export function jobTimesOf({ maps, submitAtUs, endAtUs, hasFailed }: JobColumns): JobTimes {
  const responseUs = endAtUs.map((endUs, job) => (endUs < 0 || hasFailed[job] !== 0 ? -1 : endUs - submitAtUs[job]));
  return { maps: maps.slice(), submitAtUs: submitAtUs.slice(), responseUs };
}

/** Both runs had the same jobs, as far as maps and submissions tell. One may have been stopped before the last were submitted. */
export function haveSameJobs(a: JobTimes, b: JobTimes): boolean {
  const jobs = Math.min(a.maps.length, b.maps.length);
  for (let job = 0; job < jobs; job++) {
    if (a.maps[job] !== b.maps[job] || a.submitAtUs[job] !== b.submitAtUs[job]) return false;
  }
  return jobs > 0;
}
