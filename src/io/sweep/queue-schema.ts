import * as z from "zod";
import type { AnyScenario } from "../../core/scenario/index.js";
import { showPath } from "../scenario/show.js";
import { warmUpSchema } from "./plan-file.js";

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A run of a sweep as it lies in Redis. It names plugins and traces by the SHA-256 of their contents and has no place
 * for a path: a worker runs no code but the plugins it was started with, and reads no file but a trace from Redis.
 */
const queuedTask = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  /** Checked where the sweep was started. */
  scenario: z.looseObject({
    name: z.string(),
    workload: z.looseObject({ kind: z.string() }),
    run: z.looseObject({ seed: z.string() }),
  }),
  measures: z.array(z.string()).readonly(),
  warmUp: warmUpSchema,
  series: z.boolean(),
  hasTwins: z.boolean(),
  /** In the order in which they are loaded. */
  plugins: z.array(digest).readonly(),
  /** The file that the workload is read from, and how messages name it; null: none. */
  trace: z.strictObject({ digest, shown: z.string() }).nullable(),
});

export type QueuedTask = Omit<z.output<typeof queuedTask>, "scenario"> & { readonly scenario: AnyScenario };

/** @throws Error for a value that is no run of a sweep. */
export function queuedTaskOf(value: unknown): QueuedTask {
  const { success, data, error } = queuedTask.safeParse(value);
  if (success && (data.scenario.workload.file === undefined) === (data.trace === null)) {
    return data as object as QueuedTask;
  }
  const problem = success ? "trace" : showPath(error.issues[0].path, "the whole");
  throw new Error(`a job in Redis is no run of a sweep (${problem})`);
}
