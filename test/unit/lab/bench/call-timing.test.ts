import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildScheduler } from "../../../../dist/core/platforms/hadoop/index.js";
import {
  CallTimes,
  clockCostNs,
  RunDelay,
  decisionPoint,
  buildWorld,
  HeartbeatRounds,
  type Tally,
} from "../../../../dist/lab/index.js";

const POINT = decisionPoint({ nodes: 10, jobs: 2, pools: 1, maps: 20, reduces: 10 });
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** All tasks handed out by a clock that goes on by so many microseconds with each reading, while others have the processor so long. */
function timed(stepUs: number, delayMs: number): Tally {
  let readings = 0;
  const clock = (): number => (readings++ * stepUs) / 1_000;
  const world = buildWorld(POINT, "1", buildScheduler);
  const rounds = new HeartbeatRounds(world, POINT, clock, { takeMs: () => delayMs }, () => undefined);
  while (!rounds.isDone) rounds.next();
  return rounds.busy;
}

describe("the time of a heartbeat", () => {
  it("is that between two readings of the clock, and with its reports between three", () => {
    const busy = timed(5, 0);
    expect(busy.interrupted).toBe(0);
    expect(busy.tasks).toBe(60);
    expect(busy.reports).toBe(busy.beats);
    for (let call = 0; call < busy.offers.size; call++) {
      expect(busy.offers.ns(call, 0)).toBe(5_000);
      expect(busy.whole.ns(call, 0)).toBe(10_000);
    }
    expect(busy.offersMs).toBeCloseTo(busy.offers.size * 0.005, 9);
    expect(busy.reportsMs).toBeCloseTo(busy.beats * 0.005, 9);
  });

  it("counts where it is short, whoever else ran", () => {
    expect(timed(5, 3).interrupted).toBe(0);
  });

  it("counts nowhere where it is long and others had the processor", () => {
    const busy = timed(50, 3);
    expect(busy.interrupted).toBeGreaterThanOrEqual(busy.beats);
    expect([busy.offers.size, busy.whole.size, busy.tasks, busy.reports, busy.updates]).toEqual([0, 0, 0, 0, 0]);
    expect(busy.offersMs + busy.reportsMs + busy.updatesMs).toBeCloseTo(0, 9);
  });

  it("counts where it is long and nobody else had", () => {
    const busy = timed(50, 0);
    expect(busy.interrupted).toBe(0);
    expect(busy.tasks).toBe(60);
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

  it("may be read more often than was made room for", () => {
    const calls = new CallTimes();
    for (let call = 0; call < 200_000; call++) calls.add(call / 1_000, call % 5);
    expect(calls.size).toBe(200_000);
    expect([calls.ns(0, 0), calls.ns(70_001, 0), calls.ns(199_999, 0)]).toEqual([0, 70_001_000, 199_999_000]);
    expect(calls.tasks(199_999)).toBe(4);
  });
});

describe("the time for which others had the processor", () => {
  it("is what the system says, or nothing is known of it", () => {
    const told = (): number => (existsSync(SCHEDSTAT) ? Number(readFileSync(SCHEDSTAT, "utf8").split(" ")[1]) : NaN);
    const beforeNs = told();
    const delay = RunDelay.open();
    expect(delay !== null).toBe(existsSync(SCHEDSTAT));
    if (delay === null) return;
    const endMs = performance.now() + 20;
    while (performance.now() < endMs);
    const taken = delay.takeMs();
    const again = delay.takeMs();
    const spanMs = (told() - beforeNs) / 1e6;
    expect(taken).toBeGreaterThanOrEqual(0);
    expect(again).toBeGreaterThanOrEqual(0);
    expect(taken + again).toBeLessThanOrEqual(spanMs + 1e-6);
    delay.close();
  });
});
