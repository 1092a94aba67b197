import * as z from "zod";
import {
  type Bounds,
  type JudgedBy,
  judgedBy,
  type JudgedRow,
  type NullAnswer,
  type Published,
  ROW_KINDS,
  type RowKind,
  type RowUnit,
  type Scores,
  scores,
  type SingleRun,
  type Tolerance,
  type Verdict,
} from "../../experiments/index.js";
import { readWritten } from "../results/run-folder.js";
import { experimentOf } from "./published-file.js";

/** The scorecard as a file: what `bide reproduce --json` prints, and what a page of it is drawn from. */

/** A row as the file has it. */
export interface ScorecardRow {
  readonly id: string;
  readonly experiment: string;
  readonly kind: RowKind;
  readonly what: string;
  readonly unit: RowUnit;
  readonly published: Published;
  readonly judgedBy: JudgedBy;
  readonly ourBound: Bounds | null;
  readonly tolerance: Tolerance;
  readonly source: string;
  readonly confidence: number;
  readonly verdict: Verdict;
  /** Mean over replications; null: nothing was measured. */
  readonly measured: number | null;
  readonly halfWidth: number | null;
  readonly values: readonly (number | null)[];
  readonly singleRun: SingleRun | null;
  readonly nullModel: NullAnswer | null;
  readonly why: string;
}

export interface Scorecard {
  readonly format: "bide-scorecard";
  readonly version: 2;
  readonly scores: Scores;
  readonly rows: readonly ScorecardRow[];
}

export function scorecardOf(rows: readonly JudgedRow[]): Scorecard {
  return {
    format: "bide-scorecard",
    version: 2,
    scores: scores(rows),
    rows: rows.map(({ row, verdict, measured, singleRun, nullModel }) => ({
      id: row.id,
      experiment: experimentOf(row.id),
      kind: row.kind,
      what: row.what,
      unit: row.unit,
      published: row.published,
      judgedBy: judgedBy(row),
      ourBound: row.ourBound ?? null,
      tolerance: row.tolerance,
      source: row.source,
      confidence: row.confidence,
      verdict,
      measured: measured?.mean ?? null,
      halfWidth: measured?.halfWidth ?? null,
      values: measured?.values ?? [],
      singleRun,
      nullModel,
      why: row.why,
    })),
  };
}

/** More rows than that are no scorecard that anybody reads. */
const MOST_ROWS = 2000;

const bounds = { atLeast: z.number().optional(), atMost: z.number().optional() };

const verdict = z.enum(["within", "missed", "undecided", "missing"]);

const row = z.looseObject({
  id: z.string().min(1),
  experiment: z.string(),
  kind: z.enum(ROW_KINDS),
  what: z.string(),
  unit: z.enum(["share", "seconds", "ratio", "count"]),
  published: z.looseObject({ value: z.number().optional(), ...bounds, upTo: z.number().optional() }),
  judgedBy: z.enum(["value", "bound", "ourBound"]),
  ourBound: z.looseObject(bounds).nullable(),
  tolerance: z.looseObject({ absolute: z.number().optional(), relative: z.number().optional() }),
  source: z.string(),
  confidence: z.number(),
  verdict,
  measured: z.number().nullable(),
  halfWidth: z.number().nullable(),
  values: z.array(z.number().nullable()),
  singleRun: z.looseObject({ low: z.number(), high: z.number(), isInside: z.boolean().nullable() }).nullable(),
  nullModel: z.looseObject({ value: z.number(), verdict }).nullable(),
  why: z.string(),
});

const scorecardSchema = z.looseObject({
  format: z.literal("bide-scorecard"),
  version: z.literal(2),
  rows: z.array(row).max(MOST_ROWS),
});

/** @throws InputError where the file is not what `bide reproduce --json` printed. */
export function readScorecard(path: string): Pick<Scorecard, "rows"> {
  return readWritten(path, scorecardSchema, "bide reproduce --json");
}
