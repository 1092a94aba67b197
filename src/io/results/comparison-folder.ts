import { namesOf } from "../../core/kernel/index.js";
import { poolNoteSchema } from "./note-schema.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { RecordWords } from "../../core/record/index.js";
import { type Comparison, comparedKeys, platformMeasures } from "../../experiments/index.js";
import { quote } from "../scenario/show.js";
import { fileLine, type ResultsFolder, writeFolder } from "./results-folder.js";
import { readWritten, type TableFile } from "./run-folder.js";
import { double, type RecordColumn, type RunTable, tableOver, varchar } from "./run-tables.js";
import { summarySchema, jsonText } from "./summary-schema.js";

/*
 * The folder of a comparison: `comparison.json`, which is what `bide compare --json` prints, and
 * the table `comparison.parquet`, which has the values of single runs.
 */

const FILE = "comparison.json";

/** A folder that `bide compare --out` wrote. */
export interface ComparisonFolder {
  readonly folder: string;
  readonly comparison: Comparison;
  /** The table of runs, if there is one. */
  readonly files: readonly TableFile[];
}

/**
 * Writes everything the folder of a comparison holds and publishes it; on any failure nothing is left.
 * @returns why there is no table, or null.
 * @throws InputError when the disk refuses; `signal.reason` when aborted.
 */
export async function writeComparison(
  folder: ResultsFolder,
  comparison: Comparison,
  signal?: AbortSignal,
): Promise<string | null> {
  const texts = { [FILE]: jsonText(comparison) };
  // By one thread, equal comparisons are equal files.
  return writeFolder(folder, texts, [comparisonTable(comparison)], (missing) => readme(comparison, missing), signal, 1);
}

function readme({ scenario, systems, seeds }: Comparison, missing: string | null): string {
  const lines = [
    `Results of a comparison of Bide: scenario ${scenario}, ${systems.length} systems, ${seeds.length} seeds.`,
    "",
    fileLine(FILE, "everything that is printed and more, as bide compare --json prints it"),
    ...(missing === null
      ? [fileLine("comparison.parquet", "one row per system and seed: the measures of that run")]
      : []),
    "",
    "bide results prints the comparison again.",
    "",
    "Times are virtual, in seconds; shares are from 0 to 1; null: there is no such value.",
  ];
  if (missing !== null) return `${[...lines, `There is no Parquet table: ${missing}.`].join("\n")}\n`;
  const query = [
    "",
    "To try, in this folder (https://duckdb.org):",
    "",
    '  duckdb -c "SELECT system, count(*) AS runs, avg(responseMean) AS response_s, avg(nodeLocalAll) AS node_local',
    "             FROM 'comparison.parquet' GROUP BY system ORDER BY system\"",
  ];
  return `${[...lines, ...query].join("\n")}\n`;
}

/** A row per system and seed. */
function comparisonTable({ systems, seeds }: Comparison): RunTable {
  const rows = systems.flatMap((system) => seeds.map((seed, run) => ({ system, seed, run })));
  type Row = (typeof rows)[number];
  const columns: RecordColumn<Row>[] = [
    varchar("system", (row) => row.system.name),
    varchar("point", (row) => row.system.point),
    varchar("kind", (row) => row.system.kind),
    varchar("seed", ({ seed }) => seed),
    varchar("fingerprint", (row) => row.system.fingerprints[row.run] ?? null),
  ];
  // The database takes names that differ in case only for one name: pools may be called a and A.
  const takenNames = new Set(namesOf(columns));
  for (const key of new Set(systems.flatMap(({ measures }) => Object.keys(measures)))) {
    let name = key;
    for (let i = 2; takenNames.has(name.toLowerCase()); i++) name = `${key} (${i})`;
    takenNames.add(name.toLowerCase());
    columns.push(double(name, (row) => row.system.measures[key]?.values[row.run] ?? null));
  }
  return tableOver("comparison", rows, columns);
}

/** A line that a terminal can show: it has no control characters. */
const line = z.string().regex(/^\P{Cc}*$/u, "found a control character");

const value = z.number().nullable();

const count = z.int().nonnegative();

const estimate = z.looseObject({
  mean: value,
  halfWidth: value,
  step: z.number().nonnegative(),
  values: z.array(value),
  band: z.looseObject({ low: z.number(), high: z.number(), verdict: z.enum(["differs", "same", "untold"]) }).optional(),
});

/** The measured error of an import's model, also in the plan of a sweep. */
export const modelErrorSchema = z.object({
  relative: z.number().nonnegative(),
  bias: z.number().nonnegative(),
  spread: z.number().nonnegative(),
  stages: count,
  seeds: count,
  stageError: value,
  busyError: value,
  recordedSeconds: value.default(null),
  assumed: line.nullable(),
});

/** By key: those that every comparison has, and those of pools. */
const measured = z.record(z.string(), estimate);

const system = z.looseObject({
  name: line,
  why: z.string(),
  point: line,
  kind: line,
  waits: line,
  baseline: line.nullable(),
  fingerprints: z.array(z.string()),
  measures: measured,
  differences: measured.nullable(),
});

const comparisonSchema = z
  .looseObject({
    format: z.literal("bide-comparison"),
    version: z.literal(3),
    words: summarySchema.shape.words,
    scenario: line,
    why: z.string(),
    seeds: z.array(line).min(1),
    confidence: z.number(),
    systems: z.array(system).min(1),
    pools: z.array(line).optional(),
    users: z.array(line).optional(),
    chosen: z.array(line).optional(),
    stuck: z.array(z.looseObject({ system: line, seed: line, why: z.array(line).min(1) })).optional(),
    refused: z.array(z.looseObject({ system: line, seed: line, why: line })).optional(),
    modelError: modelErrorSchema.optional(),
    asRecorded: line.optional(),
    notes: z.array(z.union([line, poolNoteSchema])),
  })
  .superRefine(({ systems, words: written, pools = [], users = [], chosen = [] }, context) => {
    const words = written as RecordWords;
    const wanted = [
      ...platformMeasures(words).listed.map(({ key }) => key),
      ...pools.flatMap((name) => comparedKeys({ kind: "pool", name }, words)),
      ...users.flatMap((name) => comparedKeys({ kind: "user", name }, words)),
      ...chosen,
    ];
    const allMeasures = systems.flatMap(({ measures, differences }) => [
      measures,
      ...(differences === null ? [] : [differences]),
    ]);
    const missing = wanted.find((key) => allMeasures.some((measured) => !Object.hasOwn(measured, key)));
    if (missing !== undefined) context.addIssue({ code: "custom", message: `found no measure ${quote(missing)}` });
  });

export function isComparisonFolder(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** @throws InputError where the file is not what a comparison writes. */
export function readComparisonFolder(folder: string): ComparisonFolder {
  const comparison = readWritten(join(folder, FILE), comparisonSchema, "bide compare");
  const table = { name: "comparison", path: join(folder, "comparison.parquet") };
  return { folder, comparison: comparison as Comparison, files: existsSync(table.path) ? [table] : [] };
}
