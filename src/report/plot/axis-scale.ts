import type { SweepAxis } from "../../core/sweep/sweep-plan.js";
import { plotText, plotTexts } from "./plot-text.js";

/** How the steps of an axis lie in a picture. */
export interface AxisScale {
  readonly name: string;
  /** `s`; empty for plain numbers and words. */
  readonly unit: string;
  /** Of each step, as it is called. */
  readonly labels: readonly string[];
  /** Of each step, where all of them are quantities: in that unit. */
  readonly quantities: readonly number[] | null;
  readonly isLog: boolean;
}

const MEBIBYTE = 1 << 20;
const MEGABYTE = 1e6;
/** Ratios of neighbours of a log range differ by rounding; those of a list such as 1, 2, 5, 10 by more. */
const EVEN = 1.02;
const ABOUT_EVEN = 1.5;
/** So wide must a list be that is only about even in ratio. */
const WIDE = 8;

export function axisScale(axis: SweepAxis): AxisScale {
  const name = plotText(axis.name);
  const labels = plotTexts(axis.steps.map(({ label }) => label));
  const quantities = axis.steps.map(({ quantity }) => quantity).filter((quantity) => quantity !== null);
  if (quantities.length < axis.steps.length) return { name, unit: "", labels, quantities: null, isLog: false };
  const [one, unit] = unitOf(axis.unit, quantities);
  const scaled = quantities.map((quantity) => quantity / one);
  return { name, unit, labels, quantities: scaled, isLog: isLogRange(quantities) };
}

function unitOf(unit: SweepAxis["unit"], quantities: readonly number[]): readonly [one: number, word: string] {
  switch (unit) {
    case "none":
      return [1, ""];
    case "bytes":
      return quantities.every((bytes) => bytes % MEBIBYTE === 0) ? [MEBIBYTE, "MiB"] : [MEGABYTE, "MB"];
    case "seconds":
      return Math.max(...quantities) < 1 ? [0.001, "ms"] : [1, "s"];
  }
}

/** Steps grow by about one ratio, as those of a log range do. */
export function isLogRange(quantities: readonly number[]): boolean {
  const sorted = [...quantities].sort((a, b) => a - b);
  if (sorted.length < 3 || sorted[0] <= 0) return false;
  const ratios = sorted.slice(1).map((quantity, i) => quantity / sorted[i]);
  if (Math.min(...ratios) <= 1) return false;
  const unevenness = Math.max(...ratios) / Math.min(...ratios);
  return unevenness <= EVEN || (unevenness <= ABOUT_EVEN && sorted[sorted.length - 1] / sorted[0] >= WIDE);
}
