import { z } from "zod";
import type { Shard, SweepPlan } from "../../experiments/sweep/sweep-plan.js";
import { InputError } from "../input-error.js";
import { jsonText } from "../results/summary-schema.js";
import { readTextFile, type TextFileKind } from "../text-file.js";

/** What a folder of a sweep says of itself: the same wherever the sweep is run. */
export interface StoredPlan {
  /** Version of Bide, for people; `code` is what counts. */
  readonly bide: string;
  /** Hash of the code that its runs are made with. */
  readonly code: string;
  /** Hashes of the plugins' contents. */
  readonly plugins: readonly string[];
  readonly plan: SweepPlan;
  /** Of each point, of each of the plan's seeds. */
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
    keys.every((own) => own.length === seeds.length) &&
    seeds.length >= Math.max(replications, until?.most ?? 0) &&
    points.every(
      ({ index, steps }, at) =>
        index === at && steps.length === axes.length && steps.every((one, on) => one < axes[on].steps.length),
    )
  );
}

/** plan.json: equal plans have equal texts. */
export function planText({ bide, code, plugins, plan: own, keys, shard: part }: StoredPlan): string {
  const whole = { format: FORMAT, version: VERSION, bide, code, plugins, plan: own, keys };
  return jsonText(part === undefined ? whole : { ...whole, shard: part });
}

const FILE: TextFileKind = {
  file: "the plan.json of a sweep",
  contents: "the plan.json of a sweep",
  mostBytes: MOST_BYTES,
  tooLarge: (shown, found) => problem(shown, `found ${found}, allowed 1 GiB at most`),
};

/** @throws InputError when there is none, or it is damaged or of another version. */
export function readPlan(path: string): StoredPlan {
  const text = readTextFile(path, path, FILE);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw problem(path, `found no JSON (${(error as Error).message}), allowed ${FILE.contents}`);
  }
  const { success, data, error } = planFile.safeParse(value);
  if (success) return data satisfies StoredPlan;
  const [{ path: where, message }] = error.issues;
  const place = where.length === 0 ? "" : `${where.map(String).join(".")}: `;
  throw problem(path, `found no plan of a sweep that this version of Bide can read (${place}${message})`);
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
