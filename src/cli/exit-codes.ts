/** The exit codes of the process; `docs/cli.md` explains each. */
export const EXIT = {
  ok: 0,
  fault: 1,
  badInput: 2,
  rackDied: 3,
  runsFailed: 4,
  regression: 5,
  /** No point meets the goal. */
  goalNotMet: 6,
  /** A run would never end. */
  stuck: 7,
  /** Nothing is worse than a baseline says, but so much is better that the baseline would hide what becomes worse. */
  baselineStale: 9,
} as const;

/** Signals after which Bide stops tidily, with the exit code that shells expect: 128 + the signal's number. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof SIGNAL_EXIT;

/** No point of a sweep meets its goal; the nearest have been printed. */
export class GoalNotMet extends Error {
  override readonly name = "GoalNotMet";
}

/** A run would never end; its results until it was stopped have been printed. */
export class RunStuck extends Error {
  override readonly name = "RunStuck";
}

/** A sweep has come to its end, but some of its runs failed. All others are kept. */
export class RunsFailed extends Error {
  override readonly name = "RunsFailed";
}

/** A baseline allows too much; the details have been printed. */
export class BaselineStale extends Error {
  override readonly name = "BaselineStale";
}

/** A figure is not as the baseline says; the details have been printed. */
export class RegressionFound extends Error {
  override readonly name = "RegressionFound";
}
