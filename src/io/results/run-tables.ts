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
  readonly cells: Numbers | ((row: number) => string | number | null);
}

/** One Parquet file of a results folder. */
export interface RunTable {
  /** `jobs`: the file is `jobs.parquet`. */
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly TableColumn[];
  /** SQL select list over the columns: what the file holds. */
  readonly select: string;
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

/** Columns, and what the file has of them. */
type Columns = readonly (readonly [column: TableColumn, select: string])[];

function tableOf(name: string, rows: number, columns: Columns): RunTable {
  return {
    name,
    rows,
    columns: columns.map(([column]) => column),
    select: columns.map(([, select]) => select).join(", "),
  };
}

/** As it is. */
function unchanged(column: TableColumn): [TableColumn, string] {
  return [column, `"${column.name}"`];
}

/** Microseconds, whole and exact in a double; -1 says that it has not happened. */
function instant(name: string, values: Float64Array): [TableColumn, string] {
  return [double(`${name} raw`, values), `CAST(NULLIF("${name} raw", -1) AS BIGINT) AS "${name}"`];
}

/** Codes as words; null for a code beyond them. */
function coded(name: string, codes: Uint8Array, words: readonly (string | null)[]): [TableColumn, string] {
  const cases = words.map((word, code) => `WHEN ${code} THEN ${word === null ? "NULL" : `'${word}'`}`);
  return [small(`${name} code`, codes), `CASE "${name} code" ${cases.join(" ")} END AS "${name}"`];
}

function jobsTable(jobs: JobColumns, names: ColumnNames): RunTable {
  const { group, tasks, local, levels, resources } = names;
  const { priority, deadlineAtUs, kills, killedUs, endAtUs, hasFailed, submitAtUs } = jobs;
  const ofEnd = Uint8Array.from(hasFailed, (failed, job) => (endAtUs[job] < 0 ? 2 : failed));
  const responseUs = endAtUs.map((endUs, job) => (ofEnd[job] === 0 ? endUs - submitAtUs[job] : -1));
  return tableOf("jobs", jobs.rows, [
    unchanged({ name: "job", type: "INTEGER", cells: (row) => row }),
    unchanged(text("name", jobs.name)),
    unchanged(text("user", jobs.user)),
    unchanged(text(group, jobs.group)),
    [text("placed", jobs.placedIn), "NULLIF(placed, '') AS placed_in"],
    ...(priority === undefined ? [] : [coded("priority", priority, PRIORITIES)]),
    ...jobs.tasks.map((column, type) => unchanged(int(tasks[type], column))),
    instant("submit_at_us", submitAtUs),
    instant("first_launch_at_us", jobs.firstLaunchAtUs),
    instant("fair_share_at_us", jobs.fairShareAtUs),
    instant("end_at_us", endAtUs),
    ...(deadlineAtUs === undefined ? [] : [instant("deadline_at_us", deadlineAtUs)]),
    coded("outcome", ofEnd, ["succeeded", "failed"]),
    instant("response_us", responseUs),
    ...jobs.launchedAt.map((column, level) => unchanged(int(`${levels[level]}_${local.many}`, column))),
    instant("locality_wait_us", jobs.localityWaitUs),
    instant("longest_locality_wait_us", jobs.longestLocalityWaitUs),
    instant("wait_clock_us", jobs.waitClockUs),
    instant("wait_clock_skips", jobs.waitClockSkips),
    instant(`${local.many}_pending_us`, jobs.pendingUs),
    ...jobs.heldUs.map((column, place) => instant(`${resources[place].one}_us`, column)),
    ...(kills === undefined ? [] : [unchanged(int("kills", kills))]),
    ...(killedUs === undefined ? [] : [instant("killed_us", killedUs)]),
  ]);
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
  const named = Object.entries(columns).map(([key, cells]): [TableColumn, string] => {
    const title = snakeCase(key);
    const raw = `${title} raw`;
    if (cells instanceof Uint8Array) return coded(title, cells, words[key]);
    if (cells instanceof Float64Array) return instant(title, cells);
    if (cells instanceof Int32Array) return [int(raw, cells), `NULLIF("${raw}", -1) AS "${title}"`];
    return [text(raw, cells as readonly string[]), `NULLIF("${raw}", '') AS "${title}"`];
  });
  return tableOf(name, rows, named);
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
    column("kills_caused", "INTEGER", groups, ({ killsCaused = null }) => killsCaused),
    column("demanding", "DOUBLE", groups, ({ share }) => share?.demanding ?? null),
    column(`held_${many}`, "DOUBLE", groups, ({ share }) => share?.held ?? null),
    column(`fair_${many}`, "DOUBLE", groups, ({ share }) => share?.fair ?? null),
    column("below_fair_share", "DOUBLE", groups, ({ share }) => share?.belowFairShare ?? null),
    column("below_promise", "DOUBLE", groups, ({ share }) => share?.belowPromise ?? null),
  ];
  const tables = [groupTable(names.groups, names.group, groups, ofGroups, words, names)];
  if (users.length > 0) tables.push(groupTable("users", "user", users, [], words, names));
  return tables;
}

