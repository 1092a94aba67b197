import { US_PER_SECOND } from "../../kernel/time.js";
import { SIZE_BINS, sizeBinOf } from "../../workload/facebook.js";
import { quantilesOf } from "../quantiles.js";
import type { JobColumns } from "../run-record.js";
import type { Quantiles } from "../summary.js";
import { heartbeatStep, type Measure, type MeasureGroup } from "./measure.js";
import { isIn, mapsOf, SIZE_GROUPS, type SizeGroup } from "./size-groups.js";

const GROUPS = Object.keys(SIZE_GROUPS) as SizeGroup[];
const STATISTICS = [
  ["Mean", "mean", "response-mean"],
  ["P50", "p50", "response-p50"],
  ["P95", "p95", "response-p95"],
] as const satisfies readonly (readonly [string, keyof Quantiles, MeasureGroup])[];

/** Response times of jobs that ended and did not fail: by the paper's groups of sizes, then by its nine bins. */
export const RESPONSE_MEASURES: readonly Measure[] = [
  ...GROUPS.flatMap((group) =>
    (["P50", "P95"] as const).map((statistic) =>
      response(
        `response${statistic}${group}`,
        "response",
        `${statistic.toLowerCase()} ${mapsOf(group)}`,
        statistic === "P50" ? "p50" : "p95",
        (maps) => isIn(group, maps),
      ),
    ),
  ),
  ...STATISTICS.flatMap(([name, statistic, group]) => [
    ...SIZE_BINS.map(({ label }, bin) =>
      response(`response${name}Bin${bin + 1}`, group, label, statistic, (maps) => sizeBinOf(maps) === bin),
    ),
    response(`response${name}`, group, "all", statistic, () => true),
  ]),
];

function response(
  key: string,
  group: MeasureGroup,
  label: string,
  statistic: "mean" | "p50" | "p95",
  includes: (maps: number) => boolean,
): Measure {
  return {
    ...{ key, group, label, unit: "seconds", scope: "jobs" },
    of: ({ record }) => responseTimes(record.jobs, includes)[statistic],
    // A quantile is the time of one job; of a mean over n jobs, one job is an nth.
    step: (run) =>
      statistic === "mean" ? heartbeatStep(run) / responseTimes(run.record.jobs, includes).count : heartbeatStep(run),
  };
}

function responseTimes(jobs: JobColumns, includes: (maps: number) => boolean): Quantiles {
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] < 0 || jobs.hasFailed[job] !== 0 || !includes(jobs.maps[job])) continue;
    times.push((jobs.endAtUs[job] - jobs.submitAtUs[job]) / US_PER_SECOND);
  }
  return quantilesOf(times);
}
