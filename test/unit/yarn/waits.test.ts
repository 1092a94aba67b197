import { expect, it } from "vitest";
import { mapReduceStages, type YarnApplication, type YarnCluster } from "../../../dist/core/platforms/yarn/index.js";
import { applicationOf, capacityOf, clusterOf, fairOf, nodesFor, ONE, tasksOf } from "../../support/yarn-clusters.js";
import { waitsOf } from "../../support/yarn-waits.js";

const LEAF = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 1 } };
const long = (name: string, tasks: number, atUs = 0, on: readonly number[] = []): YarnApplication =>
  applicationOf(name, "root.a", tasksOf(on, ...Array<number>(tasks).fill(20)), atUs);
const sized = (application: YarnApplication, memory: number): YarnApplication => {
  return { ...application, stages: application.stages.map((stage) => ({ ...stage, size: { memory, vcores: 1 } })) };
};
const timed = (cluster: YarnCluster, masterStartUs: number): YarnCluster => {
  return { ...cluster, timing: { ...cluster.timing, masterStartUs } };
};

/** Its data is on a node of one container, and three others are free. */
const BESIDE = [nodesFor([1, 4, 4, 4]), [long("a", 3, 0, [0])]] as const;
const TWO = [nodesFor([8]), [long("a", 2), long("b", 2)]] as const;
const LOST = [
  nodesFor([1, 4]).map((node, i) => ({ ...node, untilUs: i === 0 ? 8.7e6 : Infinity })),
  [long("a", 4)],
] as const;

/** Whose queue asks for one container more than it lacks of its min share, or for just as many. */
function besideFull(tasks: number): YarnCluster {
  const minShare = { minResources: { memory: 4096, vcores: 4 }, minSharePreemptionTimeoutUs: 0 };
  const settings = { preempts: true, assignsMultiple: true, waitBeforeKillUs: 5e6 };
  const full = applicationOf("a", "root.a", tasksOf([], ...Array<number>(30).fill(100)));
  const asking = { ...long("b", tasks, 12e6), queue: "root.b" };
  return clusterOf(fairOf(settings, { "root.a": {}, "root.b": minShare }), nodesFor([8]), [full, asking]);
}

/** A container for which a node is kept, and those of another for which it is so reserved. */
function reserving(): YarnCluster {
  const uneven = { ...long("a", 6), stages: [{ ...long("a", 0).stages[0]!, tasks: tasksOf([], 14, 60, 60, 18, 60) }] };
  const wide = { ...sized(long("b", 1, 8e6), 4096), queue: "root.b" };
  const third = { ...long("c", 3, 16e6), queue: "root.c" };
  const queues = { "root.a": {}, "root.b": {}, "root.c": {} };
  return clusterOf(fairOf({ assignsMultiple: true, dynamicMaxAssign: false }, queues), nodesFor([6, 1]), [
    uneven,
    wide,
    third,
  ]);
}

const mapReduce = (...stages: Parameters<typeof mapReduceStages>): YarnApplication => {
  return { ...long("a", 0), stages: mapReduceStages(...stages) };
};

