import type { TuneProblem } from "./tune-problem.js";

/** At most this share of all points is looked at before the first look back. */
const SHARE = 0.12;
const FOR_ONE_AXIS = 6;
const PER_FURTHER_AXIS = 6;

/** Points spread over the whole grid: each as far as can be from those before it, beginning in a corner. */
export function firstPoints({ axes, points }: Pick<TuneProblem, "axes" | "points">): number[] {
  const wanted = FOR_ONE_AXIS + PER_FURTHER_AXIS * Math.max(0, axes.length - 1);
  const count = Math.min(points.length, wanted, Math.max(3, Math.ceil(SHARE * points.length)));
  const distances = new Float64Array(points.length).fill(Infinity);
  const chosen: number[] = [];
  let next = 0;
  while (chosen.length < count) {
    chosen.push(next);
    for (let point = 0; point < points.length; point++) {
      distances[point] = Math.min(distances[point], squaredDistance(axes, points[point], points[next]));
    }
    next = distances.reduce((far, distance, point) => (distance > distances[far] ? point : far), 0);
  }
  return chosen;
}

/** Every axis is 1 long. */
function squaredDistance(axes: TuneProblem["axes"], a: readonly number[], b: readonly number[]): number {
  return axes.reduce((sum, { size, isOrdered }, axis) => {
    const steps = Math.abs(a[axis] - b[axis]);
    const part = isOrdered ? steps / Math.max(1, size - 1) : Math.min(1, steps);
    return sum + part * part;
  }, 0);
}
