import * as z from "zod";
import { MAX_TIME_US, US_PER_MS, US_PER_SECOND } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { ENOUGH_DRAWS, ENOUGH_RUNS, type SweepAxis } from "../../experiments/index.js";
import { formatDuration, formatSize, parseBandwidth, parseDuration } from "../scenario/units.js";
import { count, duration, either, filePath, label, listOf, mapping, scalar, text, word } from "../scenario/values.js";
import type { Plain } from "../scenario/yaml-document.js";
import { goalSchema, shareAbove } from "./goal.js";
import { optional } from "../scenario/setting.js";

/*
 * The schema of a sweep file. Relations between its values are checked by `axes.ts`, `points.ts`, `goal.ts` and
 * `load-sweep.ts`.
 */

/** The largest sweeps that a file may ask for. */
export const SWEEP_LIMITS = {
  axes: 30,
  /** Steps of one axis. */
  steps: 100_000,
  /** Combinations of all steps, before constraints. */
  combinations: 2_000_000,
  points: 100_000,
  /** Points, each with as many replications as it may have. */
  runs: 1_000_000,
  constraints: 100,
  constraintLength: 500,
} as const;

/** A value of a scenario that is so much of something. */
export interface Amount {
  readonly unit: SweepAxis["unit"];
  /** Whole microseconds, whole bytes (per second, of a bandwidth), or the number itself. */
  readonly value: number;
}

/** null: the value is no amount. */
export function amountOf(value: Plain): Amount | null {
  if (typeof value === "number")
    return Number.isFinite(value) ? { unit: "none", value: value === 0 ? 0 : value } : null;
  if (typeof value !== "string") return null;
  const us = parseDuration(value);
  if (us !== undefined) return Number.isSafeInteger(us) ? { unit: "seconds", value: us } : null;
  const bytes = parseBandwidth(value);
  return bytes !== undefined && Number.isSafeInteger(bytes) ? { unit: "bytes", value: bytes } : null;
}

/** The unit that all share; null: they share none. 0 goes with any, as in a scenario. */
export function sharedUnit(amounts: readonly Amount[]): Amount["unit"] | null {
  const units = new Set(amounts.filter(({ value, unit }) => value !== 0 || unit !== "none").map(({ unit }) => unit));
  if (units.size > 1) return null;
  return [...units][0] ?? "none";
}

/** In seconds, bytes or plain. */
export function quantityOf({ unit, value }: Amount): number {
  return unit === "seconds" ? value / US_PER_SECOND : value;
}

/** The text of an amount in a scenario: `90s`, `128MB`, 4. */
export function written({ unit, value }: Amount): string | number {
  if (unit === "seconds") return writtenTime(value);
  return unit === "bytes" ? formatSize(value) : value;
}

/** As people write short times: `2.5s`, not `2s500ms`. */
function writtenTime(us: number): string {
  if (us === 0 || us >= 120 * US_PER_SECOND) return formatDuration(us);
  return us < US_PER_SECOND ? `${us / US_PER_MS}ms` : `${us / US_PER_SECOND}s`;
}

const anyValue = z.unknown() as z.ZodType<Plain>;

const values = listOf(anyValue, "values");

/** Words of conditions, which no axis can have as its name. */
export const CONSTRAINT_KEYWORDS: readonly string[] = ["and", "or", "not", "in", "if", "then", "else", "mod", "of"];

/** A name that a constraint can say. */
const AXIS_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

function isAxisName(word: string): boolean {
  return AXIS_NAME.test(word) && word !== "__proto__" && !CONSTRAINT_KEYWORDS.includes(word);
}

const axisName = scalar<string>({
  allowed: `a word of up to 64 letters, digits and _, the first no digit; none of ${CONSTRAINT_KEYWORDS.join(", ")}`,
  json: { type: "string", pattern: AXIS_NAME.source },
  read: (value) => (typeof value === "string" && isAxisName(value) ? value : undefined),
});

const amount = scalar<Plain>({
  allowed: "a number, a time like 5s, a size like 128MB or a bandwidth like 1Gbps",
  json: { type: ["string", "number"] },
  read: (value) => (amountOf(value as Plain) === null ? undefined : (value as Plain)),
});

