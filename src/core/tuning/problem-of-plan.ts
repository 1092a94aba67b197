import type { SweepAxis, SweepPlan } from "../sweep/sweep-plan.js";
import type { Goal } from "./goal.js";
import type { TuneAxis, TuneProblem } from "./tune-problem.js";

type PlannedPoints = Pick<SweepPlan, "axes" | "points" | "replications">;

/** A sweep's points as the search sees them: steps in ascending order of their quantities, or as in the file if they have none. */
export function tuneProblemOf(plan: PlannedPoints, goal: Goal): TuneProblem {
  const places = plan.axes.map(placesOf);
  const points = plan.points.map(({ steps }) => steps.map((step, axis) => places[axis][step]));
  return {
    axes: plan.axes.map((axis): TuneAxis => ({ size: axis.steps.length, isOrdered: hasQuantities(axis) })),
    points,
    replications: plan.replications,
    goal,
    preference: preferred(plan, goal, points),
  };
}

export function hasQuantities({ steps }: SweepAxis): boolean {
  return steps.every(({ quantity }) => quantity !== null);
}

/** By step its place on the axis. */
function placesOf(axis: SweepAxis): number[] {
  const inOrder = axis.steps.map((_, step) => step);
  if (hasQuantities(axis)) inOrder.sort((a, b) => quantityAt(axis, a) - quantityAt(axis, b) || a - b);
  return axis.steps.map((_, step) => inOrder.indexOf(step));
}

function quantityAt({ steps }: SweepAxis, step: number): number {
  return steps[step].quantity ?? step;
}

/** Axes that the goal does not name decide last, in the order of the file. */
function preferred({ axes, points: planned }: PlannedPoints, goal: Goal, points: readonly number[][]): number[] {
  const { wish } = goal;
  const named = wish.kind === "smallest" ? wish.axes : [];
  const order = [...named, ...axes.map((_, axis) => axis).filter((axis) => !named.includes(axis))];
  const sums = planned.map(({ steps }) => named.reduce((sum, axis) => sum + quantityAt(axes[axis], steps[axis]), 0));
  const bySum = wish.kind === "smallest" && wish.by === "sum";
  return points
    .map((_, point) => point)
    .sort((a, b) => {
      if (bySum && sums[a] !== sums[b]) return sums[a] - sums[b];
      const axis = order.find((one) => points[a][one] !== points[b][one]);
      return axis === undefined ? a - b : points[a][axis] - points[b][axis];
    });
}
