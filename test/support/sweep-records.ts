import type { RunOutcome, SweepRecord, SweepPlan } from "../../dist/experiments/index.js";

const COUNTS = {
  jobsSubmitted: 0,
  jobsEnded: 0,
  mapsEnded: 0,
  reducesEnded: 0,
  kills: 0,
  heartbeats: 0,
};

/** A run that is done, with these values. */
export function doneWith(values: Record<string, number | null>): RunOutcome {
  return {
    outcome: "done",
    fingerprint: "0",
    stopped: "all-jobs-ended",
    virtualSeconds: 1,
    counts: COUNTS,
    values,
    warmUpSeconds: 0,
    notes: [],
    cost: { wallSeconds: 1 },
  };
}

export const FAILED: RunOutcome = { outcome: "failed", error: "no", cost: { wallSeconds: 0 } };

/** All combinations of two axes, W1 of `first` steps and W2 of `second`, but those that `allows` does not. */
export function planOf(
  first: number,
  second: number,
  measures: readonly string[],
  allows: (w1: number, w2: number) => boolean = () => true,
): SweepPlan {
  const axis = (name: string, steps: number) => ({
    name,
    unit: "seconds" as const,
    steps: Array.from({ length: steps }, (_, i) => ({ label: `${i}s`, quantity: i, settings: [] })),
  });
  const steps = Array.from({ length: first * second }, (_, i) => [Math.floor(i / second), i % second]);
  const points = steps
    .filter(([w1, w2]) => allows(w1, w2))
    .map((own, index) => ({ index, steps: own, label: `W1=${own[0]}s W2=${own[1]}s` }));
  return {
    name: "waits",
    why: "",
    axes: [axis("W1", first), axis("W2", second)],
    points,
    replications: 3,
    until: null,
    seeds: ["1", "2", "3", "4", "5", "6"],
    measures,
    warmUp: { kind: "none" },
    series: false,
  };
}

/** Runs of each point, by replication; undefined: not run yet. */
export function recordOf(plan: SweepPlan, runs: readonly (readonly (RunOutcome | undefined)[])[]): SweepRecord {
  const rows = runs.flatMap((own, point) =>
    own.flatMap((run, replication) =>
      run === undefined
        ? []
        : [{ key: `${point}-${replication}`, point, replication, seed: plan.seeds[replication], run }],
    ),
  );
  return { plan, rows };
}
