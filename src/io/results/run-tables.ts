import { US_PER_SECOND } from "../../core/kernel/index.js";
import {
  type GroupSummary,
  type Summary,
  type JobColumns,
  type PoolSampleColumns,
  type RunRecord,
  type SampleColumns,
  type TaskColumns,
  type DecisionColumns,
  DECISIONS,
} from "../../core/platforms/hadoop/index.js";
import type { Quantiles } from "../../core/record/index.js";
import { PRIORITIES } from "../../core/scenario/index.js";

/** How a column is handed to the database. */
export type ColumnType = "VARCHAR" | "UTINYINT" | "TINYINT" | "INTEGER" | "DOUBLE";

/** Numbers that lie in memory as the database has them: of UTINYINT, TINYINT, INTEGER and DOUBLE. */
type Numbers = Uint8Array | Int8Array | Int32Array | Float64Array;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Of each row its value, null: it has none; or the values of all rows as they lie in memory. */
  readonly at: Numbers | ((row: number) => string | number | null);
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

/** The tables of a run, in the order in which they are written. */
export function runTables(record: RunRecord): RunTable[] {
  const tables = [jobsTable(record.jobs), samplesTable(record.samples), poolSamplesTable(record.poolSamples)];
  if (record.tasks !== null) tables.push(tasksTable(record.tasks));
  if (record.decisions !== undefined) tables.push(decisionsTable(record.decisions));
  return tables;
}

function jobsTable(jobs: JobColumns): RunTable {
  const columns: TableColumn[] = [
    { name: "job", type: "INTEGER", at: (row) => row },
    text("name", jobs.name),
    text("user", jobs.user),
    text("pool", jobs.pool),
    text("placed_in", jobs.placedIn),
    small("priority", jobs.priority),
    int("maps", jobs.maps),
    int("reduces", jobs.reduces),
    double("submit", jobs.submitAtUs),
    double("first_launch", jobs.firstLaunchAtUs),
    double("fair_share", jobs.fairShareAtUs),
    double("ended", jobs.endAtUs),
    small("has_failed", jobs.hasFailed),
    double("deadline", jobs.deadlineAtUs),
    int("node_local_maps", jobs.nodeLocalMaps),
    int("rack_local_maps", jobs.rackLocalMaps),
    int("row_local_maps", jobs.rowLocalMaps),
    int("off_rack_maps", jobs.offRackMaps),
    double("locality_wait", jobs.localityWaitUs),
    double("longest_locality_wait", jobs.longestLocalityWaitUs),
    double("wait_clock", jobs.waitClockUs),
    double("wait_clock_opportunities", jobs.waitClockSkips),
    double("maps_pending", jobs.mapsPendingUs),
    double("map_slots", jobs.mapSlotUs),
    double("reduce_slots", jobs.reduceSlotUs),
    int("kills", jobs.kills),
    double("killed", jobs.killedUs),
  ];
  const select = [
    `job, name, "user", pool, NULLIF(placed_in, '') AS placed_in`,
    `${words("priority", PRIORITIES)} AS priority`,
    "maps, reduces",
    instant("submit", "submit_at_us"),
    instant("first_launch", "first_launch_at_us"),
    instant("fair_share", "fair_share_at_us"),
    instant("ended", "end_at_us"),
    instant("deadline", "deadline_at_us"),
    "CASE WHEN ended >= 0 THEN CASE has_failed WHEN 1 THEN 'failed' ELSE 'succeeded' END END AS outcome",
    "CAST(CASE WHEN ended >= 0 AND has_failed = 0 THEN ended - submit END AS BIGINT) AS response_us",
    "node_local_maps, rack_local_maps, row_local_maps, off_rack_maps",
    instant("locality_wait", "locality_wait_us"),
    instant("longest_locality_wait", "longest_locality_wait_us"),
    instant("wait_clock", "wait_clock_us"),
    instant("wait_clock_opportunities", "wait_clock_skips"),
    "CAST(maps_pending AS BIGINT) AS maps_pending_us",
    "CAST(map_slots AS BIGINT) AS map_slot_us, CAST(reduce_slots AS BIGINT) AS reduce_slot_us",
    "kills, CAST(killed AS BIGINT) AS killed_us",
  ];
  return { name: "jobs", rows: jobs.rows, columns, select: select.join(", ") };
}

