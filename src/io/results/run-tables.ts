import { US_PER_SECOND } from "../../core/kernel/index.js";
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
  type StageDecisions,
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
export interface ColumnNames {
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

function whole(name: string, values: Float64Array): [TableColumn, string] {
  return [double(`${name} raw`, values), `CAST("${name} raw" AS BIGINT) AS "${name}"`];
}

/** Codes as words; null for a code beyond them. */
function coded(name: string, codes: Uint8Array, words: readonly (string | null)[]): [TableColumn, string] {
  const cases = words.map((word, code) => `WHEN ${String(code)} THEN ${word === null ? "NULL" : `'${word}'`}`);
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
    whole(`${local.many}_pending_us`, jobs.pendingUs),
    ...jobs.heldUs.map((column, place) => whole(`${resources[place].one}_us`, column)),
    ...(kills === undefined ? [] : [unchanged(int("kills", kills))]),
    ...(killedUs === undefined ? [] : [whole("killed_us", killedUs)]),
  ]);
}

function tasksTable(tasks: TaskColumns, { taskTypes, otherAttempts, levels }: RecordWords): RunTable {
  return tableOf("tasks", tasks.rows, [
    unchanged(int("job", tasks.job)),
    ...(tasks.stages === undefined ? [] : stageOf(tasks.stages)),
    coded("type", tasks.type, [...taskTypes.map(({ one }) => one), ...otherAttempts]),
    unchanged(int("task", tasks.index)),
    unchanged(int("attempt", tasks.attempt)),
    unchanged(int("node", tasks.node)),
    coded(
      "level",
      tasks.level,
      levels.map(({ title }) => title),
    ),
    instant("launch_at_us", tasks.launchAtUs),
    instant("finish_at_us", tasks.finishAtUs),
    coded("outcome", tasks.outcome, OUTCOMES),
  ]);
}

function preemptionTable(log: PreemptionColumns, { group }: ColumnNames): RunTable {
  return tableOf("preemption", log.rows, [
    unchanged(text(group, log.group)),
    coded("reason", log.reason, log.reasons),
    instant("from_us", log.fromUs),
    instant("to_us", log.toUs),
    instant("reached", log.reached),
    instant("bound", log.bound),
  ]);
}

/** Number and name; null: it is of no stage. */
function stageOf({ stage, name }: NonNullable<TaskColumns["stages"]>): [TableColumn, string][] {
  return [
    [int("stage raw", stage), 'NULLIF("stage raw", -1) AS stage'],
    [text("stage name", name), "NULLIF(\"stage name\", '') AS stage_name"],
  ];
}

function stagesTable(stages: StageColumns): RunTable {
  return tableOf("stages", stages.rows, [
    unchanged(int("job", stages.job)),
    ...stageOf(stages),
    unchanged(int("tasks", stages.tasks)),
    whole("median_us", stages.medianUs),
    whole("longest_us", stages.longestUs),
    unchanged(int("longest_task", stages.longestTask)),
    whole("alone_us", stages.aloneUs),
  ]);
}

function decisionsTable(log: DecisionColumns, { levels }: RecordWords): RunTable {
  const optional = (name: string, values: Int32Array): [TableColumn, string] => [
    int(`${name} raw`, values),
    `NULLIF("${name} raw", -1) AS "${name}"`,
  ];
  return tableOf("decisions", log.rows, [
    unchanged(int("job", log.job)),
    instant("from_us", log.fromUs),
    instant("to_us", log.toUs),
    coded("reason", log.decision, log.reasons),
    whole("opportunities", log.count),
    coded(
      "level",
      log.level,
      levels.map(({ title }) => title),
    ),
    optional("node", log.node),
    optional("taken_by", log.takenBy),
    ...(log.stages === undefined ? [] : stageColumns(log.stages)),
  ]);
}

function stageColumns({ stage, name, freeUs, reached, bound }: StageDecisions): [TableColumn, string][] {
  return [...stageOf({ stage, name }), whole("free_us", freeUs), instant("reached", reached), instant("bound", bound)];
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
  return tableOf("samples", samples.rows, [
    instant("at_us", samples.atUs),
    unchanged(int("active_jobs", samples.activeJobs)),
    ...samples.running.map((column, type) => unchanged(int(`running_${tasks[type]}`, column))),
    ...samples.pending.map((column, type) => unchanged(int(`pending_${tasks[type]}`, column))),
    ...samples.launchedAt.map((column, level) => whole(`${levels[level]}_${local.many}`, column)),
    ...(samples.extraReplicas === undefined ? [] : [unchanged(int("extra_replicas", samples.extraReplicas))]),
  ]);
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
