import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SparkSimulation } from "../../dist/core/platforms/spark/index.js";
import {
  fairShares,
  type Resources,
  type YarnSchedulerSpec,
  YarnSimulation,
} from "../../dist/core/platforms/yarn/index.js";
import { applicationOf as sparkApplicationOf } from "../support/spark-applications.js";
import { applicationOf, capacityOf, clusterOf, fairOf, tasksOf } from "../support/yarn-clusters.js";
import { NO_LIMITS, type Job, yarnCluster } from "./platform-clusters.js";

interface Group {
  readonly weight: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Water filling: each has its weight times the level of the water, at least its minimum and at most its maximum, and
 * all together have what there is. The level goes up from one minimum or maximum that is met to the next.
 */
function waterFilling(groups: readonly Group[], total: number): number[] {
  const at = (level: number): number[] =>
    groups.map(({ weight, min, max }) => Math.min(Math.max(weight * level, min), max));
  const sumAt = (level: number): number => at(level).reduce((sum, one) => sum + one, 0);
  const steps = groups.flatMap(({ weight, min, max }) => [min / weight, max / weight]).sort((a, b) => a - b);
  let below = 0;
  for (const step of steps) {
    if (sumAt(step) >= total) break;
    below = step;
  }
  // From here on to the next step, those above their minimum and below their maximum rise with the level.
  const rising = groups.filter(({ weight, min, max }) => min / weight <= below && max / weight > below);
  const risesBy = rising.reduce((sum, { weight }) => sum + weight, 0);
  return at(risesBy === 0 ? below : below + Math.max(0, total - sumAt(below)) / risesBy);
}

describe("water filling", () => {
  it.each([
    [
      "without limits goes by weights",
      12,
      [
        [1, 0, 99],
        [2, 0, 99],
        [3, 0, 99],
      ],
      [2, 4, 6],
    ],
    [
      "gives what a maximum leaves to the others",
      12,
      [
        [1, 0, 99],
        [1, 0, 2],
        [2, 0, 99],
      ],
      [10 / 3, 2, 20 / 3],
    ],
    [
      "takes what a minimum needs from the others",
      12,
      [
        [1, 8, 99],
        [1, 0, 99],
        [1, 0, 99],
      ],
      [8, 2, 2],
    ],
    [
      "is all maxima where there is more",
      12,
      [
        [1, 0, 3],
        [5, 1, 4],
      ],
      [3, 4],
    ],
  ])("%s", (_, total, groups, shares) => {
    const found = waterFilling(
      groups.map(([weight, min, max]) => ({ weight, min, max })),
      total,
    );
    found.forEach((share, at) => expect(share).toBeCloseTo(shares[at], 12));
  });
});

/** Minima never exceed what there is, nor a maximum. */
const groupsFor = (total: number, most: number): fc.Arbitrary<Group[]> =>
  fc.array(
    fc
      .record({
        weight: fc.constantFrom(0.5, 1, 1, 2, 3.7),
        min: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: Math.floor(total / most) })),
        more: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: total })),
      })
      .map(({ weight, min, more }) => ({ weight, min, max: min + more })),
    { minLength: 2, maxLength: most },
  );

it("Fair shares of YARN are those of water filling, but for whole numbers", () => {
  const given = fc
    .integer({ min: 100, max: 1_000_000 })
    .chain((total) => fc.tuple(fc.constant(total), groupsFor(total, 6)));
  fc.assert(
    fc.property(given, ([total, groups]) => {
      const shares = fairShares(
        groups.map(({ weight, min, max }) => ({ weight, min, max: Math.min(max, 2 ** 40), isActive: true })),
        total,
      );
      const filled = waterFilling(groups, total);
      // Each is cut to a whole number, and all are raised until they add up again.
      shares.forEach((share, at) => expect(Math.abs(share - filled[at])).toBeLessThanOrEqual(groups.length + 1));
      const sum = shares.reduce((all, one) => all + one, 0);
      expect(sum).toBeGreaterThanOrEqual(Math.floor(filled.reduce((all, one) => all + one, 0) - 1e-6));
    }),
    { numRuns: 500 },
  );
});

/** A task that ran, of a group. */
interface Held {
  readonly group: number;
  readonly fromUs: number;
  readonly untilUs: number;
}

interface Sharing {
  /** Which limits of a group mean anything. */
  readonly hasMin: boolean;
  readonly hasMax: boolean;
  /** So many more than there are slots may count as used: nodes are kept for containers. */
  readonly kept: number;
  readonly run: (slots: readonly number[], groups: readonly Group[], jobs: readonly Job[], seed: string) => Held[];
}

