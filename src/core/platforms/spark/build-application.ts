import { definedFields } from "../../kernel/index.js";
import { drawnFrom } from "../../workload/index.js";
import type { ExecutorLosses, SparkApplication, SparkJob, SparkTiming } from "./application.js";
import { type AwayFactors, NOWHERE_DEARER } from "./away.js";
import { jobsAsCopied, jobsOfAnotherRun, jobsWithDrawnTimes, jobsWithReduceLocality } from "./copied.js";
import { NOWHERE } from "./executors.js";
import { jobsWithDrawnReplicas } from "./replicas.js";
import { SPARK_RULES } from "./rules.js";
import {
  type ApplicationSpec,
  hostsForExecutors,
  type HostSpec,
  type SparkRuntime,
  type SparkScenario,
} from "./scenario.js";

// From a scenario to what is run: apart from the scenario, so that those of other platforms are read without it.

/**
 * An application of a scenario, with the jobs of its workload. @param startUs what its times count from. @param seed of
 * what is drawn.
 */
export function applicationOf(
  { cluster, runtime }: Pick<SparkScenario, "cluster" | "runtime">,
  { executors, areOthers, allocation, scheduler, failures, losses, workload }: ApplicationSpec,
  listed: readonly SparkJob[],
  seed: string,
  startUs = 0,
): SparkApplication {
  const { kind: _kind, version, pools, reduceLocality, ...settings } = scheduler;
  const timing = timingOf(runtime, seed);
  const without = cluster.hosts.findIndex(({ executors: mayHave }) => mayHave === false);
  const hostWithout = without < 0 ? undefined : without;
  const first = jobsOf(listed, { workload, runtime, hostWithout, hasProfiles: allocation === undefined }, seed);
  const isRerun = runtime.draw === true && runtime.rerun === true;
  const again = isRerun ? jobsOfAnotherRun(first, { away: timing.away, spread: runtime.spread ?? 0 }, seed) : first;
  // A log shows the hosts that reduce tasks preferred with its settings; a draw asks which they prefer with others.
  const isAsked = runtime.draw === true && workload.kind === "stages" && reduceLocality !== false;
  const jobs = isAsked ? jobsWithReduceLocality(again) : again;
  const racks = [...new Set(cluster.hosts.map(({ rack }) => rack))].filter((rack) => rack !== "");
  return {
    rules: SPARK_RULES[version],
    settings,
    pools,
    timing,
    executors: executors.map(({ id: _, ...executor }) => {
      return { ...executor, fromUs: executor.fromUs + startUs, untilUs: executor.untilUs + startUs };
    }),
    racks: cluster.hosts.map(({ rack }) => (rack === "" ? NOWHERE : racks.indexOf(rack))),
    ...speedsOf(cluster.hosts, runtime.draw === true ? seed : null),
    jobs: startUs === 0 ? jobs : jobs.map((job) => ({ ...job, submitAtUs: job.submitAtUs + startUs })),
    ...(startUs === 0 ? {} : { startUs }),
    ...definedFields({ areOthers }),
    ...(reduceLocality === true || isAsked ? { reduceLocality: true } : {}),
    ...(failures === undefined ? {} : { failures: { ...failures, planned: [] } }),
    ...(losses === undefined ? {} : { losses: lossesFrom(losses, startUs) }),
    ...(allocation === undefined ? {} : { allocation: { ...allocation, hosts: hostsForExecutors(cluster.hosts) } }),
  };
}

/**
 * Returns the speeds of hosts. Speeds that were estimated from a log are drawn from their ranges. Without a draw these
 * hosts are alike, and a task takes its recorded time everywhere: a replay uses values of the log, but no estimates.
 * @param seed null: nothing is drawn.
 */
function speedsOf(
  hosts: readonly HostSpec[],
  seed: string | null,
): Pick<SparkApplication, "speeds" | "recordedSpeeds"> {
  const recorded = hosts.flatMap(({ name, recordedSpeed }) =>
    recordedSpeed === undefined ? [] : [[name, recordedSpeed] as const],
  );
  const drawn = seed === null ? {} : drawnFrom<string>(Object.fromEntries(recorded), seed, "spark/speeds");
  const recordedSpeeds = hosts.map(({ name }) => drawn[name] ?? 1);
  return { recordedSpeeds, speeds: hosts.map(({ speed }, host) => speed ?? recordedSpeeds[host]) };
}

function timingOf(
  { ranges, draw, rerun: _, spread: __, rackFactor, anyFactor, ...factors }: SparkRuntime,
  seed: string,
): SparkTiming {
  const { cachedNodeFactor, cachedAnyFactor, shuffleAnyFactor, firstFactor = 1, secondFactor = 1, ...timing } = factors;
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
  source: Pick<ApplicationSpec, "workload"> & {
    readonly runtime: SparkRuntime;
    readonly hostWithout: number | undefined;
    readonly hasProfiles: boolean;
  },
  seed: string,
): readonly SparkJob[] {
  const { workload, runtime, hostWithout, hasProfiles } = source;
  const copied = workload.kind === "stages" ? (workload.copied ?? "recorded") : "recorded";
  const jobs = jobsAsCopied(listed, copied, seed);
  const drawn = runtime.draw === true ? jobsWithDrawnReplicas(jobsWithDrawnTimes(jobs, seed), seed, hostWithout) : jobs;
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
