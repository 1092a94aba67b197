import { allowedNames, quote } from "../scenario/show.js";
import type { CsvField } from "./csv-records.js";
import type { PlacedProblem } from "./line-problems.js";

/** The columns of a tasks file, in the order in which the documentation lists them. */
export const TASK_COLUMNS = [
  "job",
  "type",
  "seconds",
  "submit",
  "count",
  "copy",
  "user",
  "pool",
  "priority",
  "file",
  "block",
  "deadline",
  "mapInput",
  "mapOutput",
  "reduceOutput",
  "mapMemory",
  "reduceMemory",
  "ioShare",
] as const;
export type TaskColumn = (typeof TASK_COLUMNS)[number];

const REQUIRED: readonly TaskColumn[] = ["job", "type", "seconds", "submit"];

/** Which column each field belongs to. */
export type TasksHeader = readonly TaskColumn[];

/** Reads the header row: known names, each once, the required ones present, in any order. */
export function parseHeader(
  fields: readonly CsvField[],
): { readonly header: TasksHeader } | { readonly problems: readonly PlacedProblem[] } {
  const header: TaskColumn[] = [];
  const problems: PlacedProblem[] = [];
  for (const { text, column } of fields) {
    const found = text.trim();
    const name = TASK_COLUMNS.find((known) => known === found);
    if (name === undefined) {
      problems.push({
        column,
        message: `unknown column ${quote(found)} in the header; allowed: ${allowedNames(TASK_COLUMNS, found)}`,
      });
    } else if (header.includes(name)) {
      problems.push({ column, message: `column ${quote(found)} stands twice in the header; allowed: each name once` });
    } else {
      header.push(name);
    }
  }
  const missing = REQUIRED.filter((name) => !header.includes(name));
  if (problems.length === 0 && missing.length > 0) {
    problems.push({
      column: 1,
      message: `the header lacks ${missing.join(", ")}; found ${quote(header.join(","))}, required: ${REQUIRED.join(", ")}`,
    });
  }
  return problems.length === 0 ? { header } : { problems };
}
