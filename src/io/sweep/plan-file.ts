import * as z from "zod";
import type { Shard, SweepPlan } from "../../experiments/index.js";
import { fileProblem } from "../input-error.js";
import { modelErrorSchema } from "../results/comparison-folder.js";
import { jsonText } from "../results/summary-schema.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { mismatch } from "../../core/kernel/index.js";

/* `plan.json`: reading, writing, and in what two plans differ. */

/** The description of a sweep in its folder: the same wherever the sweep is run. */
export interface StoredPlan {
  /** Version of Bide, for people; `code` is what counts. */
  readonly bide: string;
  /** Hash of the code that its runs are made with. */
  readonly code: string;
  /** Hashes of the plugins' contents. */
  readonly plugins: readonly string[];
  readonly plan: SweepPlan;
  /** Keys of runs, by point and by seed of the plan. */
  readonly keys: readonly (readonly string[])[];
  /** The folder is to hold only this part of the sweep; undefined: all of it. */
  readonly shard?: Shard | undefined;
}

const FORMAT = "bide-sweep";

const VERSION = 1;

const MOST_BYTES = 1 << 30;

const count = z.int().nonnegative();

const key = z.string().regex(/^[0-9a-f]{32}$/);

const step = z.strictObject({
  label: z.string(),
  quantity: z.number().nullable(),
  settings: z.array(z.strictObject({ path: z.string(), value: z.json() })),
});

const axis = z.strictObject({
  name: z.string(),
  unit: z.enum(["seconds", "bytes", "none"]),
  steps: z.array(step).min(1),
});

export const warmUpSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("cut"), untilUs: z.number().nonnegative() }),
  z.strictObject({ kind: z.literal("detect") }),
]);

const plan = z.strictObject({
  name: z.string(),
  why: z.string(),
  axes: z.array(axis),
  points: z.array(z.strictObject({ index: count, steps: z.array(count), label: z.string() })),
  replications: z.int().positive(),
  until: z
    .strictObject({ measure: z.string(), relativeHalfWidth: z.number().positive(), most: z.int().positive() })
    .nullable(),
  seeds: z.array(z.string()).min(1),
  measures: z.array(z.string()),
  warmUp: warmUpSchema,
  series: z.boolean(),
  modelError: modelErrorSchema.optional(),
});

const shard = z
  .strictObject({ index: z.int().positive(), count: z.int().positive() })
  .refine(({ index, count: parts }) => index <= parts, { error: "index is beyond count" });

const planFile = z
  .strictObject({
    format: z.literal(FORMAT),
    version: z.literal(VERSION),
    bide: z.string(),
    code: z.string(),
    plugins: z.array(z.string()),
    plan,
    keys: z.array(z.array(key)),
    shard: shard.optional(),
  })
  .refine(fits, { error: "points, axes, seeds and keys do not belong together" });

/** Every point names a step of every axis and has a key for each seed; there are seeds for all replications. */
function fits({ plan: { axes, points, seeds, replications, until }, keys }: StoredPlan): boolean {
  return (
    keys.length === points.length &&
    keys.every((pointKeys) => pointKeys.length === seeds.length) &&
    seeds.length >= Math.max(replications, until?.most ?? 0) &&
    points.every(
      ({ index, steps }, position) =>
        index === position &&
        steps.length === axes.length &&
        steps.every((step, axis) => step < axes[axis].steps.length),
    )
  );
}

/** plan.json: equal plans have equal texts. */
export function planText({ bide, code, plugins, plan, keys, shard: part }: StoredPlan): string {
  const whole = { format: FORMAT, version: VERSION, bide, code, plugins, plan, keys };
  return jsonText(part === undefined ? whole : { ...whole, shard: part });
}

const FILE: TextFileKind = {
  file: "the plan.json of a sweep",
  mostBytes: MOST_BYTES,
  tooLarge: (shown, actual) => fileProblem(shown, mismatch(actual, "at most 1 GiB")),
};

/** @throws InputError when there is none, or it is damaged or of another version. */
export function readPlan(path: string): StoredPlan {
  const text = readTextFile(path, path, FILE);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fileProblem(path, `is no JSON (${(error as Error).message}), expected ${FILE.file}`);
  }
  const { success, data, error } = planFile.safeParse(value);
  if (success) return data satisfies StoredPlan;
  const [{ path: where, message }] = error.issues;
  const place = where.length === 0 ? "" : `${where.map(String).join(".")}: `;
  throw fileProblem(path, `is no plan of a sweep that this version of Bide can read (${place}${message})`);
}

/** Differences between the sweep of a file and the one that a folder holds, in words; empty: none. */
export function planDifferences(stored: StoredPlan, now: StoredPlan): string[] {
  const differences: string[] = [];
  if (stored.code !== now.code) differences.push(`the code of Bide has changed (${stored.bide}, now ${now.bide})`);
  if (!areEqual(stored.plugins, now.plugins)) differences.push("the plugins have changed");
  for (const part of [
    "name",
    "why",
    "axes",
    "replications",
    "until",
    "seeds",
    "measures",
    "warmUp",
    "series",
    "modelError",
  ] as const) {
    if (!areEqual(stored.plan[part], now.plan[part]))
      differences.push(`${part} ${shown(stored.plan[part])}, now ${shown(now.plan[part])}`);
  }
  if (!areEqual(stored.plan.points, now.plan.points)) {
    differences.push(`other points (${stored.plan.points.length}, now ${now.plan.points.length})`);
  }
  if (!areEqual(stored.shard, now.shard)) differences.push(`shard ${part(stored.shard)}, now ${part(now.shard)}`);
  const ofScenario = differences.length === 0 ? changedKeys(stored, now) : null;
  if (ofScenario !== null) differences.push(ofScenario);
  return differences;
}

/** All else is equal, so these are runs of another scenario or workload file. */
function changedKeys(stored: StoredPlan, now: StoredPlan): string | null {
  const changed = now.plan.points.filter(({ index }) => !areEqual(stored.keys[index], now.keys[index]));
  if (changed.length === 0) return null;
  return `another scenario or workload file at ${changed.length} of ${now.plan.points.length} points, first ${changed[0].label}`;
}

function areEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function part(shard: StoredPlan["shard"]): string {
  return shard === undefined ? "none" : `${shard.index}/${shard.count}`;
}

function shown(part: unknown): string {
  const text = JSON.stringify(part ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