function tasksTable(tasks: TaskColumns): RunTable {
  const columns: TableColumn[] = [
    int("job", tasks.job),
    small("type", tasks.type),
    int("task", tasks.index),
    int("attempt", tasks.attempt),
    int("node", tasks.node),
    small("level", tasks.level),
    double("launch", tasks.launchAtUs),
    double("finish", tasks.finishAtUs),
    small("outcome", tasks.outcome),
  ];
  const select = [
    "job",
    `${words("type", ["map", "reduce", "set-up", "clean-up"])} AS type`,
    "task, attempt, node",
    `${words("level", ["node", "rack", "off-rack", null, "row"])} AS level`,
    instant("launch", "launch_at_us"),
    instant("finish", "finish_at_us"),
    `${words("outcome", ["succeeded", "killed", "failed", "lost"])} AS outcome`,
  ];
  return { name: "tasks", rows: tasks.rows, columns, select: select.join(", ") };
}

function decisionsTable(log: DecisionColumns): RunTable {
  const columns: TableColumn[] = [
    int("job", log.job),
    double("from", log.fromUs),
    double("to", log.toUs),
    small("reason", log.decision),
    double("count", log.count),
    { name: "level", type: "TINYINT", at: log.level },
    int("node", log.node),
    int("taken_by", log.takenBy),
  ];
  const select = [
    "job",
    instant("from", "from_us"),
    instant("to", "to_us"),
    `${words("reason", DECISIONS)} AS reason`,
    'CAST("count" AS BIGINT) AS opportunities',
    `${words("level", ["node", "rack", "off-rack", null, "row"])} AS level`,
    "NULLIF(node, -1) AS node, NULLIF(taken_by, -1) AS taken_by",
  ];
  return { name: "decisions", rows: log.rows, columns, select: select.join(", ") };
}

/** What the summary says of each pool, and of each user, where SQL can join it with other tables. */
export function groupTables({ pools, users = [] }: Pick<Summary, "pools" | "users">): RunTable[] {
  const ofPools = [
    column("kills_caused", "INTEGER", pools, ({ killsCaused = null }) => killsCaused),
    column("demanding", "DOUBLE", pools, ({ mapShare }) => mapShare.demanding),
    column("held_map_slots", "DOUBLE", pools, ({ mapShare }) => mapShare.heldSlots),
    column("fair_map_slots", "DOUBLE", pools, ({ mapShare }) => mapShare.fairSlots),
    column("below_fair_share", "DOUBLE", pools, ({ mapShare }) => mapShare.belowFairShare),
    column("below_promise", "DOUBLE", pools, ({ mapShare }) => mapShare.belowPromise),
  ];
  const named = (name: string, at: (row: number) => string): TableColumn => ({ name, type: "VARCHAR", at });
  const tables = [
    groupTable(
      "pools",
      named("pool", (row) => pools[row].pool),
      pools,
      ofPools,
    ),
  ];
  if (users.length > 0)
    tables.push(
      groupTable(
        "users",
        named("user", (row) => users[row].user),
        users,
        [],
      ),
    );
  return tables;
}

function column<Row>(
  name: string,
  type: ColumnType,
  rows: readonly Row[],
  value: (row: Row) => string | number | null,
): TableColumn {
  return { name, type, at: (row) => value(rows[row]) };
}

function groupTable(
  name: string,
  ofName: TableColumn,
  groups: readonly GroupSummary[],
  more: readonly TableColumn[],
): RunTable {
  const count = (title: string, value: (group: GroupSummary) => number): TableColumn =>
    column(title, "INTEGER", groups, value);
  const number = (title: string, value: (group: GroupSummary) => number | null): TableColumn =>
    column(title, "DOUBLE", groups, value);
  const us = (title: string, seconds: (group: GroupSummary) => number | null): TableColumn =>
    number(title, (group) => {
      const found = seconds(group);
      return found === null ? null : found * US_PER_SECOND;
    });
  const quantiles = (title: string, value: (group: GroupSummary) => Quantiles): TableColumn[] =>
    (["mean", "p50", "p95", "p99"] as const).map((one) => us(`${title}_${one}`, (group) => value(group)[one]));
  const times = [
    ...quantiles("response", ({ responseSeconds }) => responseSeconds),
    ...quantiles("first_task", ({ timeToFirstTaskSeconds }) => timeToFirstTaskSeconds),
    ...quantiles("fair_share", ({ timeToFairShareSeconds }) => timeToFairShareSeconds),
    us("map_slot", ({ slotSeconds }) => slotSeconds.maps),
    us("reduce_slot", ({ slotSeconds }) => slotSeconds.reduces),
    us("killed", ({ kills }) => kills.lostSeconds),
  ];
  const share = (title: string, value: (group: GroupSummary) => number | undefined): TableColumn =>
    number(title, (group) => (group.locality.maps > 0 ? (value(group) ?? null) : null));
  const others = [
    ofName,
    count("jobs", ({ jobs }) => jobs.submitted),
    count("ended", ({ jobs }) => jobs.ended),
    count("failed", ({ jobs }) => jobs.failed),
    count("unfinished", ({ jobs }) => jobs.unfinished),
    count("deadlines_met", ({ deadlines }) => deadlines.met),
    count("deadlines_missed", ({ deadlines }) => deadlines.missed),
    count("deadlines_open", ({ deadlines }) => deadlines.open),
    number("launched_maps", ({ locality }) => locality.maps),
    share("node_local", ({ locality }) => locality.node),
    share("rack_local", ({ locality }) => locality.rack),
    share("row_local", ({ locality }) => locality.row),
    share("off_rack", ({ locality }) => locality.offRack),
    number("pending_seconds_per_map", ({ pendingSecondsPerMap }) => pendingSecondsPerMap),
    count("kills", ({ kills }) => kills.attempts),
    ...more,
  ];
  const select = [
    ...others.map((one) =>
      one.name === "launched_maps" ? "CAST(launched_maps AS BIGINT) AS launched_maps" : `"${one.name}"`,
    ),
    ...times.map(({ name: time }) => `CAST(round(${time}) AS BIGINT) AS ${time}_us`),
  ];
  return { name, rows: groups.length, columns: [...others, ...times], select: select.join(", ") };
}

