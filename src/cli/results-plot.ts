import type { SweepPlan } from "../experiments/sweep/sweep-plan.js";
import type { SweepResults } from "../experiments/sweep/sweep-results.js";
import { InputError } from "../io/input-error.js";
import { printable, quote } from "../io/scenario/show.js";
import type { ListedMeasure } from "../report/measure-titles.js";
import type { PlotChoice } from "../report/plot/plot-words.js";
import { listed } from "../report/sweep/point-table.js";
import { notThere } from "./results-choices.js";

/** `--plot x,y[,series]` or `--plot x,y,colour` as SVG. @throws InputError */
export async function plotted(results: SweepResults, text: string): Promise<string> {
  const choice = chosenPlot(results, text);
  if (results.points.length === 0) throw wrong("found no point to draw, allowed a --where that leaves some");
  const { drawPlot } = await import("../report/plot/draw-plot.js");
  return drawPlot(results, choice);
}

/** The second name decides: a measure is drawn as curves, an axis makes a heat map. @throws InputError */
export function chosenPlot(results: SweepResults, text: string): PlotChoice {
  const { plan } = results;
  const [x = "", second = "", third, ...rest] = text.split(",").map((part) => part.trim());
  if (rest.length > 0 || second === "") {
    throw wrong(
      `found ${quote(text)}, allowed AXIS,MEASURE or AXIS,MEASURE,AXIS (curves), or AXIS,AXIS,MEASURE (heat map)`,
    );
  }
  const xAxis = axisOf(plan, x);
  if (!plan.axes.some(({ name }) => name === second)) {
    const measure = measureOf(plan, second, "an axis or a measure: ");
    const others = freeAxes(results, [xAxis]);
    // A single other axis is one that curves can be told apart by.
    const series = third === undefined ? (others.length === 1 ? others[0] : null) : axisOf(plan, third);
    refuseFree(results, series === null ? [xAxis] : [xAxis, series]);
    return { kind: "curves", x: xAxis, series: series === xAxis ? null : series, measure };
  }
  if (third === undefined)
    throw wrong(`found ${quote(text)}, allowed a measure behind two axes: ${printable(`${x},${second}`)},MEASURE`);
  const yAxis = axisOf(plan, second);
  if (yAxis === xAxis) throw wrong(`found the axis ${quote(x)} twice, allowed two axes`);
  refuseFree(results, [xAxis, yAxis]);
  return { kind: "heat-map", x: xAxis, y: yAxis, measure: measureOf(plan, third, "a measure: ") };
}

function axisOf({ axes }: SweepPlan, name: string): number {
  const axis = axes.findIndex((one) => one.name === name);
  if (axis < 0)
    throw notThere(
      "--plot",
      name,
      axes.map((one) => one.name),
      "an axis: ",
    );
  return axis;
}

function measureOf(plan: SweepPlan, name: string, what: string): ListedMeasure {
  const [measure] = plan.measures.includes(name) ? listed([name]) : [];
  const axes = what === "a measure: " ? [] : plan.axes.map((axis) => axis.name);
  if ((measure as ListedMeasure | undefined) === undefined)
    throw notThere("--plot", name, [...axes, ...plan.measures], what);
  return measure;
}

/** Axes of which there are several steps left, but those. */
function freeAxes({ plan, points }: SweepResults, but: readonly number[]): number[] {
  const steps = plan.axes.map((_, axis) => new Set(points.map(({ point }) => point.steps[axis])).size);
  return steps.flatMap((count, axis) => (count > 1 && !but.includes(axis) ? [axis] : []));
}

/** Points that differ in what is not drawn would lie upon each other. */
function refuseFree(results: SweepResults, drawn: readonly number[]): void {
  const free = freeAxes(results, drawn).map((axis) => printable(results.plan.axes[axis].name));
  if (free.length === 0) return;
  throw wrong(
    `found several steps of ${free.join(", ")}, which the plot does not show; allowed one each: choose it with --where`,
  );
}

function wrong(message: string): InputError {
  return new InputError([{ file: "--plot", line: 0, column: 0, message }]);
}
