import { createRequire } from "node:module";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { fileProblem } from "../input-error.js";
import type { RunTable } from "./run-tables.js";

export type DuckDB = typeof import("@duckdb/node-api");

const ROWS_PER_CHUNK = 2048;

/** Chunks appended before the event loop gets its turn: some milliseconds. */
const CHUNKS_PER_TURN = 8;

/** DuckDB has no native library for this machine, or it is not installed: no Parquet files, no SQL. */
export class TablesUnavailable extends Error {
  override readonly name = "TablesUnavailable";
}

let loaded: DuckDB | null = null;

/** @throws TablesUnavailable */
export function loadDuckDB(): DuckDB {
  if (loaded !== null) return loaded;
  try {
    // Its modules are CommonJS: an import would read each a second time for the names that it exports, 0.1 CPU s in
    // all.
    loaded = createRequire(import.meta.url)("@duckdb/node-api") as DuckDB;
    return loaded;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new TablesUnavailable(`DuckDB cannot be loaded (${reason})`, { cause: error });
  }
}

/**
 * The same where nothing can be done without it. @param asker file or command that the message names. @throws
 * InputError
 */
export function neededDuckDB(asker: string): DuckDB {
  try {
    return loadDuckDB();
  } catch (error) {
    if (!(error instanceof TablesUnavailable)) throw error;
    throw fileProblem(asker, error.message);
  }
}

/**
 * Does `work` with a connection to an empty database. An abort interrupts its query. @throws `signal.reason` when
 * aborted.
 */
export async function withDatabase<T>(
  duckdb: DuckDB,
  limits: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  // Never spills into the folder from which Bide was called.
  const instance = await duckdb.DuckDBInstance.create(":memory:", { temp_directory: "", ...limits });
  const connection = await instance.connect();
  const interrupt = () => {
    connection.interrupt();
  };
  signal?.addEventListener("abort", interrupt);
  try {
    signal?.throwIfAborted();
    return await work(connection);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

/** A table of the database with the rows of a table of ours. An abort stops it between two chunks. */
export async function fillTable(
  duckdb: DuckDB,
  connection: DuckDBConnection,
  table: RunTable,
  signal?: AbortSignal,
): Promise<void> {
  const definition = table.columns.map(({ name, type }) => `${identifier(name)} ${type}`);
  await connection.run(`CREATE TABLE ${identifier(table.name)} (${definition.join(", ")})`);
  const appender = await connection.createAppender(table.name);
  const types = table.columns.map(({ type }) => duckdb[type]);
  let chunks = 0;
  try {
    for (let first = 0; first < table.rows; first += ROWS_PER_CHUNK) {
      const rows = Math.min(ROWS_PER_CHUNK, table.rows - first);
      const chunk = duckdb.DuckDBDataChunk.create(types, rows);
      table.columns.forEach(({ cells }, column) => {
        if (typeof cells === "function") {
          const chunkValues = Array.from({ length: rows }, (_, row) => cells(first + row));
          chunk.setColumnValues(column, chunkValues);
          return;
        }
        const vector = chunk.getColumnVector(column);
        // One copy in place of a call per value, which would take longer than the run that made them.
        (vector as unknown as { items: typeof cells }).items.set(cells.subarray(first, first + rows));
        vector.flush();
      });
      appender.appendDataChunk(chunk);
      if (++chunks % CHUNKS_PER_TURN === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

/** A name of anything in SQL. */
export function identifier(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}

/** Text in SQL. */
export function literal(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}

/** A Parquet file as a table of SQL. */
export function parquetFile(path: string): string {
  return `read_parquet(${literal(path.replace(/[*?[\\]/g, "[$&]"))})`;
}

/** The chunks of a result, of which never more than one is in memory. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield chunk;
  }
}

/**
 * Writes each table as `<directory>/<name>.parquet`, compressed with zstd. Loads DuckDB, some 35 MB, when there is a
 * table and not before. An abort stops it between two chunks or inside the database.
 * @param threads with one, equal tables are equal files.
 * @throws TablesUnavailable when DuckDB cannot be loaded; `signal.reason` when aborted.
 */
export async function writeParquet(
  tables: readonly RunTable[],
  directory: string,
  signal?: AbortSignal,
  threads = 2,
): Promise<void> {
  await write(
    tables.map((table) => ({ table, path: join(directory, `${table.name}.parquet`) })),
    threads,
    signal,
  );
}

/**
 * The same of one table, by one thread, so that equal tables are equal files. @param path of a file that is not there
 * yet.
 */
export async function writeParquetFile(table: RunTable, path: string, signal?: AbortSignal): Promise<void> {
  await write([{ table, path }], 1, signal);
}

async function write(
  files: readonly { readonly table: RunTable; readonly path: string }[],
  threads: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (files.length === 0) return;
  const duckdb = loadDuckDB();
  await withDatabase(duckdb, { threads: String(threads) }, signal, async (connection) => {
    for (const { table, path } of files) {
      signal?.throwIfAborted();
      await fillTable(duckdb, connection, table, signal);
      await connection.run(copyStatement(table, path));
      await connection.run(`DROP TABLE ${identifier(table.name)}`);
    }
  });
}

/** The rows of a filled table as its file has them, in SQL. @param name of the filled table. */
export function selectRows({ columns }: RunTable, name: string): string {
  const values = columns.map((column) => {
    const title = identifier(column.name);
    return column.select === undefined ? title : `${column.select(title)} AS ${title}`;
  });
  return `SELECT ${values.join(", ")} FROM ${identifier(name)}`;
}

function copyStatement(table: RunTable, path: string): string {
  return `COPY (${selectRows(table, table.name)}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`;
}
