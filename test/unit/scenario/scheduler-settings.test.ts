import { describe, expect, it } from "vitest";
import type { WaitSpec, SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";

const load = (scheduler: string, rest = "", ...set: string[]) =>
  parseScenario(`workload: {kind: facebook}\nscheduler: ${scheduler}\n${rest}`, "x.yaml", { set });
const spec = (scheduler: string, ...set: string[]): SchedulerSpec => load(scheduler, "", ...set).scenario.scheduler;
const notes = (scheduler: string, rest = "") => load(scheduler, rest).notes;

const HADOOP = ["0.21", "1.2", "branch-1"];

describe("rules", () => {
  it.each([
    ["paper", "paper"],
    ["0.21", "0.21"],
    ["'0.21'", "0.21"],
    ["0.210", "0.21"],
    ["1.2", "1.2"],
    ['"1.2"', "1.2"],
    ["branch-1", "branch-1"],
  ])("%s is %s", (written, rules) => {
    expect(spec(`{rules: ${written}}`).rules).toBe(rules);
    expect(spec("hfs", `scheduler.rules=${written}`).rules).toBe(rules);
  });

  it("decide about what the file leaves out", () => {
    expect(spec("{rules: paper}")).toEqual(spec("hfs"));
    for (const rules of HADOOP) {
      expect(spec(`{rules: ${rules}}`), rules).toEqual({
        ...spec("hfs"),
        rules,
        wait: { kind: "auto" },
        countsThisHeartbeat: rules !== "0.21",
        loadManager: { maxDiff: 0 },
      });
    }
    expect(spec("{rules: 1.2, countsThisHeartbeat: false, loadCap: off, wait: none}")).toMatchObject({
      countsThisHeartbeat: false,
      loadManager: null,
      wait: { kind: "none" },
    });
    expect(spec("{countsThisHeartbeat: true, loadCap: {}}")).toMatchObject({
      countsThisHeartbeat: true,
      loadManager: { maxDiff: 0 },
    });
  });

  it("bring the heartbeat of their releases, whatever the kind, unless the file has one", () => {
    const heartbeat = (scheduler: string, cluster = "") => load(scheduler, cluster).scenario.cluster.heartbeat;
    const fixed = { rule: "fixed", intervalUs: 3_000_000 };
    const steps = { rule: "hadoop-0.20", perSecond: 100, scalingFactor: 1 };
    const linear = { rule: "hadoop-1.1", perSecond: 100, scalingFactor: 1 };
    for (const old of ["hfs", "fifo", "{rules: paper}"]) expect(heartbeat(old)).toEqual(fixed);
    expect(heartbeat("{rules: 0.21}")).toEqual(steps);
    for (const kind of ["hfs", "fifo"]) {
      for (const rules of ["1.2", "branch-1"]) expect(heartbeat(`{kind: ${kind}, rules: ${rules}}`)).toEqual(linear);
      expect(heartbeat(`{kind: ${kind}, rules: 1.2}`, "cluster: {heartbeat: 3s}")).toEqual(fixed);
    }
  });

  it("leave other kinds their own waits", () => {
    const skips = { kind: "skips", node: 270, rack: 30 };
    for (const rules of HADOOP) {
      expect(spec(`{kind: delay, rules: ${rules}}`).wait).toEqual(skips);
      expect(spec(`{kind: fifo, rules: ${rules}}`).wait).toEqual({ kind: "none" });
    }
    expect(spec("{kind: fifo, rules: 0.21, wait: {node: 1s, rack: 2s}}").wait).toEqual(times(1, 2));
  });
});

const times = (node: number, rack: number): WaitSpec => ({ kind: "time", nodeUs: node * 1e6, rackUs: rack * 1e6 });
const fractions = (node: number, rack: number): WaitSpec => ({ kind: "fraction", node, rack });
const skips = (node: number, rack: number): WaitSpec => ({ kind: "skips", node, rack });

/** [rules, wait as written, what it means] */
const WAITS: readonly (readonly [string, string, WaitSpec])[] = [
  ["paper", "auto", { kind: "auto" }],
  ["paper", "{}", times(10, 5)],
  ["paper", "{node: 1s}", times(1, 5)],
  ["paper", "{rack: 0}", times(10, 0)],
  ["paper", "{nodeSkips: 3}", skips(3, 30)],
  ["paper", "{nodeFraction: 0.5}", fractions(0.5, 0)],
  ["paper", "{rackFraction: 100}", fractions(0, 100)],
  ["paper", "{nodeFraction: -0, rackFraction: 1e-300}", fractions(0, 1e-300)],
  ["0.21", "{}", { kind: "auto" }],
  ["0.21", "{node: 1s}", times(1, 1)],
  ["0.21", "{rack: 2s}", times(2, 2)],
  ["0.21", "{node: 2s, rack: 2000ms}", times(2, 2)],
  ["0.21", "{rackSkips: 0}", skips(0, 0)],
  ["0.21", "{nodeFraction: 2}", fractions(2, 2)],
  ["1.2", "{node: 1s, rack: 7s}", times(1, 7)],
  ["branch-1", "{rack: 7s}", times(10, 7)],
];

it("has a wait for the row, which is that for the rack where it is left out", () => {
  expect(spec("{wait: {node: 3s, rack: 2s, row: 1s}}").wait).toEqual({ ...times(3, 2), rowUs: 1_000_000 });
  expect(spec("{wait: {row: 0s}}").wait).toEqual({ ...times(10, 5), rowUs: 0 });
  expect(spec("{wait: {rowSkips: 7}}").wait).toEqual({ kind: "skips", node: 270, rack: 30, row: 7 });
  expect(spec("{wait: {rackFraction: 0.5, rowFraction: 2}}").wait).toEqual({
    kind: "fraction",
    node: 0,
    rack: 0.5,
    row: 2,
  });
  expect(spec("{rules: 0.21, wait: {row: 4s}}").wait).toEqual({ ...times(4, 4), rowUs: 4_000_000 });
});

it.each(WAITS)("under %s the wait %s is what it says", (rules, written, wait) => {
  expect(spec(`{rules: ${rules}, wait: ${written}}`).wait).toEqual(wait);
});

describe("preemption", () => {
  it.each([
    ["off", "off"],
    ["false", "off"],
    ["log", "log"],
    ["kill", "kill"],
    ["on", "kill"],
    ["true", "kill"],
    ["{mode: true}", "kill"],
  ])("%s is %s every 15 s", (written, mode) => {
    expect(spec(`{preemption: ${written}}`).preemption).toEqual({ mode, intervalUs: 15_000_000 });
  });

  it("has an interval, which may be set on the short form as well", () => {
    expect(spec("{preemption: {mode: log, interval: 0}}").preemption).toEqual({ mode: "log", intervalUs: 0 });
    const set = ["scheduler.preemption.interval=5s"];
    expect(spec("{preemption: kill}", ...set).preemption).toEqual({ mode: "kill", intervalUs: 5_000_000 });
    expect(spec("{preemption: true}", ...set).preemption).toEqual({ mode: "kill", intervalUs: 5_000_000 });
  });
});

it("the load cap is kept in single precision, as Hadoop keeps it", () => {
  expect(spec("{loadCap: {maxDiff: 0.2}}").loadManager).toEqual({ maxDiff: 0.20000000298023224 });
  expect(spec("{loadCap: {maxDiff: 1}}").loadManager).toEqual({ maxDiff: 1 });
  expect(spec("{loadCap: off}", "scheduler.loadCap.maxDiff=0.5").loadManager).toEqual({ maxDiff: 0.5 });
});

it("the other settings mean what they say", () => {
  const text = `{mapsPerHeartbeat: 2, reducesPerHeartbeat: all, sizeBasedWeight: true, weightBooster: {}, poolBy: user,
    rules: 1.2, undeclaredPools: false, groups: {7: [staff, ops], ana: [staff]}}`;
  expect(spec(text)).toMatchObject({
    mapsPerHeartbeat: 2,
    reducesPerHeartbeat: Infinity,
    sizeBasedWeight: true,
    weightBooster: { factor: 3, durationUs: 300e6 },
    poolBy: "user",
    undeclaredPools: false,
    groups: [
      { user: "7", groups: ["staff", "ops"] },
      { user: "ana", groups: ["staff"] },
    ],
  });
  expect(spec("{weightBooster: off}").weightBooster).toBeNull();
  expect(spec("{weightBooster: off}", "scheduler.weightBooster.factor=1e6").weightBooster).toEqual({
    factor: 1e6,
    durationUs: 300e6,
  });
});

describe("the user is told", () => {
  it("which keys a kind without pools makes nothing of", () => {
    expect(notes("{kind: fifo, pools: {a: {}}}")).toEqual(["scheduler.pools has no effect on how fifo decides"]);
    const text = "{kind: delay, wait: auto, updateInterval: 1s, tasksPerHeartbeat: 2, rules: 0.21, preemption: kill}";
    expect(notes(text)).toEqual(["scheduler.rules, scheduler.preemption have no effect on how delay decides"]);
    expect(notes("{kind: fair, wait: none, updateInterval: 1s, tasksPerHeartbeat: 2}")).toEqual([]);
    expect(notes("{kind: fifo, rules: 1.2, wait: {node: 5s}}")).toEqual([]);
    expect(notes("{kind: fifo, updateInterval: 1s}")).toEqual([]);
    expect(notes("{kind: fifo, rules: 1.2, updateInterval: 1s}")).toEqual([
      "scheduler.updateInterval has no effect on how fifo decides",
    ]);
  });

  const SMALL = "cluster: {racks: 1, nodesPerRack: 4, mapSlots: 5, reduceSlots: 2}";

  it("what becomes of min shares above the slots", () => {
    const pools = "pools: {a: {minMaps: 15, pools: {x: {minMaps: 15}}}, b: {minMaps: 10, minReduces: 8}}";
    expect(notes(`{${pools}}`, SMALL)).toEqual([
      "min shares promise 25 of 20 map slots; they are scaled down by 0.800",
    ]);
    for (const rules of HADOOP) {
      expect(notes(`{rules: ${rules}, wait: none, ${pools}}`, SMALL)).toEqual([
        "min shares promise 25 of 20 map slots; they are left as they are, as in Hadoop",
      ]);
    }
    expect(notes("{pools: {a: {minMaps: 20, minReduces: 8}}}", SMALL)).toEqual([]);
    expect(notes("{reloads: [{at: 1h, allocations: {pools: {a: {minReduces: 16}}}}]}", SMALL)).toEqual([
      "min shares promise 16 of 8 reduce slots from 1h on; they are scaled down by 0.500",
    ]);
  });

  it("that preemption without a timeout kills nothing", () => {
    const idle = ["preemption is on, but no pool has a timeout: nothing will ever be killed"];
    expect(notes("{preemption: kill}")).toEqual(idle);
    expect(notes("{preemption: log, pools: {a: {minShareTimeout: never}}}")).toEqual(idle);
    for (const timeout of [
      "minShareTimeout: 1m",
      "fairShareTimeout: 0",
      "pools: {a: {fairShareTimeout: 1m}}",
      "pools: {a: {pools: {b: {minShareTimeout: 1m}}}}",
      "reloads: [{at: 1h, allocations: {minShareTimeout: 1m}}]",
    ]) {
      expect(notes(`{preemption: kill, ${timeout}}`), timeout).toEqual([]);
    }
  });

  it("that timeouts without preemption end delay scheduling, where they do", () => {
    expect(notes("{minShareTimeout: 1m}")).toEqual([]);
    for (const rules of HADOOP) {
      expect(notes(`{rules: ${rules}, wait: none, pools: {a: {fairShareTimeout: 1m}}}`)).toEqual([
        `pools have timeouts, but preemption is off: under rules ${rules} a pool counts as starved for good once its timeout has passed, and its jobs no longer wait for locality`,
      ]);
      expect(notes(`{rules: ${rules}, wait: none, preemption: log, pools: {a: {fairShareTimeout: 1m}}}`)).toEqual([]);
    }
  });
});

describe("long tasks", () => {
  const byDefault = { overUs: null, overMean: 2, newJobs: "long", slack: 0 };

  it.each([
    ["{longTasks: off}", undefined],
    ["{longTasks: balance}", byDefault],
    ["{longTasks: {}}", byDefault],
    [
      "{kind: fifo, longTasks: {over: 90s, slack: 1.5, newJobs: short}}",
      { ...byDefault, overUs: 90e6, slack: 1.5, newJobs: "short" },
    ],
    ["{longTasks: {overMean: 0.5}}", { ...byDefault, overMean: 0.5 }],
  ])("%s, for every kind, without a note", (written, longTasks) => {
    expect(spec(written).longTasks).toEqual(longTasks);
    expect(notes(written)).toEqual([]);
  });

  it("can be set where they are off, or balanced by default", () => {
    for (const written of ["fair", "{longTasks: balance}"]) {
      expect(spec(written, "scheduler.longTasks.slack=1").longTasks).toEqual({ ...byDefault, slack: 1 });
    }
  });
});
