import type { Summary } from "../../core/metrics/summary.js";
import type { RunCounts } from "../../experiments/sweep/sweep-record.js";

/** What of a run is counted, and equal wherever it runs. */
export function countsOf({ jobs, tasks, heartbeats }: Summary): RunCounts {
  return {
    jobsSubmitted: jobs.submitted,
    jobsEnded: jobs.ended,
    mapsEnded: tasks.maps.ended,
    reducesEnded: tasks.reduces.ended,
    kills: tasks.kills,
    heartbeats,
  };
}
