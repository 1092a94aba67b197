import type { DuckDBResult, DuckDBType, DuckDBValue, Json } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import type { DuckDB } from "../results/duckdb.js";
import { quote } from "../scenario/show.js";

export interface QueryColumn {
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
export async function* answerPages(
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
export function columnTypes(result: DuckDBResult, names: readonly string[], name: string): readonly DuckDBType[] {
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
