import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { type DuckDB, identifier, literal } from "../results/duckdb.js";
import { columnTypes } from "./query-result.js";

/**
 * Writes an answer as a Parquet file, from a database of its own: that of the sweep may not write. It holds the whole answer, in no
 * more memory than a query may use; both together are watched like any query (`askSweep`).
 */
export async function writeAnswer(
  duckdb: DuckDB,
  result: DuckDBResult,
  { path, name, memoryLimit }: { readonly path: string; readonly name: string; readonly memoryLimit: string },
): Promise<void> {
  const limits = { threads: "1", temp_directory: "", memory_limit: memoryLimit };
  const instance = await duckdb.DuckDBInstance.create(":memory:", limits);
  const connection = await instance.connect();
  try {
    await fill(connection, result, name);
    await connection.run(`COPY answer TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function fill(connection: DuckDBConnection, result: DuckDBResult, name: string): Promise<void> {
  const names = result.deduplicatedColumnNames();
  const types = columnTypes(result, names, name);
  const columns = names.map((column, at) => `${identifier(column)} ${types[at].toString()}`);
  await connection.run(`CREATE TABLE answer (${columns.join(", ")})`);
  const appender = await connection.createAppender("answer");
  try {
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}
