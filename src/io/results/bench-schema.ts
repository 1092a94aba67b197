import * as z from "zod";
import type { BenchReport, BenchRow } from "../../experiments/index.js";
import { printable } from "../scenario/show.js";
import { readWritten } from "./run-folder.js";
import { jsonText } from "./summary-schema.js";
import { optional } from "../scenario/setting.js";

/** It is printed as it is. */
const text = z.string().refine((value) => printable(value) === value);
const value = z.union([text, z.number(), z.null()]);

/** The machine of the measurement. */
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
  breakdown: optional(
    z.strictObject({ columns, rows }),
    "What the cost of some cases is made of, a part per column; older reports have none.",
  ),
  ratios: z.record(text, z.number()).describe("Of rows of the same measurement session."),
  notes: z.array(text),
});

/** JSON Schema (draft 7) of what `bide bench --json` prints. */
export function benchJsonSchema(): object {
  return { ...z.toJSONSchema(report, { target: "draft-7" }), title: "Bide bench" };
}

/** The JSON of a benchmark, fractions to six digits. Throws when it breaks its own schema: a fault of ours. */
export function benchText(bench: BenchReport): string {
  const { breakdown } = bench;
  const whole = {
    format: "bide-bench",
    version: 1,
    ...bench,
    rows: bench.rows.map(rounded),
    ratios: rounded(bench.ratios),
    ...(breakdown === undefined ? {} : { breakdown: { ...breakdown, rows: breakdown.rows.map(rounded) } }),
  };
  const parsed = report.safeParse(whole);
  if (!parsed.success) throw new Error(`the report of ${bench.bench} breaks its own schema: ${parsed.error.message}`);
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

/** The report in a file that `benchText` wrote. @throws InputError where the file holds anything else. */
export function readBench(path: string): BenchReport {
  return readWritten(path, report as z.ZodType<BenchReport>, "bide bench --out");
}
