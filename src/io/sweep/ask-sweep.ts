import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SweepRecord } from "../../core/sweep/run-outcome.js";
import { sweepResults, type SweepResults } from "../../core/sweep/sweep-results.js";
import { makeWholeFile } from "../results/whole-file.js";
import { numberedPoints, pointTables } from "./point-tables.js";
import type { QueryResult } from "./query-result.js";
import { SweepDatabase } from "./sweep-database.js";
import { SWEEP_FILES } from "./sweep-files.js";
import { sweepTables } from "./sweep-tables.js";

/**
 * What SQL over `runs`, `costs`, `points`, `estimates` and, of a sweep with series, `samples` says.
 * @param folder of the sweep.
 * @throws InputError with the database's own words; `signal.reason` when aborted.
 */
export async function askSweep(
  folder: string,
  record: SweepRecord,
  sql: string,
  signal?: AbortSignal,
): Promise<QueryResult> {
  // Samples are many: they are read only for whoever asks for them.
  return withTables(folder, record, /samples/i.test(sql), signal, async (database) =>
    database.query(sql, "--sql", signal),
  );
}

/** The same as a Parquet file, which is there whole or not at all. @throws InputError also when the disk refuses. */
export async function exportAnswer(
  folder: string,
  record: SweepRecord,
  sql: string,
  target: { readonly path: string; readonly force: boolean },
  signal?: AbortSignal,
): Promise<void> {
  await withTables(folder, record, /samples/i.test(sql), signal, async (database) =>
    makeWholeFile(target.path, target.force, async (partial) => database.copy(sql, "--sql", partial, signal)),
  );
}

/** All tables and columns that SQL can name. @throws InputError */
export async function describeTables(folder: string, record: SweepRecord, signal?: AbortSignal): Promise<QueryResult> {
  return withTables(folder, record, true, signal, async (database) => database.columns(signal));
}

/** Indices of the points for which a condition over the columns of `numberedPoints` holds. @throws InputError */
export async function pointsWhere(
  results: SweepResults,
  condition: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  const database = await SweepDatabase.open([numberedPoints(results)], null, signal);
  try {
    // The line end closes what may be a comment.
    const { rows } = await database.query(`SELECT point FROM points WHERE (${condition}\n)`, "--where", signal);
    return new Set(rows.map(([point]) => Number(point)));
  } finally {
    database.close();
  }
}

async function withTables<T>(
  folder: string,
  record: SweepRecord,
  wantsSamples: boolean,
  signal: AbortSignal | undefined,
  work: (database: SweepDatabase) => Promise<T>,
): Promise<T> {
  const series = join(folder, SWEEP_FILES.series);
  const hasSamples = wantsSamples && record.plan.series && existsSync(series);
  const tables = [...sweepTables(record), ...pointTables(sweepResults(record))];
  const database = await SweepDatabase.open(tables, hasSamples ? series : null, signal);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
