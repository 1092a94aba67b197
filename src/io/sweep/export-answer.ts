import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { type DuckDB, identifier, literal } from "../results/duckdb.js";

/** Writes an answer as a Parquet file, from a database of its own: that of the sweep may not write. */
export async function writeAnswer(duckdb: DuckDB, result: DuckDBResult, path: string): Promise<void> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  try {
    await fill(connection, result);
    await connection.run(`COPY answer TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function fill(connection: DuckDBConnection, result: DuckDBResult): Promise<void> {
  const types = result.columnTypes();
  const columns = result.deduplicatedColumnNames().map((name, at) => `${identifier(name)} ${types[at].toString()}`);
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
