import { US_PER_SECOND } from "../../kernel/time.js";
import { SIZE_BINS, sizeBinOf } from "../../workload/facebook.js";
import { quantilesOf } from "../quantiles.js";
import type { JobColumns } from "../run-record.js";
import type { Quantiles } from "../summary.js";
import type { Measure, MeasureGroup } from "./measure.js";
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
        (jobs) => responseTimes(jobs, (maps) => isIn(group, maps))[statistic === "P50" ? "p50" : "p95"],
      ),
    ),
  ),
  ...STATISTICS.flatMap(([name, statistic, group]) => [
    ...SIZE_BINS.map(({ label }, bin) =>
      response(
        `response${name}Bin${bin + 1}`,
        group,
        label,
        (jobs) => responseTimes(jobs, (maps) => sizeBinOf(maps) === bin)[statistic],
      ),
    ),
    response(`response${name}`, group, "all", (jobs) => responseTimes(jobs, () => true)[statistic]),
  ]),
];

function response(key: string, group: MeasureGroup, label: string, of: (jobs: JobColumns) => number | null): Measure {
  return { key, group, label, unit: "seconds", scope: "jobs", of: ({ record }) => of(record.jobs) };
}

function responseTimes(jobs: JobColumns, includes: (maps: number) => boolean): Quantiles {
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] < 0 || jobs.hasFailed[job] !== 0 || !includes(jobs.maps[job])) continue;
    times.push((jobs.endAtUs[job] - jobs.submitAtUs[job]) / US_PER_SECOND);
  }
  return quantilesOf(times);
}
