import type { TaskType } from "./naive-job.js";
import { buildTopology } from "../../dist/core/cluster/index.js";
import type { Scenario } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import type { Workload } from "../../dist/core/workload/index.js";
import { TYPES } from "./naive-job.js";
import { specInForce } from "./naive-rules.js";
import { PoolAudit } from "./pool-audit.js";
import type { RunRecord, RunRecords } from "./run-records.js";
import { isSetupTask, RunReplay } from "./run-replay.js";

/**
 * Every task is launched when its job and its pools allow, again after each kill and only then, and is done once; jobs
 * whose tasks are all done end.
 */
export function auditTasks(scenario: Scenario, workload: Workload, { records, endUs }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  const last = new Map<string, RunRecord>();
  const problem = replay.firstProblem((record) => {
    const { what, type, job, task, attempt, atUs } = record;
    if (isSetupTask(type)) return null;
    const key = `${type} ${String(task)} of job ${String(job)}`;
    const before = last.get(key);
    last.set(key, record);
    if (what === "launch") {
      if (before !== undefined && before.what !== "kill") return `a launch after a ${before.what}`;
      if (attempt !== (before?.attempt ?? -1) + 1) return "an attempt with a wrong number";
    } else if (before?.what !== "launch" || attempt !== before.attempt) return `a ${what} of what does not run`;
    if (task < 0 || task >= replay.jobs[job].total[type]) return "a task that the job does not have";
    if (what !== "launch") return null;
    if (replay.launchable(replay.jobs[job], type, atUs) === 0) return "a launch that the job does not allow";
    const full = new PoolAudit(scenario, replay, type, atUs).fullPoolAround(replay.jobs[job]);
    return full === null ? null : `a launch in pool ${full}, which is at its max`;
  });
  if (problem !== null) return problem;
  const mayEnd = endUs.filter((_, rank) => replay.jobs[rank].pool !== null);
  if (mayEnd.every((us) => us >= 0) !== replay.isComplete && hasNoDelay(scenario.runtime)) {
    return "jobs have ended although tasks have not, or the other way round";
  }
  return endUs.some((us) => us >= scenario.run.untilUs) ? "a job ended after the end" : null;
}

/** Jobs end with their last task, or with the task that cleans up after it. */
function hasNoDelay({ jobCleanupUs, setupTasks }: Scenario["runtime"]): boolean {
  return jobCleanupUs === 0 || setupTasks;
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
        if (isWaitedOut(scenario, waitedUs, skips)) return `waited ${String(waitedUs)} us, ${String(skips)} skips`;
      }
      return null;
    },
  );
}

/** Such a wait, counted to and including this opportunity, should have ended with a launch anywhere. */
function isWaitedOut(scenario: Scenario, waitedUs: number, skips: number): boolean {
  const { wait, rules } = specInForce(scenario.scheduler);
  const { nodes, heartbeatUs } = buildTopology(scenario.cluster);
  switch (wait.kind) {
    case "none":
      return true;
    case "time":
      return waitedUs >= wait.nodeUs + (RULES[rules].oneDelay ? wait.nodeUs : wait.rackUs);
    case "auto":
      return waitedUs >= 2 * Math.min(15_000_000, 1.5 * heartbeatUs);
    case "skips":
      return skips > wait.node + wait.rack;
    case "fraction":
      return skips > Math.ceil(wait.node * nodes) + Math.ceil(wait.rack * nodes);
  }
}

/**
 * On no level a pool is served before one that is needier, with demands as they are; for runs in which nobody waits.
 */
export function auditMinShares(scenario: Scenario, workload: Workload, { records }: RunRecords): string | null {
  const replay = new RunReplay(scenario, workload, records);
  return replay.firstProblem(({ what, type, job, atUs }) => {
    if (what !== "launch") return null;
    return new PoolAudit(scenario, replay, type as TaskType, atUs).needierThan(replay.jobs[job]);
  });
}
