import * as z from "zod";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/index.js";
import { InputError } from "../input-error.js";
import { inputError, problemsOf } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { printable } from "../scenario/show.js";
import { plainTree, readYaml } from "../scenario/yaml-document.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { jsonText } from "./summary-schema.js";

/** It is printed as it is. */
const text = z.string().refine((found) => printable(found) === found);
const value = z.union([text, z.number(), z.null()]);

/** What was measured on. */
export const machineSchema = z.strictObject({
  cpu: text,
  cores: z.int().positive(),
  memoryGiB: z.number().nonnegative(),
  node: text,
  platform: text,
  bide: text,
});

const columns = z
  .array(
    z.strictObject({
      key: text.describe("Of the values in rows."),
      title: text.describe("Heading, with the unit."),
      kind: z
        .enum(["name", "cost", "rate", "count"])
        .describe(
          "cost: less is better; rate: more is better; count: equal wherever and however often it is measured.",
        ),
      decimals: z.int().min(0).max(9).optional(),
    }),
  )
  .min(1);

const rows = z
  .array(z.record(text, value))
  .min(1)
  .describe("A case each, by the keys of columns; null: does not apply.");

const report = z.object({
  format: z.literal("bide-bench"),
  version: z.literal(1),
  bench: text,
  question: text,
  setup: z.record(text, z.union([text, z.number()])),
  machine: machineSchema,
  columns,
  rows,
  breakdown: z
    .strictObject({ columns, rows })
    .optional()
    .describe("What the cost of some cases is made of, a part per column; older reports have none."),
  ratios: z.record(text, z.number()).describe("Of rows of the same measurement session."),
  notes: z.array(text),
});

/** JSON Schema (draft 7) of what `bide bench --json` prints. */
export function benchJsonSchema(): object {
  return { ...z.toJSONSchema(report, { target: "draft-7" }), title: "Bide bench" };
}

/** The JSON of a benchmark, fractions to six digits. Throws when it breaks its own schema: a fault of ours. */
export function benchText(found: BenchReport): string {
  const { breakdown } = found;
  const whole = {
    format: "bide-bench",
    version: 1,
    ...found,
    rows: found.rows.map(rounded),
    ratios: rounded(found.ratios),
    ...(breakdown === undefined ? {} : { breakdown: { ...breakdown, rows: breakdown.rows.map(rounded) } }),
  };
  const parsed = report.safeParse(whole);
  if (!parsed.success) throw new Error(`the report of ${found.bench} breaks its own schema: ${parsed.error.message}`);
  return jsonText(parsed.data);
}

function rounded(values: BenchRow): BenchRow {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value !== "number" || Number.isInteger(value) ? value : Number(value.toPrecision(6)),
    ]),
  );
}

/**
 * The report in a file that `benchText` wrote.
 * @throws InputError with every problem at its line and column.
 */
export function readBench(path: string): BenchReport {
  const yaml = readYaml(readTextFile(path, path, BENCH_FILE), path);
  const tree = plainTree(yaml);
  const parsed = report.safeParse(tree, { error: allowed });
  if (!parsed.success) {
    const problems = problemsOf(parsed.error.issues, tree);
    const ofFigures = problems.map((one) => ({ ...one, message: one.message.replace("the scenario", "the figures") }));
    throw inputError(ofFigures, yaml, []);
  }
  const { breakdown, ...rest } = parsed.data;
  return {
    ...rest,
    columns: columnsOf(rest),
    ...(breakdown === undefined ? {} : { breakdown: { ...breakdown, columns: columnsOf(breakdown) } }),
  };
}

function columnsOf(table: { readonly columns: z.infer<typeof columns> }): BenchColumn[] {
  return table.columns.map(({ decimals, ...column }) => (decimals === undefined ? column : { ...column, decimals }));
}

const BENCH_FILE: TextFileKind = {
  file: "a file of figures",
  contents: "what bide bench --out writes",
  mostBytes: LIMITS.fileBytes,
  tooLarge: (shown, found) =>
    new InputError([
      { file: shown, line: 0, column: 0, message: `found ${found}, allowed what bide bench --out writes` },
    ]),
};

/** What would have been right, as `problemsOf` takes it. */
function allowed(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "unrecognized_keys") return issue.keys.map(() => "those that bide bench --out writes").join("\n");
  if (issue.code === "invalid_type") return `a value of type ${issue.expected}`;
  if (issue.code === "invalid_value") return issue.values.map(String).join(", ");
  return "what bide bench --out writes";
}
