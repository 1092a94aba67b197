import { titlesOf, US_PER_SECOND, definedFields } from "../../core/kernel/index.js";
import {
  columnWord,
  type DecisionColumns,
  type GroupSampleColumns,
  type GroupSummary,
  type JobColumns,
  localTask,
  OUTCOMES,
  type PreemptionColumns,
  type Quantiles,
  type RecordWords,
  type RunRecord,
  type SampleColumns,
  shortOf,
  type StageColumns,
  type Summary,
  type TaskColumns,
} from "../../core/record/index.js";
import { PRIORITIES } from "../../core/scenario/index.js";

/** The database's type of a column. */
export type ColumnType = "VARCHAR" | "UTINYINT" | "TINYINT" | "INTEGER" | "DOUBLE";

/** Numbers that lie in memory as the database has them: of UTINYINT, TINYINT, INTEGER and DOUBLE. */
type Numbers = Uint8Array | Int8Array | Int32Array | Float64Array;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The value of a row (null: it has none), or the values of all rows as they lie in memory. */
  readonly cells: Numbers | ((row: number) => Cell);
  /** The file's value, in SQL, from the column; absent: as it is. */
  readonly select?: ((column: string) => string) | undefined;
}

type Cell = string | number | null;

/** One Parquet file of a results folder. */
export interface RunTable {
  /** `jobs`: the file is `jobs.parquet`. */
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly TableColumn[];
}

/** A column over records. */
export interface RecordColumn<Row> extends Omit<TableColumn, "cells"> {
  readonly cellOf: (row: Row) => Cell;
}

const ofType =
  (type: ColumnType) =>
  <Row>(name: string, cellOf: (row: Row) => Cell, select?: (column: string) => string): RecordColumn<Row> => ({
    name,
    type,
    cellOf,
    select,
  });

export const integer = ofType("INTEGER");
export const double = ofType("DOUBLE");
export const varchar = ofType("VARCHAR");

/** In place of a double that is whole. */
export const asBigint = (column: string): string => `CAST(${column} AS BIGINT)`;

export function tableOver<Row>(name: string, rows: readonly Row[], columns: readonly RecordColumn<Row>[]): RunTable {
  const overRows = columns.map(({ cellOf, ...column }) => ({ ...column, cells: (row: number) => cellOf(rows[row]) }));
  return { name, rows: rows.length, columns: overRows };
}

/** Names of columns, by task type, level and resource. */
interface ColumnNames {
  /** `pool`: of a table and a column. */
  readonly group: string;
  readonly groups: string;
  /** Task types: `maps`. */
  readonly tasks: readonly string[];
  /** The task type with locality. */
  readonly local: { readonly one: string; readonly many: string };
  /** Levels: `node_local`. */
  readonly levels: readonly string[];
  /** Resources: `map_slot`, `map_slots`; and what their units are called in short, `maps`. */
  readonly resources: readonly { readonly one: string; readonly many: string; readonly short: string }[];
}

export function columnNames(words: RecordWords): ColumnNames {
  const noun = ({ one, many }: { one: string; many: string }): { one: string; many: string } => ({
    one: columnWord(one),
    many: columnWord(many),
  });
  return {
    group: columnWord(words.group.one),
    groups: columnWord(words.group.many),
    tasks: words.taskTypes.map(({ many }) => columnWord(many)),
    local: noun(localTask(words)),
    levels: words.levels.map(({ local }) => columnWord(local)),
    resources: words.resources.map((resource) => ({
      ...noun(resource),
      short: columnWord(shortOf(words, resource).many),
    })),
  };
}

