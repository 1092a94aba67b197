import type { AnyScenario } from "../../scenario/index.js";
import type { ExecutorLosses, SparkFailures, SparkTiming } from "./application.js";
import type { Copied, FactorRange } from "../../workload/index.js";
import type { AwayFactorName, AwayFactors } from "./away.js";
import type { PoolSpec } from "./pools.js";
import type { SparkVersion } from "./rules.js";
import type { DynamicAllocation, SparkSettings } from "./settings.js";
import type { ListedJob } from "./workload.js";

/**
 * A scenario of Spark with every default filled in: what a run is a function of, together with the files of its
 * workloads. Where it lists several applications, what it says of one is what it says of the first.
 */
export interface SparkScenario extends AnyScenario, ApplicationSpec {
  readonly platform: "spark";
  readonly workload: ApplicationSpec["workload"];
  readonly scheduler: SparkScheduler;
  readonly cluster: { readonly hosts: readonly HostSpec[] };
  readonly runtime: SparkRuntime;
  /** In the order in which they are listed, which is that of their requests where several come at once. */
  readonly applications?: readonly NamedApplication[];
}

/** Times of messages, and of tasks away from their data. Factors that are not there are 1. */
export interface SparkRuntime
  extends
    Omit<SparkTiming, "away">,
    Pick<AwayFactors, "rackFactor" | "anyFactor">,
    Partial<Omit<AwayFactors, "rackFactor" | "anyFactor">> {
  /** Factors that are not known exactly; not there: all are. */
  readonly ranges?: Readonly<Partial<Record<AwayFactorName, FactorRange>>>;
  /** The seed draws what is not known exactly, from its ranges; not there: estimates hold. */
  readonly draw?: true;
  /** With `draw`: another run of the work of an import, in which chance is another. */
  readonly rerun?: true;
  /** Standard deviation of logarithms of times of tasks in a stage that an import cannot explain; not there: 0. */
  readonly spread?: number;
  /** Times of first and second tasks of an executor, relative to later ones; not there: as long. */
  readonly firstFactor?: number;
  readonly secondFactor?: number;
}

interface NamedApplication extends ApplicationSpec {
  readonly name: string;
  /** Its own times count from then. */
  readonly startUs: number;
}

/** An application: what runs on which executors, and how. */
export interface ApplicationSpec {
  readonly executors: readonly NamedExecutor[];
  /** Ids of executors of the table for which `executors.count` leaves no room. */
  readonly leftOut: readonly string[];
  /** They are not those of the table that a log gave; not there: they are, or no log did. */
  readonly areOthers?: true;
  /** Executors come and go by what waits, on all hosts; there is no list of them then. */
  readonly allocation?: Omit<DynamicAllocation, "hosts">;
  readonly workload: StagesFile | ListedStages;
  readonly scheduler: SparkScheduler;
  /** Attempts that fail, and executors that are lost; not there: none. */
  readonly failures?: Omit<SparkFailures, "planned">;
  readonly losses?: ExecutorLosses;
}

export interface HostSpec {
  readonly name: string;
  /** Empty: the cluster manager knows none. */
  readonly rack: string;
  /** Relative to other hosts: times of tasks are divided by it. Not there: what a log tells of it. */
  readonly speed?: number;
  /** The range that a log leaves possible: its recorded times there hold it. Not there: 1. */
  readonly recordedSpeed?: FactorRange;
  /** That executors may take; not there: as many as anybody wants. */
  readonly cores?: number;
  /** No executor comes there but one that a table names; not there: any may. */
  readonly executors?: false;
}

/** Hosts of executors that name none. */
export function hostsForExecutors(hosts: readonly HostSpec[]): number[] {
  return [...hosts.keys()].filter((host) => hosts[host].executors !== false);
}

export interface NamedExecutor {
  /** As Spark calls it. */
  readonly id: string;
  /** Its place among the hosts. */
  readonly host: number;
  readonly cores: number;
  /** Its resource profile; not there: the default one. */
  readonly profile?: number;
  readonly fromUs: number;
  /** Infinity: it stays. */
  readonly untilUs: number;
  /** It goes when it runs no task, from then on; not there: what it runs is lost. */
  readonly isLetGo?: true;
}

interface StagesFile {
  readonly kind: "stages";
  readonly file: string;
  /** Not there: as recorded. */
  readonly copied?: Exclude<Copied, "recorded">;
}

interface ListedStages {
  readonly kind: "jobs";
  readonly jobs: readonly ListedJob[];
}

export interface SparkScheduler extends SparkSettings {
  readonly kind: "spark";
  readonly version: SparkVersion;
  /** Directly below the root; none where task sets are ordered by themselves. */
  readonly pools: readonly PoolSpec[];
  /** undefined: reduce tasks prefer no host, except in runs that draw what a log leaves open. */
  readonly reduceLocality?: boolean;
}
