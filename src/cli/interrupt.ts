import { SIGNAL_EXIT, type StopSignal } from "./exit-codes.js";

/** What work is aborted with when the user has had enough. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(readonly signal: StopSignal) {
    super(`stopped by ${signal}; no results were written`);
  }
}

/** Time the work has for stopping by itself; the rest of a second is for leaving. */
const PATIENCE_MS = 700;

const SIGNALS = Object.keys(SIGNAL_EXIT) as StopSignal[];

/**
 * Does `work` with a signal that the first Ctrl-C (SIGINT, SIGTERM, SIGHUP) aborts with `Interrupted`. Work that has not
 * stopped soon after is left behind with the process, as it is at once on a second Ctrl-C; what has to be tidied up then
 * must hang on the process's `exit` event.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const leave = (signal: StopSignal): never => {
    process.stderr.write(`bide: ${new Interrupted(signal).message}\n`);
    process.exit(SIGNAL_EXIT[signal]);
  };
  const listener = (signal: StopSignal): void => {
    if (controller.signal.aborted) leave(signal);
    timer = setTimeout(leave, PATIENCE_MS, signal);
    controller.abort(new Interrupted(signal));
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, listener);
  }
}
