import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Redis } from "ioredis";
import type { RunOutcome } from "../../../experiments/index.js";
import { fileProblem, type QueuedTask, queuedTaskOf } from "../../../io/index.js";
import { packed, unpacked } from "../../../messages/index.js";
import type { RunTask } from "../run-task.js";

/* The form of runs and traces in Redis, which sweeps write and workers read. */

/** Before every key, so that Bide can share a database. */
export const PREFIX = "bide";

/** The queue of all sweeps with this code and these plugins, which workers with the same code and plugins serve. */
export function queueName(code: string, pluginDigests: readonly string[]): string {
  return `runs-${digestOf([code, ...[...pluginDigests].sort((a, b) => (a < b ? -1 : 1))].join(" ")).slice(0, 16)}`;
}

/** BullMQ refuses ids that are whole numbers, which a key could look like. */
export const jobIdOf = (key: string): string => `r${key}`;

/** @param plugins digests of their contents, in their order. */
export function packTask(task: RunTask, plugins: readonly string[]): string {
  const { key, scenario, measures, warmUp, series, hasTwins = false, workloadDigest: digest } = task;
  const trace = digest === undefined ? null : { digest, shown: scenario.workload.file as string };
  const queued = { key, scenario, measures, warmUp, series, hasTwins, plugins, trace } satisfies QueuedTask;
  return Buffer.from(packed(queued)).toString("base64");
}

/** @throws Error for what is no packed run. */
export function unpackTask(data: unknown): QueuedTask {
  return queuedTaskOf(unpacked(Buffer.from(String(data), "base64")));
}

/**
 * The task with paths of this machine.
 * @param pluginPaths by digest: all that may be loaded here. @param folder of traces by digest.
 * @throws Error where it names another plugin.
 */
export function localTask(
  { plugins, trace, ...task }: QueuedTask,
  pluginPaths: ReadonlyMap<string, string>,
  folder: string,
): RunTask {
  const paths = plugins.map((digest) => {
    const path = pluginPaths.get(digest);
    if (path === undefined) throw new Error(`a run needs a plugin that is not loaded here (sha256 ${digest})`);
    return path;
  });
  const { scenario } = task;
  const workload = trace === null ? scenario.workload : { ...scenario.workload, file: trace.digest };
  return { ...task, scenario: { ...scenario, workload }, directory: folder, plugins: paths };
}

/** The outcome with messages that name the trace as the sweep does. */
export function naming(run: RunOutcome, trace: QueuedTask["trace"], folder: string): RunOutcome {
  if (trace === null) return run;
  const { digest, shown } = trace;
  const renamed = (text: string) => text.replaceAll(join(folder, digest), shown).replaceAll(digest, shown);
  if (run.outcome === "failed") return { ...run, error: renamed(run.error) };
  return { ...run, notes: run.notes.map((note) => (typeof note === "string" ? renamed(note) : note)) };
}

export function digestOf(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const MOST_MIB = 64;

/** A trace stays this long after the last look of a sweep that needs it: a sweep that was killed may be resumed. */
const KEPT_SECONDS = 86_400;

const traceKey = (digest: string) => `${PREFIX}:trace:${digest}`;

/** Traces that runs of a sweep read, in Redis by digest. */
export class SharedTraces {
  private readonly paths = new Map<string, string>();

  constructor(private readonly redis: Redis) {}

  /** @throws InputError for a trace that is too large for Redis; what Redis says. */
  async share({ workloadDigest: digest, scenario, directory }: RunTask): Promise<void> {
    if (digest === undefined || this.paths.has(digest)) return;
    this.paths.set(digest, resolve(directory, scenario.workload.file as string));
    await this.putMissing();
  }

  /** Puts in again what a Redis that was restarted no longer has. */
  async putMissing(): Promise<void> {
    for (const [digest, path] of this.paths) {
      if ((await this.redis.expire(traceKey(digest), KEPT_SECONDS)) === 1) continue;
      const bytes = await readFile(path);
      if (bytes.length > MOST_MIB * 2 ** 20) {
        const problem = `expected at most ${MOST_MIB} MiB through a queue, found ${bytes.length} bytes`;
        throw fileProblem(path, `${problem}; --shard reads files of any size`);
      }
      if (digestOf(bytes) !== digest) throw fileProblem(path, "has other contents than when the sweep began");
      await this.redis.set(traceKey(digest), bytes, "EX", KEPT_SECONDS);
    }
  }

  async remove(): Promise<void> {
    for (const digest of this.paths.keys()) await this.redis.del(traceKey(digest));
  }
}

/** Traces that came through Redis, by digest in a temporary folder of this process, which goes with it. */
export class FetchedTraces {
  readonly folder = mkdtempSync(join(tmpdir(), "bide-traces-"));

  constructor() {
    process.once("exit", () => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** @throws Error while Redis does not have it, or has other contents in its place. */
  async fetch(redis: Redis, { digest }: NonNullable<QueuedTask["trace"]>): Promise<void> {
    const path = join(this.folder, digest);
    if (existsSync(path)) return;
    const bytes = await redis.getBuffer(traceKey(digest));
    if (bytes === null) throw new Error("the trace that the run reads is not in Redis");
    if (digestOf(bytes) !== digest) throw new Error("the trace that the run reads has other contents in Redis");
    mkdirSync(this.folder, { recursive: true });
    // Another run that reads it may have begun meanwhile.
    if (!existsSync(path)) writeFileSync(path, bytes);
  }
}
