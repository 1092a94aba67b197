import { beforeAll, describe, expect, it } from "vitest";
import { preemptingRun } from "./preempting-run.mjs";

/** Per launch, but for the first. */
interface Costs {
  readonly launches: number;
  /**
   * Heartbeats that were not settled without looking at any job; searches for a task; jobs with pending maps looked at.
   */
  readonly heartbeats: number;
  readonly searches: number;
  readonly jobsVisited: number;
  /** Jobs named to the wait as visited. */
  readonly listed: number;
  /** Updates; jobs whose limits they checked and whose demands they took, clocks of pools that they set. */
  readonly updates: number;
  readonly jobsDecided: number;
  readonly demandsTaken: number;
  readonly ticks: number;
  /** Changes of place in an order. */
  readonly moves: number;
  readonly kills: number;
}

/** What may not grow with what stands idle: at most this many times, and this much more, than without. */
const STEADY: readonly (keyof Costs)[] = [
  "heartbeats",
  "searches",
  "jobsVisited",
  "updates",
  "demandsTaken",
  "ticks",
  "moves",
];

function expectSteady(crowded: Costs, alone: Costs, keys: readonly (keyof Costs)[]): void {
  for (const key of keys) expect(crowded[key], key).toBeLessThan(2 * alone[key] + 5);
}

/** Operations, never seconds: hfs with waits, preemption, pools in pools and a job limit. */
describe("the cost of a decision of hfs with preemption", () => {
  let alone: Costs;

  beforeAll(async () => {
    alone = await preemptingRun({});
  });

  it("is a handful of operations on 20 nodes, while pools starve and kill", () => {
    expect(alone.kills).toBeGreaterThan(0);
    expect(alone.searches).toBeLessThan(5);
    expect(alone.jobsVisited).toBeLessThan(20);
    expect(alone.updates).toBeLessThan(2);
  });

  it.each([20, 200, 2000])("does not grow with %i jobs that only run", async (running) => {
    expectSteady(await preemptingRun({ running }), alone, STEADY);
  });

  it.each([20, 200, 2000])("does not grow with %i jobs that wait in PREP", async (prep) => {
    expectSteady(await preemptingRun({ prep }), alone, [...STEADY, "listed"]);
  });

  it.each([10, 100])("does not grow with %i times the nodes", async (times) => {
    expectSteady(await preemptingRun({ nodes: 20 * times }), alone, [...STEADY, "listed", "jobsDecided"]);
  });

  // Jobs that only run may get a map back, so that their waits go on; jobs in the table are walked for limits.
  it.each([20, 200, 2000])("does not grow with %i jobs that only run, named to the wait", async (running) => {
    expectSteady(await preemptingRun({ running }), alone, ["listed"]);
  });

  it.each([20, 200, 2000])("does not grow with %i jobs that wait in PREP, checked for limits", async (prep) => {
    expectSteady(await preemptingRun({ prep }), alone, ["jobsDecided"]);
  });
});
