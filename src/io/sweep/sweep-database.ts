import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import {
  fillTable,
  identifier,
  interruptibly,
  literal,
  loadDuckDB,
  TablesUnavailable,
  type DuckDB,
} from "../results/duckdb.js";
import type { RunTable } from "../results/run-tables.js";
import { writeAnswer } from "./export-answer.js";
import { queryResult, type QueryResult } from "./query-result.js";

/** Of an answer: more would not fit into memory, and nobody could read them. */
const MOST_ROWS = 1_000_000;
const MEMORY_LIMIT = "1GB";
/** A query's own tables and types are of use to it (PIVOT makes some); all else would act on the world. */
const ALLOWED = ["SELECT", "EXPLAIN", "CREATE", "DROP"] as const;
/**
 * Functions that a SELECT can call and that act on the world all the same: they change settings in spite of the lock, and
 * logging prints to stdout or, with a file that it may not open, ends the process. The last two run SQL made of text, in which
 * the others need not be seen.
 */
const ACTING =
  /\b(?:(?:en|dis)able_(?:logging|profiling|profile|peg_parser)|truncate_duckdb_logs|write_log|json_execute_serialized_sql)\b|\bquery(?="?\s*\()/i;

/**
 * A sweep in memory, for SQL of a user. What it is asked can neither read nor write a file, nor load an extension, nor
 * change a setting.
 */
export class SweepDatabase {
  private constructor(
    private readonly duckdb: DuckDB,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
  ) {}

  /**
   * @param series folder of the samples of all runs, which become the table `samples`, of the runs in `runs`; or null.
   * @throws InputError when the database cannot be had on this machine, or samples cannot be read.
   */
  static async open(tables: readonly RunTable[], series: string | null, signal?: AbortSignal): Promise<SweepDatabase> {
    const duckdb = await orInputError(loadDuckDB());
    const instance = await duckdb.DuckDBInstance.create(":memory:", {
      threads: "2",
      temp_directory: "",
      memory_limit: MEMORY_LIMIT,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
    });
    const database = new SweepDatabase(duckdb, instance, await instance.connect());
    try {
      await interruptibly(database.connection, signal, async () => {
        await database.fill(tables, signal);
        if (series !== null) await database.readSamples(series);
        await database.lock();
      });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * What the last statement says.
   * @param name what the SQL is called in messages: `--sql`.
   * @throws InputError with the database's own words when it cannot be answered; `signal.reason` when aborted.
   */
  async query(sql: string, name: string, signal?: AbortSignal, mostRows = MOST_ROWS): Promise<QueryResult> {
    return this.answering(sql, name, signal, async (result) => queryResult(this.duckdb, result, name, mostRows));
  }

  /** Writes what the last statement says as a Parquet file, of any size. @throws as `query`; errors of the disk as they are. */
  async copy(sql: string, name: string, path: string, signal?: AbortSignal): Promise<void> {
    // The disk's troubles are none of the SQL.
    let ofDisk: Error | null = null as Error | null;
    await this.answering(sql, name, signal, async (result, isLast) => {
      if (!isLast) return;
      try {
        await writeAnswer(this.duckdb, result, path);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith("IO Error: ")) throw error;
        ofDisk = error;
      }
    });
    if (ofDisk !== null) throw ofDisk;
  }

  /** Does all statements, and gives what `take` makes of the last. */
  private async answering<T>(
    sql: string,
    name: string,
    signal: AbortSignal | undefined,
    take: (result: DuckDBResult, isLast: boolean) => Promise<T>,
  ): Promise<T> {
    const acting = ACTING.exec(sql);
    if (acting !== null) throw problem(name, `found ${acting[0]}, allowed functions that only compute`);
    try {
      return await interruptibly(this.connection, signal, async () => {
        const statements = await this.connection.extractStatements(sql);
        let taken: { readonly last: T } | null = null;
        for (let at = 0; at < statements.count; at++) {
          const statement = await statements.prepare(at);
          const type = this.duckdb.StatementType[statement.statementType];
          if (!ALLOWED.some((allowed) => allowed === type)) throw notAllowed(type, name);
          taken = { last: await take(await statement.stream(), at === statements.count - 1) };
        }
        if (taken === null) throw problem(name, "found no statement, allowed a SELECT");
        return taken.last;
      });
    } catch (error) {
      throw asInputError(error, name, signal);
    }
  }

  /** Tables and columns, in their order. */
  async columns(signal?: AbortSignal): Promise<QueryResult> {
    const listed = 'table_name AS "table", column_name AS "column", data_type AS "type"';
    const sql = `SELECT ${listed} FROM duckdb_columns() WHERE NOT internal ORDER BY table_oid, column_index`;
    return this.query(sql, "--tables", signal);
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }

  private async fill(tables: readonly RunTable[], signal: AbortSignal | undefined): Promise<void> {
    for (const table of tables) {
      const raw = { ...table, name: `raw ${table.name}` };
      await fillTable(this.duckdb, this.connection, raw, signal);
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

function notAllowed(type: string | undefined, name: string): InputError {
  return problem(name, `found a statement of the kind ${type ?? "unknown"}, allowed ${ALLOWED.join(", ")}`);
}

function asInputError(error: unknown, name: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof InputError || !(error instanceof Error) || signal?.reason === error) return error;
  // What its parser says of a text without a statement.
  if (error.message === "Error in native callback") return problem(name, "found no statement, allowed a SELECT");
  return problem(name, messageOf(error).replace(/^Failed to extract statements: /, ""));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
