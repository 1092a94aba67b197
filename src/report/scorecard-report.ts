import {
  type Bounds,
  type JudgedRow,
  type NullAnswer,
  type Published,
  type PublishedRow,
  type RowKind,
  type RowUnit,
  type Score,
  type Scored,
  type SingleRun,
  type Verdict,
  isCounted,
  judgedBy,
  scores,
} from "../experiments/index.js";
import { entry, escaped, fixed, markdownTable, NOTHING, oneLine, type Paint, textTable, wrap } from "./tables.js";

/** The scorecard of `bide reproduce`: as a table, as Markdown. */

const HEADS = ["row", "what", "published", "measured", "we allow", "verdict", "single run", "null model"];

export function scorecardText(rows: readonly JudgedRow[], paint: Paint, widthColumns: number): string {
  const table = textTable([HEADS, ...rows.map(cellsOf)], (column) => column < 2, widthColumns);
  const explained = rows.filter(({ verdict, row }) => verdict !== "within" && row.why !== "");
  return [
    ...entry("Scorecard", summaryWords(rows), paint),
    "",
    ...table,
    ...(explained.length === 0 ? [] : ["", paint.bold("Why")]),
    ...reasons(explained).flatMap(({ ids, why }) => wrap(`${ids.join(", ")}: ${why}`, Math.min(100, widthColumns))),
    "",
  ].join("\n");
}

/** A page of its own. @param command what prints it. */
export function scorecardMarkdown(rows: readonly JudgedRow[], command: string): string {
  const experiments = [...new Set(rows.map(({ row }) => row.id.split(".")[0]))];
  const sections = experiments.flatMap((experiment) => {
    const rowsOfExperiment = rows.filter(({ row }) => row.id.split(".")[0] === experiment);
    const notes = rowsOfExperiment.filter(({ row }) => row.why !== "");
    return [
      `## ${experiment}`,
      "",
      markdownTable(
        [...HEADS, "source"],
        rowsOfExperiment.map((scored) => [...cellsOf(scored), sourceOf(scored)]),
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
      `${summaryWords(rows)} A value is the mean over replications, ± the half-width of its 95 % interval. The page [docs/reproduce.md](docs/reproduce.md) explains the rows. This page was written by:`,
      100,
    ),
    "",
    "```sh",
    command,
    "```",
    "",
    ...judgedByTable(rows),
    ...summaryTable(experiments, rows),
    ...sections,
  ]
    .join("\n")
    .trimEnd()}\n`;
}

/**
 * `31 of 40 rows within tolerance, 2 undecided (hard 9 of 9, ...).`, and what the null model, single runs and other
 * kinds have.
 */
export function summaryWords(rows: readonly Scored[]): string {
  const counted = scores(rows);
  const { all: total, shape, singleRuns } = counted;
  const kinds: readonly RowKind[] = ["hard", "physics", "shape"];
  const parts = kinds.filter((kind) => counted[kind].of > 0).map((kind) => `${kind} ${ofWords(counted[kind])}`);
  const beyondModel = shape.of - shape.nullWithin;
  const sentences = [
    `${ofWords(total)} rows within tolerance${undecidedWords(total)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}.`,
    ...(shape.nullWithin === 0
      ? []
      : [
          `A null model that simulates nothing passes ${shape.nullWithin} of the rows of kind shape; of the other ${beyondModel}, ${shape.beyondNull} are within.`,
        ]),
    ...(singleRuns.of === 0
      ? []
      : [`Of ${singleRuns.of} published values, ${singleRuns.inside} could be one of our single runs.`]),
  ];
  const uncounted = [
    ...(counted.fitted.of > 0 ? [`${counted.fitted.of} fitted`] : []),
    ...(counted.variant.of > 0 ? [`${counted.variant.of} of a variant`] : []),
    ...(counted.missing.of > 0 ? [`${counted.missing.of} missing`] : []),
  ];
  return [...sentences, ...(uncounted.length === 0 ? [] : [`Not counted: ${uncounted.join(", ")}.`])].join(" ");
}

function ofWords({ within, of: rowCount }: Score): string {
  return `${within} of ${rowCount}`;
}

function undecidedWords({ undecided }: Score): string {
  return undecided === 0 ? "" : `, ${undecided} undecided`;
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

const SCORE_HEADS = ["rows", "within", "undecided", "missed", "null model passes", "within beyond it"];

function scoreCells({ within, undecided, of: rowCount, nullWithin, beyondNull }: Score): string[] {
  if (rowCount === 0) return SCORE_HEADS.map(() => NOTHING);
  return [rowCount, within, undecided, rowCount - within - undecided, nullWithin, beyondNull].map(String);
}

const JUDGED_WORDS = {
  value: "a published value, with our tolerance",
  bound: "published bounds",
  ourBound: "bounds of our own",
} as const;

/** Rows that count, by what judges them. */
function judgedByTable(rows: readonly JudgedRow[]): string[] {
  const { by } = scores(rows);
  const lines = Object.entries(JUDGED_WORDS).map(([key, words]) => [words, ...scoreCells(by[key as keyof typeof by])]);
  return [markdownTable(["judged by", ...SCORE_HEADS], lines, (column) => column === 0), ""];
}

/** A line for each experiment: what came of its rows. */
function summaryTable(experiments: readonly string[], rows: readonly JudgedRow[]): string[] {
  const lines = experiments.map((experiment) => {
    const {
      all: total,
      fitted,
      variant,
      missing,
    } = scores(rows.filter(({ row }) => row.id.split(".")[0] === experiment));
    const counts = [fitted.of, variant.of, missing.of].map((n) => (n === 0 ? NOTHING : String(n)));
    return [`[${experiment}](#${experiment})`, ...scoreCells(total), ...counts];
  });
  const heads = ["experiment", ...SCORE_HEADS, "fitted", "variant", "missing"];
  return [markdownTable(heads, lines, (column) => column === 0), ""];
}