/** The tables of a run, in the order in which they are written. */
export function runTables({
  words,
  jobs,
  samples,
  groupSamples,
  tasks,
  stages,
  decisions,
  preemption,
}: RunRecord): RunTable[] {
  const names = columnNames(words);
  const tables = [jobsTable(jobs, names), samplesTable(samples, names), groupSamplesTable(groupSamples, names)];
  if (tasks !== null) tables.push(tasksTable(tasks, words));
  if (stages !== undefined) tables.push(stagesTable(stages));
  if (decisions !== undefined) tables.push(decisionsTable(decisions, words));
  if (preemption !== undefined) tables.push(preemptionTable(preemption, names));
  return tables;
}

/** Microseconds, whole and exact in a double; -1 says that it has not happened. */
export function instant(name: string, cells: TableColumn["cells"]): TableColumn {
  return { name, type: "DOUBLE", cells, select: (column) => `CAST(NULLIF(${column}, -1) AS BIGINT)` };
}

/** Codes as words; null for a code beyond them. */
function coded(name: string, cells: Uint8Array, words: readonly (string | null)[]): TableColumn {
  const cases = words.map((word, code) => `WHEN ${code} THEN ${word === null ? "NULL" : `'${word}'`}`);
  return { name, type: "UTINYINT", cells, select: (column) => `CASE ${column} ${cases.join(" ")} END` };
}

function text(name: string, values: readonly string[], select?: TableColumn["select"]): TableColumn {
  return { name, type: "VARCHAR", cells: (row) => values[row], select };
}

/** An empty text is none. */
const someText = (column: string): string => `NULLIF(${column}, '')`;

function jobsTable(jobs: JobColumns, names: ColumnNames): RunTable {
  const { group, tasks, local, levels, resources } = names;
  const { priority, deadlineAtUs, kills, killedUs, endAtUs, hasFailed, submitAtUs } = jobs;
  const ofEnd = Uint8Array.from(hasFailed, (failed, job) => (endAtUs[job] < 0 ? 2 : failed));
  const responseUs = endAtUs.map((endUs, job) => (ofEnd[job] === 0 ? endUs - submitAtUs[job] : -1));
  const columns = [
    { name: "job", type: "INTEGER", cells: (row: number) => row } as const,
    text("name", jobs.name),
    text("user", jobs.user),
    text(group, jobs.group),
    text("placed_in", jobs.placedIn, someText),
    ...(priority === undefined ? [] : [coded("priority", priority, PRIORITIES)]),
    ...jobs.tasks.map((column, type) => int(tasks[type], column)),
    instant("submit_at_us", submitAtUs),
    instant("first_launch_at_us", jobs.firstLaunchAtUs),
    instant("fair_share_at_us", jobs.fairShareAtUs),
    instant("end_at_us", endAtUs),
    ...(deadlineAtUs === undefined ? [] : [instant("deadline_at_us", deadlineAtUs)]),
    coded("outcome", ofEnd, ["succeeded", "failed"]),
    instant("response_us", responseUs),
    ...jobs.launchedAt.map((column, level) => int(`${levels[level]}_${local.many}`, column)),
    instant("locality_wait_us", jobs.localityWaitUs),
    instant("longest_locality_wait_us", jobs.longestLocalityWaitUs),
    instant("wait_clock_us", jobs.waitClockUs),
    instant("wait_clock_skips", jobs.waitClockSkips),
    instant(`${local.many}_pending_us`, jobs.pendingUs),
    ...jobs.heldUs.map((column, place) => instant(`${resources[place].one}_us`, column)),
    ...(kills === undefined ? [] : [int("kills", kills)]),
    ...(killedUs === undefined ? [] : [instant("killed_us", killedUs)]),
  ];
  return { name: "jobs", rows: jobs.rows, columns };
}

/** A name as a column of a file has it: `launchAtUs` is `launch_at_us`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Columns under their own names: -1 and an empty text are no value, numbers of 64 bits whole.
 * @param words of codes, by column.
 */
