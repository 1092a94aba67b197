import * as z from "zod";
import { judgedBy, type JudgedRow, ROW_KINDS, type Scores, scores } from "../../experiments/index.js";
import { readWritten } from "../results/run-folder.js";
import { experimentOf } from "./published-file.js";

// The scorecard as a file, which `bide reproduce --json` prints and `bide report` draws.

/** Limit of the rows of a scorecard. */
const MOST_ROWS = 2000;

const bounds = { atLeast: z.number().optional(), atMost: z.number().optional() };

const verdict = z.enum(["within", "missed", "undecided", "missing"]);

const row = z.object({
  id: z.string().min(1),
  experiment: z.string(),
  kind: z.enum(ROW_KINDS),
  what: z.string(),
  unit: z.enum(["share", "seconds", "ratio", "count"]),
  published: z.object({ value: z.number().optional(), ...bounds, upTo: z.number().optional() }),
  judgedBy: z.enum(["value", "bound", "ourBound"]),
  ourBound: z.object(bounds).nullable(),
  tolerance: z.object({ absolute: z.number().optional(), relative: z.number().optional() }),
  source: z.string(),
  confidence: z.number(),
  verdict,
  /** Mean over replications; null: nothing was measured. */
  measured: z.number().nullable(),
  halfWidth: z.number().nullable(),
  values: z.array(z.number().nullable()).readonly(),
  singleRun: z.object({ low: z.number(), high: z.number(), isInside: z.boolean().nullable() }).nullable(),
  nullModel: z.object({ value: z.number(), verdict }).nullable(),
  why: z.string(),
});

/** A row as the file has it. */
export type ScorecardRow = z.output<typeof row>;

const scorecardSchema = z.object({
  format: z.literal("bide-scorecard"),
  version: z.literal(2),
  rows: z.array(row).max(MOST_ROWS),
});

interface Scorecard {
  readonly format: "bide-scorecard";
  readonly version: 2;
  readonly scores: Scores;
  readonly rows: readonly ScorecardRow[];
}

export function scorecardOf(rows: readonly JudgedRow[]): Scorecard {
  return { format: "bide-scorecard", version: 2, scores: scores(rows), rows: rows.map(rowOf) };
}

function rowOf({ row: published, verdict, measured, singleRun, nullModel }: JudgedRow): ScorecardRow {
  const { id, kind, what, unit, ourBound = null, tolerance, source, confidence, why } = published;
  return {
    id,
    experiment: experimentOf(id),
    kind,
    what,
    unit,
    published: published.published,
    judgedBy: judgedBy(published),
    ourBound,
    tolerance,
    source,
    confidence,
    verdict,
    measured: measured?.mean ?? null,
    halfWidth: measured?.halfWidth ?? null,
    values: measured?.values ?? [],
    singleRun,
    nullModel,
    why,
  };
}

/** @throws InputError where the file is not what `bide reproduce --json` printed. */
export function readScorecard(path: string): Pick<Scorecard, "rows"> {
  return readWritten(path, scorecardSchema, "bide reproduce --json");
}
