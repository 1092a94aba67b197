import type {
  JudgedRow,
  Published,
  PublishedRow,
  RowKind,
  RowUnit,
  Score,
  Scored,
  Tolerance,
  Verdict,
} from "../experiments/reproduce/scorecard.js";
import { isCounted, isInSpread, scores, spreadOf } from "../experiments/reproduce/scorecard.js";
import type { Estimate } from "../experiments/statistics/estimates.js";
import { entry, escaped, fixed, markdownTable, NOTHING, type Paint, textTable, wrap } from "./tables.js";

/** The scorecard of `bide reproduce`: as a table, as Markdown. */

const HEADS = ["row", "what", "published", "measured", "tolerance", "verdict"];

export function scorecardText(rows: readonly JudgedRow[], paint: Paint, widthColumns: number): string {
  const cells = rows.map(({ row }, i) => [row.id, ...cellsOf(rows[i]).slice(1)]);
  const table = textTable([HEADS, ...cells], (column) => column < 2, widthColumns);
  const missed = rows.filter(({ verdict, row }) => verdict !== "within" && row.why !== "");
  return [
    ...entry("Scorecard", summaryWords(rows) + inSpreadWords(rows), paint),
    "",
    ...table,
    ...(missed.length === 0 ? [] : ["", paint.bold("Why")]),
    ...reasons(missed).flatMap(({ ids, why }) => wrap(`${ids.join(", ")}: ${why}`, Math.min(100, widthColumns))),
    "",
  ].join("\n");
}

/** A page of its own. @param command what prints it. */
export function scorecardMarkdown(rows: readonly JudgedRow[], command: string): string {
  const experiments = [...new Set(rows.map(({ row }) => row.id.split(".")[0]))];
  const sections = experiments.flatMap((experiment) => {
    const own = rows.filter(({ row }) => row.id.split(".")[0] === experiment);
    const notes = own.filter(({ row }) => row.why !== "");
    return [
      `## ${experiment}`,
      "",
      markdownTable(
        [...HEADS, "single runs", "source"],
        own.map((one) => [...cellsOf(one), spreadWords(one), sourceOf(one)]),
        (column) => column < 2,
      ),
      "",
      ...reasons(notes).flatMap(({ ids, why }) => [...wrap(`- **${ids.join(", ")}**: ${escaped(why)}`, 100), ""]),
    ];
  });
  return `${[
    "# Published and measured",
    "",
    ...wrap(
      `${summaryWords(rows)}${inSpreadWords(rows)} A value is the mean over replications, ± the half-width of its 95 % interval. The page [docs/reproduce.md](docs/reproduce.md) explains the rows. This page was written by:`,
      100,
    ),
    "",
    "```sh",
    command,
    "```",
    "",
    ...summaryTable(experiments, rows),
    ...sections,
  ]
    .join("\n")
    .trimEnd()}\n`;
}

/** `31 of 40 rows within tolerance (hard 9 of 9, ...); 3 fitted rows and 5 missing ones do not count.` */
export function summaryWords(rows: readonly Scored[]): string {
  const found = scores(rows);
  const of = (score: Score): string => `${String(score.within)} of ${String(score.of)}`;
  const kinds: readonly RowKind[] = ["hard", "physics", "shape"];
  const parts = kinds.filter((kind) => found[kind].of > 0).map((kind) => `${kind} ${of(found[kind])}`);
  const uncounted = [
    ...(found.fitted.of > 0 ? [`${String(found.fitted.of)} fitted`] : []),
    ...(found.variant.of > 0 ? [`${String(found.variant.of)} of a variant`] : []),
    ...(found.missing.of > 0 ? [`${String(found.missing.of)} missing`] : []),
  ];
  const others = uncounted.length === 0 ? "" : ` Not counted: ${uncounted.join(", ")}.`;
  return `${of(found.all)} rows within tolerance${parts.length === 0 ? "" : ` (${parts.join(", ")})`}.${others}`;
}

/** What the spread of single runs needs of a row. */
interface Spread {
  readonly row: Pick<PublishedRow, "kind" | "published" | "unit">;
  readonly verdict: Verdict;
  readonly measured: Pick<Estimate, "values"> | null;
}

/** Said of missed rows whose published value is one that a single run can have; empty: there is none. */
export function inSpreadWords(rows: readonly Spread[]): string {
  const found = rows.filter((one) => isCounted(one.row.kind) && isMissedInSpread(one)).length;
  if (found === 0) return "";
  return ` Of the missed rows ${String(found)} are "in spread": the paper's single run is between our least and our most.`;
}

