/** The largest sweeps that a file may ask for. */
export const SWEEP_LIMITS = {
  axes: 30,
  /** Of one axis. */
  steps: 100_000,
  /** Combinations of all steps, before constraints. */
  combinations: 2_000_000,
  points: 100_000,
  /** Points, each with as many replications as it may have. */
  runs: 1_000_000,
  /** Of one point. */
  replications: 10_000,
  constraints: 100,
  constraintLength: 500,
} as const;
