import { describe, expect, it } from "vitest";
import { type RunOutcome, type SweepRow, sweepRows, type SweepPlan } from "../../../dist/experiments/index.js";
import {
  runSweep,
  type SweepOptions,
  type SweepRuns,
  type RunExecutor,
  type RunTask,
} from "../../../dist/lab/index.js";
import { doneRun, failedRun, smallPlan, storedPlan } from "../../support/small-sweeps.js";

/** Keeps rows in memory, and what was asked to be run. */
class Kept implements SweepRuns {
  readonly outcomes = new Map<string, RunOutcome>();
  readonly recorded: SweepRow[] = [];
  readonly keys: readonly (readonly string[])[];

  constructor(
    readonly plan: SweepPlan,
    keys = storedPlan(plan).keys,
  ) {
    this.keys = keys;
  }

  taskOf(point: number, replication: number): RunTask {
    return { key: this.keys[point][replication] } as RunTask;
  }

  outcomeOf(key: string): RunOutcome | undefined {
    return this.outcomes.get(key);
  }

  async record(row: SweepRow): Promise<void> {
    await Promise.resolve();
    this.recorded.push(row);
    this.outcomes.set(row.key, row.run);
  }
}

/** Answers at once by `of`; `most`: how many it was at together. */
function executor(atOnce: number, of: (key: string) => RunOutcome): RunExecutor & { most: number; asked: string[] } {
  let running = 0;
  const self = {
    atOnce,
    most: 0,
    asked: [] as string[],
    run: async ({ key }: RunTask, signal?: AbortSignal) => {
      self.asked.push(key);
      self.most = Math.max(self.most, ++running);
      await Promise.resolve();
      running--;
      signal?.throwIfAborted();
      return of(key);
    },
    close: async () => Promise.resolve(),
  };
  return self;
}

async function sweep(kept: Kept, of: (key: string) => RunOutcome, options: SweepOptions = {}, atOnce = 3) {
  const where = executor(atOnce, of);
  const progress = await runSweep(withMethods(kept), where, options);
  return { where, progress };
}

function withMethods(kept: Kept): SweepRuns {
  const { plan, keys } = kept;
  return {
    plan,
    keys,
    taskOf: (point, replication) => kept.taskOf(point, replication),
    outcomeOf: (key) => kept.outcomeOf(key),
    record: async (row) => kept.record(row),
  };
}

describe("runSweep", () => {
  it("does each run of each point once, never more at once than the executor takes", async () => {
    const kept = new Kept(smallPlan(4, 3));
    const { where, progress } = await sweep(kept, doneRun);
    expect(kept.recorded.map(({ point, replication }) => point * 10 + replication).sort((a, b) => a - b)).toEqual([
      0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32,
    ]);
    expect(kept.recorded.every(({ replication, seed }) => seed === String(replication + 1))).toBe(true);
    expect(where.most).toBe(3);
    expect(progress).toEqual({ ended: 12, failed: 0, running: 0, total: 12, endedHere: 12 });
  });

  it("does nothing that was done", async () => {
    const kept = new Kept(smallPlan(2, 2));
    kept.outcomes.set(kept.keys[1][0], doneRun(kept.keys[1][0]));
    const { where, progress } = await sweep(kept, doneRun);
    expect(where.asked.sort()).toEqual([kept.keys[0][0], kept.keys[0][1], kept.keys[1][1]].sort());
    expect(progress).toMatchObject({ ended: 4, endedHere: 3 });
    expect((await sweep(kept, doneRun)).where.asked).toEqual([]);
  });

  it("does runs with one key once", async () => {
    const keys = [["a", "b"].map((x) => x.repeat(32)), ["a", "c"].map((x) => x.repeat(32))];
    const kept = new Kept(smallPlan(2, 2), keys);
    const { where, progress } = await sweep(kept, doneRun);
    expect(where.asked).toHaveLength(3);
    expect(progress).toEqual({ ended: 4, failed: 0, running: 0, total: 4, endedHere: 3 });
  });

  it("records failures and goes on; does them again only when asked to, and once", async () => {
    const kept = new Kept(smallPlan(3, 2));
    const bad = kept.keys[1][0];
    const failing = (key: string) => (key === bad ? failedRun() : doneRun(key));
    expect((await sweep(kept, failing)).progress).toMatchObject({ ended: 6, failed: 1 });
    expect((await sweep(kept, failing)).where.asked).toEqual([]);
    const again = await sweep(kept, failing, { retryFailed: true });
    expect(again.where.asked).toEqual([bad]);
    expect(again.progress).toMatchObject({ ended: 6, failed: 1, endedHere: 1 });
    expect((await sweep(kept, doneRun, { retryFailed: true })).progress).toMatchObject({ ended: 6, failed: 0 });
    expect(kept.recorded.filter(({ key }) => key === bad)).toHaveLength(3);
  });

  it("stops starting runs when aborted, and rejects with the reason once those at work have ended", async () => {
    const kept = new Kept(smallPlan(10, 1));
    const controller = new AbortController();
    const reason = new Error("enough");
    const stopping = (key: string) => {
      if (kept.recorded.length >= 4) controller.abort(reason);
      return doneRun(key);
    };
    await expect(sweep(kept, stopping, { signal: controller.signal })).rejects.toBe(reason);
    expect(kept.recorded.length).toBeLessThan(10);
    expect(kept.outcomes.size).toBe(kept.recorded.length);
  });

  it("rejects when the executor or the store cannot go on, with all else recorded", async () => {
    const kept = new Kept(smallPlan(5, 1));
    const broken = new Error("no more threads");
    const breaking = (key: string) => {
      if (key === kept.keys[3][0]) throw broken;
      return doneRun(key);
    };
    await expect(sweep(kept, breaking, {}, 1)).rejects.toBe(broken);
    expect(kept.recorded.map(({ point }) => point)).toEqual([0, 1, 2]);
  });
});

describe("a stopping rule", () => {
  const until = { measure: "x", relativeHalfWidth: 0.1, most: 6 };
  const valued = (key: string, value: number | null): RunOutcome =>
    ({ ...doneRun(key), values: { x: value } }) as RunOutcome;

  it("stops a point that varies little, and takes one that varies much to its most", async () => {
    const kept = new Kept(smallPlan(2, 3, { until }));
    const of = (key: string) => {
      const point = kept.keys[0].includes(key) ? 0 : 1;
      const replication = kept.keys[point].indexOf(key);
      return valued(key, point === 0 ? 100 + replication / 100 : 100 * (replication + 1));
    };
    const { progress } = await sweep(kept, of);
    expect(progress.ended).toBe(3 + 6);
    expect(sweepRows(kept.plan, kept.keys, (key) => kept.outcomeOf(key)).map(({ point }) => point)).toEqual([
      0, 0, 0, 1, 1, 1, 1, 1, 1,
    ]);
  });

  it("gives up a point whose first runs have all failed", async () => {
    const kept = new Kept(smallPlan(1, 2, { until }));
    const { progress } = await sweep(kept, () => failedRun());
    expect(progress).toMatchObject({ ended: 2, failed: 2, total: 2 });
  });
});
