import { namesOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import * as z from "zod";
import type { Baseline } from "../../experiments/index.js";
import { jsonText } from "../results/summary-schema.js";
import { machineSchema } from "../results/bench-schema.js";
import { readWritten } from "../results/run-folder.js";
import { printable } from "../scenario/show.js";
import { optional } from "../scenario/setting.js";

/** It is printed as it is. */
const text = z.string().refine((value) => printable(value) === value);
const key = text.min(1).max(LIMITS.nameLength);
const cost = z.number().positive();

const speed = z.strictObject({
  ratio: cost.describe("CPU time / that of the calibration loop beside it."),
  cpuSeconds: cost,
  calibrationSeconds: cost,
  calibration: z.int().positive().describe("Version of that loop."),
});

const replication = z.strictObject({
  seed: key,
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  virtualSeconds: z.number().nonnegative(),
  counts: z.record(key, z.int().nonnegative()),
  values: z.record(key, z.number().nullable()).describe("By key of the measure; null: the run has no such value."),
  steps: optional(z.record(key, z.number().nonnegative()), "By key, the grids on which values lie."),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const setting = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const run = z.strictObject({
  name: key,
  scenario: hash.describe("Hash of the resolved scenario."),
  settings: optional(z.record(z.string(), setting), "By path, all that the scenario resolves to."),
  files: optional(z.record(z.string(), hash), "Hashes of plugins and of the workload's file."),
  replications: z.array(replication).min(1),
  speed: speed.nullable(),
  peakMemoryMiB: cost.nullable(),
  machine: machineSchema,
});

const baselineSchema = z.strictObject({
  format: z.literal("bide-regress-baseline"),
  version: z.literal(1),
  runs: z
    .array(run)
    .refine((runs) => new Set(namesOf(runs)).size === runs.length, "found a name of a run twice")
    .describe("In the order of the regression file."),
});

/**
 * The figures that `baselineText` wrote.
 * @throws InputError where there are none, or the file holds anything else.
 */
export function readBaseline(path: string): Baseline {
  const { runs } = readWritten(path, baselineSchema, "bide regress --update");
  return {
    runs: runs.map(({ scenario, settings, files, ...fields }) => ({
      ...fields,
      question: { scenario, settings, files },
    })),
  };
}

/** The JSON of a baseline. Throws when it breaks its own schema: a fault of ours. */
export function baselineText({ runs: kept }: Baseline): string {
  const runs = kept.map(({ name, question, ...fields }) => ({ name, ...question, ...fields }));
  return jsonText(baselineSchema.parse({ format: "bide-regress-baseline", version: 1, runs }));
}
