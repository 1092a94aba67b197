import { z } from "zod";
import { EXACT_FIGURES } from "../../experiments/regress/regress-plan.js";
import { LIMITS } from "../scenario/limits.js";
import type { Plain } from "../scenario/yaml-document.js";
import { choice, count, either, listOf, mapping, quantity, scalar, text, word } from "../scenario/values.js";

const LEAST_TIMES = 1.01;
const MOST_TIMES = 1000;
const MOST_REPEATS = 100;

/** A multiple of the baseline's cost. */
const times = quantity(LEAST_TIMES, MOST_TIMES);

const speed = mapping({
  tolerance: times.optional().describe("As many times the CPU time of the baseline pass."),
  repeats: count(1, MOST_REPEATS)
    .optional()
    .describe("How often each replication is measured; the median counts. Default: 3 of a single one, 1 of several."),
});

const memory = mapping({ tolerance: times.describe("As many times the peak memory of the baseline pass.") });

const set = z.record(z.string(), z.unknown() as z.ZodType<Plain>, {
  error: () => "a mapping from paths to values: {run.until: 1h, scheduler.wait.node: 5s}",
});

const threads = scalar<number | "rack">({
  allowed: `0 (inline), a number of threads up to ${String(LIMITS.rackThreads)}, or rack (a thread per rack)`,
  json: { anyOf: [{ type: "integer", minimum: 0, maximum: LIMITS.rackThreads }, { const: "rack" }] },
  read: (value) => {
    if (value === "rack") return value;
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LIMITS.rackThreads
      ? Number(value)
      : undefined;
  },
});

const off = scalar<false>({
  allowed: "false",
  json: { const: false },
  read: (value) => (value === false ? false : undefined),
});

const share = quantity(0, 1);

const run = mapping({
  name: word(LIMITS.nameLength).describe("Unique; what --only takes."),
  scenario: text(1, LIMITS.pathLength).describe("Relative to this file."),
  set: set.prefault({}).describe("What differs from the scenario: values by the paths that --set takes."),
  threads: threads.prefault(0).describe("Where the rack actors are, as --threads says it. Changes no result."),
  seed: word(64).optional().describe("Of the first replication. Default: the scenario's."),
  replications: count(1, LIMITS.seeds).prefault(1).describe("Runs, each with a seed of its own."),
  exact: z
    .array(choice(EXACT_FIGURES), { error: () => `a list of ${EXACT_FIGURES.join(", ")}` })
    .optional()
    .describe("Compared to the last digit. Default: all; with statistics none."),
  statistics: listOf(text(1, 100), "measures")
    .optional()
    .describe("Measures whose means over the replications are compared."),
  tolerance: share
    .optional()
    .describe("Of statistics: so much of the baseline's mean passes, however sure the change is."),
  speed: either([speed, off], () => "{tolerance, repeats} or false")
    .optional()
    .describe("In place of the file's; false: speed is not compared."),
  memory: memory.optional().describe("In place of the file's."),
});

/** A regression file as it is written; what it says across values is checked by `check-regress.ts`. */
export const regressSchema = mapping({
  $schema: z.string().optional().describe("For editors; ignored."),
  name: word(LIMITS.nameLength).optional().describe("Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("What would be wrong if this failed."),
  baseline: text(1, LIMITS.pathLength)
    .optional()
    .describe("Stored figures, relative to this file. Default: the name of the file with .baseline.json."),
  tolerance: share.prefault(0.02).describe("Of statistics, for runs that say nothing else."),
  speed: either([speed, off], () => "{tolerance, repeats} or false")
    .prefault({})
    .describe("For runs that say nothing else; false: speed is not compared."),
  memory: memory.optional().describe("For runs that say nothing else. Without it memory is told of, not compared."),
  runs: listOf(run, "runs {name, scenario}"),
});

export type RegressFile = z.output<typeof regressSchema>;
export type RegressRunFile = RegressFile["runs"][number];

/** JSON Schema (draft 7) of regression files. A little wider than the reader, which also checks names, paths and measures. */
export function regressJsonSchema(): object {
  return { ...z.toJSONSchema(regressSchema, { io: "input", target: "draft-7" }), title: "Bide regress" };
}
