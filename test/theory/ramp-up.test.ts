import { describe, expect, it } from "vitest";
import { rampUpMeanSeconds, rampUpSecondsConstant, rampUpSecondsExponential } from "./closed-forms.js";
import { simulate } from "../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";
import { Draws } from "./monte-carlo.js";
import { USUAL_OFFERS } from "../support/usual-settings.js";

const SECOND = 1_000_000;
const SLOTS = 20;
const TASK_SECONDS = 100;
const HELD = { slots: SLOTS, taskSeconds: TASK_SECONDS };
/** Long after the holder has taken every slot. */
const COMES_AT_SECONDS = 1_000;

/** Seconds until a framework of higher priority, which comes to a full cluster of a slot per node, holds all slots. */
async function rampUpSeconds(lengthSeconds: (draws: Draws) => number, seed: number): Promise<number> {
  const first = { ...USUAL_OFFERS.usual, name: "b", priority: 1 };
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: 1, nodesPerRack: SLOTS, mapSlots: 1, reduceSlots: 0, heartbeatUs: SECOND }),
    scheduler: schedulerOf("offers", { offers: { ...USUAL_OFFERS, frameworks: [first] } }),
    jobs: [
      jobOf({ name: "holder", pool: "a", maps: 600 }),
      jobOf({ name: "newcomer", pool: "b", atUs: COMES_AT_SECONDS * SECOND, maps: SLOTS, mapUs: 100_000 * SECOND }),
    ],
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 } },
    run: { untilUs: (COMES_AT_SECONDS + 20 * TASK_SECONDS) * SECOND },
  });
  const lengthUs = (task: number): number => Math.max(1, Math.round(lengthSeconds(new Draws(seed, task)) * SECOND));
  const jobs = [{ ...workload.jobs[0]!, mapLengths: { lengthUs } }, workload.jobs[1]!];
  const run = await simulate(scenario, { ...workload, jobs }, { threads: 0, slices: 1, recordTasks: true });
  const { attempts } = run.master.master;
  let lastUs = 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    expect(attempts.rankOf(slot)).toBe(1);
    lastUs = Math.max(lastUs, attempts.launchUsOf(slot));
  }
  return lastUs / SECOND - COMES_AT_SECONDS;
}

describe("the ramp-up of a framework that is offered every slot that comes free", () => {
  it("is at most T, and near it, with tasks of one length", async () => {
    // The first tasks differ, so that the others are at random points of their length.
    for (const seed of [1, 2, 3]) {
      const lengths = (draws: Draws) => (draws.sample < SLOTS ? draws.fraction() * TASK_SECONDS : TASK_SECONDS);
      const found = await rampUpSeconds(lengths, seed);
      // A task takes its slot until the heartbeat after its end.
      expect(found).toBeLessThanOrEqual(rampUpSecondsConstant(HELD) + 2);
      expect(found).toBeGreaterThan(0.8 * rampUpSecondsConstant(HELD));
    }
  });

  it("is T ln k in the mean, and 0.58 T more, with exponential tasks", async () => {
    const runs = 60;
    let sum = 0;
    for (let seed = 1; seed <= runs; seed++) {
      sum += await rampUpSeconds((draws) => draws.exponential(TASK_SECONDS), seed);
    }
    const mean = sum / runs;
    // The latest of k exponential times spreads by 1.28 T; three standard errors are half of T.
    expect(Math.abs(mean - rampUpMeanSeconds(HELD)), `mean ${mean}`).toBeLessThan(0.5 * TASK_SECONDS);
  });

  it("by hand", () => {
    expect(rampUpMeanSeconds({ slots: 3, taskSeconds: 6 })).toBe(6 + 3 + 2);
    expect(rampUpSecondsExponential(HELD)).toBeCloseTo(299.57, 2);
    expect(rampUpMeanSeconds(HELD)).toBeCloseTo(359.77, 2);
    const many = { slots: 100_000, taskSeconds: 1 };
    expect(rampUpMeanSeconds(many) - rampUpSecondsExponential(many)).toBeCloseTo(0.577, 3);
    expect(rampUpSecondsConstant(HELD)).toBe(100);
  });
});
