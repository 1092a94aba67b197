import { join } from "node:path";
import { fillTable, identifier, interruptibly, literal, loadDuckDB } from "./duckdb.js";
import type { RunTable } from "./run-tables.js";

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
  try {
    await interruptibly(connection, signal, async () => {
      for (const table of tables) {
        signal?.throwIfAborted();
        await fillTable(duckdb, connection, table, signal);
        await connection.run(copyStatement(table, join(directory, `${table.name}.parquet`)));
        await connection.run(`DROP TABLE ${identifier(table.name)}`);
      }
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function copyStatement(table: RunTable, path: string): string {
  const rows = `SELECT ${table.select} FROM ${identifier(table.name)}`;
  return `COPY (${rows}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`;
}
