import { LEAST_SERIES, mser5 } from "../statistics/mser.js";
import type { WarmUp } from "../sweep/sweep-plan.js";
import { SIZE_BINS, sizeBinOf } from "../workload/size-bins.js";
import type { JobColumns } from "./run-record.js";

/** From when on jobs of a run count. */
export interface WarmUpCut {
  /** Submission at or after this instant; 0: all. */
  readonly cutUs: number;
  /** What whoever asked for a cut should know about it. */
  readonly notes: readonly string[];
}

export function warmUpCut(jobs: JobColumns, warmUp: WarmUp): WarmUpCut {
  switch (warmUp.kind) {
    case "none":
      return { cutUs: 0, notes: [] };
    case "cut": {
      const isBeforeSome = jobs.submitAtUs.subarray(0, jobs.rows).some((atUs) => atUs >= warmUp.untilUs);
      return {
        cutUs: warmUp.untilUs,
        notes: isBeforeSome ? [] : ["warm-up: no job was submitted after it; measures of jobs have no value"],
      };
    }
    case "detect":
      return detectedCut(jobs);
  }
}

function detectedCut(jobs: JobColumns): WarmUpCut {
  const { rows, times } = relativeResponses(jobs);
  const found = mser5(times);
  if (found !== null) return { cutUs: found === 0 ? 0 : jobs.submitAtUs[rows[found]], notes: [] };
  const why =
    times.length < LEAST_SERIES
      ? `${times.length} jobs ended, and ${LEAST_SERIES} are needed`
      : "response times still change in the second half of the run";
  return { cutUs: 0, notes: [`warm-up not found: ${why}; all jobs count`] };
}

/**
 * Of jobs that ended and did not fail, in order of submission: response time over the mean response time of all such jobs
 * of the same size bin in this run. Response times themselves differ by a factor of hundreds between small and large jobs, so
 * that a cut found in them would tell where large jobs were submitted, not where the cluster filled up.
 */
function relativeResponses({ rows, maps, submitAtUs, endAtUs, hasFailed }: JobColumns): {
  readonly rows: readonly number[];
  readonly times: readonly number[];
} {
  const ended: number[] = [];
  const sumsUs = new Float64Array(SIZE_BINS.length);
  const counts = new Int32Array(SIZE_BINS.length);
  for (let job = 0; job < rows; job++) {
    if (endAtUs[job] < 0 || hasFailed[job] !== 0) continue;
    ended.push(job);
    sumsUs[sizeBinOf(maps[job])] += endAtUs[job] - submitAtUs[job];
    counts[sizeBinOf(maps[job])]++;
  }
  const times = ended.map((job) => {
    const bin = sizeBinOf(maps[job]);
    return sumsUs[bin] > 0 ? ((endAtUs[job] - submitAtUs[job]) * counts[bin]) / sumsUs[bin] : 1;
  });
  return { rows: ended, times };
}
