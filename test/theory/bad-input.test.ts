import { describe, expect, it } from "vitest";
import {
  blockedByLongTasksProbability,
  equalTasksUs,
  expectedPreferredFraction,
  headOfLineLocality,
  localLaunchProbability,
  localLaunchProbabilityBound,
  meanReadSeconds,
  meanWaitSeconds,
  nonLocalLaunchProbability,
  preferredFraction,
  readSecondsOf,
  sharedReadEndSeconds,
  slotsHeldByLongTasks,
  stickySlotCurves,
  stickySlotLocalityBound,
  stickySlotLocalityBoundOfJobs,
  waitProbability,
} from "./closed-forms.js";
import {
  expectedJobLocality,
  jobLocalityBound,
  jobLocalityLooseBound,
  localityWaitSeconds,
  localityWaitSecondsOnNodes,
  reassignSeconds,
  skipCountForLocality,
  skipCountForWait,
  slotsFreedPerSecond,
} from "../../dist/core/theory.js";

const JOB = { tasks: 20, nodes: 100, replication: 3 };
const INPUT = { tasksLeft: 20, nodes: 100, replication: 3 };
const BLOCK = { replication: 3, slotsPerNode: 4 };
const BUSY = { slots: 800, taskSeconds: 20 };
const SERVERS = { servers: 4, arrivalsPerSecond: 0.01, taskSeconds: 10 };
const DISK = { readsPerSecond: 0.01, readSeconds: 10 };
const BEATING = { slotsPerNode: 2, heartbeatUs: 3_000_000, firstBeatUs: [0, 1_000_000] };
const NODES = { nodes: 100, slotsPerNode: 8, taskSeconds: 20 };

/** What never is a number a closed form can take, as a caller without types may hand it over. */
const NEVER = [NaN, Infinity, -Infinity, -1, "3", null, undefined, {}, [3], 3n] as unknown as number[];

type Call = (value: number) => unknown;
interface Argument {
  readonly name: string;
  readonly calls: readonly Call[];
  readonly refused: readonly number[];
  readonly taken: readonly number[];
}

const ofJob: ((job: typeof JOB) => unknown)[] = [
  (job) => expectedJobLocality(job, 5),
  (job) => jobLocalityBound(job, 5),
  (job) => jobLocalityLooseBound(job, 5),
  (job) => headOfLineLocality(job),
  (job) => skipCountForLocality(job, 0.9),
];
const ofInput: ((input: typeof INPUT) => unknown)[] = [
  (input) => expectedPreferredFraction(input),
  (input) => localLaunchProbability(input, 5),
  (input) => localLaunchProbabilityBound(input, 5),
];
const ofBlock: ((block: typeof BLOCK) => unknown)[] = [
  (block) => stickySlotLocalityBound(0.1, block),
  (block) => stickySlotLocalityBoundOfJobs(10, block),
  (block) => stickySlotCurves([block], [10]),
  (block) => blockedByLongTasksProbability(0.5, block),
];
const ofBusy: ((cluster: typeof BUSY) => unknown)[] = [
  (cluster) => slotsFreedPerSecond(cluster),
  (cluster) => reassignSeconds(cluster, 1),
  (cluster) => localityWaitSeconds(cluster, 5),
];

const ofServers: ((system: typeof SERVERS) => unknown)[] = [waitProbability, meanWaitSeconds];
const ofDisk: ((disk: typeof DISK) => unknown)[] = [meanReadSeconds, (disk) => readSecondsOf(disk, 1)];

