import { namesOf, counterHash, scaled, seedWord } from "../../core/kernel/index.js";

/** A small scenario that is hard on schedulers, as a scenario file would say it but for the scheduler. */
export interface ContractCase {
  readonly name: string;
  readonly sections: Readonly<Record<string, unknown>>;
  /** It is also run on threads. */
  readonly onThreads: boolean;
  /** The job that must start soon after it was submitted. */
  readonly soon?: { readonly job: string; readonly withinSeconds: number };
  /**
   * Jobs of one map on an idle cluster, where every node beats within three seconds: a scheduler that waits that long
   * launches beside the data.
   */
  readonly waits?: boolean;
}

type Job = Readonly<Record<string, unknown>>;

/**
 * Each workload is minutes long, so one that has not ended by then never will; and it is stuck when no task has ended
 * for so long.
 */
const RUN = { until: "2h", stuckAfter: "30m" };

const NINE_NODES = { racks: 3, nodesPerRack: 3, mapSlots: 2, reduceSlots: 1 };
const UNEVEN = {
  mapSlots: 2,
  reduceSlots: 1,
  racks: [
    {
      name: "a",
      nodes: [
        { count: 2, mapSlots: 4, speed: 2 },
        { count: 1, reduceSlots: 0 },
      ],
    },
    { name: "b", nodes: [{ count: 1, mapSlots: 0, reduceSlots: 2 }] },
    { name: "c", nodes: [{ count: 3, mapSlots: 1, speed: 0.5 }] },
  ],
};

/** Every case of the kit. @param seed what generated jobs are a function of, with the name of the case. */
export function contractCases(seed: string): ContractCase[] {
  const burst = (submitTime: string, user: string): Job => ({
    name: `${user}-${submitTime}`,
    at: submitTime,
    user,
    maps: 7,
    count: 5,
    mapTime: "8s",
  });
  const jobs = (...list: Job[]): Job => ({ kind: "jobs", jobs: list });
  const drawn = (name: string, count: number): Job => ({ kind: "jobs", jobs: drawnJobs(`${seed}/${name}`, count) });
  return [
    caseOf(
      "bursts",
      NINE_NODES,
      jobs(burst("0s", "ann"), burst("0s", "bob"), burst("40s", "ann"), burst("40s", "eve")),
    ),
    caseOf("huge", NINE_NODES, jobs({ name: "huge", maps: 220, reduces: 12 }, ...tail(12)), { onThreads: true }),
    caseOf("stream", NINE_NODES, stream(), { soon: { job: "small", withinSeconds: 120 } }),
    caseOf("waits", NINE_NODES, jobs({ name: "one", maps: 1, mapTime: "5s", count: 60, every: "20700ms" }), {
      waits: true,
      sections: { storage: { replication: 1 } },
    }),
    caseOf("one-node", { racks: 1, nodesPerRack: 1, mapSlots: 1, reduceSlots: 1 }, drawn("one-node", 8)),
    caseOf("uneven", UNEVEN, drawn("uneven", 25)),
    caseOf("reduces", NINE_NODES, jobs({ name: "r", maps: 0, reduces: 40, reduceTime: "20s" }, ...tail(6)), {
      sections: { runtime: { slowStart: 1, jobSetup: 0 } },
    }),
    caseOf("life", { ...NINE_NODES, heartbeatJitter: 0.5 }, drawn("life", 20), {
      sections: { runtime: { setupTasks: true, commit: "on", jobSetup: "3s", jobCleanup: "2s" } },
    }),
    caseOf("rows", { ...inRows(), outOfBandDelay: "200ms" }, drawn("rows", 20), {
      sections: { storage: { replication: 1 } },
    }),
    caseOf("failures", { ...NINE_NODES, nodesPerRack: 2 }, drawn("failures", 15), {
      sections: { runtime: { attempts: { maxPerTask: 1000 } }, faults: { mapFailure: 0.4, reduceFailure: 0.3 } },
    }),
    caseOf("faults", NINE_NODES, drawn("faults", 25), { onThreads: true, sections: FAULTS }),
  ];
}

/** The names of the kit's scenarios. */
export function contractCaseNames(): string[] {
  return namesOf(contractCases("1"));
}

const FAULTS = {
  runtime: { model: "detailed", speculation: "late", attempts: { trackerExpiry: "30s", maxPerTask: 20 } },
  faults: {
    events: [
      { kind: "crash", rack: "rack01", node: 1, at: "40s", for: "2m" },
      { kind: "switch", rack: "rack02", at: "70s", for: "1m" },
    ],
    mapFailure: 0.05,
    reduceFailure: 0.02,
    stragglers: { share: 0.1, factor: 4 },
  },
};

function caseOf(
  name: string,
  cluster: Readonly<Record<string, unknown>>,
  workload: Job,
  more: Partial<Omit<ContractCase, "name">> = {},
): ContractCase {
  const { sections = {}, onThreads = false, ...otherFields } = more;
  return {
    name,
    sections: { name, cluster, workload, run: RUN, ...sections },
    onThreads,
    ...otherFields,
  };
}

function inRows(): Readonly<Record<string, unknown>> {
  const rack = (row: string): Job => ({ row, count: 2, nodes: 3 });
  return { mapSlots: 2, reduceSlots: 1, racks: [rack("north"), rack("south")] };
}

/** Small jobs behind something large. */
function tail(count: number): Job[] {
  return [{ name: "small", user: "ann", at: "20s", maps: 2, reduces: 1, mapTime: "5s", count, every: "7s" }];
}

/**
 * A job that holds the cluster for some five minutes, others that keep it nearly full, and a small one in their midst.
 */
function stream(): Job {
  return {
    kind: "jobs",
    jobs: [
      { name: "first", user: "bob", maps: 400, mapTime: "15s" },
      { name: "next", user: "ann", at: "5s", maps: 12, mapTime: "15s", count: 30, every: "12s" },
      { name: "small", user: "eve", at: "1m", maps: 3, mapTime: "15s" },
    ],
  };
}

/** Jobs of any size at any time, many of them at once; a function of the seed alone. */
function drawnJobs(seed: string, count: number): Job[] {
  const word = seedWord(seed, "contract/jobs");
  return Array.from({ length: count }, (_, job) => {
    let draws = 0;
    const upTo = (bound: number) => scaled(counterHash(word, job, draws++), bound);
    const oneOf = <T>(...list: readonly T[]): T => list[upTo(list.length)];
    const maps = oneOf(1, 2, 3, 9, 30, 0);
    return {
      name: `job${job}`,
      at: `${oneOf(0, 0, 10, upTo(90))}s`,
      user: oneOf("ann", "bob", "eve"),
      priority: oneOf("very-high", "normal", "normal", "low", "very-low"),
      maps,
      mapTime: `${1 + upTo(20)}s`,
      reduces: maps === 0 ? 1 + upTo(4) : oneOf(0, 0, 1, 3),
      copyTime: `${upTo(9)}s`,
      reduceTime: `${1 + upTo(15)}s`,
      ...(oneOf(true, false) ? { file: oneOf("logs", "clicks") } : {}),
    };
  });
}