const CASES: Readonly<Record<string, readonly [cluster: YarnCluster, untilUs?: number]>> = {
  "a node, then the master's start and its reports, then nothing": [
    timed(clusterOf(fairOf(), nodesFor([4]), [applicationOf("a", "root.a", tasksOf([], 19.5, 19.5), 0.2e6)]), 3e6),
  ],
  "locality, with the offers that passed and how many must": [
    clusterOf(fairOf({ localityThresholdNode: 1, localityThresholdRack: 1 }), ...BESIDE),
  ],
  "the delay, under continuous scheduling": [
    clusterOf(fairOf({ isContinuous: true, localityDelayNodeUs: 4e6, localityDelayRackUs: 4e6 }), ...BESIDE),
  ],
  "locality under the Capacity Scheduler, with the delay as its bound": [
    clusterOf(capacityOf(LEAF, { nodeLocalityDelay: 3, rackLocalityAdditionalDelay: 40 }), ...BESIDE),
  ],
  "a full cluster: below its share or not, and who holds most": [
    clusterOf(fairOf({}, { "root.a": {}, "root.b": {} }), nodesFor([4, 4]), [
      ...[long("a", 20), { ...long("b", 2, 8e6), queue: "root.b" }],
    ]),
  ],
  // Its master is one of four.
  "YARN's own slip where one container more is asked for than lacks": [besideFull(4), 60e6],
  "no slip where as many are asked for": [besideFull(3), 60e6],
  "a maximum of its queue": [
    clusterOf(fairOf({}, { "root.a": { maxResources: { memory: 3072, vcores: 100 } } }), nodesFor([8]), [long("a", 5)]),
  ],
  "a maximum of the Capacity Scheduler": [
    clusterOf(
      capacityOf({
        ...LEAF,
        "root.a": { capacity: 0.5, maximumCapacity: 0.5, maxAmShare: 1 },
        "root.b": { capacity: 0.5 },
      }),
      ...([nodesFor([8]), [long("a", 5)]] as const),
    ),
  ],
  // One container above the limit is let in.
  "the user limit of the Capacity Scheduler": [
    clusterOf(
      capacityOf({ ...LEAF, "root.a": { capacity: 0.5, maxAmShare: 1 }, "root.b": { capacity: 0.5 } }),
      nodesFor([8]),
      [long("a", 7)],
    ),
  ],
  "a limit of running applications of a queue": [clusterOf(fairOf({}, { "root.a": { maxRunningApps: 1 } }), ...TWO)],
  "a limit of running applications of a user": [clusterOf(fairOf({ userMaxApps: 1 }), ...TWO)],
  "a limit of masters": [clusterOf(fairOf({ maxAmShare: 0.125 }), ...TWO)],
  "a limit of masters of the Capacity Scheduler": [
    clusterOf(capacityOf({ ...LEAF, "root.a": { capacity: 1, maxAmShare: 0.1 } }), ...TWO),
  ],
  "a node that is reserved, for it or for another": [reserving()],
  "a node at all": [
    clusterOf(
      fairOf(),
      nodesFor([4]).map((node) => ({ ...node, fromUs: 5e6 })),
      [long("a", 1)],
    ),
  ],
  "a node that is large enough": [clusterOf(capacityOf(LEAF), nodesFor([4]), [sized(long("a", 1), 1e6)]), 30e6],
  "the stage before, of reduces that have their containers": [
    clusterOf(fairOf(), nodesFor([8]), [
      mapReduce({ size: ONE, tasks: tasksOf([], 4, 30) }, { size: ONE, tasks: tasksOf([], 5.3, 5.3) }),
    ]),
  ],
  "the next report, of reduces that are asked for late": [
    clusterOf(capacityOf(LEAF), nodesFor([8]), [
      mapReduce({ size: ONE, tasks: tasksOf([], 4) }, { size: ONE, tasks: tasksOf([], 5) }, 1),
    ]),
  ],
  "another stage that goes before it, where that finds no room": [
    clusterOf(fairOf({ reservationThreshold: { memory: 1e9, vcores: 1e9 } }), nodesFor([9]), [
      {
        ...long("a", 0),
        stages: [
          { ...sized(long("a", 2), 6144).stages[0]!, name: "first", priority: 5, tasks: tasksOf([], 60, 60) },
          long("a", 4).stages[0]!,
        ],
      },
    ]),
  ],
  "another master, under the Fair Scheduler": [timed(clusterOf(fairOf(), ...LOST), 2e6)],
  "another master, under the Capacity Scheduler": [timed(clusterOf(capacityOf(LEAF), ...LOST), 2e6)],
};

it.each(Object.entries(CASES))("A stage of YARN waits for %s", (_, [cluster, untilUs]) => {
  const { rows } = waitsOf(cluster, untilUs);
  const words = rows.map((ofJob) =>
    ofJob.map(({ stage, reason, from, to, count, level, by, reached, bound }) => {
      const span = `${from / 1e6}-${to / 1e6}`;
      const rest = Object.entries({ count, level, by, reached, bound }).filter(
        ([, value]) => value !== null && value !== 0,
      );
      return [`${String(stage)} ${reason} ${span}`, ...rest.map(([key, value]) => `${key} ${String(value)}`)].join(" ");
    }),
  );
  expect(words).toMatchSnapshot();
});
