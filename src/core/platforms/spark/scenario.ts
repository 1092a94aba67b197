import type { AnyScenario } from "../../scenario/index.js";
import type { DynamicAllocation } from "./allocation.js";
import type { ExecutorLosses, SparkApplication, SparkFailures, SparkJob, SparkTiming } from "./application.js";
import { NOWHERE } from "./executors.js";
import type { PoolSpec } from "./pools.js";
import { SPARK_RULES, type SparkSettings, type SparkVersion } from "./rules.js";
import type { ListedJob } from "./workload.js";

/** A scenario of Spark with every default filled in: what a run is a function of, together with the file of its workload. */
export interface SparkScenario extends AnyScenario {
  readonly platform: "spark";
  readonly cluster: { readonly hosts: readonly HostSpec[] };
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
  readonly runtime: SparkTiming;
}

export interface HostSpec {
  readonly name: string;
  /** Empty: the cluster manager knows none. */
  readonly rack: string;
  /** Relative to other hosts: times of tasks are divided by it. */
  readonly speed: number;
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

/** The application of a scenario, with the jobs of its workload. */
export function applicationOf(scenario: SparkScenario, jobs: readonly SparkJob[]): SparkApplication {
  const { cluster, executors, allocation, scheduler, failures, losses, runtime } = scenario;
  const { kind: _kind, version, pools, reduceLocality, ...settings } = scheduler;
  const racks = [...new Set(cluster.hosts.map(({ rack }) => rack))].filter((rack) => rack !== "");
  return {
    rules: SPARK_RULES[version],
    settings,
    pools,
    timing: runtime,
    executors: executors.map(({ host, cores, fromUs, untilUs }) => ({ host, cores, fromUs, untilUs })),
    racks: cluster.hosts.map(({ rack }) => (rack === "" ? NOWHERE : racks.indexOf(rack))),
    speeds: cluster.hosts.map(({ speed }) => speed),
    jobs,
    ...(reduceLocality === undefined ? {} : { reduceLocality }),
    ...(failures === undefined ? {} : { failures: { ...failures, planned: [] } }),
    ...(losses === undefined ? {} : { losses }),
    ...(allocation === undefined ? {} : { allocation: { ...allocation, hosts: [...cluster.hosts.keys()] } }),
  };
}