function samplesTable(samples: SampleColumns): RunTable {
  const columns: TableColumn[] = [
    double("at", samples.atUs),
    int("active_jobs", samples.activeJobs),
    int("running_maps", samples.runningMaps),
    int("running_reduces", samples.runningReduces),
    int("pending_maps", samples.pendingMaps),
    int("pending_reduces", samples.pendingReduces),
    double("node_local", samples.nodeLocalMaps),
    double("rack_local", samples.rackLocalMaps),
    double("row_local", samples.rowLocalMaps),
    double("off_rack", samples.offRackMaps),
    ...(samples.extraReplicas === undefined ? [] : [int("extra_replicas", samples.extraReplicas)]),
  ];
  const select = [
    instant("at", "at_us"),
    "active_jobs, running_maps, running_reduces, pending_maps, pending_reduces",
    "CAST(node_local AS BIGINT) AS node_local_maps",
    "CAST(rack_local AS BIGINT) AS rack_local_maps",
    "CAST(row_local AS BIGINT) AS row_local_maps",
    "CAST(off_rack AS BIGINT) AS off_rack_maps",
    ...(samples.extraReplicas === undefined ? [] : ["extra_replicas"]),
  ];
  return { name: "samples", rows: samples.rows, columns, select: select.join(", ") };
}

function poolSamplesTable(samples: PoolSampleColumns): RunTable {
  const columns: TableColumn[] = [
    double("at", samples.atUs),
    { name: "pool", type: "VARCHAR", at: (row) => samples.poolNames[samples.pool[row]] },
    int("running_maps", samples.runningMaps),
    double("fair_share_maps", samples.fairShareMaps),
    int("demand_maps", samples.demandMaps),
    int("running_reduces", samples.runningReduces),
    double("fair_share_reduces", samples.fairShareReduces),
    int("demand_reduces", samples.demandReduces),
    double("held_maps", samples.heldMaps),
    double("held_reduces", samples.heldReduces),
  ];
  const select = `${instant("at", "at_us")}, * EXCLUDE ("at")`;
  return { name: "pool-samples", rows: samples.rows, columns, select };
}

function text(name: string, values: readonly string[]): TableColumn {
  return { name, type: "VARCHAR", at: (row) => values[row] };
}

function small(name: string, values: Uint8Array): TableColumn {
  return { name, type: "UTINYINT", at: values };
}

function int(name: string, values: Int32Array): TableColumn {
  return { name, type: "INTEGER", at: values };
}

function double(name: string, values: Float64Array): TableColumn {
  return { name, type: "DOUBLE", at: values };
}

/** Microseconds are whole and exact in a double; -1 says that it has not happened. */
function instant(column: string, as: string): string {
  return `CAST(NULLIF("${column}", -1) AS BIGINT) AS ${as}`;
}

/** Codes as words; null for a code beyond them. */
function words(column: string, names: readonly (string | null)[]): string {
  const cases = names.map((name, code) => `WHEN ${String(code)} THEN ${name === null ? "NULL" : `'${name}'`}`);
  return `CASE ${column} ${cases.join(" ")} END`;
}
