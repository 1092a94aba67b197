import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import { type DuckDB, fillTable, identifier, literal, loadDuckDB, TablesUnavailable } from "../results/duckdb.js";
import type { RunTable } from "../results/run-tables.js";
import { writeAnswer } from "./export-answer.js";
import { answerPages, type AnswerPage, type CellForm } from "./query-result.js";
import { SqlGuard, withoutAdvice } from "./sql-guard.js";

/**
 * A sweep in memory, for SQL of a user. What it is asked can neither read nor write a file, nor load an extension, nor
 * change a setting. What it may use of memory and time, its process is watched for (`askSweep`).
 */
export class SweepDatabase {
  private constructor(
    private readonly duckdb: DuckDB,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
    private readonly guard: SqlGuard,
    private readonly memoryLimit: string,
  ) {}

  /**
   * @param series folder of the samples of all runs, which become the table `samples`, of the runs in `runs`; or null.
   * @throws InputError when the database cannot be had on this machine, or samples cannot be read.
   */
  static async open(tables: readonly RunTable[], series: string | null, memoryBytes: number): Promise<SweepDatabase> {
    const duckdb = await orInputError(loadDuckDB());
    const memoryLimit = `${String(Math.ceil(memoryBytes / 1024))}KiB`;
    const instance = await duckdb.DuckDBInstance.create(":memory:", {
      threads: "2",
      temp_directory: "",
      memory_limit: memoryLimit,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
    });
    const connection = await instance.connect();
    const database = new SweepDatabase(duckdb, instance, connection, await SqlGuard.of(connection), memoryLimit);
    await database.fill(tables);
    if (series !== null) await database.readSamples(series);
    await database.lock();
    return database;
  }

  /**
   * What the last statement says, page by page.
   * @param name what the SQL is called in messages: `--sql`.
   * @throws InputError with the database's own words when it cannot be answered.
   */
  async *query(sql: string, name: string, form: CellForm): AsyncGenerator<AnswerPage> {
    try {
      const result = await this.lastOf(sql, name);
      if (result !== null) yield* answerPages(this.duckdb, result, name, form);
    } catch (error) {
      throw asInputError(error, name);
    }
  }

  /** Writes what the last statement says as a Parquet file, of any size. @throws as `query`; errors of the disk as they are. */
  async copy(sql: string, name: string, path: string): Promise<void> {
    try {
      const result = await this.lastOf(sql, name);
      if (result !== null) await writeAnswer(this.duckdb, result, { path, name, memoryLimit: this.memoryLimit });
    } catch (error) {
      // The disk's troubles are none of the SQL.
      if (error instanceof Error && error.message.startsWith("IO Error: ")) throw error;
      throw asInputError(error, name);
    }
  }

  /** Does all statements, and gives what the last says. */
  private async lastOf(sql: string, name: string): Promise<DuckDBResult | null> {
    let last: DuckDBResult | null = null;
    for (const checked of await this.guard.statements(sql, name)) {
      const statements = await this.connection.extractStatements(checked);
      for (let at = 0; at < statements.count; at++) last = await (await statements.prepare(at)).stream();
    }
    return last;
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }

  private async fill(tables: readonly RunTable[]): Promise<void> {
    for (const table of tables) {
      const raw = { ...table, name: `raw ${table.name}` };
      await fillTable(this.duckdb, this.connection, raw);
      const rows = `SELECT ${table.select} FROM ${identifier(raw.name)}`;
      await this.connection.run(`CREATE TABLE ${identifier(table.name)} AS ${rows}`);
      await this.connection.run(`DROP TABLE ${identifier(raw.name)}`);
    }
  }

  private async readSamples(folder: string): Promise<void> {
    const files = literal(join(folder.replace(/[*?[\\]/g, "[$&]"), "*.parquet"));
    const place = "runs.point, runs.replication";
    try {
      await this.connection.run(
        `CREATE TABLE samples AS SELECT ${place}, series.* FROM read_parquet(${files}) series JOIN runs USING (key)`,
      );
    } catch (error) {
      throw problem(folder, `cannot read the samples: ${messageOf(error)}`);
    }
  }

  private async lock(): Promise<void> {
    await this.connection.run("SET enable_external_access = false");
    await this.connection.run("SET lock_configuration = true");
  }
}

async function orInputError<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw error instanceof TablesUnavailable ? problem("bide results", error.message) : error;
  }
}

function asInputError(error: unknown, name: string): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  return problem(name, withoutAdvice(messageOf(error).replace(/^Failed to extract statements: /, "")));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
