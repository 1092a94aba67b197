import { availableParallelism } from "node:os";
import type { PlannedSweep, QueueAddress, RunExecutor } from "../lab/index.js";
import { counted } from "../report/index.js";
import { queueChoice } from "./queue-choice.js";
import { tell } from "./terminal.js";
import { fileProblem } from "../io/index.js";

/** The executor of a sweep's runs. */
export interface ExecutorChoice {
  /** In words: `2 threads`. */
  readonly where: string;
  readonly open: (planned: PlannedSweep) => Promise<RunExecutor>;
}

interface ExecutorOptions {
  readonly threads?: number;
  readonly queue?: string;
  readonly quiet?: boolean;
}

/** @throws InputError for a queue that is none, or that cannot be used. */
export async function executorChoice({ threads, queue, quiet }: ExecutorOptions): Promise<ExecutorChoice> {
  const address = queueChoice(queue);
  if (address === null) return localExecutor(threads ?? availableParallelism());
  if (threads !== undefined) {
    throw fileProblem("--threads", "does not go with --queue: bide worker --threads says it for each machine");
  }
  const { checkQueue, loadClients } = await import("../lab/sweep/queue/connection.js");
  await checkQueue(await loadClients("--queue"), address);
  return {
    where: `the queue ${address.shown}`,
    open: async (planned) => queued(address, planned, quiet),
  };
}

function localExecutor(threads: number): ExecutorChoice {
  return {
    where: counted(threads, "thread"),
    open: async () => {
      const { RunPool } = await import("../lab/sweep/run-executor.js");
      return new RunPool(threads);
    },
  };
}

async function queued(address: QueueAddress, { stored }: PlannedSweep, quiet = false): Promise<RunExecutor> {
  const { loadClients } = await import("../lab/sweep/queue/connection.js");
  const { QueuedRuns } = await import("../lab/sweep/queue/queued-runs.js");
  const clients = await loadClients("--queue");
  return QueuedRuns.open(clients, address, stored, (line) => {
    if (!quiet) tell(`${line}\n`);
  });
}
