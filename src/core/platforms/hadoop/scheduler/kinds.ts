import type { WaitSpec } from "../../../scenario/index.js";

/** What a scenario may name as `scheduler.kind`, and the wait it has when the scenario says nothing. */
export interface SchedulerKind {
  readonly name: string;
  /** One line for `--help` and tables. */
  readonly summary: string;
  readonly defaultWait: WaitSpec;
  /** Demands are refreshed this often unless the scenario says otherwise; 0 = always fresh. */
  readonly defaultUpdateIntervalUs: number;
  /** It follows a rule set, and allocations in the scenario (`pools` and so on) have a meaning. */
  readonly hasPools: boolean;
  /** It divides slots among groups of jobs that it knows by name, so that there is something to see over time. */
  readonly dividesSlots?: true;
  /** A job may wait as long as others keep coming: the conformance kit does not ask otherwise. */
  readonly mayStarve?: boolean;
  /** Keys of its own in the `scheduler` mapping, beside those that every kind uses. */
  readonly ownKeys?: readonly string[];
  /** Keys that other kinds use and this one does not. */
  readonly ignoredKeys?: readonly string[];
}

/** The registry: the one list of schedulers. */
export const SCHEDULER_KINDS: readonly SchedulerKind[] = [
  {
    name: "fifo",
    summary: "Hadoop's FIFO: priority, then submit time; takes any slot at once; the paper's rules or a release's",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    mayStarve: true,
    ownKeys: ["rules"],
  },
  {
    name: "fair",
    summary: "naive fair sharing (Algorithm 1): fewest running tasks first; takes any slot at once",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
  },
  {
    name: "delay",
    summary: "fair sharing with delay scheduling by skip counts (Algorithm 2)",
    defaultWait: { kind: "skips", node: 270, rack: 30 },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
  },
  {
    name: "hfs",
    summary:
      "Hadoop Fair Scheduler: pools, min shares, preemption, waits (Algorithm 3); the paper's rules or a release's",
    defaultWait: { kind: "time", nodeUs: 10_000_000, rackUs: 5_000_000 },
    defaultUpdateIntervalUs: 500_000,
    hasPools: true,
    dividesSlots: true,
  },
  {
    name: "capacity",
    summary: "Yahoo!'s capacity scheduler: queues with parts of the cluster, least used first; user limits, elasticity",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    // In a queue jobs go by priority and submission.
    mayStarve: true,
    dividesSlots: true,
    ownKeys: ["capacity", "strict", "poolBy", "mapsPerHeartbeat", "reducesPerHeartbeat"],
  },
  {
    name: "partition",
    summary: "static partition (Torque, Hadoop On Demand): a private cluster for every pool or user",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["partition", "strict"],
  },
  {
    name: "dsfs",
    summary: "fair sharing that waits T1 for the node and until T2 for the rack (Li and Zhang 2012)",
    defaultWait: { kind: "time", nodeUs: 5_000_000, rackUs: 5_000_000 },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["dsfs"],
  },
  {
    name: "offers",
    summary:
      "resource offers (Nexus, Mesos): a scheduler for every pool or user, and a master that offers them free slots",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["offers", "strict"],
  },
  {
    name: "kill",
    summary: "fair sharing that kills instead of waiting: jobs get their shares at once, from those above theirs",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
  },
  {
    name: "quincy",
    summary: "Quincy: all maps placed at once by a minimum-cost flow, or greedily; fair and preempting by policy",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["quincy"],
    ignoredKeys: ["wait", "updateInterval", "preference"],
  },
];

/** What is compared when nobody says what: the schedulers of the delay scheduling paper. */
export const DEFAULT_KINDS: readonly string[] = ["fifo", "fair", "delay", "hfs"];
