import type { SparkRules } from "../../core/platforms/spark/index.js";
import { type Diagnostic, fileProblem, InputError } from "../input-error.js";
import { printable } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { configurationOf, type SettingMeaning, type SparkConfiguration } from "./settings.js";
import { mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";

// spark-defaults.conf: a file of Java properties, of which Spark takes those whose names begin with `spark.`.

/** A line of the file and its meaning. */
interface ConfLine extends SettingMeaning {
  /** The line in which the property begins. */
  readonly line: number;
}

export interface ReadConf {
  readonly configuration: SparkConfiguration;
  /** In the order of the file. */
  readonly lines: readonly ConfLine[];
  /** Notes for the user, with file and lines: settings that are not used, or given again. */
  readonly notes: readonly string[];
}

const CONF_FILE: TextFileKind = {
  file: "a spark-defaults.conf",
  tooLarge: (shown, actual) => {
    return fileProblem(shown, mismatch(actual, `at most ${LIMITS.fileBytes} bytes`));
  },
};

/**
 * Reads a spark-defaults.conf.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, and with all values with which Spark would not start.
 */
export function readSparkConf(path: string, shown: string, rules: SparkRules): ReadConf {
  return parseSparkConf(readTextFile(path, shown, CONF_FILE), shown, rules);
}

/** The same from a text that has been read. */
export function parseSparkConf(text: string, shown: string, rules: SparkRules): ReadConf {
  const properties = propertiesOf(text).map(({ value, ...property }) => ({ ...property, value: value.trim() }));
  const spark = properties.filter(({ key }) => key.startsWith("spark."));
  const entries = spark.map(({ key, value }) => [key, value] as const);
  const { configuration, meanings } = configurationOf(entries, rules);
  const lines = meanings.map((meaning, index) => ({ ...meaning, line: spark[index].line }));
  const bad = lines.filter(({ use }) => use === "bad");
  if (bad.length > 0) {
    throw new InputError(
      bad
        .slice(0, LIMITS.problems)
        .map(({ line, meaning }): Diagnostic => ({ file: shown, line, column: 1, message: meaning })),
    );
  }
  const notes: string[] = [];
  const firstOf = new Map<string, number>();
  for (const { key, line } of properties) {
    const said = printable(key).slice(0, 80);
    const before = firstOf.get(key);
    if (before !== undefined)
      notes.push(`${shown}, line ${line}: ${said} is given again; this value counts, not that of line ${before}`);
    firstOf.set(key, line);
    if (!key.startsWith("spark."))
      notes.push(`${shown}, line ${line}: ${said} is ignored, as Spark does: its name does not begin with spark.`);
  }
  for (const { key, line, use, meaning } of lines) {
    if (use === "other") notes.push(`${shown}, line ${line}: ${key} is ${meaning}`);
  }
  const unknown = lines.filter(({ use }) => use === "unknown").length;
  if (unknown > 0) notes.push(`${shown}: ${unknown} more settings have no part in when and where tasks run`);
  return { configuration, lines, notes: notes.slice(0, MOST_NOTES) };
}

const MOST_NOTES = 100;

interface Property {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** Returns the properties of a text as Java's `Properties.load` reads it: comments, lines that go on, and escapes. */
function propertiesOf(text: string): Property[] {
  const properties: Property[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    let logical = lines[index].replace(/^[ \t\f]+/, "");
    if (logical === "" || logical.startsWith("#") || logical.startsWith("!")) continue;
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(logical) && index + 1 < lines.length) {
      index++;
      logical = logical.slice(0, -1) + lines[index].replace(/^[ \t\f]+/, "");
    }
    const end = endOfKey(logical);
    const value = logical.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, "");
    properties.push({ key: unescaped(logical.slice(0, end)), value: unescaped(value), line });
  }
  return properties;
}

/** The first blank, `=` or `:` before which no backslash stands. */
function endOfKey(line: string): number {
  for (let index = 0; index < line.length; index++) {
    if (line[index] === "\\") index++;
    else if (/[ \t\f=:]/.test(line[index])) return index;
  }
  return line.length;
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S])|$)/g,
    (_, code: string | undefined, escaped: string | undefined) =>
      code === undefined ? (ESCAPES[escaped ?? ""] ?? escaped ?? "") : String.fromCharCode(parseInt(code, 16)),
  );
}
