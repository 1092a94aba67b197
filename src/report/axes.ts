import { distinctNames, printable, labelsOf, ascending } from "../core/kernel/index.js";
import type { PicturedMeasure } from "./measure-pictures.js";

/** The axes of pictures, and what stands on them, the same in files and on pages. */

export function number(value: number): string {
  if (value === 0) return "0";
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds)} s`;
  if (seconds < 3600) return `${number(seconds / 60)} min`;
  return `${number(seconds / 3600)} h`;
}

export const percentOf = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** To the last digit that is meant, as the steps of an axis are: 2.5 is not 3. */
function tick(value: number): string {
  return Math.abs(value) >= 1000
    ? value.toLocaleString("en", { maximumFractionDigits: 6 })
    : String(Number(value.toPrecision(12)));
}

/** `Response time, p95, all jobs (s)`. */
export function withUnit(title: string, unit: string): string {
  return unit === "" ? title : `${title} (${unit})`;
}

/** The steps of an axis of a sweep. */
export interface StepAxis {
  readonly name: string;
  readonly unit: "seconds" | "bytes" | "none";
  readonly steps: readonly { readonly label: string; readonly quantity: number | null }[];
}

/** The places of an axis's steps in a picture. */
export interface AxisScale {
  readonly name: string;
  /** `s`; empty for plain numbers and words. */
  readonly unit: string;
  /** Labels of the steps. */
  readonly labels: readonly string[];
  /** Quantities of the steps in that unit, where all of them are quantities. */
  readonly quantities: readonly number[] | null;
  readonly isLog: boolean;
}

const MEBIBYTE = 1 << 20;

const MEGABYTE = 1e6;

/** Largest over smallest ratio of neighbouring steps, up to which they are a log range: ratios differ by rounding. */
const EVEN = 1.02;

/** The same for a list such as 1, 2, 5, 10, whose ratios differ by more. */
const ABOUT_EVEN = 1.5;

/** Least ratio of the last step to the first if the ratios between are only about even. */
const WIDE = 8;

/** The scale of an axis of a sweep. */
export function axisScale(axis: StepAxis): AxisScale {
  const name = plotText(axis.name);
  const labels = plotTexts(labelsOf(axis.steps));
  const quantities = axis.steps.map(({ quantity }) => quantity).filter((quantity) => quantity !== null);
  if (quantities.length < axis.steps.length) return { name, unit: "", labels, quantities: null, isLog: false };
  const [divisor, unit] = unitOf(axis.unit, quantities);
  const scaled = quantities.map((quantity) => quantity / divisor);
  return { name, unit, labels, quantities: scaled, isLog: isLogRange(quantities) };
}

function unitOf(unit: StepAxis["unit"], quantities: readonly number[]): readonly [one: number, word: string] {
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
  const sorted = [...quantities].sort(ascending);
  if (sorted.length < 3 || sorted[0] <= 0) return false;
  const ratios = sorted.slice(1).map((quantity, i) => quantity / sorted[i]);
  if (Math.min(...ratios) <= 1) return false;
  const unevenness = Math.max(...ratios) / Math.min(...ratios);
  return unevenness <= EVEN || (unevenness <= ABOUT_EVEN && sorted[sorted.length - 1] / sorted[0] >= WIDE);
}

/** Most steps for which each has a tick of its own. */
const MOST_TICKS = 12;

/** The free share of an axis at either end. */
const MARGIN = 0.03;

/** An axis of steps: quantities stand where they are, words beside each other. */
export function stepAxis(scale: AxisScale): Record<string, unknown> {
  const { name, unit, labels, quantities, isLog } = scale;
  if (quantities === null) return { ...placesAxis(labels), name };
  const sorted = [...new Set(quantities)].sort(ascending);
  const [low, high] = [sorted[0], sorted[sorted.length - 1]];
  // The library chooses among many; its log ticks are too few.
  const customValues = sorted.filter((_, place) => place % Math.ceil(sorted.length / MOST_TICKS) === 0);
  const ticks = isLog || sorted.length <= MOST_TICKS ? { customValues } : {};
  const margin = high > low ? MARGIN * (high - low) : Math.abs(low) / 2 || 1;
  const ratio = (high / low) ** MARGIN;
  return {
    ...(isLog
      ? { type: "log", min: low / ratio, max: high * ratio }
      : { type: "value", min: low - margin, max: high + margin }),
    name: withUnit(name, unit),
    splitLine: { show: false },
    axisLine: { onZero: false },
    axisTick: { show: true, ...ticks },
    axisLabel: { ...ticks, formatter: tick },
  };
}

/** Words beside each other, at 0, 1 and so on; what stands between two of them may share the room. */
export function placesAxis(labels: readonly string[]): Record<string, unknown> {
  const customValues = labels.map((_, place) => place);
  return {
    type: "value",
    min: -0.5,
    max: labels.length - 0.5,
    splitLine: { show: false },
    axisLine: { onZero: false },
    axisTick: { show: false, customValues },
    axisLabel: { customValues, formatter: (place: number) => labels[place] ?? "", width: 150, overflow: "truncate" },
  };
}

export type Bounds = PicturedMeasure["bounds"];

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** An axis of values ends where they do, and not at the next round number. */
function axisEnds([low, high]: Bounds): object {
  // Around a single value the library leaves half of it free, and so goes beyond 100 %.
  const free = ({ min, max }: Extent) => (max > min ? (max - min) / 2 : Math.abs(max) / 2);
  return {
    ...(low === null ? {} : { min: (extent: Extent) => (extent.min - free(extent) < low ? low : null) }),
    ...(high === null ? {} : { max: (extent: Extent) => (extent.max + free(extent) > high ? high : null) }),
  };
}

export function valueAxis({ title, unit, bounds }: PicturedMeasure): Record<string, unknown> {
  return {
    type: "value",
    name: withUnit(title, unit),
    scale: true,
    splitNumber: 6,
    ...axisEnds(bounds),
    axisLine: { onZero: false },
    axisLabel: { formatter: tick },
  };
}

/** Round values of time axes, in seconds: the roundest are seconds, minutes, hours and days. */
const ROUND_TIMES = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18_000, 36_000],
  ...[86_400, 172_800, 432_000, 864_000],
];
const ROUNDEST_TIMES = [0.1, 1, 10, 60, 600, 3600, 36_000, 86_400, 864_000];

/** Most time ticks that are not too near to each other. */
const MOST_TIMES = 9;

/** A logarithmic time axis, from a round time below all values to a round time above them. */
export function logTimes(values: readonly number[]): object {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((highest, value) => Math.max(highest, value), 0);
  const min = ROUND_TIMES.filter((time) => time <= low).at(-1) ?? ROUND_TIMES[0];
  const max = ROUND_TIMES.find((time) => time >= high && time > min) ?? high;
  const within = (times: readonly number[]) => times.filter((time) => time >= min && time <= max);
  const roundTimes = within(ROUND_TIMES);
  const customValues = roundTimes.length <= MOST_TIMES ? roundTimes : within(ROUNDEST_TIMES);
  return { type: "log", min, max, axisTick: { customValues }, axisLabel: { customValues, formatter: duration } };
}

/** A time of a chart's own axis, in milliseconds, as the library counts it. */
export const instant = (ms: number): string => duration(ms / 1000);

export const TIME_AXIS = {
  type: "time",
  name: "time",
  min: 0,
  axisLabel: { formatter: instant },
  axisPointer: { label: { formatter: ({ value }: { readonly value: number }) => instant(value) } },
};

/** Longest text of a user in a picture. */
const LONGEST = 60;

/** Text of a user as a picture can show it: on one line, not too long, and allowed in XML. */
export function plotText(text: string, longest = LONGEST): string {
  const letters = [...printable(text).replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : letters.join("");
}

/** The same of the steps of an axis, of which no two are to look alike. */
export function plotTexts(labels: readonly string[]): string[] {
  return distinctNames(labels.map((label) => plotText(label)));
}
