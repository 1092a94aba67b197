import { definedFields, counterHash, fractionOf, seedWord } from "../../kernel/index.js";
import { type Copied, placeBeside } from "../../workload/index.js";
import type { YarnApplication, YarnStage, YarnTask } from "./application.js";

/** @param usualSlowStart of jobs of which nothing is copied. @param seed by which jobs and stages are held out. */
export function applicationsAsCopied(
  applications: readonly YarnApplication[],
  copied: Copied,
  usualSlowStart: number,
  seed: string,
): readonly YarnApplication[] {
  if (copied === "recorded") return applications;
  const bare = applications.map((application) => withoutRecorded(application, usualSlowStart));
  return copied === "none" ? bare : heldOut(applications, bare, seed);
}

function withoutRecorded(application: YarnApplication, usualSlowStart: number): YarnApplication {
  const { masterStartUs: _, masterStartMostUs: __, masterEndUs: ___, stages, ...kept } = application;
  return {
    ...kept,
    stages: stages.map((stage) => ({
      ...stage,
      slowStart: stage.parents.length === 0 ? stage.slowStart : usualSlowStart,
      tasks: stage.tasks.map(({ failures: _failures, ...task }) => task),
    })),
  };
}

/**
 * A job takes the times of the master of one other job; each task takes the failures of one task of the other stages.
 */
function heldOut(
  applications: readonly YarnApplication[],
  bare: readonly YarnApplication[],
  seed: string,
): YarnApplication[] {
  const word = seedWord(seed, "yarn/held-out");
  const timed = [...applications.keys()].filter((job) => applications[job].masterStartUs !== undefined);
  const rankOf = new Map(timed.map((job, rank) => [job, rank]));
  const tasks = applications.flatMap(({ stages }) => stages.flatMap((stage) => [...stage.tasks]));
  let tasksBefore = 0;
  let stagesBefore = 0;
  return bare.map((application, job) => {
    const rank = rankOf.get(job);
    const attemptCount = rank === undefined ? 0 : 1;
    const donor =
      timed.length === attemptCount
        ? undefined
        : applications[timed[placeBeside(counterHash(word, job, 0), timed.length, rank ?? timed.length, attemptCount)]];
    return {
      ...application,
      ...(donor === undefined ? {} : timesOf(donor)),
      stages: application.stages.map((stage, place) => {
        const first = tasksBefore;
        tasksBefore += stage.tasks.length;
        const draw = counterHash(word, stagesBefore++, 1);
        return {
          ...stage,
          slowStart: donor?.stages[place]?.slowStart ?? stage.slowStart,
          tasks: stage.tasks.map((task, i) => withFailuresOf(task, tasks, first, stage, counterHash(draw, i, 0))),
        };
      }),
    };
  });
}

function withFailuresOf(
  task: YarnTask,
  tasks: readonly YarnTask[],
  first: number,
  stage: YarnStage,
  hash: number,
): YarnTask {
  const taskCount = stage.tasks.length;
  if (tasks.length === taskCount) return task;
  const { failures } = tasks[placeBeside(hash, tasks.length, first, taskCount)];
  return failures === undefined ? task : { ...task, failures };
}

function timesOf({ masterStartUs, masterEndUs }: YarnApplication): Partial<YarnApplication> {
  return {
    ...definedFields({ masterStartUs, masterEndUs }),
  };
}

/** Masters' times of one run, where a log tells only a range. One fraction holds for all jobs. */
export function applicationsWithDrawnTimes(
  applications: readonly YarnApplication[],
  seed: string,
): readonly YarnApplication[] {
  const fraction = fractionOf(counterHash(seedWord(seed, "yarn/master"), 0, 0));
  return applications.map((application) => {
    const { masterStartUs: leastUs, masterStartMostUs: mostUs } = application;
    if (leastUs === undefined || mostUs === undefined) return application;
    return { ...application, masterStartUs: Math.round(leastUs + fraction * (mostUs - leastUs)) };
  });
}

/** Drops preempted attempts of a log, for schedulers that preempt themselves: they would be killed twice. */
export function withoutPreempted(applications: readonly YarnApplication[]): readonly YarnApplication[] {
  return applications.map((application) => ({
    ...application,
    stages: application.stages.map((stage) => ({
      ...stage,
      tasks: stage.tasks.map(({ failures, ...task }) => {
        const failed = failures?.filter(({ reason }) => reason !== "PREEMPTED") ?? [];
        return failed.length === 0 ? task : { ...task, failures: failed };
      }),
    })),
  }));
}
