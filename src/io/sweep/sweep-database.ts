import { join } from "node:path";
import type { DuckDBConnection, DuckDBResult, DuckDBType, DuckDBValue, Json } from "@duckdb/node-api";
import { fileProblem, InputError } from "../input-error.js";
import {
  chunksOf,
  type DuckDB,
  fillTable,
  identifier,
  literal,
  neededDuckDB,
  parquetFile,
  selectRows,
  withDatabase,
} from "../results/duckdb.js";
import type { TableFile } from "../results/run-folder.js";
import type { RunTable } from "../results/run-tables.js";
import { quote } from "../scenario/show.js";

/*
 * SQL of a user over a sweep: the database and its tables, and the answer page by page or as a file. All of it runs in
 * the process of `sql-process.ts`, which `askSweep` watches.
 */

/**
 * A sweep in memory, for SQL of a user. Once it is locked, DuckDB refuses all that reads or writes a file, reaches the
 * network, loads an extension or changes a setting; what a statement changes in memory is gone with the process. Memory
 * and time are watched (`askSweep`).
 */
export class SweepDatabase {
  private constructor(
    private readonly duckdb: DuckDB,
    private readonly connection: DuckDBConnection,
    private readonly memoryLimit: string,
  ) {}

  /**
   * @param series folder of the samples of all runs, which become the table `samples`, of the runs in `runs`; or null.
   * @throws InputError when the database cannot be had on this machine, or samples cannot be read.
   */
  static async open(tables: readonly RunTable[], series: string | null, memoryBytes: number): Promise<SweepDatabase> {
    const duckdb = neededDuckDB("bide results");
    const memoryLimit = `${Math.ceil(memoryBytes / 1024)}KiB`;
    const instance = await duckdb.DuckDBInstance.create(":memory:", {
      threads: "2",
      temp_directory: "",
      memory_limit: memoryLimit,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
    });
    const connection = await instance.connect();
    const database = new SweepDatabase(duckdb, connection, memoryLimit);
    await database.fill(tables);
    if (series !== null) await database.readSamples(series);
    return database;
  }

  /**
   * Answers a statement, page by page.
   * @param name of the SQL in messages: `--sql`.
   * @throws InputError with the database's own words when it cannot be answered.
   */
  async *query(sql: string, name: string, form: CellForm): AsyncGenerator<AnswerPage> {
    try {
      yield* answerPages(this.duckdb, await this.answerTo(sql, name), name, form);
    } catch (error) {
      throw asInputError(error, name);
    }
  }

  /**
   * Writes what the statement says as a Parquet file, of any size. @throws as `query`; errors of the disk as they are.
   */
  async copy(sql: string, name: string, path: string): Promise<void> {
    try {
      const result = await this.answerTo(sql, name);
      await writeAnswer(this.duckdb, result, { path, name, memoryLimit: this.memoryLimit });
    } catch (error) {
      // An error of the disk is no error of the query.
      if (error instanceof Error && error.message.startsWith("IO Error: ")) throw error;
      throw asInputError(error, name);
    }
  }

  /** @throws InputError for several statements: a command has one answer. */
  private async answerTo(sql: string, name: string): Promise<DuckDBResult> {
    const statements = await this.connection.extractStatements(sql);
    const last = statements.count - 1;
    for (let index = 0; index < last; index++) {
      const statement = await statements.prepare(index);
      // A PIVOT that looks for its columns itself makes a type first.
      if (statement.statementType !== this.duckdb.StatementType.CREATE) {
        throw fileProblem(name, "expected one statement, and CREATE before it, found several");
      }
      await statement.run();
    }
    return (await statements.prepare(last)).stream();
  }

  private async fill(tables: readonly RunTable[]): Promise<void> {
    for (const table of tables) {
      const raw = { ...table, name: `raw ${table.name}` };
      await fillTable(this.duckdb, this.connection, raw);
      await this.connection.run(`CREATE TABLE ${identifier(table.name)} AS ${selectRows(table, raw.name)}`);
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
      throw fileProblem(folder, `cannot read the samples: ${messageOf(error)}`);
    }
  }

  /** Makes each file a table. @throws InputError when it is no Parquet, or too much. */
  async readFiles(files: readonly TableFile[]): Promise<void> {
    for (const { name, path } of files) {
      try {
        await this.connection.run(`CREATE TABLE ${identifier(name)} AS FROM ${parquetFile(path)}`);
      } catch (error) {
        const message = messageOf(error);
        if (message.startsWith("Out of Memory Error")) throw fileProblem("--sql", message);
        throw fileProblem(path, `cannot read the table: ${message.split("\n", 1)[0]}`);
      }
    }
  }

  /** From now on SQL can reach nothing but the tables; nothing of a user is run before. */
  async lock(): Promise<void> {
    await this.connection.run("SET enable_external_access = false");
    await this.connection.run("SET lock_configuration = true");
  }
}

function asInputError(error: unknown, name: string): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  const message = messageOf(error);
  // DuckDB's binding reports a text without a statement in this way.
  if (message === "Error in native callback") return fileProblem(name, "expected a SELECT, found nothing");
  return fileProblem(name, quotedInOneLine(withoutAdvice(message.replace(/^Failed to extract statements: /, ""))));
}

/** DuckDB's own lines. Any other is of the query that it quotes. */
const OWN_LINE = /\n(?=\n|LINE \d+: | *\^|Candidate |Did you mean |Possible )/;