/** Slots in MB, with room for a master. */
const inMb = (slots: number): number => (slots === Infinity ? slots : 1024 * slots + 1);

function yarn(
  kept: number,
  hasMin: boolean,
  schedulerFor: (groups: readonly Group[], clusterMb: number) => YarnSchedulerSpec,
): Sharing {
  return {
    hasMin,
    hasMax: true,
    kept,
    run: (slots, groups, jobs, seed) => {
      const clusterMb = slots.reduce((sum, of) => sum + 1024 * of + 1023, 0);
      const cluster = yarnCluster(schedulerFor(groups, clusterMb), slots, jobs, (job) => `root.g${job}`);
      const { attempts } = new YarnSimulation(cluster, seed).run();
      return attempts
        .rows()
        .filter(({ stage }) => stage >= 0)
        .map(({ job, givenUs, endUs }) => ({ group: job, fromUs: givenUs, untilUs: endUs }));
    },
  };
}

const SHARING: Readonly<Record<string, Sharing>> = {
  "pools of Spark": {
    hasMin: true,
    hasMax: false,
    kept: 0,
    run: (slots, groups, jobs, seed) => {
      const pools = groups.map(({ weight, min }, at) => {
        return { name: `g${at}`, mode: "FIFO" as const, minShare: min, weight };
      });
      const given = jobs.map(({ atUs, stages: [{ tasksUs }] }, at) => {
        const tasks = tasksUs.map((runUs) => ({ runUs, places: [] }));
        const stages = [{ name: "stage", parents: [], isBarrier: false, tasks }];
        return { name: "job", pool: `g${at}`, submitAtUs: atUs, stages };
      });
      const made = { ...sparkApplicationOf("3.5", slots, given, { mode: "FAIR" }), pools };
      const { attempts } = new SparkSimulation(made, seed).run();
      return attempts.rows().map(({ job, launchUs, endUs }) => ({ group: job, fromUs: launchUs, untilUs: endUs }));
    },
  },
  "queues of yarn-fair": yarn(0, true, (groups) =>
    fairOf(
      NO_LIMITS.fair,
      Object.fromEntries(
        groups.map(({ weight, min, max }, at) => [
          `root.g${at}`,
          {
            weight,
            minResources: { memory: min * 1024, vcores: 0 },
            maxResources: { memory: inMb(max), vcores: Infinity },
          },
        ]),
      ),
    ),
  ),
  "queues of yarn-capacity": yarn(2, false, (groups, clusterMb) => {
    const whole = groups.reduce((sum, { weight }) => sum + weight, 0);
    return capacityOf(
      Object.fromEntries(
        groups.map(({ weight, max }, at) => {
          const maximumCapacity = Math.min(1, (inMb(max) + 0.5) / clusterMb);
          return [`root.g${at}`, { ...NO_LIMITS.leaf, capacity: weight / whole, maximumCapacity }];
        }),
      ),
      NO_LIMITS.capacity,
    );
  }),
};

const SLOTS = [7, 9];
const ALL_SLOTS = 16;
const LONGEST_US = 20_000_000;
const TASKS = 150;

describe.each(Object.keys(SHARING))("%s that all want more than there is", (name) => {
  const { hasMin, hasMax, kept, run } = SHARING[name];

  it("have their shares by water filling, none a whole task more, while all that there is is used", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: LONGEST_US }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(groupsFor(ALL_SLOTS, 4), lengths, fc.string(), (drawn, tasksUs, seed) => {
        const groups = drawn.map(({ weight, min, max }) => ({
          weight: name.startsWith("pools") ? Math.ceil(weight) : weight,
          min: hasMin ? min : 0,
          max: hasMax ? max : Infinity,
        }));
        const jobs = groups.map((_, at) => {
          const own = Array.from({ length: TASKS }, (__, task) => tasksUs[(task * 7 + at * 11) % tasksUs.length]);
          return { atUs: 0, stages: [{ parents: [], tasksUs: own }] };
        });
        const held = run(SLOTS, groups, jobs, seed);
        const ofGroups = groups.map((_, at) => held.filter(({ group }) => group === at));
        // From when what began without competition has ended, until the first group has nothing left that waits.
        const fromUs = 2 * LONGEST_US;
        const untilUs = Math.min(...ofGroups.map((own) => Math.max(...own.map((one) => one.fromUs))));
        const mostOf = waterFilling(groups, ALL_SLOTS + kept);
        ofGroups.forEach((own, at) => {
          for (const { fromUs: nowUs } of own) {
            if (nowUs < fromUs || nowUs >= untilUs) continue;
            const running = own.filter((one) => one.fromUs <= nowUs && one.untilUs > nowUs).length;
            expect(running).toBeLessThan(mostOf[at] + 1);
          }
        });
        const inWindowUs = (us: number): number => Math.min(Math.max(us, fromUs), untilUs);
        const usedUs = held.reduce((sum, one) => sum + inWindowUs(one.untilUs) - inWindowUs(one.fromUs), 0);
        const usable = waterFilling(groups, ALL_SLOTS).reduce((sum, share) => sum + share, 0);
        // Between the end of a task and the start of the next there are messages.
        expect(usedUs / (untilUs - fromUs)).toBeGreaterThan(0.95 * usable);
      }),
      { numRuns: 12 },
    );
  });
});