function namedTable(
  name: string,
  rows: number,
  columns: Readonly<Record<string, Numbers | readonly string[]>>,
  words: Readonly<Record<string, readonly string[]>> = {},
): RunTable {
  const named = Object.entries(columns).map(([key, cells]): TableColumn => {
    const title = snakeCase(key);
    if (cells instanceof Uint8Array) return coded(title, cells, words[key]);
    if (cells instanceof Float64Array) return instant(title, cells);
    if (!(cells instanceof Int32Array)) return text(title, cells as readonly string[], someText);
    return { name: title, type: "INTEGER", cells, select: (column) => `NULLIF(${column}, -1)` };
  });
  return { name, rows, columns: named };
}

function tasksTable({ rows, job, index: task, stages, ...columns }: TaskColumns, words: RecordWords): RunTable {
  const { type, ...further } = columns;
  const ofStage = stages === undefined ? {} : withStageName(stages);
  return namedTable(
    "tasks",
    rows,
    { job, ...ofStage, type, task, ...further },
    {
      type: [...words.taskTypes.map(({ one }) => one), ...words.otherAttempts],
      level: titlesOf(words.levels),
      outcome: OUTCOMES,
    },
  );
}

function preemptionTable({ rows, reasons, group, ...columns }: PreemptionColumns, names: ColumnNames): RunTable {
  return namedTable("preemption", rows, { [names.group]: group, ...columns }, { reason: reasons });
}

function stagesTable({ rows, job, ...columns }: StageColumns): RunTable {
  return namedTable("stages", rows, { job, ...withStageName(columns) });
}

/** Number and name of a stage come first, under names of their own. */
function withStageName<T extends Pick<StageColumns, "stage" | "name">>({ stage, name: stageName, ...further }: T) {
  return { stage, stageName, ...further };
}

function decisionsTable(log: DecisionColumns, { levels }: RecordWords): RunTable {
  const { rows, reasons, job, fromUs, toUs, decision: reason, count: opportunities, level, node, takenBy } = log;
  const ofStage = log.stages === undefined ? {} : withStageName(log.stages);
  const columns = { job, fromUs, toUs, reason, opportunities, level, node, takenBy, ...ofStage };
  return namedTable("decisions", rows, columns, { reason: reasons, level: titlesOf(levels) });
}

/** Tables of the summary of each pool or queue, and of each user, for SQL to join with other tables. */
export function groupTables({ words, groups, users = [] }: Pick<Summary, "words" | "groups" | "users">): RunTable[] {
  const names = columnNames(words);
  const [{ many }] = names.resources;
  const ofGroups = [
    integer("kills_caused", ({ killsCaused }: GroupSummary) => killsCaused ?? null),
    double("demanding", ({ share }: GroupSummary) => share?.demanding ?? null),
    double(`held_${many}`, ({ share }: GroupSummary) => share?.held ?? null),
    double(`fair_${many}`, ({ share }: GroupSummary) => share?.fair ?? null),
    double("below_fair_share", ({ share }: GroupSummary) => share?.belowFairShare ?? null),
    double("below_promise", ({ share }: GroupSummary) => share?.belowPromise ?? null),
  ];
  const tableFor = (name: string, title: string, rows: readonly GroupSummary[], more: typeof ofGroups) =>
    tableOver(name, rows, groupColumns(title, rows, more, words));
  return [
    tableFor(names.groups, names.group, groups, ofGroups),
    ...(users.length > 0 ? [tableFor("users", "user", users, [])] : []),
  ];
}

