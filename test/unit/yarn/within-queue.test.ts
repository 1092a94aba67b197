import { describe, expect, it } from "vitest";
import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacityQueueSpec,
  WITHIN_QUEUES_DEFAULTS,
  type WithinQueues,
  type YarnApplication,
  type YarnAttemptRow,
  YarnSimulation,
} from "../../../dist/core/platforms/yarn/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { applicationOf, capacityOf, clusterOf, nodesFor, tasksOf } from "../../support/yarn-clusters.js";

const SECOND = 1e6;
/** 10 nodes with room for 4 containers. */
const NODES = nodesFor(Array.from({ length: 10 }, () => 4));
/** Every container of the cluster. */
const ALL = 40;

const application = (name: string, user: string, count: number, seconds: number, atSecond = 0, priority = 1) => ({
  ...applicationOf(name, "root.q", tasksOf([], ...Array.from({ length: count }, () => seconds)), atSecond * SECOND),
  user,
  priority,
});

/** Ann fills the queue; Bob comes at 30 s. */
const LATE = [application("first", "ann", 60, 600), application("late", "bob", 20, 10, 30)];

interface Asked {
  readonly within: Partial<WithinQueues> | null;
  readonly queue?: Partial<CapacityQueueSpec>;
  readonly root?: Partial<CapacityQueueSpec>;
  readonly applications?: readonly YarnApplication[];
}

/** Everything that may be taken in a round is, so that what is asserted are the limits within a queue. */
function attemptsOf({ within, queue = {}, root = {}, applications = LATE }: Asked): readonly YarnAttemptRow[] {
  const leaf = { capacity: 1, minimumUserLimitPercent: 50, userLimitFactor: -1, maxAmShare: 0.5, ...queue };
  const preemption = {
    ...CAPACITY_PREEMPTION_DEFAULTS,
    totalPerRound: 1,
    naturalTerminationFactor: 1,
    within: within === null ? null : { ...WITHIN_QUEUES_DEFAULTS, ...within },
  };
  const scheduler = capacityOf({ root: { capacity: 1, ...root }, "root.q": leaf }, { maxOffSwitch: 100, preemption });
  return new YarnSimulation(clusterOf(scheduler, NODES, applications), "1").run(3600 * SECOND).attempts;
}

const killed = (attempts: readonly YarnAttemptRow[]) => attempts.filter(({ outcome }) => outcome === "killed");
const secondsUntilFirst = (attempts: readonly YarnAttemptRow[], job: number) =>
  attempts.find((one) => one.job === job && one.stage === 0)!.launchUs / SECOND;

