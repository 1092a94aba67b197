/** The exit codes of the process; `docs/cli.md` explains each. */
export const EXIT = {
  ok: 0,
  fault: 1,
  badInput: 2,
  rackDied: 3,
  /** Runs of a sweep failed; all others are kept. */
  runsFailed: 4,
  /** A figure is not as the baseline says. */
  regression: 5,
  /** No point meets the goal. */
  goalNotMet: 6,
  /** A run would never end. */
  stuck: 7,
  /** Nothing is worse than the baseline, but so much is better that the baseline would hide later losses. */
  baselineStale: 9,
} as const;

/** Signals after which Bide stops tidily, with the exit code that shells expect: 128 + the signal's number. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof SIGNAL_EXIT;

/** A command came to its end, and its results, which have been printed or kept, ask for an exit code of their own. */
export class EndedBadly extends Error {
  override readonly name = "EndedBadly";

  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}
