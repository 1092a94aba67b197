import { createHmac, timingSafeEqual } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { assert } from "../../../core/kernel/index.js";
import type { AnyScenario } from "../../../core/scenario/index.js";
import type { RunOutcome } from "../../../experiments/index.js";
import {
  MOST_TEXT,
  type JobParcel,
  jobParcelOf,
  NotBelieved,
  type NotDone,
  type Returned,
  returnedOf,
  type TravellingTask,
  travellingTaskOf,
} from "../../../io/index.js";
import { RunKeys } from "../planned-sweep.js";
import type { RunTask } from "../run-task.js";

/*
 * A run and its result as they travel through Redis: packed exactly, signed, and believed only
 * after every check.
 */

/** The most that a parcel takes in Redis, packed, and unpacked. */
export const MOST_PARCEL_BYTES = 8 * 2 ** 20;

const MOST_TASK_BYTES = 128 * 2 ** 20;

/** The most that a result takes: samples of a long run are large. */
export const MOST_RESULT_BYTES = 256 * 2 ** 20;

/** Why a job failed that was no run; what it was stays with the worker. */
export const NOT_BELIEVED = "no run of this sweep";

/** What BullMQ keeps of a job. */
export interface SealedParcel {
  readonly sealed: string;
}

/** One run of one sweep, as signatures name it. */
function runOf(sweep: string, key: string): string {
  return `${sweep} ${key}`;
}

export function sealParcel(seal: Seal, sweep: string, key: string, parcel: JobParcel): SealedParcel {
  return { sealed: seal.close("run", runOf(sweep, key), JSON.stringify(parcel)) };
}

/** @param data of a job in Redis; anybody may have put it there. @throws NotBelieved */
export function openParcel(seal: Seal, sweep: string, key: string, data: unknown): JobParcel {
  const sealed = (data as Partial<Record<keyof SealedParcel, unknown>> | null)?.sealed;
  if (typeof sealed !== "string") throw new NotBelieved("no run");
  if (sealed.length > MOST_PARCEL_BYTES) throw new NotBelieved(`a run of ${String(sealed.length)} bytes`);
  return jobParcelOf(jsonIn(seal.open("run", runOf(sweep, key), sealed)));
}

export function packTask(task: RunTask): string {
  const { key, scenario, measures, warmUp, series, hasTwins = false } = task;
  const travelling = { key, scenario, measures, warmUp, series, hasTwins };
  return gzipSync(encodeExactly(travelling satisfies TravellingTask)).toString("base64");
}

/**
 * @param filePath where the workload's file is here, if it has one.
 * @param plugins absolute paths of those named in the parcel.
 * @throws NotBelieved for what is no packed run.
 */
export function unpackTask(packed: string, filePath: string | null, plugins: readonly string[]): RunTask {
  const task = travellingTaskOf(unpacked(packed));
  const { scenario } = task;
  const workload = withFile(scenario.workload, filePath);
  return { ...task, scenario: { ...scenario, workload }, directory: "/", plugins };
}

function unpacked(packed: string): unknown {
  try {
    const bytes = gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST_TASK_BYTES });
    return decodeExactly(bytes.toString("utf8"));
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new NotBelieved(isLarge ? "a run that unpacks to more than 128 MiB" : "no packed run");
  }
}

/**
 * Makes sure that a job holds the run that its key names: the key is a hash of everything that the run depends on.
 * @throws NotBelieved
 */
export function checkKey(key: string, task: RunTask): void {
  const { directory, plugins, measures, warmUp, series, scenario } = task;
  const [own] = new RunKeys({ plan: { measures, warmUp, series }, directory, plugins }).keysOf(scenario, [
    scenario.run.seed,
  ]);
  if (task.key !== key || own !== key) throw new NotBelieved("another run than its key names");
}

/** The file a run reads while it runs, absolute. */
export function fileOf({ scenario: { workload }, directory }: RunTask): string | null {
  if (!("file" in workload)) return null;
  return isAbsolute(workload.file) ? workload.file : resolve(directory, workload.file);
}

function withFile(workload: AnyScenario["workload"], filePath: string | null): AnyScenario["workload"] {
  if (workload.file === undefined) return workload;
  if (filePath === null) throw new NotBelieved("a run that reads a file which did not come with it");
  return { ...workload, file: filePath };
}

export function packOutcome(seal: Seal, sweep: string, { code, key, run }: Returned): string {
  const { series, ...rest } = run.outcome === "done" ? run : { ...bounded(run), series: undefined };
  // As a journal keeps it: JSON has no NaN, and a schema lets none in.
  const kept = JSON.parse(JSON.stringify(rest)) as Returned["run"];
  const whole = series === undefined ? kept : { ...kept, series };
  return seal.close("result", runOf(sweep, key), encodeExactly({ code, key, run: whole }));
}

/** With no longer text than is believed: an error of a plugin may be of any length. */
function bounded(run: Exclude<Returned["run"], { readonly outcome: "done" }>): typeof run {
  if (run.outcome === "failed") return { ...run, error: run.error.slice(0, MOST_TEXT) };
  return { ...run, problem: run.problem.slice(0, MOST_TEXT) };
}