describe("preemption within a queue", () => {
  it("gives a user who comes late what another has beyond the limit, and not before the wait is over", () => {
    const without = attemptsOf({ within: null });
    expect(killed(without)).toEqual([]);
    expect(secondsUntilFirst(without, 1)).toBeGreaterThan(600);
    const attempts = attemptsOf({ within: { maxAllowableLimit: 1 } });
    const first = secondsUntilFirst(attempts, 1);
    // It waits once for its master's container, and once for those that the master asks for.
    expect(first).toBeGreaterThan(30 + 2 * 15);
    expect(first).toBeLessThan(30 + 2 * 15 + 10);
    for (const { job, stage } of killed(attempts)) expect([job, stage]).toEqual([0, 0]);
  });

  it("leaves a user what the limit is, and never takes a master", () => {
    const attempts = attemptsOf({ within: { maxAllowableLimit: 1 } });
    // Ann has 39 tasks and a master. Both users may have 20 containers and one more; Bob has a master, too, and wants
    // 20.
    expect(killed(attempts).length).toBeGreaterThan(0);
    expect(ALL - 1 - killed(attempts).length).toBeGreaterThanOrEqual(ALL / 2);
    expect(attempts.filter(({ stage }) => stage < 0).map(({ outcome }) => outcome)).toEqual(["succeeded", "succeeded"]);
  });

  it("takes no more than the part of the queue that may go", () => {
    const attempts = attemptsOf({ within: { maxAllowableLimit: 0.1 } });
    const times = killed(attempts).map(({ endUs }) => endUs);
    expect(times.filter((us) => us === times[0])).toHaveLength(ALL / 10);
  });

  it.each([
    ["the queue may not be taken from within", { queue: { isPreemptableWithin: false } }],
    ["nothing may be taken from the queue at all", { queue: { isPreemptable: false } }],
    ["the queue above says so, and it says nothing", { root: { isPreemptable: false } }],
    ["the same of within", { root: { isPreemptableWithin: false } }],
    ["the queue uses less than the threshold", { applications: [application("a", "ann", 10, 60), LATE[1]!] }],
    ["every user may have the whole queue", { queue: { minimumUserLimitPercent: 100 } }],
  ])("takes nothing where %s", (_, more) => {
    expect(killed(attemptsOf({ within: { maxAllowableLimit: 1 }, ...more }))).toEqual([]);
  });

  it("goes by what a queue says of itself, whatever the one above it says", () => {
    const root = { isPreemptable: false, isPreemptableWithin: false };
    const queue = { isPreemptable: true, isPreemptableWithin: true };
    expect(killed(attemptsOf({ within: { maxAllowableLimit: 1 }, root, queue })).length).toBeGreaterThan(0);
  });

  it("takes from a user's own application of lower priority, under either order", () => {
    for (const order of ["userLimit", "priority"] as const) {
      const own = [application("low", "ann", 60, 600), application("high", "ann", 10, 10, 30, 2)];
      const attempts = attemptsOf({ within: { maxAllowableLimit: 1, order }, applications: own });
      // Ann is not above her limit where she is alone: under userLimit her own containers are kept from falling below
      // it.
      expect([order, killed(attempts).length > 0]).toEqual([order, order === "priority"]);
    }
  });

  it("by priority takes from users who are not above their limits", () => {
    const three = [
      application("a", "ann", 18, 600),
      application("b", "bob", 18, 600, 1),
      application("c", "eve", 10, 10, 30, 2),
    ];
    const queue = { minimumUserLimitPercent: 60 };
    const within = { maxAllowableLimit: 1 } as const;
    expect(killed(attemptsOf({ within: { ...within, order: "userLimit" }, queue, applications: three }))).toEqual([]);
    const taken = killed(attemptsOf({ within: { ...within, order: "priority" }, queue, applications: three }));
    // The last in the order gives first.
    expect(new Set(taken.map(({ job }) => job))).toEqual(new Set([1]));
  });
});

describe("what a scenario says of it", () => {
  const text = (scheduler: string): string =>
    `platform: yarn\ncluster: {nodes: 1}\nworkload: {kind: jobs, jobs: [{name: a, maps: {tasks: 1, time: 1s}}]}\nscheduler: {kind: yarn-capacity, ${scheduler}}\n`;
  const notes = (scheduler: string): readonly string[] => parseAnyScenario(text(scheduler), "x.yaml").notes;
  const HALF = "queues: [{name: default, capacity: 100, minimumUserLimit: 50}]";

  it("is told where it changes nothing", () => {
    expect(notes(`preemptionWithin: userLimit, ${HALF}`)).toEqual([
      "preemptionWithin has no effect: preemption is off",
    ]);
    expect(notes("preemption: true, preemptionWithin: userLimit")).toEqual([
      "preemptionWithin: userLimit takes nothing: minimumUserLimit is 100 in all queues, so no user is above a limit",
    ]);
    expect(notes(`preemption: true, preemptionWithin: userLimit, ${HALF}`)).toEqual([]);
    expect(notes("preemption: true, preemptionWithin: priority")).toEqual([]);
    expect(notes("preemption: true, queues: [{name: default, capacity: 100, preemptableWithin: false}]")).toEqual([
      "that root.default may not be preempted within has no effect: preemption within queues is off",
    ]);
  });

  it("is refused with what is allowed", () => {
    expect(() => notes("preemptionWithin: users")).toThrow(/found "users" for scheduler.preemptionWithin, allowed/);
  });
});
