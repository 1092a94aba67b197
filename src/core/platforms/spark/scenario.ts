import type { AnyScenario } from "../../scenario/index.js";
import type { DynamicAllocation } from "./allocation.js";
import type { ExecutorLosses, SparkApplication, SparkFailures, SparkJob, SparkTiming } from "./application.js";
import { NOWHERE } from "./executors.js";
import type { PoolSpec } from "./pools.js";
import { SPARK_RULES, type SparkSettings, type SparkVersion } from "./rules.js";
import type { ListedJob } from "./workload.js";

/**
 * A scenario of Spark with every default filled in: what a run is a function of, together with the files of its workloads. Where it lists
 * several applications, what it says of one is what it says of the first.
 */
export interface SparkScenario extends AnyScenario, ApplicationSpec {
  readonly platform: "spark";
  readonly workload: ApplicationSpec["workload"];
  readonly scheduler: SparkScheduler;
  readonly cluster: { readonly hosts: readonly HostSpec[] };
  readonly runtime: SparkTiming;
  /** In the order in which they are listed, which is that of their requests where several come at once. */
  readonly applications?: readonly NamedApplication[];
}

export interface NamedApplication extends ApplicationSpec {
  readonly name: string;
  /** Its own times count from then. */
  readonly startUs: number;
}

/** An application: what runs on which executors, and how. */
export interface ApplicationSpec {
  readonly executors: readonly NamedExecutor[];
  /** Ids of executors of the table for which `executors.count` leaves no room. */
  readonly leftOut: readonly string[];
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
  /** Relative to other hosts: times of tasks are divided by it. */
  readonly speed: number;
  /** That executors may take; not there: as many as anybody wants. */
  readonly cores?: number;
  /** No executor comes there but one that a table names; not there: any may. */
  readonly executors?: false;
}

/** Where executors come that name no host. */
export function hostsForExecutors(hosts: readonly HostSpec[]): number[] {
  return [...hosts.keys()].filter((host) => hosts[host].executors !== false);
}

export interface NamedExecutor {
  /** As Spark calls it. */
  readonly id: string;
  /** Its place among the hosts. */
  readonly host: number;
  readonly cores: number;
  readonly fromUs: number;
  /** Infinity: it stays. */
  readonly untilUs: number;
}

interface StagesFile {
  readonly kind: "stages";
  readonly file: string;
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
  /** Not there: reduce tasks prefer no host. */
  readonly reduceLocality?: true;
}

/** An application of a scenario, with the jobs of its workload. @param startUs what its times count from. */
export function applicationOf(
  { cluster, runtime }: Pick<SparkScenario, "cluster" | "runtime">,
  { executors, allocation, scheduler, failures, losses }: ApplicationSpec,
  jobs: readonly SparkJob[],
  startUs = 0,
): SparkApplication {
  const { kind: _kind, version, pools, reduceLocality, ...settings } = scheduler;
  const racks = [...new Set(cluster.hosts.map(({ rack }) => rack))].filter((rack) => rack !== "");
  return {
    rules: SPARK_RULES[version],
    settings,
    pools,
    timing: runtime,
    executors: executors.map(({ host, cores, fromUs, untilUs }) => {
      return { host, cores, fromUs: fromUs + startUs, untilUs: untilUs + startUs };
    }),
    racks: cluster.hosts.map(({ rack }) => (rack === "" ? NOWHERE : racks.indexOf(rack))),
    speeds: cluster.hosts.map(({ speed }) => speed),
    jobs: startUs === 0 ? jobs : jobs.map((job) => ({ ...job, submitAtUs: job.submitAtUs + startUs })),
    ...(startUs === 0 ? {} : { startUs }),
    ...(reduceLocality === undefined ? {} : { reduceLocality }),
    ...(failures === undefined ? {} : { failures: { ...failures, planned: [] } }),
    ...(losses === undefined ? {} : { losses: lossesFrom(losses, startUs) }),
    ...(allocation === undefined ? {} : { allocation: { ...allocation, hosts: hostsForExecutors(cluster.hosts) } }),
  };
}

function lossesFrom(losses: ExecutorLosses, startUs: number): ExecutorLosses {
  const events = losses.events.map(({ executor, atUs }) => ({ executor, atUs: atUs + startUs }));
  return { ...losses, events, untilUs: losses.untilUs + startUs };
}
