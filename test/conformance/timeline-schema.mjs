import { z } from "zod";
import { expectSchema } from "./expectations.mjs";
import {
  byName,
  flag,
  limit,
  listOf,
  ms,
  name,
  number,
  object,
  oneOf,
  seconds,
  slots,
  tasks,
  text,
  weight,
  whole,
} from "./shapes.mjs";

/** Most urgent first, as the scheduler numbers them. */
export const PRIORITIES = ["VERY_HIGH", "HIGH", "NORMAL", "LOW", "VERY_LOW"];

const mode = z
  .string({ error: "fair, fifo" })
  .refine((word) => ["fair", "fifo"].includes(word.toLowerCase()), { error: "fair, fifo" });

const cluster = object({
  trackers: listOf(
    object({
      id: name,
      host: name,
      rack: z.union([name, z.null()], { error: "the name of a rack, or null" }),
      mapSlots: slots,
      reduceSlots: slots,
    }),
    "a list of trackers",
  ).min(1, { error: "at least one tracker" }),
});

const config = object({
  assignMultiple: flag,
  nodeLocalityDelayMs: ms,
  rackLocalityDelayMs: ms,
  preemption: flag,
  preemptionOnlyLog: flag,
  preemptionIntervalMs: ms,
  sizeBasedWeight: flag,
  reduceSlowstart: number(0, 1),
});

const allocations = object({
  "pools?": byName(
    object({
      "minMaps?": limit,
      "minReduces?": limit,
      "maxMaps?": limit,
      "maxReduces?": limit,
      "maxRunningJobs?": limit,
      "weight?": weight,
      "minSharePreemptionTimeoutSec?": seconds,
      "schedulingMode?": mode,
    }),
  ),
  "users?": byName(object({ "maxRunningJobs?": limit })),
  "poolMaxJobsDefault?": limit,
  "userMaxJobsDefault?": limit,
  "defaultMinSharePreemptionTimeoutSec?": seconds,
  "fairSharePreemptionTimeoutSec?": seconds,
  "defaultPoolSchedulingMode?": mode,
});

const state = oneOf("PREP", "RUNNING", "SUCCEEDED", "FAILED", "KILLED");
const taskNames = listOf(name, "a list of tasks like job1/m0");
const kills = object({ count: limit, from: taskNames });

function step(op, shape, expect = { "expect?": expectSchema }) {
  return [op, object({ op: z.literal(op), "note?": text, ...shape, ...expect })];
}

/** Schema of a step by its `op`. */
export const STEPS = new Map([
  step("submit", {
    job: name,
    state,
    maps: tasks,
    reduces: tasks,
    "pool?": name,
    "explicitPool?": name,
    "mapHosts?": listOf(listOf(name, "a list of hosts"), "a list of hosts per map"),
    "initialized?": flag,
  }),
  step("advance", { ms, "update?": flag }),
  step("update", {}),
  step("refreshDemand", {}),
  step("heartbeat", { tracker: name }, { "expect?": object({ assigned: taskNames }) }),
  step("finish", { tracker: name, task: name }),
  step("preempt", { "derived?": object({ killed: object({ "map?": kills, "reduce?": kills }) }) }),
  step("setPriority", { job: name, priority: oneOf(...PRIORITIES) }),
  step("setUser", { job: name, user: name }),
  step("setState", { job: name, state }),
  step("setPool", { job: name, pool: name }),
  step("reloadAllocations", { allocations }),
  step("check", {}, { expect: expectSchema }),
]);

/** Steps that only Facebook's scheduler has. */
export const FACEBOOK_STEPS = ["setJobComparator", "setTrackerCap", "setBestLocality", "setLaunchLocality"];

/** What a timeline has beside what every case has. Its steps are checked one by one. */
export const TIMELINE = {
  // The scheduler has started at 0 and updated at 100.
  clockMs: whole(100, 9e12),
  cluster,
  config,
  allocations,
  steps: listOf(z.looseObject({ op: z.unknown() }, { error: "an object with op" }), "a list of steps").min(1, {
    error: "at least one step",
  }),
};
