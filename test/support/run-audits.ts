import type { PoolSpec, Scenario, WaitSpec } from "../../dist/core/scenario/scenario.js";
import type { Workload } from "../../dist/core/workload/job.js";
import { TYPES, type TaskType } from "./naive-job.js";
import type { RunRecord, RunRecords } from "./run-records.js";
import { RunReplay, type ReplayedJob } from "./run-replay.js";

/** Every task is launched once, when its job allows, and ends once; jobs whose tasks have all ended end. */
export function auditTasks(scenario: Scenario, workload: Workload, { records, endUs }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  const state = new Map<string, RunRecord["what"]>();
  const problem = replay.firstProblem((record) => {
    const { what, type, job, task, atUs } = record;
    const key = `${type} ${String(task)} of job ${String(job)}`;
    const before = state.get(key);
    state.set(key, what);
    if (before !== (what === "launch" ? undefined : "launch")) return `a ${what} after ${before ?? "nothing"}`;
    if (task < 0 || task >= replay.jobs[job].total[type]) return "a task that the job does not have";
    if (what === "finish") return null;
    if (replay.launchable(replay.jobs[job], type, atUs) === 0) return "a launch that the job does not allow";
    return poolIsFull(scenario, replay, replay.jobs[job], type) ? "a launch in a pool at its max" : null;
  });
  if (problem !== null) return problem;
  if (endUs.every((us) => us >= 0) !== replay.isComplete && scenario.runtime.jobCleanupUs === 0) {
    return "jobs have ended although tasks have not, or the other way round";
  }
  return endUs.some((us) => us >= scenario.run.untilUs) ? "a job ended after the end" : null;
}

/** After a heartbeat no slot of its node is free while a task could run on it; for runs in which nobody waits. */
export function auditIdleSlots(scenario: Scenario, workload: Workload, { records }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  return replay.firstProblem(
    () => null,
    (node, atUs) => {
      for (const type of TYPES) {
        if (replay.freeOn(node, type) === 0) continue;
        const job = replay.jobs.find((candidate) => replay.launchable(candidate, type, atUs) > 0);
        if (job !== undefined) return `a free ${type} slot while job ${String(job.rank)} could run a task`;
      }
      return null;
    },
  );
}

/** A job that is alone on a cluster of map slots is never passed over longer than its waits together. */
export function auditLoneWait(scenario: Scenario, workload: Workload, { records }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  const { wait } = scenario.scheduler;
  const launched = new Set<number>();
  let sinceUs = -1;
  let skips = 0;
  return replay.firstProblem(
    ({ what, atUs }) => {
      if (what === "launch") launched.add(atUs);
      return null;
    },
    (node, atUs) => {
      const waits = replay.freeOn(node, "map") > 0 && replay.launchable(replay.jobs[0], "map", atUs) > 0;
      if (launched.has(atUs)) [sinceUs, skips] = [-1, 0];
      else if (waits) {
        if (sinceUs < 0) sinceUs = atUs;
        skips++;
        const waitedUs = atUs - sinceUs;
        if (isWaitedOut(wait, waitedUs, skips)) return `waited ${String(waitedUs)} us, ${String(skips)} skips`;
      }
      return null;
    },
  );
}

/** Such a wait, counted to and including this opportunity, should have ended with a launch anywhere. */
function isWaitedOut(wait: WaitSpec, waitedUs: number, skips: number): boolean {
  if (wait.kind === "none") return true;
  return wait.kind === "time" ? waitedUs >= wait.nodeUs + wait.rackUs : skips > wait.node + wait.rack;
}

/** No pool is served before one that is needier, with demands as they are; for runs in which nobody waits. */
export function auditMinShares(scenario: Scenario, workload: Workload, { records }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  return replay.firstProblem(({ what, type, job, atUs }) => {
    if (what === "finish") return null;
    const own = needOf(scenario, replay, replay.jobs[job].pool, type, atUs);
    const rival = scenario.scheduler.pools.find(({ name }) => {
      const couldUse = replay.jobs.some((other) => other.pool === name && replay.launchable(other, type, atUs) > 0);
      return couldUse && needOf(scenario, replay, name, type, atUs) < own;
    });
    return rival === undefined ? null : `a slot for pool ${replay.jobs[job].pool} while ${rival.name} is needier`;
  });
}

/** Running tasks over the min share while below it, Infinity from it on; a full pool needs nothing. */
function needOf(scenario: Scenario, replay: RunReplay, name: string, type: TaskType, nowUs: number): number {
  const spec = scenario.scheduler.pools.find((pool) => pool.name === name);
  if (spec === undefined) return Infinity;
  const jobs = replay.jobs.filter((job) => job.pool === name);
  const running = runningIn(replay, jobs, type);
  const wanted = jobs.reduce((sum, job) => sum + replay.launchable(job, type, nowUs), running);
  const share = Math.min(type === "map" ? spec.minMaps : spec.minReduces, wanted, maxOf(spec, type));
  return running < share ? running / Math.max(share, 1) : Infinity;
}

function poolIsFull(scenario: Scenario, replay: RunReplay, job: ReplayedJob, type: TaskType): boolean {
  const spec = scenario.scheduler.pools.find((pool) => pool.name === job.pool);
  if (scenario.scheduler.kind !== "hfs" || spec === undefined) return false;
  const jobs = replay.jobs.filter((other) => other.pool === job.pool);
  return runningIn(replay, jobs, type) >= maxOf(spec, type);
}

function runningIn(replay: RunReplay, jobs: readonly ReplayedJob[], type: TaskType): number {
  return jobs.reduce((sum, job) => sum + replay.running(job, type), 0);
}

function maxOf(spec: PoolSpec, type: TaskType): number {
  return type === "map" ? spec.maxMaps : spec.maxReduces;
}
