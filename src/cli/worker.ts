import { availableParallelism } from "node:os";
import { counted } from "../core/kernel/index.js";
import { codeVersion, fileProblem } from "../io/index.js";
import { loadClients, workOnQueue } from "../lab/index.js";
import { SIGNAL_EXIT, type StopSignal } from "./exit-codes.js";
import { queueChoice } from "./queue-choice.js";
import { leaveEarly } from "./interrupt.js";
import { tell, writeOut } from "./terminal.js";

export interface WorkerCommandOptions {
  readonly queue?: string;
  readonly threads?: number;
  readonly plugin: readonly string[];
  /** Microseconds. */
  readonly drain?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const DRAIN_MS = 600_000;

/** `bide worker`: does runs until it is stopped. */
export async function worker(options: WorkerCommandOptions): Promise<void> {
  const address = queueChoice(options.queue);
  if (address === null) throw fileProblem("bide worker", "needs a queue: --queue or BIDE_QUEUE names one");
  const clients = await loadClients("--queue");
  const say = (line: string) => {
    if (options.quiet !== true) tell(`bide worker: ${line}\n`);
  };
  const stop = stopOnSignal(options.drain === undefined ? DRAIN_MS : options.drain / 1000);
  const done = await workOnQueue(
    clients,
    {
      address,
      threads: options.threads ?? availableParallelism(),
      plugins: options.plugin,
      code: codeVersion(),
      tell: say,
      onRun: (run) => {
        if (options.json === true) void writeOut(`${JSON.stringify(run)}\n`, true).catch(() => undefined);
      },
    },
    stop,
  );
  say(`executed ${counted(done, "run")}`);
}

/** Aborted by the first signal. A second one, or runs that do not end, end the process: others take its runs over. */
function stopOnSignal(patienceMs: number): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(SIGNAL_EXIT) as StopSignal[]) {
    process.off(signal, leaveEarly).on(signal, () => {
      if (controller.signal.aborted) leave(`stopped by a second signal, ${signal}; others take its runs over`, signal);
      controller.abort();
      const late = setTimeout(leave, patienceMs, "its runs did not end in time; others take them over", signal);
      late.unref();
    });
  }
  return controller.signal;
}

function leave(why: string, signal: StopSignal): never {
  tell(`bide worker: ${why}\n`);
  process.exit(SIGNAL_EXIT[signal]);
}
