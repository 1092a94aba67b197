import { z } from "zod";
import { byName, flag, limit, listOf, ms, name, number, object, oneOf, tasks, text, whole } from "./shapes.mjs";

/** Forms of the cases of Spark's task scheduling (FORMAT.md). */

export const SPARK_VERSIONS = ["2.4", "3.0", "3.1", "3.5", "4.0"];

const level = oneOf("PROCESS_LOCAL", "NODE_LOCAL", "NO_PREF", "RACK_LOCAL", "ANY");
const mode = oneOf("FIFO", "FAIR");
const place = object({ host: name, "executor?": name, "hdfsCache?": flag });
const places = listOf(place, "a list of places");
const integer = whole(-(2 ** 31), 2 ** 31 - 1);

const config = object({
  "waitProcessMs?": ms,
  "waitNodeMs?": ms,
  "waitRackMs?": ms,
  "legacyReset?": flag,
  "cpusPerTask?": whole(1, 1000),
  "executorCores?": whole(1, 1000),
  "maxTaskFailures?": whole(1, 1000),
  "schedulerMode?": mode,
  "exclude?": flag,
  "speculation?": flag,
  "speculationQuantile?": number(0, 1),
  "speculationMultiplier?": number(0, 1e6),
  "speculationTaskDurationThresholdMs?": ms,
  "processRateMultiplier?": number(0, 1e6),
  "longRunTaskFactor?": number(0, 1e6),
  "decommissionKillIntervalMs?": ms,
});

const poolShape = { name, "mode?": mode, "minShare?": integer, "weight?": integer };
const pool = object({
  ...poolShape,
  "pools?": listOf(
    z.lazy(() => pool),
    "a list of pools",
  ),
});

const step = (op, shape) => [op, object({ op: z.literal(op), "note?": text, ...shape })];
const launch = object({ "taskSet?": name, "task?": tasks, "executor?": name, "locality?": level });
const launches = object({ "count?": tasks, "launched?": listOf(launch, "a list of launches") });
const answer = object({ "task?": tasks, "locality?": level, "attempt?": limit, "speculative?": flag }).nullable();
const ofAttempt = { task: tasks, attempt: limit };

const setState = {
  "levels?": listOf(level, "a list of levels"),
  "zombie?": flag,
  "aborted?": flag,
  "running?": limit,
};

/** Steps of one task set that executors are offered to. */
export const TASK_SET_STEPS = new Map([
  step("offer", {
    executor: name,
    host: name,
    maxLocality: level,
    "delayReject?": flag,
    "expect?": answer,
    "derived?": answer,
  }),
  step("advance", { ms }),
  step("addExecutor", { executor: name, host: name, "tell?": flag }),
  step("removeExecutor", { executor: name, "how?": oneOf("lost"), "countsAsFailure?": flag, "tell?": flag }),
  step("decommission", { executor: name, "host?": name }),
  step("succeed", {
    ...ofAttempt,
    "records?": limit,
    "runMs?": ms,
    "expect?": object({ "kill?": listOf(object(ofAttempt), "a list of attempts") }),
  }),
  step("fail", ofAttempt),
  step("makeSpeculatable", { task: tasks }),
  step("reportRate", { ...ofAttempt, recordsPerSecond: number(0, 1e15) }),
  step("checkSpeculation", {
    minRuntimeMs: ms,
    "expect?": object({ "found?": flag, "marked?": listOf(tasks, "a list of tasks") }),
  }),
  step("check", {
    expect: object({
      ...setState,
      // The level that the index stands for.
      "levelIndex?": level,
      "finished?": flag,
      "copies?": byName(limit),
      "failures?": byName(limit),
    }),
  }),
]);

const ofSet = { taskSet: name };

/** Steps of rounds of offers to several task sets. */
export const ROUND_STEPS = new Map([
  step("submit", {
    stage: limit,
    "attempt?": limit,
    "job?": limit,
    "pool?": name,
    "barrier?": flag,
    tasks: z.union([tasks, listOf(places, "a list of tasks")], { error: "a number of tasks, or a list of them" }),
    "prefer?": places,
  }),
  step("offers", {
    offers: listOf(object({ executor: name, host: name, cores: whole(0, 100_000) }), "a list of offers"),
    "allFree?": flag,
    "expect?": launches,
    "derived?": launches,
  }),
  step("advance", { ms }),
  step("succeed", { ...ofSet, ...ofAttempt }),
  step("fail", { ...ofSet, ...ofAttempt }),
  step("executorLost", { executor: name, "countsAsFailure?": flag }),
  step("makeZombie", ofSet),
  step("check", { expect: z.record(z.string(), object({ ...setState, "level?": level }), { error: "task sets" }) }),
]);

const steps = listOf(z.looseObject({ op: text }, { error: "a step" }), "a list of steps");
const pools = listOf(pool, "a list of pools");

/** What a case of each kind has beside what all have. */
export const SPARK_KINDS = new Map([
  [
    "spark.taskSet",
    {
      "config?": config,
      "executors?": listOf(object({ executor: name, host: name }), "a list of executors"),
      "racks?": z.record(z.string(), name, { error: "racks by host" }),
      tasks: listOf(places, "a list of tasks"),
      "barrier?": flag,
      "clockMs?": ms,
      steps,
    },
  ],
  ["spark.rounds", { "config?": config, "pools?": pools, steps }],
  [
    "spark.picks",
    {
      "config?": config,
      "pools?": pools,
      taskSets: listOf(
        object({ stage: limit, tasks, "pool?": name, "job?": limit, "attempt?": limit }),
        "a list of task sets",
      ),
      expect: object({ stages: listOf(limit, "a list of stages") }),
    },
  ],
  [
    "spark.poolFile",
    {
      schedulerMode: mode,
      "configMode?": text,
      file: listOf(
        object({ name, "schedulingMode?": text, "minShare?": text, "weight?": text }),
        "a list of pools",
      ).nullable(),
      "submissions?": listOf(object({ stage: limit, "pool?": name }), "a list of submissions"),
      expect: object({
        "pools?": z.record(z.string(), object({ minShare: integer, weight: integer, mode }).nullable(), {
          error: "pools by name",
        }),
        "placed?": z.record(z.string(), name, { error: "pools by stage" }),
      }),
    },
  ],
]);
