import { printable } from "../../core/kernel/words.js";
import { formatTime } from "../../core/kernel/time.js";
import { hasFewRuns } from "../../experiments/statistics/estimates.js";
import type { SweepPlan, WarmUp } from "../../experiments/sweep/sweep-plan.js";
import { type FailureKind, runTotals, type SweepResults } from "../../experiments/sweep/sweep-results.js";
import { columnTitle, type ListedMeasure } from "../measure-titles.js";
import { FEW_RUNS_WORDS } from "../measure-words.js";
import { counted, grouped } from "../numbers.js";

/** Failures of different reasons that are told one by one. */
const FAILURES = 10;
const ERROR_WIDTH = 300;

/** What must be known to read the tables of a sweep, by label. @param measures those that they show. */
export function sweepHead(
  results: SweepResults,
  measures: readonly ListedMeasure[],
  baseline: string | null,
): (readonly [string, string])[] {
  const { plan, points } = results;
  const runs = runTotals(results);
  const some = points.length < plan.points.length ? `${grouped(points.length)} of ` : "";
  const failed = runs.failed > 0 ? `, ${grouped(runs.failed)} failed` : "";
  const state = `${grouped(runs.done)} done${failed}`;
  const why = plan.why.trim().replace(/\s+/g, " ");
  return [
    ["Sweep", printable(why === "" ? plan.name : `${plan.name}: ${why}`)],
    ["Runs", `${some}${counted(plan.points.length, "point")} x ${replicationWords(plan)}: ${state}`],
    ...(runs.missing > 0 ? [["Unfinished", unfinishedWords(runs.missing)] as const] : []),
    ["Seeds", seedWords(plan.seeds)],
    ["Figures", figureWords(results, measures)],
    ...warmUpLines(results, measures).map((line, at) => [at === 0 ? "Warm-up" : "", line] as const),
    ...(baseline === null ? [] : [["Baseline", baselineWords(baseline)] as const]),
    ...failureLines(results.failures).map((line, at) => [at === 0 ? "Failed" : "", line] as const),
    ...refusedLines(results).map((line, at) => [at === 0 ? "Refused" : "", line] as const),
  ];
}

/** Runs without jobs that no pool took: how many, and where. */
export function refusedLines({ refusals }: Pick<SweepResults, "refusals">): string[] {
  const lines = kindLines(refusals);
  const rest = refusals.length - FAILURES;
  return rest > 0 ? [...lines, `and in ${counted(rest, "other way")}`] : lines;
}

/** What went wrong, each reason once, with how many runs it has hit and where it can be seen. */
function failureLines(failures: readonly FailureKind[]): string[] {
  const lines = kindLines(failures);
  const rest = failures.length - FAILURES;
  return rest > 0
    ? [...lines, `and ${counted(rest, "reason")} more, all of them in --sql 'SELECT error FROM runs'`]
    : lines;
}

function kindLines(kinds: readonly FailureKind[]): string[] {
  return kinds.slice(0, FAILURES).map(({ error, rows }) => {
    const points = new Set(rows.map(({ point }) => point)).size;
    const where = rows.length === 1 ? "" : ` of ${counted(points, "point")}`;
    const first = `point ${rows[0].point}, seed ${rows[0].seed}`;
    return printable(`${counted(rows.length, "run")}${where} (${first}): ${firstLines(error)}`);
  });
}

/** An error as one short line: a trace of the stack says nothing to a reader of a table. */
function firstLines(error: string): string {
  const told = error
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .map((line) => line.trim())
    .join("; ");
  if (told.length <= ERROR_WIDTH) return told;
  const short = told.slice(0, ERROR_WIDTH - 3);
  // Whole words, unless there are none.
  const end = short.lastIndexOf(" ");
  return `${end > ERROR_WIDTH / 2 ? short.slice(0, end).replace(/[,;:.(]+$/, "") : short} ...`;
}

function replicationWords({ replications, until }: SweepPlan): string {
  if (until === null) return counted(replications, "replication");
  const width = `${until.measure} is known to ±${String(Number((until.relativeHalfWidth * 100).toPrecision(12)))} %`;
  return `${String(replications)} to ${counted(until.most, "replication")}, until ${width}`;
}

function unfinishedWords(missing: number): string {
  return `${counted(missing, "run")} ${missing === 1 ? "is" : "are"} not there yet; bide sweep FILE --resume goes on`;
}

function seedWords(seeds: readonly string[]): string {
  const named = seeds.length <= 3 ? seeds.join(", ") : `${seeds[0]} to ${seeds[seeds.length - 1]}`;
  return printable(`${named}; the same for all points`);
}

function figureWords(
  { plan: { replications, warmUp }, points }: SweepResults,
  measures: readonly ListedMeasure[],
): string {
  const hasFew = points.some((point) => measures.some(({ key }) => hasFewRuns(point.measures[key])));
  const half = `mean over replications ± half-width of its 95 % interval${hasFew ? `, ${FEW_RUNS_WORDS}` : ""}`;
  const mean = replications > 1 ? half : "of one replication";
  return `${mean}; ${warmUpWords(warmUp)}`;
}

function warmUpWords(warmUp: WarmUp): string {
  switch (warmUp.kind) {
    case "none":
      return "all jobs count";
    case "cut":
      return `of jobs, those submitted before ${formatTime(warmUp.untilUs)} do not count`;
    case "detect":
      return "of jobs, those submitted before the end of each run's warm-up (MSER-5) do not count";
  }
}

/** What the warm-up is not about. */
function warmUpLines({ plan, points }: SweepResults, measures: readonly ListedMeasure[]): string[] {
  if (plan.warmUp.kind === "none") return [];
  const ofRun = measures.filter(({ scope }) => scope === "run").map(columnTitle);
  const without = points.reduce((sum, { withoutWarmUp }) => sum + withoutWarmUp, 0);
  return [
    ...(ofRun.length > 0 ? [`does count in figures of the whole run: ${ofRun.join("; ")}`] : []),
    ...(without > 0 ? [`not found in ${counted(without, "run")}, of which all jobs count`] : []),
  ];
}

function baselineWords(baseline: string): string {
  const test = "p of the paired t test, corrected by Holm for the number of points";
  return `${printable(baseline)}; ${test}; * p below 0.05, ** below 0.01, *** below 0.001, if the difference is more than a grid step`;
}
