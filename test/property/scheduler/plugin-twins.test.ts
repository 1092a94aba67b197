import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PluginJob, SchedulerPlugin, SlotName } from "../../../dist/core/scheduler/plugin/plugin-face.js";
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

async function fingerprintOf(run: SmallRun, plugins: readonly SchedulerPlugin[], slices: number): Promise<string> {
  return (await simulateWith(run, plugins, 0, slices)).master.master.recorder.fingerprint.hex();
}

describe.each(Object.keys(ORDERS))("%s as a plugin", (kind) => {
  it("decides as the built-in one, in any run", async () => {
    await fc.assert(
      fc.asyncProperty(randomCases, async ({ scenario, workload, slices }) => {
        const scheduler = { ...scenario.scheduler, kind, wait: { kind: "none" } as const, updateIntervalUs: 0 };
        const run = { scenario: { ...scenario, scheduler }, workload };
        const builtIn = await fingerprintOf(run, [], slices);
        expect(await fingerprintOf(underPlugin(run), [byOrder(kind)], 1)).toBe(builtIn);
        expect(await fingerprintOf(underPlugin(run), [byChoice(kind)], slices)).toBe(builtIn);
      }),
      { numRuns: 60 },
    );
  });
});
