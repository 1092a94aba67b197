import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PluginJob, Reach, SchedulerPlugin, SlotName } from "../../../dist/core/platforms/hadoop/index.js";
import { randomCases } from "../../support/random-scenarios.js";
import { pluginOf, simulateWith, underPlugin, type SmallRun } from "../../support/plugin-runs.js";

const byTime = (a: PluginJob, b: PluginJob): number => a.submittedUs - b.submittedUs || a.id - b.id;

/** The built-in kinds whose whole rule is an order, as plugins: a few lines each. */
const ORDERS: Readonly<Record<string, (a: PluginJob, b: PluginJob, type: SlotName) => number>> = {
  fifo: (a, b) => a.priority - b.priority || byTime(a, b),
  fair: (a, b, type) => a[type].running - b[type].running || byTime(a, b),
};

const byOrder = (kind: string): SchedulerPlugin =>
  pluginOf(() => ({ order: (jobs, type) => jobs.sort((a, b) => ORDERS[kind]!(a, b, type)) }));
const byChoice = (kind: string): SchedulerPlugin =>
  pluginOf(() => ({
    choose: ({ jobs, slotType }) => ({ job: jobs.reduce((a, b) => (ORDERS[kind]!(b, a, slotType) < 0 ? b : a)) }),
  }));

const REACHES: readonly Reach[] = ["node", "rack", "row", "any"];

/** Delay scheduling by skip counts (Algorithm 2), job by job in fair order. */
const delay = (skips: readonly number[], hasRows: boolean): SchedulerPlugin =>
  pluginOf(() => {
    const waited = new Map<PluginJob, number>();
    const level = new Map<PluginJob, number>();
    const steps = hasRows ? [0, 1, 2] : [0, 1];
    const allowed = (job: PluginJob): number => {
      if (!job.hasInput) return 3;
      let bound = 0;
      for (const step of steps) {
        if (step < (level.get(job) ?? 0)) continue;
        bound += skips[step]!;
        if ((waited.get(job) ?? 0) < bound) return step;
      }
      return 3;
    };
    return {
      choose({ jobs, slotType, nearest }) {
        jobs.sort((a, b) => ORDERS["fair"]!(a, b, slotType));
        if (slotType === "reduce") return { job: jobs[0]! };
        for (const job of jobs) {
          const reach = nearest(job);
          if (REACHES.indexOf(reach) <= allowed(job)) return { job, farthest: reach };
          waited.set(job, (waited.get(job) ?? 0) + 1);
        }
        return null;
      },
      launched(job, slotType, reach) {
        if (slotType === "reduce") return;
        waited.set(job, 0);
        level.set(job, REACHES.indexOf(reach));
      },
    };
  });

describe("delay as a plugin", () => {
  it("decides as the built-in one, and its maps have the same locality waits", async () => {
    const skips = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6));
    let waits = 0;
    await fc.assert(
      fc.asyncProperty(randomCases, skips, async ({ scenario, workload }, [node, rack, row]) => {
        const wait = { kind: "skips", node, rack, row } as const;
        const scheduler = { ...scenario.scheduler, kind: "delay", wait, updateIntervalUs: 0 };
        const run = { scenario: { ...scenario, scheduler }, workload };
        const hasRows = scenario.cluster.racks.some((of) => of.row !== "");
        const [builtIn, own] = await Promise.all([
          simulateWith(run, []),
          simulateWith(underPlugin(run), [delay([node, rack, row], hasRows)]),
        ]);
        const [theirs, ours] = [builtIn, own].map(({ master }) => master.master.recorder);
        expect(ours!.fingerprint.hex()).toBe(theirs!.fingerprint.hex());
        expect(ours!.waits.localityUs).toEqual(theirs!.waits.localityUs);
        expect(ours!.waits.longestLocalityUs).toEqual(theirs!.waits.longestLocalityUs);
        waits += theirs!.waits.localityUs.filter((us) => us > 0).length;
      }),
      { numRuns: 60 },
    );
    expect(waits).toBeGreaterThan(0);
  });
});

async function fingerprintOf(run: SmallRun, plugins: readonly SchedulerPlugin[], slices: number): Promise<string> {
  return (await simulateWith(run, plugins, 0, slices)).master.master.recorder.fingerprint.hex();
}

describe.each(Object.keys(ORDERS))("%s as a plugin", (kind) => {
  it("decides as the built-in one, in any run", async () => {
    await fc.assert(
      fc.asyncProperty(randomCases, async ({ scenario, workload, slices }) => {
        const plain = { rules: "paper" as const, wait: { kind: "none" as const }, updateIntervalUs: 0 };
        const scheduler = { ...scenario.scheduler, kind, ...plain };
        const run = { scenario: { ...scenario, scheduler }, workload };
        const builtIn = await fingerprintOf(run, [], slices);
        expect(await fingerprintOf(underPlugin(run), [byOrder(kind)], 1)).toBe(builtIn);
        expect(await fingerprintOf(underPlugin(run), [byChoice(kind)], slices)).toBe(builtIn);
      }),
      { numRuns: 60 },
    );
  });
});
