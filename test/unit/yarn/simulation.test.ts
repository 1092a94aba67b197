import { describe, expect, it } from "vitest";
import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacitySettings,
  mapReduceStages,
  YARN_LEVELS,
  type YarnApplication,
  type YarnCluster,
  type YarnRecord,
  YarnSimulation,
} from "../../../dist/core/platforms/yarn/index.js";
import { applicationOf, capacityOf, clusterOf, fairOf, nodesFor, ONE, tasksOf } from "../../support/yarn-clusters.js";

const run = (cluster: YarnCluster, untilUs?: number): YarnRecord => new YarnSimulation(cluster, "1").run(untilUs);
const tasksIn = ({ attempts }: YarnRecord): YarnRecord["attempts"] => attempts.filter(({ stage }) => stage >= 0);
const levelsIn = (record: YarnRecord): string[] => tasksIn(record).map(({ level }) => YARN_LEVELS[level]);
const seconds = (us: number): number => us / 1e6;

const LEAF = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 1 } };
const kinds = [
  ["yarn-fair", fairOf()],
  ["yarn-capacity", capacityOf(LEAF)],
] as const;

describe.each(kinds)("under %s an application", (_, scheduler) => {
  it("gets its master first, then containers that the master starts at its own reports", () => {
    const record = run(clusterOf(scheduler, nodesFor([3]), [applicationOf("a", "root.a", tasksOf([], 2, 2))]));
    const [master, ...tasks] = record.attempts;
    expect(master).toMatchObject({ stage: -1, outcome: "succeeded", launchUs: record.jobs[0]!.masterUs });
    expect(tasks).toHaveLength(2);
    for (const { givenUs, launchUs, endUs } of tasks) {
      // A report of the node after the master asked, and a whole number of reports of the master after its launch.
      expect(givenUs).toBeGreaterThanOrEqual(master!.launchUs);
      expect((launchUs - master!.launchUs) % 1e6).toBe(0);
      expect(endUs - launchUs).toBe(2e6);
    }
    expect(record.jobs[0]!.endedUs).toBe(master!.endUs);
  });

  it("finds as many containers on a node as fit, of memory and of cores where those count", () => {
    const size = { memory: 512, vcores: 2 };
    const [stage] = applicationOf("a", "root.a", tasksOf([], ...Array<number>(20).fill(30))).stages;
    const application = { ...applicationOf("a", "root.a", []), stages: [{ ...stage!, size }] };
    // 8 GB and 8 cores; the master has 1 GB and 1 core.
    const sizes =
      scheduler.kind === "yarn-capacity"
        ? { ...scheduler, settings: { ...scheduler.settings, minimumAllocation: { memory: 512, vcores: 1 } } }
        : scheduler;
    const record = run(clusterOf(sizes, nodesFor([8]), [application]), 25e6);
    expect(tasksIn(record)).toHaveLength(scheduler.kind === "yarn-fair" ? 3 : 14);
  });

  it("asks again for what went with a node, and has another master where that went", () => {
    const nodes = nodesFor([2, 4]).map((node, i) => ({ ...node, untilUs: i === 0 ? 8.7e6 : Infinity }));
    const record = run(clusterOf(scheduler, nodes, [applicationOf("a", "root.a", tasksOf([], 20, 20, 20, 20, 20))]));
    expect(record.stopped).toBe("all-jobs-ended");
    expect(record.attempts.some(({ outcome }) => outcome === "lost")).toBe(true);
    const good = tasksIn(record).filter(({ outcome }) => outcome === "succeeded");
    expect(good.map(({ task }) => task).sort()).toEqual([0, 1, 2, 3, 4]);
    const masters = record.attempts.filter(({ stage }) => stage < 0);
    expect(record.jobs[0]!.masters).toBe(masters.length);
  });

  it("asks for tasks that it lost after all that wait already, in the order in which they had their containers", () => {
    const [onOne, onTwo] = nodesFor([2, 3], 2);
    const nodes = [onOne!, { ...onTwo!, fromUs: 3e6, untilUs: 9.5e6 }];
    // The first of three on the second node ends, and its place is given again, before that node goes.
    const tasks = [...tasksOf([], 3), ...tasksOf([1], 1, 100, 100), ...tasksOf([], 2, 2, 2, 2, 2, 2, 2)];
    const record = run(clusterOf(scheduler, nodes, [applicationOf("a", "root.a", tasks)]));
    const lost = record.attempts.filter(({ outcome }) => outcome === "lost").map(({ task }) => task);
    expect(lost.slice(0, 2)).toEqual([2, 3]);
    const afterwards = tasksIn(record).filter(({ launchUs }) => launchUs > 9.5e6);
    const isNew = afterwards.map(({ number }) => number === 0);
    expect(isNew.lastIndexOf(true)).toBeLessThan(isNew.indexOf(false));
    expect(afterwards.filter(({ number }) => number > 0).map(({ task }) => task)).toEqual(lost);
  });

  it("that asks for more than any node has stalls, and the run says so", () => {
    const [stage] = applicationOf("a", "root.a", tasksOf([], 1)).stages;
    const stages = [{ ...stage!, size: { memory: 4096, vcores: 1 } }];
    const record = run(clusterOf(scheduler, nodesFor([2]), [{ ...applicationOf("a", "root.a", []), stages }]));
    expect(record).toMatchObject({ stopped: "stalled", jobs: [{ endedUs: -1 }] });
  });

  it("comes so long after another has ended", () => {
    const first = applicationOf("a", "root.a", tasksOf([], 2));
    const second = { ...first, name: "b", after: { application: 0, delayUs: 5e6 } };
    const { jobs } = run(clusterOf(scheduler, nodesFor([2]), [first, second]));
    expect(jobs[1]!.submittedUs - jobs[0]!.endedUs).toBe(5e6);
  });
});

