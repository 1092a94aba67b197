import {
  CAPACITY_DEFAULTS,
  type CapacityQueueSpec,
  type CapacitySettings,
  FAIR_DEFAULTS,
  type FairQueueSpec,
  type FairSettings,
  YARN_TIMING,
  type YarnApplication,
  type YarnCluster,
  type YarnNodeSpec,
  type YarnSchedulerSpec,
  type YarnTask,
} from "../../dist/core/platforms/yarn/index.js";

export const ONE = { memory: 1024, vcores: 1 };

/** Nodes with room for so many containers of `ONE`, on racks in turn. */
export function nodesFor(rooms: readonly number[], racks = 1): YarnNodeSpec[] {
  return rooms.map((room, i) => ({
    rack: i % racks,
    memory: 1024 * room,
    vcores: room,
    fromUs: 0,
    untilUs: Infinity,
  }));
}

export function fairOf(
  settings: Partial<FairSettings> = {},
  queues: Readonly<Record<string, FairQueueSpec>> = {},
): YarnSchedulerSpec {
  return {
    kind: "yarn-fair",
    // Masters may take whole queues: tests have few containers.
    settings: { ...FAIR_DEFAULTS, maxAmShare: -1, ...settings },
    allocations: { queues: new Map(Object.entries(queues)), users: new Map() },
  };
}

export function capacityOf(
  queues: Readonly<Record<string, CapacityQueueSpec>>,
  settings: Partial<CapacitySettings> = {},
): YarnSchedulerSpec {
  return {
    kind: "yarn-capacity",
    settings: { ...CAPACITY_DEFAULTS, ...settings },
    queues: new Map(Object.entries(queues)),
  };
}

/** Tasks of so many seconds, whose data is on some nodes. */
export function tasksOf(nodes: readonly number[], ...seconds: readonly number[]): YarnTask[] {
  return seconds.map((length) => ({ runUs: length * 1e6, nodes }));
}

/** One stage of tasks, each in a container of `ONE`. */
export function applicationOf(
  name: string,
  queue: string,
  tasks: readonly YarnTask[],
  submitAtUs = 0,
): YarnApplication {
  const stage = { name: "map", parents: [], priority: 20, size: ONE, slowStart: 1, tasks };
  return { name, queue, user: "ann", submitAtUs, master: ONE, stages: [stage] };
}

/** Messages take no time: what is left are heartbeats. */
export function clusterOf(
  scheduler: YarnSchedulerSpec,
  nodes: readonly YarnNodeSpec[],
  applications: readonly YarnApplication[],
): YarnCluster {
  return { scheduler, nodes, applications, timing: { ...YARN_TIMING, launchUs: 0, masterStartUs: 0 } };
}
