import { z } from "zod";
import { ENOUGH_RUNS } from "../../experiments/statistics/estimates.js";
import { LIMITS } from "./limits.js";
import type { Plain } from "./yaml-document.js";
import { count, label, listOf, mapping, scalar, text } from "./values.js";

/** The sections of a scenario that a system may say something about; the others are the comparison's. */
export const SYSTEM_SECTIONS = ["cluster", "storage", "workload", "scheduler", "runtime", "faults"] as const;

/** A path as `--set` takes it. */
const PATH = `^(${SYSTEM_SECTIONS.join("|")})(\\..+)?$`;

const set = z
  .record(z.string(), z.unknown() as z.ZodType<Plain>, {
    error: () => "a mapping from paths to values: {scheduler: fair, storage.replication: 2}",
  })
  .meta({ propertyNames: { pattern: PATH } });

const single = scalar<string | number | boolean>({
  allowed: "text, a number, true or false",
  json: { type: ["string", "number", "boolean"] },
  read: (value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined,
});

const system = mapping({
  name: label().describe("Unique, without commas."),
  why: text(0, 2000).prefault("").describe("What it stands for."),
  set: set.prefault({}).describe("What differs from the rest of the file: values by the paths that --set takes."),
});

/** `compare`: systems side by side, each the scenario of the file but for what it sets. */
export const compareSchema = mapping({
  seeds: count(1, LIMITS.seeds)
    .prefault(ENOUGH_RUNS)
    .describe(`Seeds per system; with intervals from 2 on, which hold from ${String(ENOUGH_RUNS)} on.`),
  baseline: label().optional().describe("The system that the others are compared with. Default: the first."),
  private: label()
    .optional()
    .describe("The system in which everybody is alone, for slowdowns. Default: the first of kind partition."),
  vary: z
    .record(z.string(), listOf(single, "single values"), {
      error: () => "a mapping from paths to lists of values: {cluster.mapSlots: [1, 2, 4]}",
    })
    .meta({ propertyNames: { pattern: PATH } })
    .optional()
    .describe("Every system is run with each of these values; with several paths, with all combinations."),
  systems: listOf(system, "systems {name, set}"),
});

/** The section as a file says it. */
export type CompareFile = z.output<typeof compareSchema>;