describe("the locality threshold of yarn-fair", () => {
  const cluster = (threshold: number): YarnCluster =>
    clusterOf(
      fairOf({ localityThresholdNode: threshold, localityThresholdRack: threshold }),
      nodesFor([3, 3, 3, 3], 4),
      [applicationOf("a", "root.a", tasksOf([0], 3, 3, 3, 3, 3, 3, 3, 3))],
    );

  it("below 0 lets containers go anywhere at once", () => {
    expect(levelsIn(run(cluster(-1))).filter((level) => level === "OFF_SWITCH").length).toBeGreaterThan(2);
  });

  it("of 1 has one container leave its node at most once in two rounds of all nodes", () => {
    const off = tasksIn(run(cluster(1))).filter(({ level }) => YARN_LEVELS[level] === "OFF_SWITCH");
    expect(off.length).toBeLessThanOrEqual(2);
  });
});

describe("node-locality-delay of yarn-capacity", () => {
  const levels = (settings: Partial<CapacitySettings>): string[] =>
    levelsIn(
      run(
        clusterOf(capacityOf(LEAF, settings), nodesFor([8, ...Array<number>(9).fill(2)]), [
          applicationOf("a", "root.a", tasksOf([0], 5, 5, 5, 5)),
        ]),
      ),
    );

  it("has containers wait for their node while no more nodes of its rack were offered", () => {
    // The delay counts as 10, the number of nodes: within a second each reports once.
    const rackLocalityAdditionalDelay = 0;
    expect(levels({ nodeLocalityDelay: 40, rackLocalityAdditionalDelay })).toEqual(Array(4).fill("NODE_LOCAL"));
    expect(levels({ nodeLocalityDelay: 0, rackLocalityAdditionalDelay })).toContain("RACK_LOCAL");
  });

  it("holds nobody who may go off-switch before: four containers of one node may at the first offer", () => {
    // 4 containers x 2 places / 10 nodes = 0.8, less than 1.
    expect(levels({ nodeLocalityDelay: 40 })).toContain("RACK_LOCAL");
  });
});

it("Under rounds of yarn-capacity reports of nodes free, and give nothing", () => {
  const asynchronousUs = 70_000;
  const application = applicationOf("a", "root.a", tasksOf([], ...Array<number>(12).fill(1)));
  const record = run(clusterOf(capacityOf(LEAF, { asynchronousUs }), nodesFor([3, 3]), [application]));
  expect(record.stopped).toBe("all-jobs-ended");
  expect(record.attempts.map(({ givenUs }) => givenUs % asynchronousUs)).toEqual(Array(13).fill(0));
});

it("An update at the instant of submission counts what is asked for, also where nobody was there before", () => {
  const nodes = nodesFor([3]).map((node) => ({ ...node, heartbeatUs: 100_000 }));
  const record = run(clusterOf(fairOf(), nodes, [applicationOf("a", "root.a", tasksOf([], 1), 20e6)]));
  expect(record.jobs[0]!.masterUs).toBeLessThan(20.1e6);
});

describe("a MapReduce job", () => {
  const job = (slowStart: number, maps: number): YarnApplication => ({
    ...applicationOf("mr", "root.a", []),
    stages: mapReduceStages(
      { size: ONE, tasks: tasksOf([], ...Array<number>(maps).fill(4)) },
      { size: ONE, tasks: tasksOf([], 2, 2) },
      slowStart,
    ),
  });
  const reducesIn = (record: YarnRecord): YarnRecord["attempts"] => record.attempts.filter(({ stage }) => stage === 1);

  it("has reduces wait in their containers for the last map, once enough maps have ended", () => {
    const early = run(clusterOf(fairOf(), nodesFor([8]), [job(0.05, 8)]));
    const [maps] = early.stages;
    expect(reducesIn(early)[0]!.launchUs).toBeLessThan(maps!.endedUs);
    for (const { endUs } of reducesIn(early)) expect(endUs).toBeGreaterThanOrEqual(maps!.endedUs + 2e6);
    const late = run(clusterOf(fairOf(), nodesFor([8]), [job(1, 8)]));
    for (const { launchUs } of reducesIn(late)) expect(launchUs).toBeGreaterThanOrEqual(late.stages[0]!.endedUs);
  });

  it("gives a reduce's container back where maps find none", () => {
    // Room for the master and one more: after two of three maps a reduce is asked for, and goes before the last map.
    const cluster = clusterOf(fairOf(), nodesFor([2]), [job(0, 3)]);
    const record = run({ ...cluster, timing: { ...cluster.timing, reducePreemptionUs: 5e6 } });
    expect(record.stopped).toBe("all-jobs-ended");
    const [first, ...others] = reducesIn(record);
    expect(first).toMatchObject({ outcome: "killed" });
    for (const { launchUs } of others) expect(launchUs).toBeGreaterThanOrEqual(record.stages[0]!.endedUs);
  });
});

