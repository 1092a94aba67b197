import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Summary } from "../../core/metrics/summary.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { tooLarge } from "../scenario/yaml-document.js";
import { readTextFile } from "../text-file.js";
import { summarySchema } from "./summary-schema.js";

/** A Parquet file of a results folder, as a table for SQL. */
export interface TableFile {
  /** `pool_samples`, where the file is `pool-samples.parquet`. */
  readonly name: string;
  readonly path: string;
}

/** What `bide run` wrote. */
export interface RunFolder {
  readonly folder: string;
  readonly summary: Summary;
  readonly scenario: Scenario;
  /** Those that are there. */
  readonly files: readonly TableFile[];
}

const TABLES = ["jobs", "pools", "samples", "pool-samples", "tasks", "decisions"];

const SUMMARY = "summary.json";

/** What every resolved scenario has that is read here; more of it is for the report of the run. */
const resolvedSchema = z.looseObject({
  cluster: z.looseObject({
    racks: z.array(
      z.looseObject({ name: z.string(), nodes: z.array(z.looseObject({ count: z.int().nonnegative() })) }),
    ),
  }),
  scheduler: z.looseObject({ kind: z.string() }),
});

export function isRunFolder(folder: string): boolean {
  return existsSync(join(folder, SUMMARY));
}

/** @throws InputError where the files are not what a run writes. */
export function readRunFolder(folder: string): RunFolder {
  const summary = checked(join(folder, SUMMARY), summarySchema);
  const scenario = checked(join(folder, "resolved-scenario.json"), resolvedSchema, unlimited);
  const files = TABLES.map((name) => ({
    name: name.replace("-", "_"),
    path: join(folder, `${name}.parquet`),
  })).filter(({ path }) => existsSync(path));
  return { folder, summary: summary as Summary, scenario: scenario as unknown as Scenario, files };
}

function checked<T>(file: string, schema: z.ZodType<T>, revive?: (key: string, value: unknown) => unknown): T {
  const contents = "JSON";
  const text = readTextFile(file, file, { file: contents, contents, mostBytes: LIMITS.fileBytes, tooLarge });
  let value: unknown;
  try {
    value = JSON.parse(text, revive);
  } catch (error) {
    throw problem(file, `found no JSON (${(error as Error).message}), allowed what bide run wrote`);
  }
  const found = schema.safeParse(value);
  // Not the copy of the schema, whose keys have another order.
  if (found.success) return value as T;
  const [issue] = found.error.issues;
  throw problem(file, `${issue.path.join(".") || "the file"}: ${issue.message}; allowed what this version wrote`);
}

/** Reads Infinity as a resolved scenario writes it. Names of people are no quantities. */
function unlimited(key: string, value: unknown): unknown {
  const isInfinite =
    (key === "stuckAfterUs" && value === "never") ||
    (key === "untilUs" && value === "end") ||
    (value === "unlimited" && !/^(name|why|file|kind|row|user|pool|queue|\d+)$/.test(key));
  return isInfinite ? Infinity : value;
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
