import type { AnyScenario } from "../../scenario/index.js";
import type { DynamicAllocation } from "./allocation.js";
import type { ExecutorLosses, SparkApplication, SparkFailures, SparkJob, SparkTiming } from "./application.js";
import { type Copied, drawnFrom, type FactorRange } from "../../workload/index.js";
import { type AwayFactorName, type AwayFactors, NOWHERE_DEARER } from "./away.js";
import {
  jobsAsCopied,
  jobsOfAnotherRun,
  jobsWithDrawnReplicas,
  jobsWithDrawnTimes,
  jobsWithReduceLocality,
} from "./copied.js";
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
  readonly runtime: SparkRuntime;
  /** In the order in which they are listed, which is that of their requests where several come at once. */
  readonly applications?: readonly NamedApplication[];
}

/** What messages take, and what tasks take away from their data. Factors that are not there are 1. */
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
  /** Of logarithms of times of tasks in a stage, the standard deviation that an import cannot explain; not there: 0. */
  readonly spread?: number;
  /** What first and second tasks of an executor take, relative to later ones; not there: as long. */
  readonly firstFactor?: number;
  readonly secondFactor?: number;
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
  /** Not there: reduce tasks prefer no host. */
  readonly reduceLocality?: true;
}

/** An application of a scenario, with the jobs of its workload. @param startUs what its times count from. @param seed of what is drawn. */
export function applicationOf(
  { cluster, runtime }: Pick<SparkScenario, "cluster" | "runtime">,
  { executors, areOthers, allocation, scheduler, failures, losses, workload }: ApplicationSpec,
  listed: readonly SparkJob[],
  seed: string,
  startUs = 0,
): SparkApplication {
  const { kind: _kind, version, pools, reduceLocality, ...settings } = scheduler;
  const timing = timingOf(runtime, seed);
  const first = jobsOf(listed, { workload, runtime, hasProfiles: allocation === undefined }, seed);
  const isRerun = runtime.draw === true && runtime.rerun === true;
  const again = isRerun ? jobsOfAnotherRun(first, { away: timing.away, spread: runtime.spread ?? 0 }, seed) : first;
  const reduces = runtime.draw === true ? jobsWithReduceLocality(again) : null;
  const jobs = reduces ?? again;
  const racks = [...new Set(cluster.hosts.map(({ rack }) => rack))].filter((rack) => rack !== "");
  return {
    rules: SPARK_RULES[version],
    settings,
    pools,
    timing,
    executors: executors.map(({ id: _, ...own }) => {
      return { ...own, fromUs: own.fromUs + startUs, untilUs: own.untilUs + startUs };
    }),
    racks: cluster.hosts.map(({ rack }) => (rack === "" ? NOWHERE : racks.indexOf(rack))),
    speeds: cluster.hosts.map(({ speed }) => speed),
    jobs: startUs === 0 ? jobs : jobs.map((job) => ({ ...job, submitAtUs: job.submitAtUs + startUs })),
    ...(startUs === 0 ? {} : { startUs }),
    ...(areOthers === undefined ? {} : { areOthers }),
    ...(reduceLocality === true || reduces !== null ? { reduceLocality: true } : {}),
    ...(failures === undefined ? {} : { failures: { ...failures, planned: [] } }),
    ...(losses === undefined ? {} : { losses: lossesFrom(losses, startUs) }),
    ...(allocation === undefined ? {} : { allocation: { ...allocation, hosts: hostsForExecutors(cluster.hosts) } }),
  };
}

function timingOf(
  { ranges, draw, rerun: _, spread: __, rackFactor, anyFactor, ...rest }: SparkRuntime,
  seed: string,
): SparkTiming {
  const { cachedNodeFactor, cachedAnyFactor, shuffleAnyFactor, firstFactor = 1, secondFactor = 1, ...timing } = rest;
  const estimated: AwayFactors = {
    rackFactor,
    anyFactor,
    cachedNodeFactor: cachedNodeFactor ?? NOWHERE_DEARER.cachedNodeFactor,
    cachedAnyFactor: cachedAnyFactor ?? NOWHERE_DEARER.cachedAnyFactor,
    shuffleAnyFactor: shuffleAnyFactor ?? NOWHERE_DEARER.shuffleAnyFactor,
  };
  const drawn = draw === true ? drawnFrom(ranges ?? {}, seed, "spark/away") : {};
  return {
    ...timing,
    away: { ...estimated, ...drawn },
    ...(firstFactor === 1 && secondFactor === 1 ? {} : { warmUp: [firstFactor, secondFactor] }),
  };
}

/** @param hasProfiles false: executors that are allocated have the default profile, and all stages run on them. */
function jobsOf(
  listed: readonly SparkJob[],
  of: Pick<ApplicationSpec, "workload"> & { readonly runtime: SparkRuntime; readonly hasProfiles: boolean },
  seed: string,
): readonly SparkJob[] {
  const { workload, runtime, hasProfiles } = of;
  const copied = workload.kind === "stages" ? (workload.copied ?? "recorded") : "recorded";
  const jobs = jobsAsCopied(listed, copied, seed);
  const drawn = runtime.draw === true ? jobsWithDrawnReplicas(jobsWithDrawnTimes(jobs, seed), seed) : jobs;
  if (hasProfiles || !drawn.some(({ stages }) => stages.some(({ profile }) => profile !== undefined))) return drawn;
  return drawn.map((job) => ({
    ...job,
    stages: job.stages.map(({ profile: _, taskCores: __, ...stage }) => stage),
  }));
}

function lossesFrom(losses: ExecutorLosses, startUs: number): ExecutorLosses {
  const events = losses.events.map(({ executor, atUs }) => ({ executor, atUs: atUs + startUs }));
  return { ...losses, events, untilUs: losses.untilUs + startUs };
}