/** Each reason once, with the rows that it is of, in the order of the first. */
function reasons(rows: readonly JudgedRow[]): { ids: string[]; why: string }[] {
  const idsOf = new Map<string, string[]>();
  for (const { row } of rows) {
    const why = oneLine(row.why);
    idsOf.set(why, [...(idsOf.get(why) ?? []), row.id]);
  }
  return [...idsOf].map(([why, ids]) => ({ ids, why }));
}

/** A row for each experiment: how many of its rows are within tolerance. */
function summaryTable(experiments: readonly string[], rows: readonly JudgedRow[]): string[] {
  const lines = experiments.map((experiment) => {
    const { all, fitted, variant, missing } = scores(rows.filter(({ row }) => row.id.split(".")[0] === experiment));
    const within = all.of === 0 ? NOTHING : `${String(all.within)} of ${String(all.of)}`;
    const counts = [within, ...[fitted.of, variant.of, missing.of].map((n) => (n === 0 ? NOTHING : String(n)))];
    return [`[${experiment}](#${experiment})`, ...counts];
  });
  return [
    markdownTable(["experiment", "within tolerance", "fitted", "variant", "missing"], lines, (column) => column === 0),
    "",
  ];
}

/** The mean misses what is published, and single runs do not. */
export function isMissedInSpread({ row, verdict, measured }: Spread): boolean {
  return verdict === "missed" && isInSpread(measured, row.published);
}

/** `18.2 s to 31.0 s`, from one run to another. */
export function spreadWords({ row, measured }: Spread): string {
  const spread = spreadOf(measured);
  return spread === null ? NOTHING : spread.map((end) => number(end, row.unit)).join(" to ");
}

function cellsOf(one: JudgedRow): string[] {
  const { row, verdict, measured } = one;
  const { unit } = row;
  return [
    row.id,
    row.what,
    publishedWords(row.published, unit),
    measuredWords(measured?.mean ?? null, measured?.halfWidth ?? null, unit),
    toleranceWords(row.tolerance, unit),
    `${["fitted", "variant", "physics"].includes(row.kind) ? `${row.kind}, ` : ""}${verdict}${isMissedInSpread(one) ? ", in spread" : ""}`,
  ];
}

function sourceOf({ row }: JudgedRow): string {
  return `${row.source} (${String(row.confidence)}/5)`;
}

export function measuredWords(mean: number | null, half: number | null, unit: RowUnit): string {
  return mean === null ? NOTHING : `${number(mean, unit)}${half === null ? "" : ` ± ${number(half, unit)}`}`;
}

export function publishedWords({ value, atLeast, atMost }: Published, unit: RowUnit): string {
  const bounds = [
    ...(atLeast === undefined ? [] : [`>= ${number(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${number(atMost, unit)}`]),
  ];
  return [...(value === undefined ? [] : [number(value, unit)]), ...bounds].join(", ") || NOTHING;
}

export function toleranceWords({ absolute, relative }: Tolerance, unit: RowUnit): string {
  if (absolute !== undefined) return number(absolute, unit);
  return relative === undefined ? NOTHING : `${fixed(relative * 100, 0)} %`;
}

function number(value: number, unit: RowUnit): string {
  if (unit === "share") return `${fixed(value * 100, 1)} %`;
  if (unit === "seconds") return `${fixed(value, 1)} s`;
  if (unit === "count") return fixed(value, 1);
  return fixed(value, Math.abs(value) < 0.1 && value !== 0 ? 4 : 2);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