function groupColumns(
  title: string,
  groups: readonly GroupSummary[],
  more: readonly RecordColumn<GroupSummary>[],
  words: RecordWords,
): RecordColumn<GroupSummary>[] {
  const { local, levels, resources } = columnNames(words);
  const count = (name: string, value: (group: GroupSummary) => number | undefined) =>
    integer(name, (group: GroupSummary) => value(group) ?? null);
  const us = (name: string, seconds: (group: GroupSummary) => number | null | undefined) =>
    double(
      `${name}_us`,
      (group: GroupSummary) => {
        const groupSeconds = seconds(group) ?? null;
        return groupSeconds === null ? null : groupSeconds * US_PER_SECOND;
      },
      (column) => asBigint(`round(${column})`),
    );
  const quantiles = (name: string, value: (group: GroupSummary) => Quantiles) =>
    (["mean", "p50", "p95", "p99"] as const).map((quantile) =>
      us(`${name}_${quantile}`, (group) => value(group)[quantile]),
    );
  const hasDeadlines = groups.some(({ deadlines }) => deadlines !== undefined);
  const hasKills = groups.some(({ kills }) => kills !== undefined);
  return [
    varchar(title, ({ name }) => name),
    count("jobs", ({ jobs }) => jobs.submitted),
    count("ended", ({ jobs }) => jobs.ended),
    count("failed", ({ jobs }) => jobs.failed),
    count("unfinished", ({ jobs }) => jobs.unfinished),
    ...(hasDeadlines
      ? [
          count("deadlines_met", ({ deadlines }) => deadlines?.met),
          count("deadlines_missed", ({ deadlines }) => deadlines?.missed),
          count("deadlines_open", ({ deadlines }) => deadlines?.open),
        ]
      : []),
    double(`launched_${local.many}`, ({ locality }) => locality.tasks, asBigint),
    ...words.levels.map(({ key }, level) =>
      double(levels[level], ({ locality: { tasks, shares } }: GroupSummary) =>
        tasks > 0 ? (shares[key] ?? null) : null,
      ),
    ),
    double(`pending_seconds_per_${local.one}`, ({ pendingSecondsPerTask }) => pendingSecondsPerTask),
    ...(hasKills ? [count("kills", ({ kills }) => kills?.attempts)] : []),
    ...more,
    ...quantiles("response", ({ responseSeconds }) => responseSeconds),
    ...quantiles("first_task", ({ timeToFirstTaskSeconds }) => timeToFirstTaskSeconds),
    ...quantiles("fair_share", ({ timeToFairShareSeconds }) => timeToFairShareSeconds),
    ...words.resources.map(({ key }, place) => us(resources[place].one, ({ resourceSeconds }) => resourceSeconds[key])),
    ...(hasKills ? [us("killed", ({ kills }) => kills?.lostSeconds)] : []),
  ];
}

function samplesTable(samples: SampleColumns, { tasks, levels, local }: ColumnNames): RunTable {
  const { rows, atUs, activeJobs, running, pending, launchedAt, extraReplicas } = samples;
  return namedTable("samples", rows, {
    atUs,
    activeJobs,
    ...Object.fromEntries(running.map((column, type) => [`running_${tasks[type]}`, column])),
    ...Object.fromEntries(pending.map((column, type) => [`pending_${tasks[type]}`, column])),
    ...Object.fromEntries(launchedAt.map((column, level) => [`${levels[level]}_${local.many}`, column])),
    ...definedFields({ extraReplicas }),
  });
}

function groupSamplesTable(samples: GroupSampleColumns, { group, resources }: ColumnNames): RunTable {
  const { running, fairShare, demand, held: heldUnits } = samples;
  const columns: TableColumn[] = [
    instant("at_us", samples.atUs),
    { name: group, type: "VARCHAR", cells: (row) => samples.groupNames[samples.group[row]] },
    ...resources.flatMap(({ short }, place): TableColumn[] => [
      int(`running_${short}`, running[place]),
      { name: `fair_share_${short}`, type: "DOUBLE", cells: fairShare[place] },
      int(`demand_${short}`, demand[place]),
    ]),
    ...resources.map(({ short }, place): TableColumn => ({
      name: `held_${short}`,
      type: "DOUBLE",
      cells: heldUnits[place],
    })),
  ];
  return { name: `${group}-samples`, rows: samples.rows, columns };
}

function int(name: string, cells: Int32Array): TableColumn {
  return { name, type: "INTEGER", cells };
}
