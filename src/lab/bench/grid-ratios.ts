import type { BenchReport, BenchRow } from "../../core/metrics/bench-report.js";
import type { DecisionCase } from "./decision-case.js";

interface Ratio {
  readonly name: string;
  readonly of: (which: DecisionCase) => boolean;
}

/** Compared with the first case, in time per task: sizes and settings that are said to cost little. */
const RATIOS: readonly Ratio[] = [
  { name: "us/task, 100,000 nodes", of: ({ nodes, jobs }) => nodes === 100_000 && jobs === 100 },
  { name: "us/task, 1,000 jobs", of: ({ nodes, jobs, pools }) => nodes === 2_500 && jobs === 1_000 && pools === 20 },
  { name: "us/task, one pool", of: ({ nodes, jobs, pools }) => nodes === 2_500 && jobs === 100 && pools === 1 },
  { name: "us/task, no wait", of: ({ kind, jobs, wait }) => kind === "hfs" && jobs === 100 && wait.kind === "none" },
];

/** Time per task of some cases of a grid as a multiple of that of its first case; none of a single case. */
export function gridRatios(cases: readonly DecisionCase[], rows: readonly BenchRow[]): BenchReport["ratios"] {
  const first = Number(rows[0]?.taskUs);
  const found = RATIOS.map(({ name, of }) => ({ name, row: rows[cases.findIndex(of)] }));
  return Object.fromEntries(
    found
      .filter(({ row }) => row !== undefined && row !== rows[0])
      .map(({ name, row }) => [`${name} to the first case`, Number(row.taskUs) / first]),
  );
}
