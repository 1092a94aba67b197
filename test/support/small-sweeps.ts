import { createHash } from "node:crypto";
import type { RunOutcome, SweepPlan } from "../../dist/experiments/index.js";
import type { StoredPlan } from "../../dist/io/index.js";

/** A plan of one axis, W = 0 s, 1 s, ... */
export function smallPlan(points: number, replications: number, rest: Partial<SweepPlan> = {}): SweepPlan {
  const most = rest.until?.most ?? replications;
  return {
    name: "small",
    why: "",
    axes: [
      {
        name: "W",
        unit: "seconds",
        steps: Array.from({ length: points }, (_, i) => ({
          label: `${i}s`,
          quantity: i,
          settings: [{ path: "scheduler.wait.node", value: `${i}s` }],
        })),
      },
    ],
    points: Array.from({ length: points }, (_, i) => ({ index: i, steps: [i], label: `W=${i}s` })),
    replications,
    until: null,
    seeds: Array.from({ length: most }, (_, i) => String(i + 1)),
    measures: ["responseMean", "jain"],
    warmUp: { kind: "none" },
    series: false,
    ...rest,
  };
}

export function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

export function storedPlan(plan: SweepPlan): StoredPlan {
  const keys = plan.points.map(({ label }) => plan.seeds.map((seed) => keyOf(`${label} ${seed}`)));
  return { bide: "0.1.0", code: "c", plugins: [], plan, keys };
}

/** The same for one key, but for what it cost. */
export function doneRun(key: string, wallSeconds = 1, jain: number | null = null): RunOutcome {
  const number = parseInt(key.slice(0, 6), 16);
  return {
    outcome: "done",
    fingerprint: key.slice(0, 16),
    stopped: "all-jobs-ended",
    virtualSeconds: number / 7,
    counts: {
      jobsSubmitted: 2,
      jobsEnded: 2,
      mapsEnded: number,
      reducesEnded: 0,
      kills: 0,
      heartbeats: 12,
    },
    values: { responseMean: number / 3, jain },
    warmUpSeconds: 0,
    notes: ["é \n line"],
    cost: { wallSeconds },
  };
}

export function failedRun(error = "no such thing"): RunOutcome {
  return { outcome: "failed", error, cost: { wallSeconds: 0.5 } };
}
