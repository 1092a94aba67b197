import type { DuckDBResult, DuckDBValue, Json } from "@duckdb/node-api";
import { InputError } from "../input-error.js";
import type { DuckDB } from "../results/duckdb.js";

export interface QueryColumn {
  readonly name: string;
  /** As SQL writes it: `DECIMAL(5,2)`, `VARCHAR[]`. */
  readonly type: string;
  readonly isNumber: boolean;
}

/** A cell as text that SQL would write, or as JSON; null: it has no value. */
export interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The same as a list of records. */
  readonly records: () => Record<string, unknown>[];
}

/** @throws InputError when there are too many rows. */
export async function queryResult(
  duckdb: DuckDB,
  result: DuckDBResult,
  name: string,
  mostRows: number,
): Promise<QueryResult> {
  const values: (DuckDBValue | null)[][] = [];
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    values.push(...chunk.getRows());
    if (values.length > mostRows) throw tooMany(name, mostRows);
  }
  const types = result.columnTypes();
  const names = result.deduplicatedColumnNames();
  const columns = types.map((type, at) => {
    const words = type.toString();
    return { name: names[at], type: words, isNumber: NUMBER.test(words) };
  });
  const { JsonDuckDBValueConverter: converter } = duckdb;
  const jsonOf = (value: DuckDBValue, column: number): unknown =>
    asNumber(converter(value, types[column], converter), columns[column]);
  return {
    columns,
    rows: values.map((row) => row.map((value) => (value === null ? null : String(value)))),
    records: () =>
      values.map((row) => Object.fromEntries(row.map((value, column) => [names[column], jsonOf(value, column)]))),
  };
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

function tooMany(name: string, mostRows: number): InputError {
  const message = `found more than ${String(mostRows)} rows, allowed fewer: add a LIMIT, or let the query sum up`;
  return new InputError([{ file: name, line: 0, column: 0, message }]);
}
