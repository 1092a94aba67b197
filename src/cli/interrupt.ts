import { SIGNAL_EXIT, type StopSignal } from "./exit-codes.js";
import { tell } from "./terminal.js";

/** The error that aborts work when the user stops it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(
    readonly signal: StopSignal,
    remains = "no results were written",
  ) {
    super(`stopped by ${signal}; ${remains}`);
  }
}

/** Time the work has for stopping by itself; the rest of a second is for leaving. */
const PATIENCE_MS = 700;

const SIGNALS = Object.keys(SIGNAL_EXIT) as StopSignal[];

function leave(signal: StopSignal, remains?: string): never {
  tell(`bide: ${new Interrupted(signal, remains).message}\n`);
  process.exit(SIGNAL_EXIT[signal]);
}

/** The listener of `watchEarly`, until something else listens. */
export const leaveEarly = (signal: StopSignal): never => leave(signal);

/** Says also before `interruptible` work begins that a signal has ended the command. */
export function watchEarly(): void {
  for (const signal of SIGNALS) process.on(signal, leaveEarly);
}

/**
 * Does `work` with a signal that the first Ctrl-C (SIGINT, SIGTERM, SIGHUP) aborts with `Interrupted`. Work that has
 * not stopped soon after is left behind with the process, as it is at once on a second Ctrl-C; what has to be tidied up
 * then must hang on the process's `exit` event.
 * @param remainsOf what is left of the work then, in words; default: nothing.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  remainsOf?: () => string,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const leaveNow = (signal: StopSignal) => leave(signal, remainsOf?.());
  const listener = (signal: StopSignal) => {
    if (controller.signal.aborted) leaveNow(signal);
    timer = setTimeout(leaveNow, PATIENCE_MS, signal);
    controller.abort(new Interrupted(signal, remainsOf?.()));
  };
  for (const signal of SIGNALS) process.off(signal, leaveEarly).on(signal, listener);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, listener);
  }
}
