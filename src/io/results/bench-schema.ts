import { z } from "zod";
import type { BenchReport } from "../../core/metrics/bench-report.js";
import { jsonText } from "./summary-schema.js";

const text = z.string();
const value = z.union([text, z.number(), z.null()]);

const report = z.strictObject({
  format: z.literal("bide-bench"),
  version: z.literal(1),
  bench: text,
  question: text,
  setup: z.record(text, z.union([text, z.number()])),
  machine: z.strictObject({
    cpu: text,
    cores: z.int().positive(),
    memoryGiB: z.number().nonnegative(),
    node: text,
    platform: text,
    bide: text,
  }),
  columns: z.array(
    z.strictObject({
      key: text,
      title: text,
      kind: z.enum(["name", "cost", "rate", "count"]),
      decimals: z.int().min(0).max(9).optional(),
    }),
  ),
  rows: z.array(z.record(text, value)),
  ratios: z.record(text, z.number()),
  notes: z.array(text),
});

/** The JSON of a benchmark. Throws when it breaks its own schema: a fault of ours. */
export function benchText(found: BenchReport): string {
  const parsed = report.safeParse({ format: "bide-bench", version: 1, ...found });
  if (!parsed.success) throw new Error(`the report of ${found.bench} breaks its own schema: ${parsed.error.message}`);
  return jsonText(parsed.data);
}
