import {
  definedFields,
  counterHash,
  exp,
  fractionOf,
  ln,
  maxOver,
  normalQuantile,
  seedWord,
  tally,
} from "../../kernel/index.js";
import { median } from "../../record/index.js";
import { type Copied, placeBeside } from "../../workload/index.js";
import type { SparkJob, SparkStage, SparkTask } from "./application.js";
import { type AwayFactors, awayFactor } from "./away.js";

/**
 * Applies `workload.copied` to the jobs of a table.
 * @param seed draws, under `heldOut`, the stages and tasks that lend their values.
 */
export function jobsAsCopied(jobs: readonly SparkJob[], copied: Copied, seed: string): readonly SparkJob[] {
  if (copied === "recorded") return jobs;
  const stageFor = copied === "none" ? withoutRecorded : heldOut(jobs, seed);
  let place = 0;
  return jobs.map(({ endUs: _, ...job }) => ({ ...job, stages: job.stages.map((stage) => stageFor(stage, place++)) }));
}

/**
 * Draws the driver's times for which a log gives only a range. All stages share one drawn fraction: a cause that hides
 * the driver's time, such as a wait for locality, hides it in all stages alike.
 */
export function jobsWithDrawnTimes(jobs: readonly SparkJob[], seed: string): readonly SparkJob[] {
  const fraction = fractionOf(counterHash(seedWord(seed, "spark/driver"), 0, 0));
  return jobs.map((job) => ({
    ...job,
    stages: job.stages.map((stage) => {
      const { driverUs, driverMostUs } = stage;
      if (driverUs === undefined || driverMostUs === undefined) return stage;
      return { ...stage, driverUs: Math.round(driverUs + fraction * (driverMostUs - driverUs)) };
    }),
  }));
}

/** Standard deviations beyond which a deviation is the task's own, and not chance. */
const OWN_BEYOND = 2;

/**
 * Draws another run of the same work. One run does not tell how much of the unexplained part of task times is the
 * tasks' own, and how much was chance: the seed draws that share, and then the part of chance anew.
 * @param spread unexplained standard deviation of the logarithms of task times within a stage.
 */
export function jobsOfAnotherRun(
  jobs: readonly SparkJob[],
  { away, spread }: { readonly away: AwayFactors; readonly spread: number },
  seed: string,
): readonly SparkJob[] {
  const word = seedWord(seed, "spark/another-run");
  const ownShare = fractionOf(counterHash(word, 0, 0));
  const limit = OWN_BEYOND * spread;
  let place = 0;
  return jobs.map((job) => ({
    ...job,
    stages: job.stages.map((stage) => {
      place++;
      const logs = stage.tasks.map(({ runUs, level }) => {
        return ln(Math.max(1, runUs) / (level === undefined ? 1 : awayFactor(away, stage.reads, level)));
      });
      const middle = median(logs);
      const tasks = stage.tasks.map((task, index) => {
        const beyond = Math.min(limit, Math.max(-limit, logs[index] - middle));
        const chance = spread * normalQuantile(fractionOf(counterHash(word, place, index)));
        const runUs = Math.max(
          1,
          Math.round(task.runUs * exp(Math.sqrt(1 - ownShare * ownShare) * chance - (1 - ownShare) * beyond)),
        );
        return { ...task, runUs };
      });
      return { ...stage, tasks };
    }),
  }));
}

/**
 * Prepares reduce tasks of a log to prefer hosts by where their maps run in the simulation, as with other settings maps
 * run elsewhere. The places that the log shows are removed. A task whose input lay on no host in particular, by the
 * log, prefers none: for example one of an empty partition, of which a stage may have many.
 */
export function jobsWithReduceLocality(jobs: readonly SparkJob[]): readonly SparkJob[] {
  return jobs.map((job) => ({
    ...job,
    stages: job.stages.map((stage) => {
      if (!isReduce(stage)) return stage;
      const { tasks } = stage;
      const isPreferring = tasks.map(({ places, level }) => places.length > 0 || level !== undefined);
      const isShown =
        isPreferring.includes(true) || hadMuchOutput(job.stages[stage.parents[0]].tasks.map(({ host }) => host));
      return {
        ...stage,
        tasks: tasks.map((task, index) =>
          isShown && !isPreferring[index] ? { ...task, places: [], prefersMaps: false } : { ...task, places: [] },
        ),
      };
    }),
  }));
}

/**
 * The share of a stage's tasks on one host above which tasks that read its output must have preferred the host: twice
 * that from which Spark does, since Spark counts bytes.
 */
const MUCH_OUTPUT = 0.4;

/** Whether one host ran so many tasks of a stage that their readers preferred it. @param hosts by task, where known. */
export function hadMuchOutput(hosts: readonly (string | number | undefined)[]): boolean {
  const counts = new Map<string | number, number>();
  for (const host of hosts) if (host !== undefined) tally(counts, host);
  return maxOver([...counts.values()], Number, 0) > MUCH_OUTPUT * hosts.length;
}

/** Whether a stage reads maps that ran in the same job: those of other jobs are not known. */
function isReduce({ reads, parents }: SparkStage): boolean {
  return reads === "shuffle" && parents.length > 0;
}

function withoutRecorded({ beforeUs: _, driverUs: __, driverMostUs: ___, tasks, ...stage }: SparkStage): SparkStage {
  return { ...stage, tasks: tasks.map(({ delayUs: _, resultUs: __, failures: ___, ...task }) => task) };
}

function timesOf({ beforeUs, driverUs }: SparkStage): Pick<SparkStage, "beforeUs" | "driverUs"> {
  return definedFields({ beforeUs, driverUs });
}

/**
 * A stage takes its driver's time of one other stage; each task takes delays and failures of one task of the other
 * stages.
 */
function heldOut(jobs: readonly SparkJob[], seed: string): (stage: SparkStage, place: number) => SparkStage {
  const word = seedWord(seed, "spark/held-out");
  const stages = jobs.flatMap((job) => job.stages);
  const timed = [...stages.keys()].filter((place) => stages[place].driverUs !== undefined);
  const rankOf = new Map(timed.map((place, rank) => [place, rank]));
  const tasks: SparkTask[] = stages.flatMap((stage) => [...stage.tasks]);
  let tasksBefore = 0;
  const firstOf = stages.map((stage) => (tasksBefore += stage.tasks.length) - stage.tasks.length);
  return (stage, place) => {
    const bare = withoutRecorded(stage);
    const rank = rankOf.get(place);
    const donors = timed.length - (rank === undefined ? 0 : 1);
    const donor =
      timed[placeBeside(counterHash(word, place, 0), timed.length, rank ?? timed.length, timed.length - donors)];
    const ownTasks = stage.tasks.length;
    return {
      ...bare,
      ...(donors === 0 ? {} : timesOf(stages[donor])),
      tasks: bare.tasks.map((task, i): SparkTask => {
        if (tasks.length === ownTasks) return task;
        const from = tasks[placeBeside(counterHash(word, place, i + 1), tasks.length, firstOf[place], ownTasks)];
        return {
          ...task,
          ...definedFields({ delayUs: from.delayUs, resultUs: from.resultUs }),
          ...(from.failures === undefined || stage.isBarrier ? {} : { failures: from.failures }),
        };
      }),
    };
  };
}
