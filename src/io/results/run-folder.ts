import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Summary } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import { fileProblem } from "../input-error.js";
import { readTextFile } from "../text-file.js";
import { columnNames } from "./run-tables.js";
import { summarySchema } from "./summary-schema.js";
import { mismatch } from "../../core/kernel/index.js";

/** A Parquet file of a results folder, as a table for SQL. */
export interface TableFile {
  /** `pool_samples`, where the file is `pool-samples.parquet`. */
  readonly name: string;
  readonly path: string;
}

/** A folder that `bide run` wrote. */
export interface RunFolder {
  readonly folder: string;
  readonly summary: Summary;
  readonly scenario: AnyScenario;
  /** Tables that exist. */
  readonly files: readonly TableFile[];
}

const SUMMARY = "summary.json";

/** The part of every resolved scenario that is read here; the report of the run reads more of it. */
const resolvedSchema = z.looseObject({
  platform: z.string(),
  scheduler: z.looseObject({ kind: z.string() }),
});

/** The same of Hadoop: its nodes have their names from there. */
const hadoopSchema = resolvedSchema.extend({
  cluster: z.looseObject({
    racks: z.array(
      z.looseObject({ name: z.string(), nodes: z.array(z.looseObject({ count: z.int().nonnegative() })) }),
    ),
  }),
});

export function isRunFolder(folder: string): boolean {
  return existsSync(join(folder, SUMMARY));
}

/** @throws InputError where the files are not what a run writes. */
export function readRunFolder(folder: string): RunFolder {
  const summary = readWritten<Summary>(join(folder, SUMMARY), summarySchema as z.ZodType<Summary>, "bide run");
  const isHadoops = summary.words.platform === "hadoop";
  const schema: z.ZodType = isHadoops ? hadoopSchema : resolvedSchema;
  const scenario = readWritten(join(folder, "resolved-scenario.json"), schema, "bide run", unlimited);
  const { group, groups } = columnNames(summary.words);
  const tables = ["jobs", groups, "users", "samples", `${group}-samples`, "tasks", "decisions"];
  const files = tables
    .map((name) => ({
      name: name.replace("-", "_"),
      path: join(folder, `${name}.parquet`),
    }))
    .filter(({ path }) => existsSync(path));
  return { folder, summary, scenario: scenario as AnyScenario, files };
}

/** Limit of a JSON file in a folder of results. */
const MOST_MIB = 256;

/**
 * Reads the JSON that a command wrote, in the order in which it wrote it. @throws InputError where the file holds
 * anything else.
 */
export function readWritten<T>(
  file: string,
  schema: z.ZodType<T>,
  command: string,
  revive?: (key: string, value: unknown) => unknown,
): T {
  const text = readTextFile(file, file, {
    file: "JSON",
    contents: `what ${command} writes`,
    mostBytes: MOST_MIB * 2 ** 20,
    tooLarge: (shown, actual) => fileProblem(shown, mismatch(actual, `at most ${MOST_MIB} MiB`)),
  });
  let value: unknown;
  try {
    value = JSON.parse(text, revive);
  } catch (error) {
    throw fileProblem(file, `is no JSON (${(error as Error).message}), so not what ${command} wrote`);
  }
  const parsed = schema.safeParse(value);
  // Not the copy of the schema, whose keys have another order.
  if (parsed.success) return value as T;
  const [issue] = parsed.error.issues;
  if (isOfEarlier(value, issue.path)) throw fileProblem(file, earlierWords(issue.path, command));
  throw fileProblem(
    file,
    `${issue.path.join(".") || "the file"}: ${issue.message}; this is not what this version writes`,
  );
}

/** A summary that lacks what this version writes: an earlier one did not know of it. */
export function isOfEarlier(value: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...innerKeys] = path;
  const isSummary = typeof value === "object" && value !== null && "fingerprint" in value;
  if (!isSummary || typeof key !== "string") return false;
  let reached: unknown = Reflect.get(value, key);
  for (const inner of innerKeys)
    reached = typeof reached === "object" && reached !== null ? Reflect.get(reached, inner) : reached;
  return reached === undefined;
}

/** @param command that wrote it. */
export function earlierWords(path: readonly PropertyKey[], command: string): string {
  return `has no ${path.join(".")}: an earlier version of Bide wrote it; run ${command} again`;
}

/** Reads Infinity as a resolved scenario writes it. Names of people are no quantities. */
function unlimited(key: string, value: unknown): unknown {
  const isInfinite =
    (key === "stuckAfterUs" && value === "never") ||
    (key === "untilUs" && value === "end") ||
    (value === "unlimited" && !/^(name|why|file|kind|row|user|pool|queue|\d+)$/.test(key));
  return isInfinite ? Infinity : value;
}