const ARGUMENTS: Argument[] = [
  { name: "tasks", calls: ofJob.map((f) => (tasks) => f({ ...JOB, tasks })), refused: [0, 1.5], taken: [1, 5000] },
  {
    name: "nodes",
    calls: [
      ...ofJob.map(
        (f): Call =>
          (nodes) =>
            f({ ...JOB, nodes }),
      ),
      ...ofInput.map(
        (f): Call =>
          (nodes) =>
            f({ ...INPUT, nodes }),
      ),
      (nodes) => preferredFraction(0, nodes),
      (nodes) => localityWaitSecondsOnNodes({ ...NODES, nodes }, 5),
    ],
    refused: [0, 99.5, 2 ** 53],
    taken: [3, 100_000],
  },
  {
    name: "replication",
    calls: [
      ...ofJob.map(
        (f): Call =>
          (replication) =>
            f({ ...JOB, replication }),
      ),
      ...ofInput.map(
        (f): Call =>
          (replication) =>
            f({ ...INPUT, replication }),
      ),
    ],
    refused: [0, 2.5, 101],
    taken: [1, 100],
  },
  {
    name: "replication",
    calls: ofBlock.map((f) => (replication) => f({ ...BLOCK, replication })),
    refused: [0, 0.5],
    taken: [1],
  },
  {
    name: "slotsPerNode",
    calls: [
      ...ofBlock.map(
        (f): Call =>
          (slotsPerNode) =>
            f({ ...BLOCK, slotsPerNode }),
      ),
      (slotsPerNode) => localityWaitSecondsOnNodes({ ...NODES, slotsPerNode }, 5),
    ],
    refused: [0, 1.5],
    taken: [1],
  },
  {
    name: "tasksLeft",
    calls: ofInput.map((f) => (tasksLeft) => f({ ...INPUT, tasksLeft })),
    refused: [0.5],
    taken: [0, 500],
  },
  { name: "preferredNodes", calls: [(n) => preferredFraction(n, 100)], refused: [101, 0.5], taken: [0, 100] },
  { name: "preferred", calls: [(p) => nonLocalLaunchProbability(p, 5)], refused: [1.01, -1e-9], taken: [0, 0.5, 1] },
  {
    name: "skips",
    calls: [
      (d) => nonLocalLaunchProbability(0.1, d),
      (d) => localLaunchProbability(INPUT, d),
      (d) => localLaunchProbabilityBound(INPUT, d),
      (d) => expectedJobLocality(JOB, d),
      (d) => jobLocalityBound(JOB, d),
      (d) => jobLocalityLooseBound(JOB, d),
      (d) => localityWaitSeconds(BUSY, d),
      (d) => localityWaitSecondsOnNodes(NODES, d),
    ],
    refused: [-1e-9],
    taken: [0, 0.5, 1e12, 1e307],
  },
  { name: "locality", calls: [(l) => skipCountForLocality(JOB, l)], refused: [1, 1.5, -0.1], taken: [0, 0.999999] },
  { name: "waitSeconds", calls: [(w) => skipCountForWait(w, 27)], refused: [-0.1], taken: [0, 0.5] },
  { name: "slotsFreedPerSecond", calls: [(r) => skipCountForWait(10, r)], refused: [-0.1], taken: [0, 27.1] },
  { name: "slots", calls: ofBusy.map((f) => (slots) => f({ ...BUSY, slots })), refused: [0, 0.5], taken: [1] },
  {
    name: "taskSeconds",
    calls: [
      ...ofBusy.map(
        (f): Call =>
          (taskSeconds) =>
            f({ ...BUSY, taskSeconds }),
      ),
      (taskSeconds) => localityWaitSecondsOnNodes({ ...NODES, taskSeconds }, 5),
    ],
    refused: [0],
    taken: [0.001],
  },
  { name: "shareSlots", calls: [(f) => reassignSeconds(BUSY, f)], refused: [801, 0.5], taken: [0, 800] },
  {
    name: "share",
    calls: [(f) => stickySlotLocalityBound(f, BLOCK), (s) => slotsHeldByLongTasks(s, 2)],
    refused: [1.01],
    taken: [0, 1],
  },
  {
    name: "jobs",
    calls: [(n) => stickySlotLocalityBoundOfJobs(n, BLOCK), (n) => stickySlotCurves([BLOCK], [2, n])],
    refused: [0, 1.5],
    taken: [1],
  },
  { name: "factor", calls: [(f) => slotsHeldByLongTasks(0.5, f)], refused: [0], taken: [1, 1000] },
  { name: "longTasks", calls: [(phi) => blockedByLongTasksProbability(phi, BLOCK)], refused: [1.01], taken: [0, 1] },
  {
    name: "servers",
    calls: ofServers.map((f) => (servers) => f({ ...SERVERS, servers })),
    refused: [0, 1.5],
    taken: [1],
  },
  {
    name: "arrivalsPerSecond",
    calls: ofServers.map((f) => (arrivalsPerSecond) => f({ ...SERVERS, arrivalsPerSecond })),
    refused: [-1e-9],
    taken: [0, 0.39],
  },
  {
    name: "taskSeconds",
    calls: ofServers.map((f) => (taskSeconds) => f({ ...SERVERS, taskSeconds })),
    refused: [0],
    taken: [0.001, 399],
  },
  {
    name: "readsPerSecond",
    calls: ofDisk.map((f) => (readsPerSecond) => f({ ...DISK, readsPerSecond })),
    refused: [-1e-9],
    taken: [0, 0.099],
  },
  {
    name: "readSeconds",
    calls: ofDisk.map((f) => (readSeconds) => f({ ...DISK, readSeconds })),
    refused: [0],
    taken: [0.001, 99],
  },
  { name: "aloneSeconds", calls: [(x) => readSecondsOf(DISK, x)], refused: [-1e-9], taken: [0, 1e9] },
  { name: "bytes", calls: [(x) => sharedReadEndSeconds([1, x], 5)], refused: [-1e-9], taken: [0, 1e300] },
  { name: "bytesPerSecond", calls: [(c) => sharedReadEndSeconds([1, 2], c)], refused: [0], taken: [1e-9] },
  {
    name: "slotsPerNode",
    calls: [(slotsPerNode) => equalTasksUs({ ...BEATING, slotsPerNode }, 9, 5)],
    refused: [0, 1.5],
    taken: [1],
  },
  {
    name: "heartbeatUs",
    calls: [(heartbeatUs) => equalTasksUs({ ...BEATING, heartbeatUs }, 9, 5)],
    refused: [0, 1.5],
    taken: [1_000_000],
  },
  {
    name: "firstBeatUs",
    calls: [(beat) => equalTasksUs({ ...BEATING, firstBeatUs: [beat] }, 9, 5)],
    refused: [-1e-9, 1.5],
    taken: [0],
  },
  { name: "tasks", calls: [(tasks) => equalTasksUs(BEATING, tasks, 5)], refused: [0, 1.5], taken: [1, 1e9] },
  { name: "taskUs", calls: [(taskUs) => equalTasksUs(BEATING, 9, taskUs)], refused: [0, 1.5], taken: [1, 1e9] },
];

