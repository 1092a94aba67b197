import type { SweepAxis, SweepPoint } from "../../experiments/sweep/sweep-plan.js";

/** Number of all combinations of steps; Infinity beyond what can be counted exactly. */
export function combinationsOf(axes: readonly SweepAxis[]): number {
  const product = axes.reduce((combinations, { steps }) => combinations * steps.length, 1);
  return Number.isSafeInteger(product) ? product : Infinity;
}

/**
 * The points, the last axis changing fastest.
 * @param allows whether a combination is one; told the step of each axis, in a list that changes afterwards.
 * @param most stops one beyond it.
 */
export function expandPoints(
  axes: readonly SweepAxis[],
  allows: (steps: readonly number[]) => boolean,
  most: number,
): SweepPoint[] {
  const points: SweepPoint[] = [];
  const steps = axes.map(() => 0);
  for (let left = combinationsOf(axes); left > 0 && points.length <= most; left--) {
    if (allows(steps)) points.push({ index: points.length, steps: [...steps], label: pointLabel(axes, steps) });
    for (let i = axes.length - 1; i >= 0 && ++steps[i] === axes[i].steps.length; i--) steps[i] = 0;
  }
  return points;
}

/** `W1=5s W2=0s` */
export function pointLabel(axes: readonly SweepAxis[], steps: readonly number[]): string {
  if (axes.length === 0) return "-";
  return axes.map(({ name, steps: all }, i) => `${name}=${all[steps[i]].label}`).join(" ");
}
