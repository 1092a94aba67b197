import * as z from "zod";
import type { AnyScenario } from "../../core/scenario/index.js";
import type { RunOutcome, SweepPlan } from "../../experiments/index.js";
import { showPath } from "../scenario/show.js";
import { warmUpSchema } from "./plan-file.js";
import { MOST_TEXT, outcomeSchema } from "./journal.js";

/**
 * What sweeps and workers put into Redis for each other. Anybody who can write there can put anything there, so each
 * kind of message has one schema, and whatever does not fit it is not used.
 */

export const SWEEP_ID = /^[0-9a-f]{16}$/;
export const RUN_KEY = /^[0-9a-f]{32}$/;
const DIGEST = /^[0-9a-f]{64}$/;

const MOST_PLUGINS = 1000;
const MOST_NAME = 1000;
const MOST_PATH = 32_768;
const MOST_THREADS = 100_000;
const MOST_MEASURES = 10_000;

const code = z.string().regex(/^[0-9a-f]{32}$/);
const digest = z.string().regex(DIGEST);
const plugins = z.array(digest).max(MOST_PLUGINS).readonly();

const sweepNotice = z.strictObject({
  name: z.string().max(MOST_NAME),
  code,
  plugins,
  /** Clock of the machine that started it, ms; older ones come first. */
  since: z.number().nonnegative(),
});

/** A sweep that wants runs done. */
export type SweepNotice = Readonly<z.infer<typeof sweepNotice>>;

const presence = z.strictObject({
  threads: z.int().positive().max(MOST_THREADS),
  code,
  plugins,
  /** The sweep whose runs it does. */
  at: z.string().regex(SWEEP_ID).nullable(),
  /** Clock of Redis, ms. */
  seen: z.number().nonnegative(),
});

/** A process that does runs. */
export type Presence = Readonly<z.infer<typeof presence>>;

const sharedFile = z.strictObject({ digest, shown: z.string().max(MOST_PATH) });

const jobParcel = z.strictObject({
  /** The process that does the run must have this code. */
  code,
  /** Digests of plugin files, in the order in which they are loaded. */
  plugins,
  /** That the workload is read from; null: none. */
  file: sharedFile.nullable(),
  /** A packed `TravellingTask`. */
  task: z.base64(),
});

/** What a job in Redis carries: everything a run is a function of but code, its own and that of plugins. */
export type JobParcel = Readonly<z.infer<typeof jobParcel>>;

const travellingTask = z.strictObject({
  key: z.string().regex(RUN_KEY),
  // Its settings were checked where the sweep was started, and the key is their hash.
  scenario: z.looseObject({
    name: z.string(),
    workload: z.looseObject({ kind: z.string() }),
    run: z.looseObject({ seed: z.string() }),
  }),
  measures: z.array(z.string()).max(MOST_MEASURES),
  warmUp: warmUpSchema,
  series: z.boolean(),
  hasTwins: z.boolean(),
});

/** A run of a sweep, without paths of the machine on which the sweep was started. */
export interface TravellingTask extends Pick<SweepPlan, "measures" | "warmUp" | "series"> {
  readonly key: string;
  readonly scenario: AnyScenario;
  /** Other runs of the sweep submit the same jobs. */
  readonly hasTwins: boolean;
}

const notDone = z.strictObject({ outcome: z.literal("not done"), problem: z.string().max(MOST_TEXT) });

/** A worker could not do a run, for a reason that the run is not to blame for. Another try may succeed. */
export type NotDone = Readonly<z.infer<typeof notDone>>;

const returned = z.strictObject({
  code,
  key: z.string().regex(RUN_KEY),
  run: z.discriminatedUnion("outcome", [outcomeSchema, notDone]),
});

/** What a job in Redis gives back. */
export interface Returned {
  /** That made it. */
  readonly code: string;
  /** Of the run. */
  readonly key: string;
  readonly run: RunOutcome | NotDone;
}

/**
 * Something in Redis is not what a Bide of this version puts there. The message holds nothing of what was found but
 * names.
 */
export class NotBelieved extends Error {
  override readonly name = "NotBelieved";
}

export const sweepNoticeOf = (value: unknown): SweepNotice => read(sweepNotice, value, "notice of a sweep");
export const presenceOf = (value: unknown): Presence => read(presence, value, "notice of a worker");
export const jobParcelOf = (value: unknown): JobParcel => read(jobParcel, value, "run");
export const returnedOf = (value: unknown): Returned => read(returned, value, "result");

export function travellingTaskOf(value: unknown): TravellingTask {
  return read(travellingTask, value, "run") as object as TravellingTask;
}

function read<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [{ path, code: problem }] = error.issues;
  throw new NotBelieved(`no ${what} (${showPath(path, "the whole")}: ${problem.replaceAll("_", " ")})`);
}
