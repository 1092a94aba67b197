import { describe, expect, it } from "vitest";
import { CallTimes, clockCostNs, decisionPoint, type DecisionRun, runDecisions } from "../../../../dist/lab/index.js";

const POINT = decisionPoint({ nodes: 10, jobs: 2, pools: 1, maps: 20, reduces: 10 });

/**
 * The run of a case by a clock that goes on by so many microseconds with each reading, while others have the processor
 * so long.
 */
async function timed(stepUs: number, delayMs: number): Promise<DecisionRun> {
  let readings = 0;
  const clock = (): number => (readings++ * stepUs) / 1_000;
  return runDecisions(POINT, "1", undefined, clock, { takeMs: () => delayMs });
}

describe("the time of a heartbeat", () => {
  it("is that between two readings of the clock", async () => {
    const { times, tasks } = await timed(5, 0);
    expect(times.interrupted).toBe(0);
    expect([times.tasks, tasks]).toEqual([60, 60]);
    for (let call = 0; call < times.offers.size; call++) expect(times.offers.ns(call, 0)).toBe(5_000);
    expect(times.offersMs).toBeCloseTo(times.offers.size * 0.005, 9);
    expect(times.updatesMs).toBeCloseTo(times.updates * 0.005, 9);
  });

  it("counts nowhere where it is long and others had the processor", async () => {
    const { times } = await timed(50, 3);
    expect(times.interrupted).toBeGreaterThan(20);
    expect([times.offers.size, times.tasks, times.updates]).toEqual([0, 0, 0]);
    expect(times.offersMs + times.updatesMs).toBeCloseTo(0, 9);
  });
});

describe("the clock", () => {
  it("costs what lies between two readings", () => {
    let readings = 0;
    expect(clockCostNs(() => readings++ / 10_000)).toBeCloseTo(100, 3);
  });

  it("is subtracted from every call, down to nothing", () => {
    const calls = new CallTimes();
    calls.add(0.0025, 4);
    calls.add(0.00005, 0);
    expect([calls.ns(0, 100), calls.ns(1, 100)]).toEqual([2_400, 0]);
    expect([calls.tasks(0), calls.tasks(1)]).toEqual([4, 0]);
  });
});
