import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../../core/kernel/index.js";
import type { RunOutcome } from "../../../experiments/index.js";
import { loadPlugins, type QueuedTask } from "../../../io/index.js";
import { RunPool } from "../run-executor.js";
import type { RunTask } from "../run-task.js";
import {
  checkQueue,
  connectQueue,
  type QueueAddress,
  type QueueClients,
  reason,
  sparing,
  type Tell,
} from "./connection.js";
import { digestOf, FetchedTraces, localTask, naming, PREFIX, queueName, unpackTask } from "./queued-task.js";

interface WorkerOptions {
  readonly address: QueueAddress;
  readonly threads: number;
  /** Files of schedulers, as typed. */
  readonly plugins: readonly string[];
  readonly code: string;
  readonly tell: Tell;
  readonly onRun: (run: RunDone) => void;
}

/** A run that this process did. */
interface RunDone {
  readonly key: string;
  readonly outcome: RunOutcome["outcome"];
  readonly wallSeconds: number;
}

/** A run whose process is gone is taken over after `lockDuration` + 2 x `stalledInterval` at most. */
const LOCK = { lockDuration: 5000, lockRenewTime: 1250, stalledInterval: 1000 } as const;

/** A run whose process vanished more often than this is given up: it may be what kills them. */
const MOST_STALLS = 8;

/** The time that handing in the results of the last runs may take. */
const ENDING_MS = 10_000;

/**
 * Does runs of sweeps that have this code and these plugins, until `stop` is aborted; then finishes those that it has
 * begun. While Redis is away or refuses, it waits and says so.
 * @returns how many runs it did.
 * @throws InputError when Redis or a plugin cannot be had at the start.
 */
export async function workOnQueue(clients: QueueClients, options: WorkerOptions, stop: AbortSignal): Promise<number> {
  const { address, threads, code } = options;
  const tell = sparing(options.tell);
  const plugins = new Map<string, string>();
  await loadPlugins(options.plugins);
  for (const file of options.plugins) plugins.set(digestOf(await readFile(file)), resolve(file));
  await checkQueue(clients, address);
  const redis = connectQueue(clients, address, options.tell);
  const pool = new RunPool(threads);
  const traces = new FetchedTraces();
  let done = 0;
  let running = 0;

  /** @throws UnrecoverableError, after which no worker tries the job again. */
  const accepted = (data: unknown): [QueuedTask, RunTask] => {
    try {
      const task = unpackTask(data);
      return [task, localTask(task, plugins, traces.folder)];
    } catch (error) {
      throw new clients.bullmq.UnrecoverableError(reason(error as Error));
    }
  };
  const simulate = async (data: unknown): Promise<RunOutcome> => {
    const [task, local] = accepted(data);
    if (task.trace !== null) await traces.fetch(redis, task.trace);
    const run = await pool.run(local);
    done++;
    options.onRun({ key: task.key, outcome: run.outcome, wallSeconds: run.cost.wallSeconds });
    return naming(run, task.trace, traces.folder);
  };
  const worker = new clients.bullmq.Worker<unknown, RunOutcome>(
    queueName(code, [...plugins.keys()]),
    async ({ data }) => {
      running++;
      try {
        return await simulate(data);
      } catch (error) {
        tell(`a run could not be done: ${reason(error as Error)}`);
        throw error;
      } finally {
        running--;
      }
    },
    {
      ...LOCK,
      connection: redis,
      prefix: PREFIX,
      name: String(threads),
      concurrency: threads,
      maxStalledCount: MOST_STALLS,
      drainDelay: 1,
      runRetryDelay: 1000,
    },
  );
  worker.on("stalled", () => tell("a process that did a run is gone; another takes the run over"));
  worker.on("error", (error) => {
    if (error.name === "ReplyError") tell(`Redis: ${reason(error)}; waits for it`);
  });
  tell(`ready: ${threads} at a time, on ${address.shown}`);

  if (!stop.aborted) await once(stop, "abort");
  if (running > 0) tell(`stopping: finishes ${counted(running, "run")} first; a second signal ends at once`);
  // Redis may be away: then it is not waited for.
  const closed = worker.close().catch(() => undefined);
  while (running > 0) await sleep(100);
  await Promise.race([closed, sleep(ENDING_MS, undefined, { ref: false })]);
  redis.disconnect();
  await pool.close();
  return done;
}
