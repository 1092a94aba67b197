import { describe, expect, it } from "vitest";
import { runScenario, Stopwatch, TimedScheduler } from "../../../dist/lab/index.js";
import type { Scheduler } from "../../../dist/core/platforms/hadoop/index.js";
import { loadScenario } from "../../../dist/io/index.js";

/** A clock that stands still unless somebody works. */
function setUp() {
  let seconds = 0;
  const told: string[] = [];
  const works = (name: string, takes: number) => {
    return (...args: unknown[]) => {
      seconds += takes;
      told.push(`${name} ${args.join(" ")}`);
      return name === "wantsMapSlots";
    };
  };
  const scheduler = new Proxy({} as Scheduler, {
    get: (_, name) => works(String(name), name === "heartbeat" ? 5 : name === "wantsMapSlots" ? 100 : 1),
  });
  return { scheduler, told, clock: () => seconds };
}

describe("a scheduler under the stopwatch", () => {
  it("hears and decides what it would without", () => {
    const { scheduler, told, clock } = setUp();
    const timed = new TimedScheduler(scheduler, clock);
    const names = Object.getOwnPropertyNames(TimedScheduler.prototype).filter(
      (n) => n !== "constructor" && n !== "stop",
    );
    for (const name of names) (timed as unknown as Record<string, (...args: number[]) => void>)[name]!(1, 2, 3, 4);
    expect(told.map((line) => line.split(" ")[0])).toEqual(names);
    expect(told).toContain("heartbeat 1 2 3 4");
    expect(told).toContain("pendingChanged 1 2 3 4");
    expect(timed.wantsMapSlots()).toBe(true);
    expect(timed.wantsReduceSlots()).toBe(false);
  });

  it("is timed in what it is told and decides, not in what it is asked about heartbeats to come", () => {
    const { scheduler, clock } = setUp();
    const timed = new TimedScheduler(scheduler, clock);
    timed.heartbeat(0, 0, 1, 1);
    timed.update(0);
    timed.attemptEnded(0, 0, 0);
    timed.wantsMapSlots();
    timed.nextUpdateUs();
    timed.heartbeat(1, 0, 1, 1);
    expect([timed.seconds, timed.heartbeats, timed.readings]).toEqual([12, 2, 4]);
  });

  it("costs what it takes less what the clock takes, which is never below nothing", () => {
    let now = 0;
    const slowClock = () => (now += 1);
    const stopwatch = new Stopwatch(slowClock);
    const built = { scheduler: { heartbeat: () => (now += 7) }, hasPools: true };
    const watched = stopwatch.timing(() => built as never)(null as never, null as never);
    expect(watched.hasPools).toBe(true);
    watched.scheduler.heartbeat(0, 0, 1, 0);
    expect(stopwatch.costOf(3)).toEqual({ seconds: expect.closeTo(7, 3) as number, heartbeats: 1, launches: 3 });
    expect(new Stopwatch(slowClock).costOf(0)).toEqual({ seconds: 0, heartbeats: 0, launches: 0 });
  });
});

it("measuring changes no decision", async () => {
  const { scenario, directory } = loadScenario("scenarios/tiny.yaml");
  const plain = await runScenario(scenario, directory, { placement: 0 });
  const timed = await runScenario(scenario, directory, { placement: 0, timeDecisions: true });
  expect(timed.summary.fingerprint).toBe(plain.summary.fingerprint);
  expect(plain.decisions).toBe(undefined);
  const { map, reduce } = timed.summary.tasks;
  expect(timed.decisions!.launches).toBe(map!.ended + reduce!.ended);
  expect(timed.decisions!.heartbeats).toBeGreaterThan(100);
  expect(timed.decisions!.seconds).toBeGreaterThan(0);
});