const steps = count(2, SWEEP_LIMITS.steps);

const range = mapping({
  from: amount,
  to: amount,
  step: optional(amount, "From one value to the next; the last is at most `to`."),
  count: optional(steps, "In place of step: so many values, equally far apart."),
});

const logRange = mapping({
  from: amount,
  to: amount,
  count: steps.describe("So many values, each the same multiple of the one before."),
});

const axis = mapping({
  name: optional(axisName, "Unique. Default: the last part of the path."),
  path: optional(filePath, "What is changed, as --set takes it: scheduler.wait.node."),
  values: optional(values, "Any values that the scenario may have at the path."),
  range: optional(range, "Equally far apart."),
  logRange: optional(logRange, "Each the same multiple of the one before."),
  linked: optional(
    z.record(z.string(), values, { error: () => "a mapping from paths to lists of values, all of one length" }),
    "Several paths that change together.",
  ),
  labels: optional(listOf(label(), "labels"), "What tables call the values, one for each. Unique."),
});

const set = z.record(z.string(), anyValue, {
  error: () => "a mapping from paths to values: {run.until: 2h, storage.replication: 2}",
});

const WARM_UP_ALLOWED = "a time like 30m, detect or none";

/** A sweep as a file says it; what its axes say is checked by `axes.ts`. */
export const sweepSchema = mapping({
  $schema: optional(z.string(), "For editors; ignored."),
  name: optional(word(100), "Names the results folder. Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("The question this sweep answers."),
  scenario: filePath.describe("Scenario that all points are made from; relative to this file."),
  set: set.prefault({}).describe("What differs from the scenario at all points: values by the paths that --set takes."),
  axes: z
    .array(axis, { error: () => "a list of axes {name, path, values}" })
    .max(SWEEP_LIMITS.axes, { error: () => `at most ${SWEEP_LIMITS.axes} axes` })
    .prefault([])
    .describe("What is varied; every combination is a point."),
  constraints: z
    .array(text(1, SWEEP_LIMITS.constraintLength), { error: () => 'a list of conditions like "W2 <= W1"' })
    .max(SWEEP_LIMITS.constraints, { error: () => `at most ${SWEEP_LIMITS.constraints} conditions` })
    .prefault([])
    .describe("Conditions on names of axes that a point must meet."),
  replications: optional(
    count(1, LIMITS.replications),
    `Runs of each point, each with its seed. Default: ${ENOUGH_RUNS}, of an import ${ENOUGH_DRAWS}; with until, at least so many.`,
  ),
  seed: optional(word(64), "Of the first replication. Default: the scenario's."),
  seeds: optional(listOf(word(64), "seeds"), "In place of seed: those of all replications."),
  measures: optional(
    listOf(text(1, 100), "measures"),
    "What is kept of each run. Default: all but what is about the machine.",
  ),
  warmUp: either([duration(0, MAX_TIME_US), z.enum(["detect", "none"])], () => WARM_UP_ALLOWED)
    .prefault("none")
    .describe("Jobs submitted before do not count; detect: found in each run."),
  series: z
    .boolean({ error: () => "true or false" })
    .prefault(false)
    .describe("Keep the samples of every run."),
  until: optional(
    mapping({
      measure: text(1, 100).describe("One of those that are kept."),
      relativeHalfWidth: shareAbove(0).describe("Half-width of the 95 % interval of its mean, as a share of the mean."),
      most: count(2, LIMITS.replications).describe("Replications of a point at most."),
    }),
    "More replications of a point until a measure is known well enough.",
  ),
  goal: optional(goalSchema, "What bide tune looks for among the points; bide sweep does not need it."),
});

export type SweepFile = z.output<typeof sweepSchema>;

export type AxisFile = SweepFile["axes"][number];

/**
 * JSON Schema (draft 7) of sweep files, for completion and hints in editors. It is wider than the reader, which also
 * checks paths, values at every point, names and conditions.
 */
export function sweepJsonSchema(): object {
  const schema = z.toJSONSchema(sweepSchema, { io: "input", target: "draft-7" });
  return { ...schema, title: "Bide sweep" };
}