/**
 * What a worker gave back for a run.
 * @param wanted the run that was asked for.
 * @throws NotBelieved for a result of another run or other code, or one that nobody made.
 */
export function openOutcome(
  seal: Seal,
  sweep: string,
  text: unknown,
  wanted: Pick<RunTask, "key" | "measures" | "series"> & { readonly code: string },
): RunOutcome | NotDone {
  if (typeof text !== "string") throw new NotBelieved("no result");
  const body = seal.open("result", runOf(sweep, wanted.key), text);
  const { code, key, run } = returnedOf(exactly(body));
  if (code !== wanted.code) throw new NotBelieved("a result of other code");
  if (key !== wanted.key) throw new NotBelieved("a result of another run");
  if (run.outcome !== "done") return run;
  const hasAll = wanted.measures.every((name) => Object.hasOwn(run.values, name));
  if (!hasAll || Object.keys(run.values).length !== wanted.measures.length) {
    throw new NotBelieved("a result with other measures than were asked for");
  }
  if (Object.keys(run.steps ?? {}).some((name) => !Object.hasOwn(run.values, name))) {
    throw new NotBelieved("a result with steps of other measures than were asked for");
  }
  if ((run.series !== undefined) !== wanted.series) throw new NotBelieved("a result with or without samples");
  return run;
}

function exactly(text: string): unknown {
  try {
    return decodeExactly(text);
  } catch {
    throw new NotBelieved("no result");
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NotBelieved("no run");
  }
}

/** Messages of a run, with the path that a file has here in place of the one it has there. */
export function naming(run: RunOutcome, there: string, here: string): RunOutcome {
  if (run.outcome === "failed") return { ...run, error: run.error.replaceAll(there, here) };
  return { ...run, notes: run.notes.map((note) => (typeof note === "string" ? note.replaceAll(there, here) : note)) };
}

/** What a text is about: a notice of one sweep is none of another, a result of one run none of another. */
type Purpose = "sweep" | "worker" | "run" | "result";

const SEALED = /^([0-9a-f]{64})\.(.*)$/s;

/**
 * Signs what this process puts into Redis, with a keyed hash (HMAC-SHA-256) where there is a queue secret, and believes
 * only what was signed with the same one. Without a secret nothing is signed, and nothing that is signed is believed,
 * for nobody can check it.
 */
export class Seal {
  constructor(private readonly secret: string | null) {}

  /** @param about the id or key that the text belongs to. @param body JSON of an object. */
  close(purpose: Purpose, about: string, body: string): string {
    return this.secret === null ? body : `${hashed(this.secret, purpose, about, body).toString("hex")}.${body}`;
  }

  /** @returns the body. @throws NotBelieved */
  open(purpose: Purpose, about: string, text: string): string {
    const [, found, body] = SEALED.exec(text) ?? [];
    if (this.secret === null) {
      if (found === undefined) return text;
      throw new NotBelieved("signed with a queue secret, and this process has none");
    }
    if (found === undefined) throw new NotBelieved("not signed with the queue secret");
    if (timingSafeEqual(Buffer.from(found, "hex"), hashed(this.secret, purpose, about, body))) return body;
    throw new NotBelieved("signed with another queue secret, or changed since");
  }
}

function hashed(secret: string, purpose: Purpose, about: string, body: string): Buffer {
  return createHmac("sha256", secret).update(`bide\n${purpose}\n${about}\n${body}`).digest();
}

/** Marks what JSON has no word for: `{"$": "Infinity"}`, and objects that have a key `$` of their own. */
const MARK = "$";

/** Values without a word in JSON, by the word they get here. */
const WORDS = new Map<string, unknown>([
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["NaN", NaN],
  ["-0", -0],
  ["undefined", undefined],
]);

/**
 * JSON from which `decodeExactly` gives an equal value: infinities, NaN, -0 and undefined included, which JSON alone
 * drops. For plain data; which objects are one and the same is not kept.
 */
export function encodeExactly(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** @throws SyntaxError, or an assertion, for what `encodeExactly` did not write. */
export function decodeExactly(text: string): unknown {
  return unmarked(JSON.parse(text));
}

function marked(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return { [MARK]: "undefined" };
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [MARK]: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (Array.isArray(value)) return value.map(marked);
  assert(typeof value === "object" && isPlain(value), "only plain data travels as JSON");
  const entries = Object.entries(value).map(([key, inner]) => [key, marked(inner)] as const);
  return Object.hasOwn(value, MARK) ? { [MARK]: "object", entries } : Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  const word = Object.hasOwn(value, MARK) ? (value as Record<string, unknown>)[MARK] : null;
  if (word === null) return rebuilt(Object.entries(value));
  if (word === "object") return rebuilt((value as { entries: [string, unknown][] }).entries);
  assert(typeof word === "string" && WORDS.has(word), "a marked value is one of those that are written");
  return WORDS.get(word);
}

/** Own properties whatever their name: `__proto__` too. */
function rebuilt(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries.map(([key, inner]) => [key, unmarked(inner)]));
}
