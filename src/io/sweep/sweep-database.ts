import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBResult, DuckDBType, DuckDBValue, Json } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import { type DuckDB, fillTable, identifier, literal, neededDuckDB } from "../results/duckdb.js";
import type { TableFile } from "../results/run-folder.js";
import type { RunTable } from "../results/run-tables.js";
import { quote } from "../scenario/show.js";

/*
 * SQL of a user over a sweep: the database and its tables, the answer page by page or as a file, and, at the end, the guard that lets
 * only statements through that compute. All of it runs in the process of `sql-process.ts`, which `askSweep` watches.
 */

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
    const duckdb = neededDuckDB("bide results");
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
    return database;
  }

  /**
   * What the statement says, page by page.
   * @param name what the SQL is called in messages: `--sql`.
   * @throws InputError with the database's own words when it cannot be answered.
   */
  async *query(sql: string, name: string, form: CellForm): AsyncGenerator<AnswerPage> {
    try {
      const result = await this.answerTo(sql, name);
      if (result !== null) yield* answerPages(this.duckdb, result, name, form);
    } catch (error) {
      throw asInputError(error, name);
    }
  }

  /** Writes what the statement says as a Parquet file, of any size. @throws as `query`; errors of the disk as they are. */
  async copy(sql: string, name: string, path: string): Promise<void> {
    try {
      const result = await this.answerTo(sql, name);
      if (result !== null) await writeAnswer(this.duckdb, result, { path, name, memoryLimit: this.memoryLimit });
    } catch (error) {
      // The disk's troubles are none of the SQL.
      if (error instanceof Error && error.message.startsWith("IO Error: ")) throw error;
      throw asInputError(error, name);
    }
  }

  private async answerTo(sql: string, name: string): Promise<DuckDBResult | null> {
    let last: DuckDBResult | null = null;
    // A PIVOT that looks for its columns itself is several.
    const statements = await this.connection.extractStatements(await this.guard.statement(sql, name));
    for (let at = 0; at < statements.count; at++) last = await (await statements.prepare(at)).stream();
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

  /** Makes each file a table. @throws InputError when it is no Parquet, or too much. */
  async readFiles(files: readonly TableFile[]): Promise<void> {
    for (const { name, path } of files) {
      const file = literal(path.replace(/[*?[\\]/g, "[$&]"));
      try {
        await this.connection.run(`CREATE TABLE ${identifier(name)} AS FROM read_parquet(${file})`);
      } catch (error) {
        const message = messageOf(error);
        if (message.startsWith("Out of Memory Error")) throw problem("--sql", message);
        throw problem(path, `cannot read the table: ${message.split("\n", 1)[0]}`);
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
  return problem(name, withoutAdvice(messageOf(error).replace(/^Failed to extract statements: /, "")));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}

/**
 * Writes an answer as a Parquet file, from a database of its own: that of the sweep may not write. It holds the whole answer, in no
 * more memory than a query may use; both together are watched like any query (`askSweep`).
 */
async function writeAnswer(
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

interface QueryColumn {
  readonly name: string;
  /** As SQL writes it: `DECIMAL(5,2)`, `VARCHAR[]`. */
  readonly type: string;
  readonly isNumber: boolean;
}

/** What a cell is wanted as: text that SQL would write, that text cut for a table on a screen, or JSON of the whole row. */
export type CellForm = "text" | "cut" | "json";

/** Some rows of an answer; the first page has the columns too, and comes even if there is no row. */
export interface AnswerPage {
  readonly columns?: readonly QueryColumn[];
  /** Cells as text, null where there is no value; of form `json` one cell a row, the record as JSON. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Of a page: it is full when it holds so many characters, or so many rows. */
const PAGE_CHARACTERS = 1 << 20;

const PAGE_ROWS = 2048;

/** Longest cell that is handed on whole. */
const MOST_CHARACTERS = 1 << 24;

/** What a table for a screen can show of a cell, and more. */
const CUT_AT = 200;

/** The rows of a result, never more than a page of them as text at once. @throws InputError for a cell that is too long. */
async function* answerPages(
  duckdb: DuckDB,
  result: DuckDBResult,
  name: string,
  form: CellForm,
): AsyncGenerator<AnswerPage> {
  const names = result.deduplicatedColumnNames();
  const types = columnTypes(result, names, name);
  const columns = types.map((type, at) => {
    const words = type.toString();
    return { name: names[at], type: words, isNumber: NUMBER.test(words) };
  });
  const { JsonDuckDBValueConverter: converter } = duckdb;
  const checked = (text: string, column: number): string => {
    if (text.length <= MOST_CHARACTERS) return text;
    const found = `found a value of ${String(text.length)} characters in the column ${quote(names[column])}`;
    const message = `${found}, allowed ${String(MOST_CHARACTERS)} at most`;
    throw new InputError([{ file: name, line: 0, column: 0, message }]);
  };
  const cell = (value: DuckDBValue, column: number): string | null => {
    if (value === null) return null;
    const text = String(value);
    return form === "cut" && text.length > CUT_AT ? text.slice(0, CUT_AT) : checked(text, column);
  };
  const record = (row: readonly DuckDBValue[]): string => {
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
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
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

/** @throws InputError for a column whose values DuckDB does not hand out, as those of the type TYPE. */
function columnTypes(result: DuckDBResult, names: readonly string[], name: string): readonly DuckDBType[] {
  return names.map((column, at) => {
    try {
      return result.columnType(at);
    } catch {
      const message = `the column ${quote(column)} is of a type that cannot be read out, allowed for example ${column}::VARCHAR`;
      throw new InputError([{ file: name, line: 0, column: 0, message }]);
    }
  });
}

const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$/;

/** So many digits a number of JavaScript holds, whatever they are. */
const SAFE_DIGITS = 15;

/** Integers of 64 bits and decimals are numbers as long as one holds them, else text; NaN and infinities are text. */
function asNumber(value: Json, { isNumber }: QueryColumn): Json {
  if (!isNumber || typeof value !== "string") return value;
  const digits = value.replace(/\D/g, "").replace(/^0+/, "");
  const isFinite = /\d/.test(value);
  return isFinite && digits.length <= SAFE_DIGITS ? Number(value) : value;
}

/** Functions that DuckDB says may act, or whose answers differ, and that harm nobody. */
const HARMLESS = ["error", "gen_random_uuid", "random", "setseed", "uuid", "uuidv4", "uuidv7"];

/** Functions in FROM: those that compute, and those that describe this database. */
const TABLE_FUNCTIONS = [
  ...["generate_series", "histogram", "histogram_values", "json_each", "json_tree", "range", "repeat", "repeat_row"],
  ...["duckdb_columns", "duckdb_functions", "duckdb_keywords", "duckdb_memory", "duckdb_settings", "duckdb_tables"],
  ...["duckdb_types", "pragma_table_info", "summary", "test_all_types", "unnest"],
];

/** Scalar functions that run SQL, or wait, whatever DuckDB says of them. */
const NEVER = ["json_execute_serialized_sql", "query", "query_table", "sleep_ms", "write_log"];

const ONLY = "allowed functions that only compute";

/**
 * Lets through the statements of a user that only compute, by DuckDB's own parse of them: SELECT (also as FROM, WITH, VALUES, PIVOT,
 * DESCRIBE, SUMMARIZE, SHOW), and EXPLAIN of one. A function has to be on the list: those of DuckDB's catalogue that give a value and have no
 * side effects, and table functions that are named here.
 */
class SqlGuard {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly allowed: ReadonlySet<string>,
    private readonly known: ReadonlySet<string>,
  ) {}

  static async of(connection: DuckDBConnection): Promise<SqlGuard> {
    const sql =
      "SELECT lower(function_name), function_type, coalesce(has_side_effects, false), lower(macro_definition) FROM duckdb_functions()";
    const rows = (await connection.runAndReadAll(sql)).getRows();
    const allowed = new Set([...HARMLESS, ...TABLE_FUNCTIONS]);
    const refused = new Set(NEVER);
    const isValue = (type: unknown): boolean => type === "scalar" || type === "aggregate" || type === "macro";
    for (const [name, type, acts] of rows) {
      if (isValue(type) && acts === true && !HARMLESS.includes(String(name))) refused.add(String(name));
    }
    // A macro acts as what it calls: pg_sleep is sleep_ms.
    const calls = (definition: unknown): boolean =>
      [...(typeof definition === "string" ? definition : "").matchAll(/\w+/g)].some(([word]) => refused.has(word));
    for (const [name, , , definition] of rows) if (calls(definition)) refused.add(String(name));
    for (const [name, type] of rows) {
      if (isValue(type) && !refused.has(String(name))) allowed.add(String(name));
    }
    return new SqlGuard(connection, allowed, new Set(rows.map(([name]) => String(name))));
  }

  /** The statement of a text, to be run as it is given here. @throws InputError also for more than one: a command has one answer. */
  async statement(sql: string, name: string): Promise<string> {
    const statements = split(sql);
    if (statements.length === 0) throw problem(name, "found no statement, allowed a SELECT");
    const checked: string[] = [];
    for (const { text, words } of statements) {
      const isExplain = words[0].name === "explain" && !words[0].isQuoted;
      const isAnalyze = isExplain && words[1]?.name === "analyze" && !words[1].isQuoted;
      const query = isExplain ? text.slice(words[isAnalyze ? 1 : 0].end) : text;
      await this.checkQuery(query, isExplain ? words.slice(isAnalyze ? 2 : 1) : words, name);
      checked.push(`${isExplain ? `EXPLAIN ${isAnalyze ? "ANALYZE " : ""}` : ""}${query}`);
    }
    if (checked.length > 1) throw problem(name, `found ${String(checked.length)} statements, allowed one`);
    return checked[0];
  }

  private async checkQuery(sql: string, words: readonly Word[], name: string): Promise<void> {
    const reader = await this.connection.runAndReadAll(`SELECT json_serialize_sql(${literal(sql)}::VARCHAR)`);
    const parse = JSON.parse(String(reader.getRows()[0][0])) as {
      readonly error: boolean;
      readonly error_type?: string;
      readonly error_message?: string;
      readonly statements?: readonly unknown[];
    };
    if (!parse.error) {
      for (const called of functionsIn(parse.statements)) {
        if (!this.allowed.has(called.toLowerCase()))
          throw problem(name, `found the function ${quote(called)}, ${ONLY}`);
      }
      return;
    }
    if (parse.error_type !== "not implemented") {
      throw problem(name, withoutAdvice(`Parser Error: ${parse.error_message ?? "the statement cannot be read"}`));
    }
    // How DuckDB ends a comment within a comment is not ours to guess.
    if (/\/\*(?:(?!\*\/).)*\/\*/s.test(sql))
      throw problem(name, "found a comment within a comment, allowed one at a time");
    this.checkPivot(words, name);
  }

  /**
   * A PIVOT that looks for its columns itself is two statements to DuckDB, of which it gives no parse. There every name before a parenthesis
   * counts as a call, quoted or not.
   */
  private checkPivot(words: readonly Word[], name: string): void {
    const [first] = words as readonly (Word | undefined)[];
    const begins = first?.isQuoted === false ? first.name : "";
    const isQuery = ["from", "pivot", "pivot_wider", "select", "with"].includes(begins);
    const pivots = words.some((word) => !word.isQuoted && /^pivot(_wider)?$/.test(word.name));
    if (!isQuery || !pivots) {
      throw problem(
        name,
        `found a statement that begins with ${quote(begins.toUpperCase())}, allowed SELECT and EXPLAIN`,
      );
    }
    for (const { name: called, isCalled } of words) {
      if (isCalled && this.known.has(called) && !this.allowed.has(called)) {
        throw problem(name, `found the function ${quote(called)}, ${ONLY}`);
      }
    }
  }
}

/** Names of all functions in a parse, however deep. */
function functionsIn(parse: unknown): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [parse];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === "function_name" && typeof value === "string") names.add(value);
      else open.push(value);
    }
  }
  return names;
}

interface Word {
  /** In small letters. */
  readonly name: string;
  readonly isQuoted: boolean;
  /** A parenthesis follows. */
  isCalled: boolean;
  /** Where it ends in its statement. */
  readonly end: number;
}

/** Comments, texts, quoted names, words, and single characters. */
const TOKEN =
  /(?<blank>\s+|--[^\n\r]*|\/\*.*?\*\/)|(?<text>[eE]'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|(?<tag>\$(?:[\p{L}_][\p{L}\d_]*)?\$).*?\k<tag>)|"(?<quoted>(?:""|[^"])*)"|(?<word>[\p{L}_][\p{L}\d_$]*)|(?<other>.)/gsu;

/** The statements of a text that have a word in them, each with its words. What is run is what is given here, so a wrong cut lets nothing through. */
function split(sql: string): { readonly text: string; readonly words: readonly Word[] }[] {
  const statements: { text: string; words: Word[] }[] = [];
  let [start, words, last] = [0, [] as Word[], null as Word | null];
  const close = (end: number): void => {
    if (words.length > 0) statements.push({ text: sql.slice(start, end), words });
    [start, words, last] = [end + 1, [], null];
  };
  for (const token of sql.matchAll(TOKEN)) {
    const { blank, quoted, word, other } = token.groups as Record<string, string | undefined>;
    if (blank !== undefined) continue;
    if (quoted !== undefined || word !== undefined) {
      const name = (word ?? quoted?.replaceAll('""', '"') ?? "").toLowerCase();
      last = { name, isQuoted: quoted !== undefined, isCalled: false, end: token.index + token[0].length - start };
      words.push(last);
    } else if (other === ";") close(token.index);
    else {
      if (other === "(" && last !== null) last.isCalled = true;
      // A character that is no mark of SQL may be a blank to DuckDB: the word before it still counts.
      if (other === undefined || other < "\u0080") last = null;
    }
  }
  close(sql.length);
  return statements;
}

/** DuckDB's words, without the settings that it advises to change, for nobody may, and without lines of SQL that it wrote itself. */
function withoutAdvice(message: string): string {
  return message
    .replace(/\s*Use "SET [^"]*"[^.\n]*\.?/g, "")
    .replace(/\n+LINE \d+: CREATE OR REPLACE TEMP TYPE "__pivot_[^]*$/, "");
}
