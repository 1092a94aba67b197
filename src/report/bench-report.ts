import { titlesOf } from "../core/kernel/index.js";
import { noteText } from "../core/record/index.js";
import {
  type BenchColumn,
  type BenchReport,
  type BenchTable,
  type Compared,
  type ComparedRun,
  PASSING,
  type RegressReport,
  type RegressVerdict,
} from "../experiments/index.js";
import {
  joined,
  counted,
  entries,
  type Entry,
  fixed,
  grouped,
  headedTable,
  NOTHING,
  type Paint,
  significant,
} from "./tables.js";

/** Reports of `bide bench` and `bide regress`: figures of a machine, then figures beside those of a baseline. */

/** The question, the machine and the method; the table, and the breakdown where there is one; ratios and notes. */
export function benchReport(report: BenchReport, paint: Paint): string {
  const { bench, question, setup, machine, breakdown, ratios, notes } = report;
  const { cpu, cores, memoryGiB, node, platform, bide } = machine;
  const head: Entry[] = [
    ["Benchmark", `${bench}: ${question}`],
    ["Machine", `${cpu}, ${cores} cores, ${memoryGiB} GiB; Node ${node}, ${platform}`],
    ["Bide", bide],
    ...Object.entries(setup).map(([name, value]): Entry => [name, String(value)]),
  ];
  return joined(
    [
      entries(head, paint),
      benchTable(report, paint),
      breakdown === undefined ? [] : benchTable(breakdown, paint),
      Object.entries(ratios).map(([name, ratio]) => `${paint.bold(fixed(ratio, 2).padStart(7))}  ${name}`),
      entries(
        notes.map((note) => ["Note", note]),
        paint,
      ),
    ],
    paint,
  );
}

function benchTable({ columns, rows }: BenchTable, paint: Paint): string[] {
  const cells = rows.map((row) => columns.map((column) => benchCell(column, row[column.key] ?? null)));
  return headedTable([titlesOf(columns), ...cells], paint);
}

/** A value as its column shows it. */
function benchCell({ decimals = 0 }: BenchColumn, value: string | number | null): string {
  if (value === null) return NOTHING;
  return typeof value === "string" ? value : fixed(value, decimals);
}

const WORDS: Readonly<Record<RegressVerdict, string>> = {
  same: "same",
  within: "within",
  stale: "STALE",
  told: "",
  changed: "CHANGED",
  worse: "WORSE",
  new: "NEW",
  failed: "FAILED",
};

/**
 * A table of everything that was compared, what to know of what did not pass, and whether all did.
 * @param isUpdate the baseline is that of before, and what differs from it is no failure.
 */
export function regressReport(report: RegressReport, paint: Paint, isUpdate: boolean): string {
  const { name, why, machine, baseline, runs, notes } = report;
  const hasRoom = runs.some(({ comparisons }) => comparisons.some(({ room }) => room !== undefined));
  const rows = runs.flatMap((run) => run.comparisons.map((compared) => [run.name, ...cells(compared, hasRoom)]));
  const heads = ["run", "what", "baseline", "now", ...(hasRoom ? ["room"] : []), "verdict"];
  const { cpu, cores, node, platform, bide } = machine;
  const head: Entry[] = [
    ["Regression", `${name}: ${why}`.replace(/: $/, "")],
    ["Baseline", baseline],
    ["Machine", `${cpu}, ${cores} cores; Node ${node}, ${platform}`],
    ["Bide", bide],
  ];
  const end = entries(
    notes.map((note) => ["Note", note]),
    paint,
  );
  return joined(
    [
      entries(head, paint),
      headedTable([heads, ...rows], paint, 2),
      ...runs.map((run) => about(run, paint)),
      [...end, paint.bold(verdictWords(report, isUpdate))],
    ],
    paint,
  );
}

/** One line: how many comparisons there were, and how many did not pass. */
function verdictWords({ passed, runs, baselineIsStale }: RegressReport, isUpdate: boolean): string {
  const judged = runs.flatMap(({ comparisons }) => comparisons).filter(({ verdict }) => verdict !== "told");
  const bad = judged.filter(({ verdict }) => !PASSING.has(verdict)).length;
  if (isUpdate) return updateWords(judged);
  const counts = passed
    ? `All ${judged.length} comparisons pass`
    : `${bad} of ${judged.length} comparisons ${bad === 1 ? "does" : "do"} not pass`;
  if (!baselineIsStale) return `${counts}.`;
  const stale = runs.flatMap(({ name, comparisons }) =>
    comparisons.flatMap(({ verdict, what: figureName }) => (verdict === "stale" ? [`${name} ${figureName}`] : [])),
  );
  return `${counts}, ${passed ? "but" : "and"} the baseline is stale and hides regressions: ${stale.join(", ")}.`;
}

/** A new figure has no baseline to differ from. */
function updateWords(comparisons: readonly Compared[]): string {
  const former = comparisons.filter(({ verdict }) => verdict !== "new");
  if (former.length === 0) return "There was no former baseline to compare with.";
  const differ = former.filter(({ verdict }) => !PASSING.has(verdict)).length;
  const words = `${differ} of ${counted(former.length, "comparison")} with the former baseline differ`;
  return former.length === comparisons.length
    ? `${words}.`
    : `${words}; ${comparisons.length - former.length} more are new.`;
}

/** `withRoom`: how much more than now would pass has a column of its own. */
function cells({ kind, what: figureName, baseline, now, room, verdict }: Compared, withRoom: boolean): string[] {
  const times = room === undefined ? "" : `x ${fixed(room, 2)}`;
  const leading = [figureName, figureWords(kind, baseline), figureWords(kind, now)];
  return [...leading, ...(withRoom ? [times] : []), WORDS[verdict]];
}

function figureWords(kind: Compared["kind"], value: string | number | null): string {
  if (value === null) return NOTHING;
  if (typeof value === "string") return value.length > 16 ? `${value.slice(0, 12)}..` : value;
  if (kind === "speed") return fixed(value, 2);
  if (kind === "memory") return `${grouped(value)} MiB`;
  if (kind === "statistic") return significant(value);
  return Number.isInteger(value) ? grouped(value) : String(value);
}

/** The comparisons that did not pass, in full, and the command that repeats them; then the notes of the run. */
function about({ name, command, comparisons, notes }: ComparedRun, paint: Paint): string[] {
  const bad = comparisons.filter(({ verdict }) => !PASSING.has(verdict) || verdict === "stale");
  return entries(
    [
      ...bad.map((compared): Entry => [name, linesOf(compared)]),
      ...notes.map((note): Entry => [name, noteText(note)]),
      ["", bad.length === 0 ? [] : command],
    ],
    paint,
  );
}

/** The detail of a comparison, or else both figures in full. */
function linesOf({ what: figureName, baseline, now, detail }: Compared): string[] {
  if (detail === "") return [`${figureName}: was ${baseline ?? NOTHING}, is ${now ?? NOTHING}`];
  return `${figureName}: ${detail}`.split("\n");
}
