import { sweepResults, type SweepResults } from "../experiments/sweep/sweep-results.js";
import type { SweepRecord } from "../experiments/sweep/sweep-record.js";
import { failsEachTime } from "../core/metrics/summary.js";
import { jsonText } from "../io/results/summary-schema.js";
import { printable } from "../io/scenario/show.js";
import type { SweepEnd } from "../lab/sweep/run-sweep.js";
import type { Paint } from "../report/layout.js";
import { counted, grouped } from "../report/numbers.js";
import { usualMeasures } from "../report/sweep/point-table.js";
import { refusedLines } from "../report/sweep/sweep-head.js";
import { sweepTablesText } from "../report/sweep/sweep-report.js";
import { sweepEndReport } from "../report/sweep-end-report.js";
import { print, printData, stdoutPaint } from "./printing.js";
import { RunsFailed } from "./runs-failed.js";
import { tell } from "./terminal.js";

/** Sweeps of more points are shown by `bide results`. */
const POINTS_SHOWN = 24;

/**
 * Says how a sweep went.
 * @param folder where its runs are, @param where on what they were done, @param again the command that repeats failed ones.
 * @throws RunsFailed when some have failed.
 */
export async function tellEnd(
  folder: string,
  { progress, missing, wallSeconds, runSeconds, record }: SweepEnd,
  where: string,
  again: string,
  { json = false, quiet = false }: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const { plan } = record;
  if (missing !== null && !quiet) tell(`note: no Parquet tables were written: ${missing}\n`);
  const { ended, failed, endedHere } = progress;
  const counts = { folder, ended, failed, endedHere, where, wallSeconds, runSeconds };
  if (json) {
    const format = { format: "bide-sweep-end", version: 1, sweep: plan.name, points: plan.points.length };
    await printData(jsonText({ ...format, ...counts }));
  } else {
    const paint = stdoutPaint();
    const results = sweepResults(record);
    const refused = refusedLines(results);
    await print(`${sweepEndReport({ plan, ...counts, refused }, paint)}${pointsText(results, paint)}`);
  }
  if (failed > 0) throw new RunsFailed(failureText(record, failed, ended, again));
}

function pointsText(results: SweepResults, paint: Paint): string {
  const { plan } = results;
  if (plan.points.length > POINTS_SHOWN) return "";
  const view = { results, measures: usualMeasures(plan.measures), baseline: null };
  return sweepTablesText(view, paint);
}

function failureText({ plan, rows }: SweepRecord, failed: number, ended: number, again: string): string {
  const lost = rows.flatMap((row) => (row.run.outcome === "failed" ? [{ ...row, error: row.run.error }] : []));
  const first = lost.at(0);
  const run =
    first === undefined ? "" : `; the first, ${plan.points[first.point].label}, seed ${first.seed}: ${first.error}`;
  const inVain = lost.length > 0 && lost.every(({ error }) => failsEachTime(error));
  return [
    `${grouped(failed)} of ${counted(ended, "run")} failed${run}`,
    inVain ? "a repeat would fail in the same way: what fails here is the scenario" : `${again} repeats them`,
  ]
    .map(printable)
    .join("\n");
}
