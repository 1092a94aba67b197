import { counterHash, fractionOf, seedWord } from "../../kernel/index.js";
import { type Copied, placeBeside } from "../../workload/index.js";
import type { SparkJob, SparkStage, SparkTask } from "./application.js";

/** @param jobs of the table. @param seed by which stages are held out. */
export function jobsAsCopied(jobs: readonly SparkJob[], copied: Copied, seed: string): readonly SparkJob[] {
  if (copied === "recorded") return jobs;
  const stageFor = copied === "none" ? withoutRecorded : heldOut(jobs, seed);
  let place = 0;
  return jobs.map(({ endUs: _, ...job }) => ({ ...job, stages: job.stages.map((stage) => stageFor(stage, place++)) }));
}

/**
 * Driver's times of one run, where a log tells only a range. One fraction holds for all stages: what hides the driver's time, such as a wait for
 * locality, hides it in all of them alike.
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

function withoutRecorded({ beforeUs: _, driverUs: __, driverMostUs: ___, tasks, ...stage }: SparkStage): SparkStage {
  return { ...stage, tasks: tasks.map(({ delayUs: _, resultUs: __, failures: ___, ...task }) => task) };
}

function timesOf({ beforeUs, driverUs }: SparkStage): Pick<SparkStage, "beforeUs" | "driverUs"> {
  return { ...(beforeUs === undefined ? {} : { beforeUs }), ...(driverUs === undefined ? {} : { driverUs }) };
}

/** A stage takes its driver's time of one other stage; each task takes delays and failures of one task of the other stages. */
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
    const others = timed.length - (rank === undefined ? 0 : 1);
    const donor =
      timed[placeBeside(counterHash(word, place, 0), timed.length, rank ?? timed.length, timed.length - others)];
    const own = stage.tasks.length;
    return {
      ...bare,
      ...(others === 0 ? {} : timesOf(stages[donor])),
      tasks: bare.tasks.map((task, i): SparkTask => {
        if (tasks.length === own) return task;
        const from = tasks[placeBeside(counterHash(word, place, i + 1), tasks.length, firstOf[place], own)];
        return {
          ...task,
          ...(from.delayUs === undefined ? {} : { delayUs: from.delayUs }),
          ...(from.resultUs === undefined ? {} : { resultUs: from.resultUs }),
          ...(from.failures === undefined || stage.isBarrier ? {} : { failures: from.failures }),
        };
      }),
    };
  };
}
