import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type SlotType } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { admittedJobs } from "../../support/naive-limits.js";
import { NaiveNeeds } from "../../support/naive-needs.js";
import {
  BEAT_US,
  histories,
  STEP_WEIGHTS,
  WITHOUT_HANDS,
  withoutTimeouts,
  type History,
  type Step,
  type StepKind,
} from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER, poolOf } from "../../support/plain-scheduler.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/next-slot.test.ts";

/** Without waits, the load cap, and caps per heartbeat. */
const unhindered = (spec: SchedulerSpec): SchedulerSpec => ({
  ...spec,
  wait: { kind: "none" },
  loadManager: null,
  tasksPerHeartbeat: Infinity,
  mapsPerHeartbeat: Infinity,
  reducesPerHeartbeat: Infinity,
});

/** Demand is fresh because nothing is ever cached. */
const fresh = (spec: SchedulerSpec): SchedulerSpec => ({
  ...withoutTimeouts(unhindered(spec)),
  updateIntervalUs: 0,
  preemption: { ...spec.preemption, mode: "off" },
});

/** Demand is fresh because every heartbeat has an update before it. */
const called = (spec: SchedulerSpec): SchedulerSpec => ({ ...unhindered(spec), updateIntervalUs: Infinity });

interface Signs {
  needyServed: number;
  servedInPools: number;
  idleSlots: number;
  launches: number;
}

/** The free slots of a heartbeat that just ended, of which something launchable could have used one. */
function idleSlotProblem(run: HistoryRun, node: number, type: SlotType, signs: Signs): string | null {
  if (run.cluster.free(node, type) === 0) return null;
  signs.idleSlots++;
  const { runnable } = admittedJobs(run);
  const needs = new NaiveNeeds(run, runnable, type);
  // With demands of the last update, a type is closed where as much runs as is demanded, whoever runs it.
  const isClosed = run.history.scheduler.updateIntervalUs > 0 && needs.runningInAll === needs.demandInAll;
  const tops = run.built.pools.childrenOf[0];
  if (isClosed || !tops.some((pool) => needs.couldUse(pool))) return null;
  return `a slot of type ${type} on node ${node} idles at ${run.nowUs} us`;
}

function launchProblem(run: HistoryRun, job: number, type: SlotType, signs: Signs): string | null {
  const { runnable } = admittedJobs(run);
  const needs = new NaiveNeeds(run, runnable, type);
  const { pools } = run.built;
  const pool = run.jobs.pool[job];
  signs.launches++;
  if (needs.need(pool) < Infinity) signs.needyServed++;
  if (pools.parent[pool] >= 0) signs.servedInPools++;
  if (needs.launchable(job) === 0) return `job ${run.jobs.id[job]} launched and is not runnable`;
  const rival = needs.neederThan(job);
  return rival < 0 ? null : `a slot of type ${type} for ${pools.names[pool]} while ${pools.names[rival]} is needier`;
}

function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  let problem: string | null = null;
  run.watcher.beforeHeartbeat = (_, nowUs) => {
    if (history.scheduler.updateIntervalUs > 0) run.scheduler.update(nowUs);
  };
  run.cluster.seeLaunch = (job, type) => {
    problem ??= launchProblem(run, job, type, signs);
  };
  run.watcher.afterHeartbeat = (node) => {
    for (const type of [MAP, REDUCE] as const) problem ??= idleSlotProblem(run, node, type, signs);
  };
  run.play();
  return problem;
}

describe("the next slot", () => {
  // Waits, load cap and caps per heartbeat off, demand fresh, and the pool, those around it and those in it on the way
  // to a launchable task not at their max. Judged level by level: of the pools side by side in one pool, a needy one
  // that can use the slot gets it before those that are not or less so. No slot idles: after a heartbeat with free
  // slots left of a type, nothing that could be launched there is pending. With demands as of an update just before,
  // slots may idle where jobs that are not runnable, or pools above a max that was lowered, run as much as is missing:
  // Hadoop's test that as much runs as is demanded takes the one for the other (semantics section 15, number 1).
  it.each([
    ["always fresh", histories(WITHOUT_HANDS, fresh)],
    ["as of an update just before", histories(STEP_WEIGHTS, called)],
  ])(
    "goes to the needier pool, and to no one only if nobody could use it; demands %s",
    async (_, cases) => {
      const signs: Signs = { needyServed: 0, servedInPools: 0, idleSlots: 0, launches: 0 };
      let count = 0;
      await searchForProblem(FILE, cases, 250, (history) => {
        count++;
        return problemOf(history, signs);
      });
      if (count < 200) return;
      for (const [sign, sum] of Object.entries(signs)) expect(sum / count, sign).toBeGreaterThan(0.5);
    },
    SEARCH_TIMEOUT_MS,
  );

  // Always fresh demands are watched for min shares, also for those that only a reload brings.
  it("goes to a pool that a reload has promised it, demands always fresh", () => {
    const step = (what: StepKind, pool = 0): Step => ({ what, gapUs: BEAT_US, draws: [pool, 0, 2, 0] });
    const pools = ["a", "b"].map((name) => poolOf({ name }));
    const promising = [pools[0], poolOf({ name: "b", minMaps: 2 })];
    const history: History = {
      nodes: [{ rack: 0, mapSlots: 2, reduceSlots: 0 }],
      jobPools: ["a", "b"],
      steps: [step("submit", 0), step("submit", 1), step("reload"), step("ready"), step("heartbeat")],
      scheduler: {
        ...PLAIN_SCHEDULER,
        allocations: { ...NO_ALLOCATIONS, pools },
        reloads: [{ atUs: 2 * BEAT_US, allocations: { ...NO_ALLOCATIONS, pools: promising } }],
      },
    };
    const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
    run.play();
    const launched = run.cluster.decisions.filter(({ what }) => what === "launch").map(({ job }) => job);
    expect(launched).toEqual([1, 1]);
  });
});