function messageOf(call: Call, value: number): string {
  try {
    call(value);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return (error as RangeError).message;
  }
  throw new Error(`${String(value)} was taken`);
}

describe("impossible input to the closed forms", () => {
  it.each(ARGUMENTS)("$name is refused with its name", ({ name, calls, refused }) => {
    for (const call of calls) {
      for (const value of [...NEVER, ...refused]) {
        expect(messageOf(call, value).startsWith(`${name} is `)).toBe(true);
      }
    }
  });

  it.each(ARGUMENTS)("$name is taken at the ends of what is allowed", ({ calls, taken }) => {
    for (const call of calls) {
      for (const value of taken) {
        const result = call(value);
        if (typeof result === "number") expect(Number.isFinite(result)).toBe(true);
      }
    }
  });

  it("a mean of too many terms is refused instead of running for hours", () => {
    const huge = { tasks: 1e12, nodes: 1e12, replication: 3 };
    expect(() => expectedJobLocality(huge, 5)).toThrow(RangeError);
    expect(jobLocalityBound(huge, 1e12)).toBeGreaterThan(0.99);
  });

  it("nothing to launch and skips beyond all bounds still give a probability", () => {
    const nothing = { ...INPUT, tasksLeft: 0 };
    for (const probability of [localLaunchProbability, localLaunchProbabilityBound]) {
      expect(probability(nothing, Number.MAX_VALUE)).toBeCloseTo(0, 15);
      expect(probability(INPUT, Number.MAX_VALUE)).toBe(1);
    }
    expect(nonLocalLaunchProbability(0, Number.MAX_VALUE)).toBe(1);
    expect(expectedJobLocality(JOB, Number.MAX_VALUE)).toBe(1);
  });

  it("products beyond whole numbers are refused", () => {
    const wide = { replication: 2 ** 30, slotsPerNode: 2 ** 30 };
    expect(() => blockedByLongTasksProbability(0.5, wide)).toThrow(RangeError);
  });
});
