import { noteText } from "../../core/record/index.js";
import {
  countKeys,
  measureNamed,
  USUAL_WORDS,
  type SweepPlan,
  type FinishedRun,
  type RunSeries,
  type SweepRecord,
  type SweepRow,
  type PointResult,
  type SweepResults,
} from "../../experiments/index.js";
import { identifier } from "../results/duckdb.js";
import type { ColumnType, RunTable, TableColumn } from "../results/run-tables.js";

type Cell = string | number | null;

/** A column over rows of a sweep. */
interface SweepColumn<Row = SweepRow> {
  readonly name: string;
  readonly type: ColumnType;
  readonly cellOf: (row: Row) => Cell;
  /** The type in the file, if it is not the column's. */
  readonly as?: "BIGINT";
}

/** `runs`: one row per run, of what is equal wherever it was done; `costs`: what it cost where it was done. */
export function sweepTables(record: SweepRecord): RunTable[] {
  return [
    tableOf("runs", record.rows, [
      ...place(),
      ...axisColumns(record.plan, ({ point }: SweepRow) => point),
      ...outcomeColumns(record.rows),
      ...measureColumns(record.plan.measures),
    ]),
    tableOf("costs", record.rows, [
      ...place(),
      { name: "wall_seconds", type: "DOUBLE", cellOf: ({ run }) => run.cost.wallSeconds },
    ]),
  ];
}

/** The samples of one run, each with the key of the run. */
export function seriesTable(key: string, series: RunSeries): RunTable {
  const columns = Object.entries(series).map(([name, values]): TableColumn => ({
    name,
    type: "DOUBLE",
    cells: (row) => values[row],
  }));
  const keyColumn: TableColumn = { name: "key", type: "VARCHAR", cells: () => key };
  const [first] = Object.values(series);
  const select = columns.map(({ name }) => `CAST(NULLIF("${name}", -1) AS BIGINT) AS "${name}"`);
  return { name: key, rows: first.length, columns: [keyColumn, ...columns], select: ["key", ...select].join(", ") };
}

function place(): SweepColumn[] {
  return [
    { name: "point", type: "INTEGER", cellOf: ({ point }) => point },
    { name: "replication", type: "INTEGER", cellOf: ({ replication }) => replication },
    { name: "seed", type: "VARCHAR", cellOf: ({ seed }) => seed },
    { name: "key", type: "VARCHAR", cellOf: ({ key }) => key },
  ];
}

/** Columns of each axis: its label, and its quantities if it has them. */
function axisColumns<Row>({ axes, points }: SweepPlan, pointOf: (row: Row) => number): SweepColumn<Row>[] {
  return axes.flatMap(({ name, unit, steps }, axis): SweepColumn<Row>[] => {
    const stepOf = (row: Row): (typeof steps)[number] => steps[points[pointOf(row)].steps[axis]];
    const label: SweepColumn<Row> = { name, type: "VARCHAR", cellOf: (row) => stepOf(row).label };
    if (steps.every(({ quantity }) => quantity === null)) return [label];
    const suffix = unit === "none" ? "value" : unit;
    return [label, { name: `${name}_${suffix}`, type: "DOUBLE", cellOf: (row) => stepOf(row).quantity }];
  });
}

/** Keys of the runs' counts; without runs, those of the usual platform. */
function countKeysOf(rows: readonly SweepRow[]): string[] {
  const keys = new Set(rows.flatMap(({ run }) => (run.outcome === "done" ? Object.keys(run.counts) : [])));
  return keys.size > 0 ? [...keys] : countKeys(USUAL_WORDS);
}

function outcomeColumns(rows: readonly SweepRow[]): SweepColumn[] {
  const done = (name: string, type: ColumnType, cellOf: (run: FinishedRun) => Cell, as?: "BIGINT"): SweepColumn => ({
    name,
    type,
    cellOf: ({ run }) => (run.outcome === "done" ? cellOf(run) : null),
    ...(as === undefined ? {} : { as }),
  });
  const counted = (key: string): SweepColumn =>
    done(key.replace(/[A-Z]/g, "_$&").toLowerCase(), "DOUBLE", ({ counts }) => counts[key] ?? null, "BIGINT");
  return [
    { name: "outcome", type: "VARCHAR", cellOf: ({ run }) => run.outcome },
    { name: "error", type: "VARCHAR", cellOf: ({ run }) => (run.outcome === "failed" ? messageOf(run.error) : null) },
    done("fingerprint", "VARCHAR", ({ fingerprint }) => fingerprint),
    done("stopped", "VARCHAR", ({ stopped }) => stopped),
    done("virtual_seconds", "DOUBLE", ({ virtualSeconds }) => virtualSeconds),
    done("warm_up_seconds", "DOUBLE", ({ warmUpSeconds }) => warmUpSeconds),
    ...countKeysOf(rows).map(counted),
    done("notes", "VARCHAR", ({ notes }) => (notes.length === 0 ? null : notes.map(noteText).join("\n"))),
  ];
}

/** The stack is for who looks for the mistake; where Bide lies differs from machine to machine. */
function messageOf(error: string): string {
  return error.replace(/\n {4}at .*/gs, "");
}