/** Lines of a query stay in the line that quotes them. */
function quotedInOneLine(message: string): string {
  return message
    .split(OWN_LINE)
    .map((line) => line.replaceAll("\n", "\\n"))
    .join("\n");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Writes an answer as a Parquet file, from a database of its own: that of the sweep may not write. It holds the whole
 * answer, in no more memory than a query may use; both together are watched like any query (`askSweep`).
 */
async function writeAnswer(
  duckdb: DuckDB,
  result: DuckDBResult,
  { path, name, memoryLimit }: { readonly path: string; readonly name: string; readonly memoryLimit: string },
): Promise<void> {
  await withDatabase(duckdb, { threads: "1", memory_limit: memoryLimit }, undefined, async (connection) => {
    await fill(connection, result, name);
    await connection.run(`COPY answer TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`);
  });
}

async function fill(connection: DuckDBConnection, result: DuckDBResult, name: string): Promise<void> {
  const names = result.deduplicatedColumnNames();
  const types = columnTypes(result, names, name);
  const columns = names.map((column, index) => `${identifier(column)} ${types[index].toString()}`);
  await connection.run(`CREATE TABLE answer (${columns.join(", ")})`);
  const appender = await connection.createAppender("answer");
  try {
    for await (const chunk of chunksOf(result)) appender.appendDataChunk(chunk);
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

interface QueryColumn {
  readonly name: string;
  /** As SQL writes it: `DECIMAL(5,2)`, `VARCHAR[]`. */
  readonly type: string;
  readonly isNumber: boolean;
}

/** The form of a cell: text that SQL would write, that text cut for a table on a screen, or JSON of the whole row. */
export type CellForm = "text" | "cut" | "json";

/** Some rows of an answer; the first page has the columns too, and comes even if there is no row. */
export interface AnswerPage {
  readonly columns?: readonly QueryColumn[];
  /** Cells as text, null where there is no value; of form `json` one cell a row, the record as JSON. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Characters and rows at which a page is full. */
const PAGE_CHARACTERS = 1 << 20;

const PAGE_ROWS = 2048;

/** Longest cell that is handed on whole. */
const MOST_CHARACTERS = 1 << 24;

/** Length of a cut cell: more than a table on a screen can show. */
const CUT_AT = 200;

/**
 * The rows of a result, never more than a page of them as text at once. @throws InputError for a cell that is too long.
 */
async function* answerPages(
  duckdb: DuckDB,
  result: DuckDBResult,
  name: string,
  form: CellForm,
): AsyncGenerator<AnswerPage> {
  const names = result.deduplicatedColumnNames();
  const types = columnTypes(result, names, name);
  const columns = types.map((type, index) => {
    const words = type.toString();
    return { name: names[index], type: words, isNumber: NUMBER.test(words) };
  });
  const { JsonDuckDBValueConverter: converter } = duckdb;
  const checked = (text: string, column: number) => {
    if (text.length <= MOST_CHARACTERS) return text;
    const actual = `a value in the column ${quote(names[column])} has ${text.length} characters`;
    throw fileProblem(name, `${actual}, expected at most ${MOST_CHARACTERS}`);
  };
  const cell = (value: DuckDBValue, column: number): string | null => {
    if (value === null) return null;
    const text = String(value);
    return form === "cut" && text.length > CUT_AT ? text.slice(0, CUT_AT) : checked(text, column);
  };
  const record = (row: readonly DuckDBValue[]) => {
    const fields = row.map((value, column) => {
      const json = asNumber(converter(value, types[column], converter), columns[column]);
      checked(typeof json === "string" ? json : JSON.stringify(json), column);
      return [names[column], json];
    });
    return JSON.stringify(Object.fromEntries(fields), null, 2);
  };
  let page: (string | null)[][] = [];
  let characters = 0;
  yield { columns, rows: [] };
  for await (const chunk of chunksOf(result)) {
    const vectors = types.map((_, column) => chunk.getColumnVector(column));
    for (let row = 0; row < chunk.rowCount; row++) {
      // One row at a time: all values of a chunk at once could be gigabytes.
      const values = vectors.map((vector) => vector.getItem(row));
      const cells = form === "json" ? [record(values)] : values.map(cell);
      for (const text of cells) characters += text?.length ?? 0;
      page.push(cells);
      if (characters < PAGE_CHARACTERS && page.length < PAGE_ROWS) continue;
      yield { rows: page };
      [page, characters] = [[], 0];
    }
  }
  if (page.length > 0) yield { rows: page };
}

/** Returns the types of the columns. @throws InputError for a type that DuckDB cannot read out, such as TYPE. */
function columnTypes(result: DuckDBResult, names: readonly string[], name: string): readonly DuckDBType[] {
  return names.map((column, index) => {
    try {
      return result.columnType(index);
    } catch {
      throw fileProblem(
        name,
        `the column ${quote(column)} is of a type that cannot be read out; ${column}::VARCHAR, for example, can`,
      );
    }
  });
}

const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$/;

/** Digits that every number of JavaScript holds exactly. */
const SAFE_DIGITS = 15;

/** Integers of 64 bits and decimals are numbers as long as one holds them, else text; NaN and infinities are text. */
function asNumber(value: Json, { isNumber }: QueryColumn): Json {
  if (!isNumber || typeof value !== "string") return value;
  const digits = value.replace(/\D/g, "").replace(/^0+/, "");
  const isFinite = /\d/.test(value);
  return isFinite && digits.length <= SAFE_DIGITS ? Number(value) : value;
}

/**
 * DuckDB's message without advice on settings, which users cannot change, and without lines of SQL that it wrote
 * itself.
 */
function withoutAdvice(message: string): string {
  return message
    .replace(/\s*Use "SET [^"]*"[^.\n]*\.?/g, "")
    .replace(/\n+LINE \d+: CREATE OR REPLACE TEMP TYPE "__pivot_[^]*$/, "");
}