/** They have no cores, so that they change nobody's dominant share but by this. */
const MASTER = { memory: 1, vcores: 0 };

/** How many tasks of two sizes, wanted without end, run on a node that has room for both masters beside. */
function tasksOfTwo(kind: "yarn-fair" | "yarn-capacity", node: Resources, sizes: readonly Resources[]): number[] {
  const leaf = { ...NO_LIMITS.leaf, capacity: 0.5 };
  const least = { memory: 1, vcores: 1 };
  const scheduler =
    kind === "yarn-fair"
      ? fairOf({ policy: "drf" }, { root: { policy: "drf" } })
      : capacityOf(
          { "root.a": leaf, "root.b": leaf },
          { countsVcores: true, assignsMultiple: false, minimumAllocation: least },
        );
  const applications = sizes.map((size, at) => {
    const queue = `root.${"ab"[at]}`;
    const made = applicationOf(queue, queue, tasksOf([], ...Array.from({ length: 300 }, () => 10_000)));
    return { ...made, master: MASTER, stages: made.stages.map((stage) => ({ ...stage, size })) };
  });
  const spec = { rack: 0, fromUs: 0, untilUs: Infinity, memory: node.memory, vcores: node.vcores };
  const { attempts } = new YarnSimulation(clusterOf(scheduler, [spec], applications), "1").run(1_000e6);
  const rows = attempts.rows();
  return sizes.map((_, at) => rows.filter(({ job, stage }) => job === at && stage >= 0).length);
}

/**
 * Algorithm 1 of Ghodsi et al.: always a task more for the lowest dominant share, among those for whom one fits.
 * @param looksAtOther of two that are equal the one with the lower other share goes first, else the first.
 */
function progressiveFilling(node: Resources, sizes: readonly Resources[], looksAtOther: boolean): number[] {
  const tasks = sizes.map(() => 0);
  const used = (at: number): Resources => ({
    memory: MASTER.memory + tasks[at] * sizes[at].memory,
    vcores: tasks[at] * sizes[at].vcores,
  });
  const sharesOf = (at: number): number[] => {
    const { memory, vcores } = used(at);
    return [memory / node.memory, vcores / node.vcores].sort((a, b) => b - a);
  };
  const goesBefore = (a: number, b: number): number => {
    const [[dominantA, otherA], [dominantB, otherB]] = [sharesOf(a), sharesOf(b)];
    return dominantA - dominantB || (looksAtOther ? otherA - otherB : 0);
  };
  const fits = (at: number): boolean =>
    (["memory", "vcores"] as const).every(
      (type) => sizes.reduce((sum, _, other) => sum + used(other)[type], sizes[at][type]) <= node[type],
    );
  for (;;) {
    const next = sizes
      .map((_, at) => at)
      .filter(fits)
      .sort(goesBefore)[0];
    if (next === undefined) return tasks;
    tasks[next]++;
  }
}

describe.each(["yarn-fair", "yarn-capacity"] as const)("dominant resource fairness of %s", (kind) => {
  it("gives of 9 cores and 18 GB three tasks of <1, 4 GB> and two of <3, 1 GB>: the example of Ghodsi et al., NSDI 2011", () => {
    const sizes = [
      { memory: 4096, vcores: 1 },
      { memory: 1024, vcores: 3 },
    ];
    expect(tasksOfTwo(kind, { memory: 18 * 1024 + 2, vcores: 9 }, sizes)).toEqual([3, 2]);
  });

  it("is progressive filling", () => {
    const size = fc.record({ memory: fc.integer({ min: 200, max: 900 }), vcores: fc.integer({ min: 1, max: 9 }) });
    const node = { memory: 20_002, vcores: 150 };
    fc.assert(
      fc.property(size, size, (a, b) => {
        expect(tasksOfTwo(kind, node, [a, b])).toEqual(progressiveFilling(node, [a, b], kind === "yarn-fair"));
      }),
      { numRuns: 25 },
    );
  });
});