function measureColumns(measures: readonly string[]): SweepColumn[] {
  return measures.map((key) => ({
    name: key,
    type: "DOUBLE",
    cellOf: ({ run }) => (run.outcome === "done" ? (run.values[key] ?? null) : null),
  }));
}

/** A table whose columns have distinct names. */
function tableOf<Row>(name: string, rows: readonly Row[], columns: readonly SweepColumn<Row>[]): RunTable {
  const named = withOwnNames(columns);
  return {
    name,
    rows: rows.length,
    columns: named.map(({ name: column, type, cellOf }) => ({ name: column, type, cells: (row) => cellOf(rows[row]) })),
    select: named.map(selected).join(", "),
  };
}

function selected<Row>({ name, as }: SweepColumn<Row>): string {
  const column = identifier(name);
  return as === undefined ? column : `CAST(${column} AS ${as}) AS ${column}`;
}

/** SQL knows no case: an axis called `Seed` becomes `Seed_2`. A name is not empty, and does not end before it ends. */
function withOwnNames<Row>(columns: readonly SweepColumn<Row>[]): SweepColumn<Row>[] {
  const takenNames = new Set<string>();
  return columns.map((column) => {
    const columnName = column.name.replaceAll("\0", "_") || "_";
    let name = columnName;
    for (let i = 2; takenNames.has(name.toLowerCase()); i++) name = `${columnName}_${String(i)}`;
    takenNames.add(name.toLowerCase());
    return { ...column, name };
  });
}

interface PointMeasure {
  readonly result: PointResult;
  readonly key: string;
}

/** `points`: one row per point, with the mean of each measure; `estimates`: one row per point and measure. */
export function pointTables(results: SweepResults): RunTable[] {
  const { plan, points } = results;
  const pairs = points.flatMap((result) => plan.measures.map((key): PointMeasure => ({ result, key })));
  return [
    tableOf("points", points, [...pointPlace(results, itself), ...ofPoint(results)]),
    tableOf("estimates", pairs, [...pointPlace(results, ({ result }: PointMeasure) => result), ...estimateColumns()]),
  ];
}

/** As `points`, but an axis of quantities is a number under its own name too: `W1 <= 10`. */
export function numberedPoints(results: SweepResults): RunTable {
  const { plan, points } = results;
  const numbers = plan.axes.flatMap(({ name, steps }, axis): SweepColumn<PointResult>[] =>
    steps.some(({ quantity }) => quantity === null)
      ? []
      : [{ name, type: "DOUBLE", cellOf: ({ point }) => steps[point.steps[axis]].quantity }],
  );
  const isNumber = (name: string): boolean => numbers.some((number) => number.name === name);
  const otherColumns = pointPlace(results, itself).filter(({ name, type }) => !(type === "VARCHAR" && isNumber(name)));
  return tableOf("points", points, [...otherColumns, ...numbers, ...ofPoint(results)]);
}

function itself(result: PointResult): PointResult {
  return result;
}

function ofPoint({ plan }: SweepResults): SweepColumn<PointResult>[] {
  return [...runColumns(), ...plan.measures.flatMap(meanColumns)];
}

function pointPlace<Row>({ plan }: SweepResults, resultOf: (row: Row) => PointResult): SweepColumn<Row>[] {
  return [
    { name: "point", type: "INTEGER", cellOf: (row) => resultOf(row).point.index },
    { name: "label", type: "VARCHAR", cellOf: (row) => resultOf(row).point.label },
    ...axisColumns(plan, (row: Row) => resultOf(row).point.index),
  ];
}

function runColumns(): SweepColumn<PointResult>[] {
  return [
    { name: "done", type: "INTEGER", cellOf: ({ done }) => done },
    { name: "failed", type: "INTEGER", cellOf: ({ failed }) => failed },
    { name: "missing", type: "INTEGER", cellOf: ({ missing }) => missing },
  ];
}

function meanColumns(key: string): SweepColumn<PointResult>[] {
  return [
    { name: key, type: "DOUBLE", cellOf: ({ measures }) => measures[key].mean },
    { name: `${key}_half_width`, type: "DOUBLE", cellOf: ({ measures }) => measures[key].halfWidth },
  ];
}

function estimateColumns(): SweepColumn<PointMeasure>[] {
  const bound =
    (sign: -1 | 1) =>
    ({ result, key }: PointMeasure) => {
      const { mean, halfWidth } = result.measures[key];
      return mean === null || halfWidth === null ? null : mean + sign * halfWidth;
    };
  return [
    { name: "measure", type: "VARCHAR", cellOf: ({ key }) => key },
    { name: "unit", type: "VARCHAR", cellOf: ({ key }) => measureNamed(key)?.unit ?? null },
    { name: "runs", type: "INTEGER", cellOf: ({ result, key }) => result.measures[key].n },
    { name: "mean", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].mean },
    { name: "half_width", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].halfWidth },
    { name: "low", type: "DOUBLE", cellOf: bound(-1) },
    { name: "high", type: "DOUBLE", cellOf: bound(1) },
    { name: "deviation", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].deviation },
    { name: "median", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].median.value },
    { name: "least", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].min },
    { name: "most", type: "DOUBLE", cellOf: ({ result, key }) => result.measures[key].max },
  ];
}