function cellsOf({ row, verdict, measured, singleRun, nullModel }: JudgedRow): string[] {
  const { unit } = row;
  return [
    row.id,
    row.what,
    publishedWords(row.published, unit),
    measuredWords(measured?.mean ?? null, measured?.halfWidth ?? null, unit),
    allowedWords(row),
    verdictWords(row.kind, verdict),
    singleRunWords(singleRun, unit),
    nullWords(nullModel, unit),
  ];
}

/** The verdict, with a remark on a row that does not count, or is a law. */
export function verdictWords(kind: RowKind, verdict: Verdict): string {
  return isCounted(kind) && kind !== "physics" ? verdict : kind === "missing" ? verdict : `${kind}, ${verdict}`;
}

/** `inside 18.2 s to 31.0 s`: whether the published value is where one more run of ours would be. */
export function singleRunWords(singleRun: SingleRun | null, unit: RowUnit): string {
  if (singleRun === null) return NOTHING;
  const { low, high, isInside } = singleRun;
  const reach = `${number(low, unit)} to ${number(high, unit)}`;
  return isInside === null ? reach : `${isInside ? "inside" : "outside"} ${reach}`;
}

export function nullWords(nullModel: NullAnswer | null, unit: RowUnit): string {
  return nullModel === null ? NOTHING : `${number(nullModel.value, unit)}: ${nullModel.verdict}`;
}

function sourceOf({ row }: JudgedRow): string {
  return `${row.source} (${row.confidence}/5)`;
}

export function measuredWords(mean: number | null, half: number | null, unit: RowUnit): string {
  return mean === null ? NOTHING : `${number(mean, unit)}${half === null ? "" : ` ± ${number(half, unit)}`}`;
}

export function publishedWords({ value, upTo, ...bounds }: Published, unit: RowUnit): string {
  const parts = [
    ...(value === undefined ? [] : [number(value, unit)]),
    ...boundWords(bounds, unit),
    ...(upTo === undefined ? [] : [`up to ${number(upTo, unit)}`]),
  ];
  return parts.join(", ") || NOTHING;
}

function boundWords({ atLeast, atMost }: Bounds, unit: RowUnit): string[] {
  return [
    ...(atLeast === undefined ? [] : [`>= ${number(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${number(atMost, unit)}`]),
  ];
}

/** The unpublished allowance: a tolerance, or a bound of our own. */
export function allowedWords(row: Pick<PublishedRow, "published" | "ourBound" | "tolerance" | "unit">): string {
  const { ourBound, tolerance, unit } = row;
  if (judgedBy(row) === "ourBound") return boundWords(ourBound ?? {}, unit).join(", ");
  const { absolute, relative } = tolerance;
  if (absolute !== undefined) return `± ${number(absolute, unit)}`;
  return relative === undefined ? NOTHING : `± ${fixed(relative * 100, 0)} %`;
}

function number(value: number, unit: RowUnit): string {
  if (unit === "share") return `${fixed(value * 100, 1)} %`;
  if (unit === "seconds") return `${fixed(value, 1)} s`;
  if (unit === "count") return fixed(value, 1);
  return fixed(value, Math.abs(value) < 0.1 && value !== 0 ? 4 : 2);
}
