import { MAX_TIME_US, mismatch } from "../../core/kernel/index.js";
import type { ExecutorSpec } from "../../core/platforms/spark/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { fileProblem } from "../input-error.js";
import { quote } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { wholeNumber } from "../workloads/lines.js";
import type { SparkHosts } from "./hosts.js";
import { csvRow, parseTable, type TableForm, type TableRow } from "../workloads/csv-table.js";

// executors.csv: the executors of an application as they come and go (docs/formats/spark-event-logs.md).

const COLUMNS = ["executor", "host", "rack", "cores", "from_us", "until_us", "goes", "profile"] as const;

type Column = (typeof COLUMNS)[number];

const FORM: TableForm<Column> = {
  title: "a table of executors",
  columns: COLUMNS,
  required: ["executor", "host", "cores"],
  header: `the header ${COLUMNS.join(",")}`,
};

const CORES = wholeNumber(1, LIMITS.cores);
const TIME = wholeNumber(0, MAX_TIME_US);

const MOST_EXECUTORS = 100_000;

const EXECUTORS_FILE: TextFileKind = {
  file: "a table of executors",
  mostBytes: 2 ** 26,
  tooLarge: (shown, actual) => fileProblem(shown, mismatch(actual, "at most 64 MiB")),
};

/** Executors in the order of their numbers. */
export interface ReadExecutors {
  readonly executors: readonly ExecutorSpec[];
  /** By executor: Spark's id. */
  readonly ids: readonly string[];
}

/**
 * Reads a table of executors.
 * @param path what to open. @param shown how messages name it. @param hosts those of the cluster; others that the table
 *   names are added.
 * @throws InputError with file, line, what was expected and what was found.
 */
export function readExecutorsCsv(path: string, shown: string, hosts: SparkHosts): ReadExecutors {
  const executors: ExecutorSpec[] = [];
  const lineOf = new Map<string, number>();
  const take = (row: TableRow<Column>): void => {
    if (executors.length === MOST_EXECUTORS) {
      throw fileProblem(shown, `has more than ${MOST_EXECUTORS} executors; that is the most one run can hold`);
    }
    const id = idOf(row, lineOf);
    const host = hostOf(row, hosts);
    const cores = row.value("cores", CORES);
    const fromUs = row.optional("from_us", TIME) ?? 0;
    const untilUs = row.optional("until_us", TIME) ?? Infinity;
    const profile = row.optional("profile", TIME) ?? 0;
    const isLetGo = row.choice("goes", ["idle"]) !== undefined;
    if (untilUs <= fromUs) {
      row.report("until_us", `until_us is ${untilUs}, expected more than from_us, ${fromUs}, or nothing`);
    }
    if (row.problems.length > 0) return;
    lineOf.set(id, row.line);
    executors.push({
      host,
      cores: cores ?? 0,
      fromUs,
      untilUs,
      ...(isLetGo ? { isLetGo: true as const } : {}),
      ...(profile === 0 ? {} : { profile }),
    });
  };
  parseTable(readTextFile(path, shown, EXECUTORS_FILE), shown, FORM, take);
  return { executors, ids: [...lineOf.keys()] };
}

function idOf(row: TableRow<Column>, lineOf: ReadonlyMap<string, number>): string {
  const id = row.text("executor");
  const line = lineOf.get(id);
  if (id === "") row.report("executor", "executor is missing, expected Spark's id, such as 1 or driver");
  else if (/[|]/.test(id)) row.report("executor", `executor is ${quote(id)}, expected a text without |`);
  else if (line !== undefined) {
    row.report("executor", `executor ${quote(id)} stands in line ${line} already`);
  }
  return id;
}

function hostOf(row: TableRow<Column>, hosts: SparkHosts): number {
  const [name, rack] = [row.text("host"), row.text("rack")];
  if (name === "") row.report("host", "host is missing, expected the name of a host");
  else if (/[|/]/.test(name)) row.report("host", `host is ${quote(name)}, expected a text without | and /`);
  if (row.problems.length > 0) return 0;
  const host = hosts.add(name, rack);
  const known = hosts.rackOf(host);
  if (rack !== "" && rack !== known) {
    const allowed = known === "" ? "nothing" : quote(known);
    row.report("rack", `rack is ${quote(rack)}, expected ${allowed}, as was said of host ${quote(name)} before`);
  }
  return host;
}

/** A row of the table, by names. */
export interface ExecutorRow {
  readonly id: string;
  readonly host: string;
  readonly rack: string;
  readonly cores: number;
  readonly fromUs: number;
  readonly untilUs: number;
  /** From `untilUs` on it goes as soon as it runs no task. */
  readonly isLetGo: boolean;
  /** Its resource profile; 0: the default one. */
  readonly profile: number;
}

/** The table as text. */
export function executorsCsv(rows: readonly ExecutorRow[]): string {
  const lines = rows.map(({ id, host, rack, cores, fromUs, untilUs, isLetGo, profile }) => {
    const until = untilUs === Infinity ? "" : untilUs;
    return csvRow([id, host, rack, cores, fromUs, until, isLetGo ? "idle" : "", profile === 0 ? "" : profile]);
  });
  return csvRow(COLUMNS) + lines.join("");
}
