import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { RunTable } from "./run-tables.js";

type DuckDB = typeof import("@duckdb/node-api");

const ROWS_PER_CHUNK = 2048;
/** Chunks appended before the event loop gets its turn: some milliseconds. */
const CHUNKS_PER_TURN = 8;

/** Parquet files cannot be written on this machine: DuckDB has no native library for it, or it is not installed. */
export class TablesUnavailable extends Error {
  override readonly name = "TablesUnavailable";
}

/**
 * Writes each table as `<directory>/<name>.parquet`, compressed with zstd. Loads DuckDB, some 35 MB, when there is a table and not
 * before. An abort stops it between two chunks or inside the database.
 * @param threads with one, equal tables are equal files.
 * @throws TablesUnavailable when DuckDB cannot be loaded; `signal.reason` when aborted.
 */
export async function writeParquet(
  tables: readonly RunTable[],
  directory: string,
  signal?: AbortSignal,
  threads = 2,
): Promise<void> {
  if (tables.length === 0) return;
  const duckdb = await loadDuckDB();
  // Never spills into the folder from which Bide was called.
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: String(threads), temp_directory: "" });
  const connection = await instance.connect();
  const interrupt = (): void => {
    connection.interrupt();
  };
  signal?.addEventListener("abort", interrupt);
  try {
    for (const table of tables) {
      signal?.throwIfAborted();
      await fill(duckdb, connection, table, signal);
      await connection.run(copyStatement(table, join(directory, `${table.name}.parquet`)));
      await connection.run(`DROP TABLE "${table.name}"`);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

async function loadDuckDB(): Promise<DuckDB> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new TablesUnavailable(`DuckDB cannot be loaded (${reason})`, { cause: error });
  }
}

async function fill(
  duckdb: DuckDB,
  connection: DuckDBConnection,
  table: RunTable,
  signal?: AbortSignal,
): Promise<void> {
  const definition = table.columns.map(({ name, type }) => `"${name.replaceAll('"', '""')}" ${type}`);
  await connection.run(`CREATE TABLE "${table.name}" (${definition.join(", ")})`);
  const appender = await connection.createAppender(table.name);
  const types = table.columns.map(({ type }) => duckdb[type]);
  let chunks = 0;
  try {
    for (let first = 0; first < table.rows; first += ROWS_PER_CHUNK) {
      const rows = Math.min(ROWS_PER_CHUNK, table.rows - first);
      const chunk = duckdb.DuckDBDataChunk.create(types, rows);
      table.columns.forEach(({ at }, column) => {
        chunk.setColumnValues(
          column,
          Array.from({ length: rows }, (_, row) => at(first + row)),
        );
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

function copyStatement(table: RunTable, path: string): string {
  const target = path.replace(/'/g, "''");
  return `COPY (SELECT ${table.select} FROM "${table.name}") TO '${target}' (FORMAT parquet, COMPRESSION zstd)`;
}