describe("preemption", () => {
  const greedy = applicationOf("greedy", "root.a", tasksOf([], ...Array<number>(8).fill(100)));
  const late = applicationOf("late", "root.b", tasksOf([], 5, 5, 5), 20e6);

  it("of yarn-fair kills what is above its share after the time-out and the wait, and no earlier", () => {
    const scheduler = fairOf(
      { preempts: true, waitBeforeKillUs: 5e6 },
      { root: { fairSharePreemptionTimeoutUs: 10e6, fairSharePreemptionThreshold: 1 } },
    );
    const record = run(clusterOf(scheduler, nodesFor([4, 4]), [greedy, late]));
    const killed = record.attempts.filter(({ outcome }) => outcome === "killed");
    expect(killed.length).toBeGreaterThan(0);
    for (const { job, endUs } of killed) expect([job, endUs >= 35e6]).toEqual([0, true]);
    expect(seconds(record.jobs[1]!.endedUs)).toBeLessThan(80);
    expect(run(clusterOf(fairOf(), nodesFor([4, 4]), [greedy, late])).jobs[1]!.endedUs).toBeGreaterThan(100e6);
  });

  it("of yarn-capacity gives a queue its guarantee back", () => {
    const leaf = { userLimitFactor: -1, maxAmShare: 0.5 };
    const queues = {
      root: { capacity: 1 },
      "root.a": { ...leaf, capacity: 0.5 },
      "root.b": { ...leaf, capacity: 0.5 },
    };
    const preemption = { ...CAPACITY_PREEMPTION_DEFAULTS, totalPerRound: 1, naturalTerminationFactor: 1 };
    const record = run(clusterOf(capacityOf(queues, { preemption }), nodesFor([4, 4]), [greedy, late]));
    const killed = record.attempts.filter(({ outcome }) => outcome === "killed");
    expect(killed.length).toBeGreaterThan(0);
    // 20 s, a round of 3 s, and 15 s of waiting.
    for (const { job, stage, endUs } of killed) expect([job, stage, endUs >= 35e6]).toEqual([0, 0, true]);
    expect(seconds(record.jobs[1]!.endedUs)).toBeLessThan(80);
  });
});

it("Two applications of one leaf share it, and a limit of running ones lets one wait for the other", () => {
  const applications = ["a", "b"].map((name) =>
    applicationOf(name, "root.a", tasksOf([], ...Array<number>(6).fill(5))),
  );
  const shared = run(clusterOf(fairOf(), nodesFor([6]), applications));
  expect(shared.jobs[1]!.masterUs).toBeLessThan(shared.jobs[0]!.endedUs);
  const limited = run(clusterOf(fairOf({}, { "root.a": { maxRunningApps: 1 } }), nodesFor([6]), applications));
  expect(limited.jobs[1]!.masterUs).toBeGreaterThanOrEqual(limited.jobs[0]!.endedUs);
});

it("Masters find no room where they may take little of a queue", () => {
  const applications = ["a", "b"].map((name) =>
    applicationOf(name, "root.a", tasksOf([], ...Array<number>(4).fill(5))),
  );
  const queues = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 0.1, userLimitFactor: -1 } };
  for (const scheduler of [fairOf({ maxAmShare: 0.1 }), capacityOf(queues)]) {
    const { jobs } = run(clusterOf(scheduler, nodesFor([8]), applications));
    expect(jobs[1]!.masterUs).toBeGreaterThanOrEqual(jobs[0]!.endedUs);
  }
});

it("is not stuck while a master starts for longer than anything else takes", () => {
  const given = clusterOf(capacityOf({ root: { capacity: 1 }, "root.q": { capacity: 1 } }), nodesFor([4]), [
    applicationOf("a", "root.q", tasksOf([], 3)),
  ]);
  const timing = { ...given.timing, launchUs: 20e6, masterStartUs: 30e6, reducePreemptionUs: 1e6 };
  const record = new YarnSimulation({ ...given, timing }, "1").run();
  expect(record.stopped).toBe("all-jobs-ended");
});
