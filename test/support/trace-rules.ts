import { expect } from "vitest";
import * as z from "zod";

/*
 * The rules of Chrome's Trace Event Format for what Bide writes, and those that Perfetto adds: numbers
 * of threads are unique across processes, and slices of one thread do not overlap.
 */

const id = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const us = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const name = z
  .string()
  .min(1)
  .max(150)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);
const place = { pid: id, tid: id };

const named = z.strictObject({
  ph: z.literal("M"),
  ...place,
  name: z.enum(["process_name", "thread_name"]),
  args: z.strictObject({ name }),
});

const sorted = z.strictObject({
  ph: z.literal("M"),
  ...place,
  name: z.enum(["process_sort_index", "thread_sort_index"]),
  args: z.strictObject({ sort_index: z.int().nonnegative() }),
});

const counter = z.strictObject({
  ph: z.literal("C"),
  ...place,
  ts: us,
  name,
  args: z.record(z.string(), z.number().nonnegative()).refine((args) => Object.keys(args).length > 0),
});

const args = z.strictObject({
  job: z.int().nonnegative(),
  name: z.string(),
  pool: z.string(),
  task: z.int().nonnegative(),
  attempt: z.int().nonnegative(),
  outcome: z.enum(["succeeded", "killed", "failed", "lost"]),
});

const slice = z.strictObject({
  ph: z.literal("X"),
  ...place,
  ts: us,
  dur: us,
  cat: z.enum(["map", "reduce", "set-up", "clean-up"]),
  name,
  args,
});

const traceSchema = z.strictObject({
  traceEvents: z.array(z.union([slice, counter, named, sorted])),
  otherData: z.strictObject({ scenario: name, seed: name, scheduler: name, fingerprint: z.string() }),
});

export type Slice = z.infer<typeof slice>;
export type Counter = z.infer<typeof counter>;

export interface CheckedTrace {
  readonly slices: readonly Slice[];
  readonly counters: readonly Counter[];
  readonly processes: ReadonlyMap<number, string>;
  readonly threads: ReadonlyMap<number, string>;
}

/** The trace, if it keeps all rules; a test that calls this fails where it does not. */
export function checkedTrace(text: string): CheckedTrace {
  const { traceEvents } = traceSchema.parse(JSON.parse(text));
  const processes = new Map<number, string>();
  const threads = new Map<number, string>();
  const pidOf = new Map<number, number>();
  for (const event of traceEvents) {
    const { pid, tid } = event;
    expect(pidOf.get(tid) ?? pid, `thread ${tid} is in one process`).toBe(pid);
    pidOf.set(tid, pid);
    if (event.ph !== "M" || !("name" in event.args)) continue;
    const names = event.name === "process_name" ? processes : threads;
    const of = event.name === "process_name" ? pid : tid;
    expect(names.has(of), `${event.name} ${of} is given once`).toBe(false);
    names.set(of, event.args.name);
  }
  const slices = traceEvents.filter((event) => event.ph === "X");
  const counters = traceEvents.filter((event) => event.ph === "C");
  for (const { pid, tid } of slices) {
    expect(processes.has(pid)).toBe(true);
    expect(threads.has(tid)).toBe(true);
  }
  for (const { pid } of counters) expect(processes.has(pid)).toBe(true);
  for (const tid of threads.keys()) {
    const own = slices.filter((one) => one.tid === tid).sort((a, b) => a.ts - b.ts || a.dur - b.dur);
    expect(own.length).toBeGreaterThan(0);
    for (const [i, one] of own.slice(1).entries()) expect(one.ts).toBeGreaterThanOrEqual(own[i]!.ts + own[i]!.dur);
  }
  return { slices, counters, processes, threads };
}
