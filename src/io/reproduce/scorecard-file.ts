import * as z from "zod";
import {
  isInSpread,
  type JudgedRow,
  type Published,
  ROW_KINDS,
  scores,
  type Tolerance,
} from "../../experiments/reproduce/scorecard.js";
import type { RowKind, RowUnit, Verdict } from "../../experiments/reproduce/scorecard.js";
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
  readonly tolerance: Tolerance;
  readonly source: string;
  readonly confidence: number;
  readonly verdict: Verdict;
  /** Mean over replications; null: nothing was measured. */
  readonly measured: number | null;
  readonly halfWidth: number | null;
  readonly values: readonly (number | null)[];
  /** The published value is between the least and the most of single runs. */
  readonly inSpread?: boolean | undefined;
  readonly why: string;
}

export interface Scorecard {
  readonly format: "bide-scorecard";
  readonly version: 1;
  readonly scores: ReturnType<typeof scores>;
  readonly rows: readonly ScorecardRow[];
}

export function scorecardOf(rows: readonly JudgedRow[]): Scorecard {
  return {
    ...{ format: "bide-scorecard", version: 1, scores: scores(rows) },
    rows: rows.map(({ row, verdict, measured }) => ({
      ...{ id: row.id, experiment: experimentOf(row.id), kind: row.kind, what: row.what, unit: row.unit },
      ...{ published: row.published, tolerance: row.tolerance, source: row.source, confidence: row.confidence },
      ...{ verdict, measured: measured?.mean ?? null, halfWidth: measured?.halfWidth ?? null },
      ...{ values: measured?.values ?? [], inSpread: isInSpread(measured, row.published), why: row.why },
    })),
  };
}

/** More rows than that are no scorecard that anybody reads. */
const MOST_ROWS = 2000;

const row = z.looseObject({
  id: z.string().min(1),
  experiment: z.string(),
  kind: z.enum(ROW_KINDS),
  what: z.string(),
  unit: z.enum(["share", "seconds", "ratio", "count"]),
  published: z.looseObject({
    value: z.number().optional(),
    atLeast: z.number().optional(),
    atMost: z.number().optional(),
  }),
  tolerance: z.looseObject({ absolute: z.number().optional(), relative: z.number().optional() }),
  source: z.string(),
  confidence: z.number(),
  verdict: z.enum(["within", "missed", "missing"]),
  measured: z.number().nullable(),
  halfWidth: z.number().nullable(),
  values: z.array(z.number().nullable()),
  inSpread: z.boolean().optional(),
  why: z.string(),
});

const scorecardSchema = z.looseObject({
  format: z.literal("bide-scorecard"),
  version: z.literal(1),
  rows: z.array(row).max(MOST_ROWS),
});

/** @throws InputError where the file is not what `bide reproduce --json` printed. */
export function readScorecard(path: string): Pick<Scorecard, "rows"> {
  return readWritten(path, scorecardSchema, "bide reproduce --json");
}
