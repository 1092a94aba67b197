import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  FinishedRun,
  RunOutcome,
  SweepRecord,
  SweepRow,
  AxisStep,
  SweepAxis,
  SweepPlan,
  SweepPoint,
} from "../../dist/experiments/index.js";
import { checkedLine, planText } from "../../dist/io/index.js";

/** An axis of times: `secondsAxis("W1", 0, 5)` has steps 0s and 5s. */
export function secondsAxis(name: string, ...seconds: number[]): SweepAxis {
  return { name, unit: "seconds", steps: seconds.map((quantity) => step(`${quantity}s`, quantity)) };
}

/** An axis without quantities. */
export function wordAxis(name: string, ...labels: string[]): SweepAxis {
  return { name, unit: "none", steps: labels.map((label) => step(label, null)) };
}

function step(label: string, quantity: number | null): AxisStep {
  return { label, quantity, settings: [{ path: "run.seed", value: label }] };
}

/** All combinations of the steps, two replications of each, unless `changes` say otherwise. */
export function sweepPlan(axes: readonly SweepAxis[], changes: Partial<SweepPlan> = {}): SweepPlan {
  const combinations = axes.reduce<number[][]>(
    (all, { steps }) => all.flatMap((one) => steps.map((_, at) => [...one, at])),
    [[]],
  );
  const points = combinations.map((steps, index): SweepPoint => {
    const label = axes.map(({ name, steps: of }, axis) => `${name}=${of[steps[axis]!]!.label}`).join(" ") || "-";
    return { index, steps, label };
  });
  const replications = changes.replications ?? 2;
  return {
    name: "small",
    why: "what comes of it",
    axes,
    points,
    replications,
    until: null,
    seeds: Array.from({ length: replications }, (_, seed) => String(seed + 1)),
    measures: ["nodeLocalSmall", "responseP95"],
    warmUp: { kind: "none" },
    series: false,
    ...changes,
  };
}

export function doneRun(
  values: Readonly<Record<string, number | null>>,
  changes: Partial<FinishedRun> = {},
): FinishedRun {
  return {
    outcome: "done",
    fingerprint: "f00d",
    stopped: "all-jobs-ended",
    virtualSeconds: 100,
    counts: {
      jobsSubmitted: 5,
      jobsEnded: 5,
      mapsEnded: 40,
      reducesEnded: 3,
      kills: 2,
      heartbeats: 9_007_199_254_740_000,
    },
    values,
    warmUpSeconds: 0,
    notes: [],
    cost: { wallSeconds: 0.25 },
    ...changes,
  };
}

export function failedRun(error: string): RunOutcome {
  return { outcome: "failed", error, cost: { wallSeconds: 0.125 } };
}

/** A record with what `runOf` says of each run; null: it has not been done. */
export function sweepRecord(
  plan: SweepPlan,
  runOf: (point: SweepPoint, replication: number) => RunOutcome | null,
): SweepRecord {
  const rows = plan.points.flatMap((point) =>
    plan.seeds.slice(0, plan.replications).flatMap((seed, replication): SweepRow[] => {
      const run = runOf(point, replication);
      return run === null ? [] : [{ key: keyOf(point.index, replication), point: point.index, replication, seed, run }];
    }),
  );
  return { plan, rows };
}

/** Writes the folder that a sweep would have left. */
export function writeSweepFolder(folder: string, { plan, rows }: SweepRecord): void {
  mkdirSync(folder, { recursive: true });
  const keys = plan.points.map(({ index }) => plan.seeds.map((_, replication) => keyOf(index, replication)));
  writeFileSync(join(folder, "plan.json"), planText({ bide: "0", code: "c0de", plugins: [], plan, keys }));
  writeFileSync(join(folder, "journal.jsonl"), rows.map((row) => `${checkedLine(row)}\n`).join(""));
}

function keyOf(point: number, replication: number): string {
  return (point * 1000 + replication).toString(16).padStart(32, "0");
}
