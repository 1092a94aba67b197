import { sumOver, counterHash, exp, fractionOf, ln, scaled, seedWord } from "../../kernel/index.js";
import type { SparkJob, SparkStage, SparkTask } from "./application.js";
import { NOWHERE } from "./executors.js";

/*
 * On which hosts the blocks lay that a log's tasks read. A log shows the one host on which a task found its block, or
 * none. But Spark gives a free core the first task of the list that has its data there: while a task waited, a host
 * that took a later one, or took one without its data, or stood idle, had no data of it. What remains possible says by
 * its number, too, how many replicas blocks have.
 */

/**
 * Replicas of a block: 3 is `dfs.replication` of Hadoop's hdfs-default.xml, and so as likely as fewer before the log
 * has spoken.
 */
const REPLICAS: readonly { readonly replicas: number; readonly chance: number }[] = [
  { replicas: 1, chance: 0.25 },
  { replicas: 2, chance: 0.25 },
  { replicas: 3, chance: 0.5 },
];
/** Hosts with data and without executors: each further one half as likely. */
const MOST_UNSEEN = 3;

/** Hosts on which a log leaves it possible that one task has data. */
interface Possible {
  readonly stage: number;
  readonly task: number;
  readonly isFound: boolean;
  /** Its launch is known, so that hosts are known on which it had no data. */
  readonly isTold: boolean;
  /** Hosts that may hold further replicas; valid during the visit. */
  readonly hosts: readonly number[];
  /** Hosts on which tasks found their data. */
  readonly hostCount: number;
}

/**
 * Further places of input, which a log does not show: as many replicas of all blocks as the seed says, of those that
 * the log makes likely, on hosts where tasks of the stage found their data and on which the log leaves it possible.
 * @param hostWithout executors; undefined: there is none.
 */
export function jobsWithDrawnReplicas(
  jobs: readonly SparkJob[],
  seed: string,
  hostWithout: number | undefined,
): readonly SparkJob[] {
  const word = seedWord(seed, "spark/replicas");
  const stages = jobs.flatMap((job) => job.stages);
  const { replicas, unseen } = drawnFrom(likelihoods(stages), fractionOf(counterHash(word, 0, 0)));
  const drawn = stages.map(({ tasks }) => [...tasks]);
  eachPossible(stages, ({ stage, task, isFound, hosts }) => {
    const { places, ...otherFields } = drawn[stage][task];
    const candidates = [...hosts];
    const chosen = isFound ? [...places] : [];
    for (let draw = 0; chosen.length + draw < replicas && candidates.length + unseen > 0;) {
      // Beyond the hosts that are left are those of which no executor tells.
      const index = scaled(
        counterHash(word, stage + 1, task * REPLICAS.length + chosen.length + draw),
        candidates.length + unseen,
      );
      if (index < candidates.length) chosen.push({ host: candidates.splice(index, 1)[0] });
      else draw++;
    }
    if (chosen.length === 0) chosen.push(...(hostWithout === undefined ? places : [{ host: hostWithout }]));
    drawn[stage][task] = { ...otherFields, places: chosen };
  });
  let place = 0;
  return jobs.map((job) => ({
    ...job,
    stages: job.stages.map((stage) => ({ ...stage, tasks: drawn[place++] })),
  }));
}

interface Hypothesis {
  readonly replicas: number;
  readonly unseen: number;
  readonly logChance: number;
}

/**
 * Returns the likelihood of the log for each number of replicas, and of hosts that have data but no executors. Replicas
 * of a block are on different hosts, and all sets of hosts are equally likely. Given the launches, the likelihood is
 * the probability that no block lies where the log excludes it.
 */
function likelihoods(stages: readonly SparkStage[]): Hypothesis[] {
  const hypotheses = REPLICAS.flatMap(({ replicas, chance }) =>
    Array.from({ length: MOST_UNSEEN + 1 }, (_, unseen) => ({
      replicas,
      unseen,
      logChance: ln(chance) - unseen * ln(2),
    })),
  );
  const sums = hypotheses.map(({ logChance }) => logChance);
  eachPossible(stages, ({ isFound, isTold, hosts, hostCount }) => {
    if (!isTold) return;
    hypotheses.forEach(({ replicas, unseen }, index) => {
      const shown = isFound ? 1 : 0;
      // Fewer hosts than replicas: one on each.
      const copies = Math.min(replicas, hostCount + unseen);
      sums[index] += ln(setsOf(copies - shown, hosts.length + unseen) / setsOf(copies, hostCount + unseen));
    });
  });
  return hypotheses.map((hypothesis, index) => ({ ...hypothesis, logChance: sums[index] }));
}

/**
 * Returns the number of sets of a size. If there are too few members to choose from, it is a little above 0, because no
 * log fits its model exactly.
 */
function setsOf(chosen: number, from: number): number {
  let sets = 1;
  for (let index = 0; index < chosen; index++) sets *= Math.max(1e-9, from - index) / (index + 1);
  return sets;
}

function drawnFrom(hypotheses: readonly Hypothesis[], fraction: number): Hypothesis {
  const largest = Math.max(...hypotheses.map(({ logChance }) => logChance));
  const weights = hypotheses.map(({ logChance }) => exp(logChance - largest));
  let remainder = fraction * sumOver(weights);
  return hypotheses.find((_, index) => (remainder -= weights[index]) < 0) ?? hypotheses[0];
}

/** Tasks of input that have places, stage by stage in the order of launch; those without a known launch last. */
function eachPossible(stages: readonly SparkStage[], visit: (task: Possible) => void): void {
  const isFound = ({ level, places }: SparkTask) => level === undefined && places.length > 0;
  const inputs = stages.map(({ reads, tasks }) => (reads === "input" ? tasks : []));
  const foundHosts = inputs.flatMap((tasks) => tasks.flatMap((task) => (isFound(task) ? [task.places[0].host] : [])));
  const dataHosts = [...new Set(foundHosts)];
  if (dataHosts.length === 0) return;
  inputs.forEach((tasks, stage) => {
    const launchOf = (task: number) => tasks[task].launch ?? Infinity;
    const order = [...tasks.keys()].filter((task) => tasks[task].places.length > 0);
    order.sort((a, b) => (launchOf(a) === launchOf(b) ? a - b : launchOf(a) - launchOf(b)));
    const dryFrom = new Map(stages[stage].dry?.map(({ host, launch }) => [host, launch]));
    const latest = new Map<number, number>();
    for (const task of order) {
      const launch = launchOf(task);
      const isTold = launch < Infinity;
      const foundHost = isFound(tasks[task]) ? tasks[task].places[0].host : NOWHERE;
      const hosts = dataHosts.filter((host) => {
        if (host === foundHost) return false;
        return !isTold || ((dryFrom.get(host) ?? Infinity) > launch && (latest.get(host) ?? NOWHERE) < task);
      });
      visit({ stage, task, isFound: foundHost !== NOWHERE, isTold, hosts, hostCount: dataHosts.length });
      if (isTold && foundHost !== NOWHERE) latest.set(foundHost, Math.max(task, latest.get(foundHost) ?? NOWHERE));
    }
  });
}
