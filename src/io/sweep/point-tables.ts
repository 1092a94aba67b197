import { MEASURES } from "../../experiments/measures/all-measures.js";
import type { PointResult, SweepResults } from "../../experiments/sweep/sweep-results.js";
import type { RunTable } from "../results/run-tables.js";
import { axisColumns, tableOf, type SweepColumn } from "./sweep-tables.js";

interface PointMeasure {
  readonly result: PointResult;
  readonly key: string;
}

/** `points`: one row per point, with the mean of each measure; `estimates`: one row per point and measure. */
export function pointTables(results: SweepResults): RunTable[] {
  const { plan, points } = results;
  const each = points.flatMap((result) => plan.measures.map((key): PointMeasure => ({ result, key })));
  return [
    tableOf("points", points, [...place(results, itself), ...ofPoint(results)]),
    tableOf("estimates", each, [...place(results, ({ result }: PointMeasure) => result), ...estimateColumns()]),
  ];
}

/** As `points`, but an axis of quantities is a number under its own name too: `W1 <= 10`. */
export function numberedPoints(results: SweepResults): RunTable {
  const { plan, points } = results;
  const numbers = plan.axes.flatMap(({ name, steps }, axis): SweepColumn<PointResult>[] =>
    steps.some(({ quantity }) => quantity === null)
      ? []
      : [{ name, type: "DOUBLE", of: ({ point }) => steps[point.steps[axis]].quantity }],
  );
  const isNumber = (name: string): boolean => numbers.some((number) => number.name === name);
  const others = place(results, itself).filter(({ name, type }) => !(type === "VARCHAR" && isNumber(name)));
  return tableOf("points", points, [...others, ...numbers, ...ofPoint(results)]);
}

function itself(result: PointResult): PointResult {
  return result;
}

function ofPoint({ plan }: SweepResults): SweepColumn<PointResult>[] {
  return [...runColumns(), ...plan.measures.flatMap(measureColumns)];
}

function place<Row>({ plan }: SweepResults, resultOf: (row: Row) => PointResult): SweepColumn<Row>[] {
  return [
    { name: "point", type: "INTEGER", of: (row) => resultOf(row).point.index },
    { name: "label", type: "VARCHAR", of: (row) => resultOf(row).point.label },
    ...axisColumns(plan, (row: Row) => resultOf(row).point.index),
  ];
}

function runColumns(): SweepColumn<PointResult>[] {
  return [
    { name: "done", type: "INTEGER", of: ({ done }) => done },
    { name: "failed", type: "INTEGER", of: ({ failed }) => failed },
    { name: "missing", type: "INTEGER", of: ({ missing }) => missing },
  ];
}

function measureColumns(key: string): SweepColumn<PointResult>[] {
  return [
    { name: key, type: "DOUBLE", of: ({ measures }) => measures[key].mean },
    { name: `${key}_half_width`, type: "DOUBLE", of: ({ measures }) => measures[key].halfWidth },
  ];
}

function estimateColumns(): SweepColumn<PointMeasure>[] {
  const units = new Map(MEASURES.map(({ key, unit }) => [key, unit]));
  const bound =
    (sign: -1 | 1) =>
    ({ result, key }: PointMeasure) => {
      const { mean, halfWidth } = result.measures[key];
      return mean === null || halfWidth === null ? null : mean + sign * halfWidth;
    };
  return [
    { name: "measure", type: "VARCHAR", of: ({ key }) => key },
    { name: "unit", type: "VARCHAR", of: ({ key }) => units.get(key) ?? null },
    { name: "runs", type: "INTEGER", of: ({ result, key }) => result.measures[key].n },
    { name: "mean", type: "DOUBLE", of: ({ result, key }) => result.measures[key].mean },
    { name: "half_width", type: "DOUBLE", of: ({ result, key }) => result.measures[key].halfWidth },
    { name: "low", type: "DOUBLE", of: bound(-1) },
    { name: "high", type: "DOUBLE", of: bound(1) },
    { name: "deviation", type: "DOUBLE", of: ({ result, key }) => result.measures[key].deviation },
    { name: "median", type: "DOUBLE", of: ({ result, key }) => result.measures[key].median.value },
    { name: "least", type: "DOUBLE", of: ({ result, key }) => result.measures[key].min },
    { name: "most", type: "DOUBLE", of: ({ result, key }) => result.measures[key].max },
  ];
}
