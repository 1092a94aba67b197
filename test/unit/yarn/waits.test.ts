import { describe, expect, it } from "vitest";
import { LAUNCH } from "../../../dist/core/record/index.js";
import { mapReduceStages, YARN_WAITS, type YarnApplication } from "../../../dist/core/platforms/yarn/index.js";
import { applicationOf, capacityOf, clusterOf, fairOf, nodesFor, ONE, tasksOf } from "../../support/yarn-clusters.js";
import { waitsOf, type WaitTold } from "../../support/yarn-waits.js";

const reasonsIn = (rows: readonly WaitTold[]): string[] => rows.map(({ reason }) => reason);
const firstOf = (rows: readonly WaitTold[], reason: string): WaitTold | undefined =>
  rows.find((row) => row.reason === reason);
const LEAF = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 1 } };
const long = (name: string, tasks: number, atUs = 0, on: readonly number[] = []): YarnApplication =>
  applicationOf(name, "root.a", tasksOf(on, ...Array<number>(tasks).fill(20)), atUs);

describe("what stages of YARN wait for", () => {
  it("is a node, then the master's start and its reports, then nothing", () => {
    const cluster = clusterOf(fairOf(), nodesFor([4]), [applicationOf("a", "root.a", tasksOf([], 19.5, 19.5), 0.2e6)]);
    const { rows, ends } = waitsOf({ ...cluster, timing: { ...cluster.timing, masterStartUs: 3e6 } });
    const waits = rows[0]!.filter(({ reason }) => reason !== LAUNCH);
    expect(waits[0]).toMatchObject({ stage: null, reason: "update", from: 0.2e6, to: 0.5e6 });
    expect(reasonsIn(waits.filter(({ stage }) => stage === null))).toEqual(["update", "offer", "master"]);
    expect(firstOf(waits, "master")).toMatchObject({ stage: null });
    expect(firstOf(waits, "master")!.to - firstOf(waits, "master")!.from).toBe(3e6);
    expect(waits.at(-1)).toMatchObject({ stage: 0, reason: "report", to: ends[0] });
    expect(waits.at(-2)).toMatchObject({ stage: 0, reason: "running" });
    expect(waits.at(-2)!.to - waits.at(-2)!.from).toBe(19.5e6);
    expect(rows[0]!.filter(({ reason }) => reason === LAUNCH).reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it("is locality, with the offers that passed and how many must", () => {
    // The data is on a node of one container, and three others are free.
    const spec = fairOf({ localityThresholdNode: 1, localityThresholdRack: 1 });
    const { rows } = waitsOf(clusterOf(spec, nodesFor([1, 4, 4, 4]), [long("a", 3, 0, [0])]));
    const row = firstOf(rows[0]!, "locality");
    expect(row).toMatchObject({ stage: 0, level: "NODE_LOCAL", bound: 4 });
    expect(row!.count).toBeGreaterThan(2);
    expect(row!.reached).toBeLessThanOrEqual(5);
  });

  it("is the delay, under continuous scheduling, and it is over when it is", () => {
    const delays = { localityDelayNodeUs: 4e6, localityDelayRackUs: 4e6 };
    const { rows } = waitsOf(
      clusterOf(fairOf({ isContinuous: true, ...delays }), nodesFor([1, 4, 4, 4], 2), [long("a", 3, 0, [0])]),
    );
    const levels = rows[0]!.filter(({ reason }) => reason === "delay");
    expect(levels.length).toBeGreaterThan(0);
    for (const { from, to, bound } of levels) {
      expect(bound).toBe(4e6);
      expect(to - from).toBeLessThanOrEqual(4.01e6);
    }
  });

  it("is locality under the Capacity Scheduler too, with the delay as its bound", () => {
    const spec = capacityOf(LEAF, { nodeLocalityDelay: 3, rackLocalityAdditionalDelay: 40 });
    const { rows } = waitsOf(clusterOf(spec, nodesFor([1, 4, 4, 4]), [long("a", 3, 0, [0])]));
    expect(firstOf(rows[0]!, "locality")).toMatchObject({ stage: 0, level: "NODE_LOCAL", bound: 3 });
  });

  it("is a full cluster: below its share or not, and who holds most", () => {
    const large = long("a", 20);
    const small = { ...long("b", 2, 8e6), queue: "root.b" };
    const { rows } = waitsOf(clusterOf(fairOf({}, { "root.a": {}, "root.b": {} }), nodesFor([4, 4]), [large, small]));
    expect(firstOf(rows[1]!, "share")).toMatchObject({ by: 0, reached: 0, bound: 4096 });
    expect(firstOf(rows[0]!, "busy")).toMatchObject({ stage: 0, by: 0 });
  });

  it("is YARN's own slip where one container more is asked for than the queue lacks of its min share, and only there", () => {
    const reasonsFor = (tasks: number): string[] => {
      const queues = {
        "root.a": {},
        "root.b": { minResources: { memory: 4096, vcores: 4 }, minSharePreemptionTimeoutUs: 0 },
      };
      const full = applicationOf("a", "root.a", tasksOf([], ...Array<number>(30).fill(100)));
      const asks = { ...full, name: "b", queue: "root.b", submitAtUs: 12e6, stages: long("b", tasks).stages };
      const settings = { preempts: true, assignsMultiple: true, waitBeforeKillUs: 5e6 };
      const { rows } = waitsOf(clusterOf(fairOf(settings, queues), nodesFor([8]), [full, asks]), 60e6);
      return reasonsIn(rows[1]!);
    };
    // Its master is one of four.
    expect(reasonsFor(4)).toContain("overasked");
    expect(reasonsFor(3)).not.toContain("overasked");
  });

  it("is a maximum of its queue, with what is used of it", () => {
    const spec = fairOf({}, { "root.a": { maxResources: { memory: 3072, vcores: 100 } } });
    const { rows } = waitsOf(clusterOf(spec, nodesFor([8]), [long("a", 5)]));
    expect(firstOf(rows[0]!, "max")).toMatchObject({ stage: 0, reached: 3072, bound: 3072 });
    const queues = {
      ...LEAF,
      root: { capacity: 1 },
      "root.a": { ...LEAF["root.a"], capacity: 0.5, maximumCapacity: 0.5 },
    };
    const other = { capacity: 0.5 };
    const capacity = capacityOf({ ...queues, "root.b": other });
    expect(firstOf(waitsOf(clusterOf(capacity, nodesFor([8]), [long("a", 5)])).rows[0]!, "max")).toMatchObject({
      stage: 0,
      reached: 4096,
      bound: 4096,
    });
  });

  it("is the user limit of a queue of the Capacity Scheduler", () => {
    const queues = { root: { capacity: 1 }, "root.a": { capacity: 0.5, maxAmShare: 1 }, "root.b": { capacity: 0.5 } };
    const { rows } = waitsOf(clusterOf(capacityOf(queues), nodesFor([8]), [long("a", 7)]));
    // One container above the limit is let in.
    expect(firstOf(rows[0]!, "user")).toMatchObject({ stage: 0, reached: 5120, bound: 4096 });
  });

  it("is a limit of running applications, and one of masters", () => {
    const two = [long("a", 2), long("b", 2)];
    const apps = waitsOf(clusterOf(fairOf({}, { "root.a": { maxRunningApps: 1 } }), nodesFor([8]), two));
    expect(apps.rows[1]![0]).toMatchObject({ stage: null, reason: "apps", from: 0, bound: 1, to: apps.ends[0] });
    const ofUser = waitsOf(clusterOf(fairOf({ userMaxApps: 1 }), nodesFor([8]), two));
    expect(ofUser.rows[1]![0]).toMatchObject({ stage: null, reason: "apps", bound: 1, to: ofUser.ends[0] });
    const masters = waitsOf(clusterOf(fairOf({ maxAmShare: 0.125 }), nodesFor([8]), two));
    expect(firstOf(masters.rows[1]!, "masters")).toMatchObject({ stage: null });
    const queues = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 0.1 } };
    const capacity = waitsOf(clusterOf(capacityOf(queues), nodesFor([8]), two));
    expect(capacity.rows[1]![0]).toMatchObject({ stage: null, reason: "masters", from: 0, to: capacity.ends[0] });
  });

  it("is a node that is reserved for it, and one that is reserved for another", () => {
    const big = { ...long("b", 1, 8e6), queue: "root.b" };
    const wide = { ...big, stages: [{ ...big.stages[0]!, size: { memory: 4096, vcores: 1 } }] };
    const third = { ...long("c", 3, 16e6), queue: "root.c" };
    const uneven = {
      ...long("a", 6),
      stages: [{ ...long("a", 0).stages[0]!, tasks: tasksOf([], 14, 60, 60, 18, 60) }],
    };
    const { rows } = waitsOf(
      clusterOf(
        fairOf({ assignsMultiple: true, dynamicMaxAssign: false }, { "root.a": {}, "root.b": {}, "root.c": {} }),
        nodesFor([6, 1]),
        [uneven, wide, third],
      ),
    );
    expect(firstOf(rows[1]!, "kept")).toMatchObject({ bound: 1 });
    expect(reasonsIn(rows[2]!)).toContain("reserved");
  });

  it("is a node at all, or one that is large enough", () => {
    const later = nodesFor([4]).map((node) => ({ ...node, fromUs: 5e6 }));
    expect(waitsOf(clusterOf(fairOf(), later, [long("a", 1)])).rows[0]!.map(({ reason }) => reason)).toContain("nodes");
    const application = long("a", 1);
    const huge = { ...application, stages: [{ ...application.stages[0]!, size: { memory: 1e6, vcores: 1 } }] };
    const { rows } = waitsOf(clusterOf(capacityOf(LEAF), nodesFor([4]), [huge]), 30e6);
    expect(rows[0]!.at(-1)).toMatchObject({ stage: 0, reason: "large", to: 30e6 });
  });

  it("is the stage before, of reduces that have their containers; the time of the job goes to that", () => {
    const stages = mapReduceStages(
      { size: ONE, tasks: tasksOf([], 4, 30) },
      { size: ONE, tasks: tasksOf([], 5.3, 5.3) },
    );
    const { rows } = waitsOf(clusterOf(fairOf(), nodesFor([8]), [{ ...long("a", 0), stages }]));
    const reduces = rows[0]!.filter(({ stage, reason }) => stage === 1 && reason !== LAUNCH);
    expect(reasonsIn(reduces)).toEqual(["parents", "running", "report"]);
    const late = mapReduceStages(
      ...([{ size: ONE, tasks: tasksOf([], 4) }, { size: ONE, tasks: tasksOf([], 5) }, 1] as const),
    );
    const after = waitsOf(clusterOf(capacityOf(LEAF), nodesFor([8]), [{ ...long("a", 0), stages: late }])).rows[0]!;
    // The master asks for reduces at its next report, and no sooner.
    expect(reasonsIn(after.filter(({ stage }) => stage === 1))[0]).toBe("report");
  });

  it("is another stage that goes before it, where that finds no room", () => {
    const size = { memory: 6144, vcores: 1 };
    const first = { ...long("a", 1).stages[0]!, name: "first", priority: 5, size, tasks: tasksOf([], 60, 60) };
    const application = { ...long("a", 0), stages: [first, long("a", 4).stages[0]!] };
    const { rows } = waitsOf(
      clusterOf(fairOf({ reservationThreshold: { memory: 1e9, vcores: 1e9 } }), nodesFor([9]), [application]),
    );
    expect(rows[0]!.filter(({ stage }) => stage === 1).map(({ reason }) => reason)).toContain("before");
  });

  it("is another master, where that was lost", () => {
    const nodes = nodesFor([1, 4]).map((node, i) => ({ ...node, untilUs: i === 0 ? 8.7e6 : Infinity }));
    for (const spec of [fairOf(), capacityOf(LEAF)]) {
      const cluster = clusterOf(spec, nodes, [long("a", 4)]);
      const { rows } = waitsOf({ ...cluster, timing: { ...cluster.timing, masterStartUs: 2e6 } });
      expect(rows[0]!.filter(({ stage }) => stage === null).length).toBeGreaterThan(0);
    }
  });
});

it("Each reason of YARN has a key of its own, and words", () => {
  const found = { level: "node", free: "8192 MB", reached: 1_000_000, bound: 3_000_000, by: "job 1 (b)" };
  expect(new Set(YARN_WAITS.reasons.map(({ key }) => key)).size).toBe(YARN_WAITS.reasons.length);
  const said = YARN_WAITS.reasons.map(({ says }) => says(found));
  expect(said.every((words) => words.length > 10)).toBe(true);
  expect(said.join("\n")).toContain("its delay had 2 s to run");
  const unknown = YARN_WAITS.reasons.map(({ says }) => says({ level: null, free: "1 MB", reached: null, bound: null }));
  expect(unknown.join("\n")).not.toMatch(/null|undefined|NaN/);
});
