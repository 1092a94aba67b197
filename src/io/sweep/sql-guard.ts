import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import { literal } from "../results/duckdb.js";
import { quote } from "../scenario/show.js";

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
export class SqlGuard {
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

  /** The statements of a text, each to be run as it is given here. @throws InputError */
  async statements(sql: string, name: string): Promise<string[]> {
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
    return checked;
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
export function withoutAdvice(message: string): string {
  return message
    .replace(/\s*Use "SET [^"]*"[^.\n]*\.?/g, "")
    .replace(/\n+LINE \d+: CREATE OR REPLACE TEMP TYPE "__pivot_[^]*$/, "");
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
