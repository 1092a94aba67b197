import { noteText } from "../../core/record/index.js";
import {
  countKeys,
  finished,
  measureNamed,
  USUAL_WORDS,
  type SweepPlan,
  type RunSeries,
  type SweepRecord,
  type SweepRow,
  type PointResult,
  type SweepResults,
} from "../../experiments/index.js";
import {
  double,
  instant,
  integer,
  type RecordColumn,
  type RunTable,
  tableOver,
  varchar,
  asBigint,
} from "../results/run-tables.js";

/** `runs`: one row per run, of what is equal wherever it was done; `costs`: what it cost where it was done. */
export function sweepTables(record: SweepRecord): RunTable[] {
  return [
    tableOf("runs", record.rows, [
      ...PLACE,
      ...axisColumns(record.plan, ({ point }: SweepRow) => point),
      ...outcomeColumns(record.rows),
      ...record.plan.measures.map((key) => double(key, ({ run }: SweepRow) => finished(run)?.values[key] ?? null)),
    ]),
    tableOf("costs", record.rows, [...PLACE, double("wall_seconds", ({ run }) => run.cost.wallSeconds)]),
  ];
}

/** The samples of one run, each with the key of the run. */
export function seriesTable(key: string, series: RunSeries): RunTable {
  const columns = Object.entries(series).map(([name, values]) => instant(name, (row) => values[row]));
  const [first] = Object.values(series);
  return { name: key, rows: first.length, columns: [{ name: "key", type: "VARCHAR", cells: () => key }, ...columns] };
}

const PLACE: readonly RecordColumn<SweepRow>[] = [
  integer("point", ({ point }) => point),
  integer("replication", ({ replication }) => replication),
  varchar("seed", ({ seed }) => seed),
  varchar("key", ({ key }) => key),
];

/** Columns of each axis: its label, and its quantities if it has them. */
function axisColumns<Row>({ axes, points }: SweepPlan, pointOf: (row: Row) => number): RecordColumn<Row>[] {
  return axes.flatMap(({ name, unit, steps }, axis): RecordColumn<Row>[] => {
    const stepOf = (row: Row): (typeof steps)[number] => steps[points[pointOf(row)].steps[axis]];
    const label = varchar(name, (row: Row) => stepOf(row).label);
    if (steps.every(({ quantity }) => quantity === null)) return [label];
    const suffix = unit === "none" ? "value" : unit;
    return [label, double(`${name}_${suffix}`, (row) => stepOf(row).quantity)];
  });
}

/** Keys of the runs' counts; without runs, those of the usual platform. */
function countKeysOf(rows: readonly SweepRow[]): string[] {
  const keys = new Set(rows.flatMap(({ run }) => Object.keys(finished(run)?.counts ?? {})));
  return keys.size > 0 ? [...keys] : countKeys(USUAL_WORDS);
}

function outcomeColumns(rows: readonly SweepRow[]): RecordColumn<SweepRow>[] {
  return [
    varchar("outcome", ({ run }) => run.outcome),
    varchar("error", ({ run }) => (run.outcome === "failed" ? messageOf(run.error) : null)),
    varchar("fingerprint", ({ run }) => finished(run)?.fingerprint ?? null),
    varchar("stopped", ({ run }) => finished(run)?.stopped ?? null),
    double("virtual_seconds", ({ run }) => finished(run)?.virtualSeconds ?? null),
    double("warm_up_seconds", ({ run }) => finished(run)?.warmUpSeconds ?? null),
    ...countKeysOf(rows).map((key) => {
      const name = key.replace(/[A-Z]/g, "_$&").toLowerCase();
      return double(name, ({ run }: SweepRow) => finished(run)?.counts[key] ?? null, asBigint);
    }),
    varchar("notes", ({ run }) => finished(run)?.notes.map(noteText).join("\n") || null),
  ];
}

/** The stack is for who looks for the mistake; where Bide lies differs from machine to machine. */
function messageOf(error: string): string {
  return error.replace(/\n {4}at .*/gs, "");
}

/** A table whose columns have distinct names. */
function tableOf<Row>(name: string, rows: readonly Row[], columns: readonly RecordColumn<Row>[]): RunTable {
  return tableOver(name, rows, withOwnNames(columns));
}

/** SQL knows no case: an axis called `Seed` becomes `Seed_2`. A name is not empty, and does not end before it ends. */
function withOwnNames<Row>(columns: readonly RecordColumn<Row>[]): RecordColumn<Row>[] {
  const takenNames = new Set<string>();
  return columns.map((column) => {
    const columnName = column.name.replaceAll("\0", "_") || "_";
    let name = columnName;
    for (let i = 2; takenNames.has(name.toLowerCase()); i++) name = `${columnName}_${i}`;
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
  const numbers = plan.axes.flatMap(({ name, steps }, axis): RecordColumn<PointResult>[] =>
    steps.some(({ quantity }) => quantity === null)
      ? []
      : [double(name, ({ point }) => steps[point.steps[axis]].quantity)],
  );
  const isNumber = (name: string) => numbers.some((number) => number.name === name);
  const otherColumns = pointPlace(results, itself).filter(({ name, type }) => !(type === "VARCHAR" && isNumber(name)));
  return tableOf("points", points, [...otherColumns, ...numbers, ...ofPoint(results)]);
}

function itself(result: PointResult): PointResult {
  return result;
}

function ofPoint({ plan }: SweepResults): RecordColumn<PointResult>[] {
  return [
    integer("done", ({ done }) => done),
    integer("failed", ({ failed }) => failed),
    integer("missing", ({ missing }) => missing),
    ...plan.measures.flatMap((key) => [
      double(key, ({ measures }: PointResult) => measures[key].mean),
      double(`${key}_half_width`, ({ measures }: PointResult) => measures[key].halfWidth),
    ]),
  ];
}

function pointPlace<Row>({ plan }: SweepResults, resultOf: (row: Row) => PointResult): RecordColumn<Row>[] {
  return [
    integer("point", (row) => resultOf(row).point.index),
    varchar("label", (row) => resultOf(row).point.label),
    ...axisColumns(plan, (row: Row) => resultOf(row).point.index),
  ];
}

function estimateColumns(): RecordColumn<PointMeasure>[] {
  const ofEstimate =
    (part: "n" | "mean" | "halfWidth" | "deviation" | "min" | "max") =>
    ({ result, key }: PointMeasure) =>
      result.measures[key][part];
  const bound =
    (sign: -1 | 1) =>
    ({ result, key }: PointMeasure) => {
      const { mean, halfWidth } = result.measures[key];
      return mean === null || halfWidth === null ? null : mean + sign * halfWidth;
    };
  return [
    varchar("measure", ({ key }) => key),
    varchar("unit", ({ key }) => measureNamed(key)?.unit ?? null),
    integer("runs", ofEstimate("n")),
    double("mean", ofEstimate("mean")),
    double("half_width", ofEstimate("halfWidth")),
    double("low", bound(-1)),
    double("high", bound(1)),
    double("deviation", ofEstimate("deviation")),
    double("median", ({ result, key }) => result.measures[key].median.value),
    double("least", ofEstimate("min")),
    double("most", ofEstimate("max")),
  ];
}