function column<Row>(
  name: string,
  type: ColumnType,
  rows: readonly Row[],
  value: (row: Row) => string | number | null,
): TableColumn {
  return { name, type, cells: (row) => value(rows[row]) };
}

function groupTable(
  name: string,
  ofName: string,
  groups: readonly GroupSummary[],
  more: readonly TableColumn[],
  words: RecordWords,
  { local, levels, resources }: ColumnNames,
): RunTable {
  const count = (title: string, value: (group: GroupSummary) => number | undefined): TableColumn =>
    column(title, "INTEGER", groups, (group) => value(group) ?? null);
  const number = (title: string, value: (group: GroupSummary) => number | null): TableColumn =>
    column(title, "DOUBLE", groups, value);
  const us = (title: string, seconds: (group: GroupSummary) => number | null | undefined): [TableColumn, string] => [
    number(`${title} raw`, (group) => {
      const groupSeconds = seconds(group) ?? null;
      return groupSeconds === null ? null : groupSeconds * US_PER_SECOND;
    }),
    `CAST(round("${title} raw") AS BIGINT) AS "${title}_us"`,
  ];
  const quantiles = (title: string, value: (group: GroupSummary) => Quantiles): [TableColumn, string][] =>
    (["mean", "p50", "p95", "p99"] as const).map((quantile) =>
      us(`${title}_${quantile}`, (group) => value(group)[quantile]),
    );
  const launched = `launched_${local.many}`;
  const hasDeadlines = groups.some(({ deadlines }) => deadlines !== undefined);
  const hasKills = groups.some(({ kills }) => kills !== undefined);
  return tableOf(name, groups.length, [
    unchanged(column(ofName, "VARCHAR", groups, (group) => group.name)),
    unchanged(count("jobs", ({ jobs }) => jobs.submitted)),
    unchanged(count("ended", ({ jobs }) => jobs.ended)),
    unchanged(count("failed", ({ jobs }) => jobs.failed)),
    unchanged(count("unfinished", ({ jobs }) => jobs.unfinished)),
    ...(hasDeadlines
      ? [
          unchanged(count("deadlines_met", ({ deadlines }) => deadlines?.met)),
          unchanged(count("deadlines_missed", ({ deadlines }) => deadlines?.missed)),
          unchanged(count("deadlines_open", ({ deadlines }) => deadlines?.open)),
        ]
      : []),
    [number(`${launched} raw`, ({ locality }) => locality.tasks), `CAST("${launched} raw" AS BIGINT) AS "${launched}"`],
    ...words.levels.map(({ key }, level) =>
      unchanged(number(levels[level], ({ locality: { tasks, shares } }) => (tasks > 0 ? (shares[key] ?? null) : null))),
    ),
    unchanged(number(`pending_seconds_per_${local.one}`, ({ pendingSecondsPerTask }) => pendingSecondsPerTask)),
    ...(hasKills ? [unchanged(count("kills", ({ kills }) => kills?.attempts))] : []),
    ...more.map(unchanged),
    ...quantiles("response", ({ responseSeconds }) => responseSeconds),
    ...quantiles("first_task", ({ timeToFirstTaskSeconds }) => timeToFirstTaskSeconds),
    ...quantiles("fair_share", ({ timeToFairShareSeconds }) => timeToFairShareSeconds),
    ...words.resources.map(({ key }, place) => us(resources[place].one, ({ resourceSeconds }) => resourceSeconds[key])),
    ...(hasKills ? [us("killed", ({ kills }) => kills?.lostSeconds)] : []),
  ]);
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
  return tableOf(`${group}-samples`, samples.rows, [
    instant("at_us", samples.atUs),
    unchanged({ name: group, type: "VARCHAR", cells: (row) => samples.groupNames[samples.group[row]] }),
    ...resources.flatMap(({ short }, place) => [
      unchanged(int(`running_${short}`, running[place])),
      unchanged(double(`fair_share_${short}`, fairShare[place])),
      unchanged(int(`demand_${short}`, demand[place])),
    ]),
    ...resources.map(({ short }, place) => unchanged(double(`held_${short}`, heldUnits[place]))),
  ]);
}

function text(name: string, values: readonly string[]): TableColumn {
  return { name, type: "VARCHAR", cells: (row) => values[row] };
}

function small(name: string, values: Uint8Array): TableColumn {
  return { name, type: "UTINYINT", cells: values };
}

function int(name: string, values: Int32Array): TableColumn {
  return { name, type: "INTEGER", cells: values };
}

function double(name: string, values: Float64Array): TableColumn {
  return { name, type: "DOUBLE", cells: values };
}
