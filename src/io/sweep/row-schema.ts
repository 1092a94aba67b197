import { z } from "zod";
import type { SweepRow } from "../../experiments/sweep/sweep-record.js";

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const cost = z.strictObject({ wallSeconds: seconds });

const counts = z.strictObject({
  jobsSubmitted: count,
  jobsEnded: count,
  mapsEnded: count,
  reducesEnded: count,
  kills: count,
  heartbeats: count,
});

const done = z.strictObject({
  outcome: z.literal("done"),
  fingerprint: z.string(),
  stopped: z.enum(["all-jobs-ended", "until", "no-nodes-left"]),
  virtualSeconds: seconds,
  counts,
  refused: z.string().optional(),
  values: z.record(z.string(), z.number().nullable()),
  steps: z.record(z.string(), z.number().nonnegative()).optional(),
  warmUpSeconds: seconds.nullable(),
  notes: z.array(z.string()),
  cost,
});

const failed = z.strictObject({ outcome: z.literal("failed"), error: z.string(), cost });

const row = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  point: count,
  replication: count,
  seed: z.string(),
  run: z.discriminatedUnion("outcome", [done, failed]),
});

const MOST_SAMPLES = 10_000_000;

/** Columns of one length. */
const series = z
  .record(z.string().max(100), z.array(z.number()).max(MOST_SAMPLES))
  .refine((columns) => new Set(Object.values(columns).map(({ length }) => length)).size === 1, {
    error: "columns of different lengths",
  });

/** What comes of a run that another process did: what a journal keeps, and the samples. */
export const outcomeSchema = z.discriminatedUnion("outcome", [done.extend({ series: series.exactOptional() }), failed]);

/** What a line of a journal says; undefined: it is no run of a sweep. */
export function sweepRowOf(value: unknown): SweepRow | undefined {
  const { success, data } = row.safeParse(value);
  return success ? (data satisfies SweepRow) : undefined;
}
