import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAP, RUNNING, OFF_RACK, RULES } from "../../../dist/core/platforms/hadoop/index.js";
import type { WaitSpec, SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { admittedJobs } from "../../support/naive-limits.js";
import { NaiveWaits } from "../../support/naive-waits.js";
import {
  BEAT_US,
  histories,
  STEP_WEIGHTS,
  WITHOUT_HANDS,
  withAllocations,
  withoutTimeouts,
  type History,
  type Step,
} from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/waits.test.ts";
/** Longer than any history, and more skips than it has heartbeats. */
const FOREVER = 1e15;

const amountUs = fc.constantFrom(0, 0, BEAT_US / 4, BEAT_US, 2 * BEAT_US, 3_333_333, FOREVER);
const skips = fc.constantFrom(0, 0, 1, 2, 5, FOREVER);
const fraction = fc.constantFrom(0, 0.1, 1 / 3, 0.98, 1, 2.5);
const waitSpecs: fc.Arbitrary<WaitSpec> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("time" as const), nodeUs: amountUs, rackUs: amountUs }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("skips" as const), node: skips, rack: skips }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fraction" as const), node: fraction, rack: fraction }) },
  { weight: 1, arbitrary: fc.constant<WaitSpec>({ kind: "auto" }) },
);

/** All pools at the top, without min shares; nobody is starved, no load cap, no cap but all tasks of a heartbeat. */
function plain(spec: SchedulerSpec): SchedulerSpec {
  const flat = withAllocations(withoutTimeouts(spec), (allocations) => ({
    ...allocations,
    pools: allocations.pools
      .filter(({ parent, weight }) => parent === null && weight > 0)
      .map((pool) => ({ ...pool, minMaps: 0, minReduces: 0 })),
  }));
  const withoutCaps = { loadManager: null, mapsPerHeartbeat: Infinity, reducesPerHeartbeat: Infinity };
  const byPriority = { sizeBasedWeight: false, weightBooster: null, poolBy: "pool" as const, undeclaredPools: true };
  return { ...flat, ...withoutCaps, ...byPriority, updateIntervalUs: Infinity };
}

/** Jobs of maps alone. */
function mapsOnly(step: Step): Step {
  const [a, b, c, d] = step.draws;
  return step.what === "submit" ? { ...step, draws: [a, b, 7 * (c >> 3) + 1 + (c % 6), d - (d % 4)] } : step;
}

const plainHistories = fc
  .record({ history: histories(WITHOUT_HANDS, plain), wait: waitSpecs })
  .map(({ history, wait }): History => {
    const jobPools = history.jobPools.filter((name) => !name.includes("."));
    return { ...history, jobPools, scheduler: { ...history.scheduler, wait }, steps: history.steps.map(mapsOnly) };
  });

/** W1 and W2, or D1 and D2. */
function boundsOf({ scheduler, nodes }: History): [number, number] {
  const { wait, rules } = scheduler;
  switch (wait.kind) {
    case "none":
      return [0, 0];
    case "time":
      return [wait.nodeUs, RULES[rules].oneDelay ? wait.nodeUs : wait.rackUs];
    case "auto":
      return [1.5 * BEAT_US, 1.5 * BEAT_US];
    case "skips":
      return [wait.node, wait.rack];
    case "fraction":
      return [Math.ceil(wait.node * nodes.length), Math.ceil(wait.rack * nodes.length)];
  }
}

interface Signs {
  launches: number;
  /** Launches farther than the node of a job that had waited for it. */
  gaveUp: number;
  waiting: number;
}

function countsSkips({ scheduler }: History): boolean {
  return scheduler.wait.kind === "skips" || scheduler.wait.kind === "fraction";
}

/** Waits of the jobs that have maps to launch, as the scheduler and as the model sees them. */
function waitProblem(run: HistoryRun, model: NaiveWaits, signs: Signs): string | null {
  const { jobs, cluster } = run;
  const { view } = run.scheduler;
  for (const job of run.present) {
    if (jobs.state[job] !== RUNNING || jobs.pending[MAP][job] === 0 || !cluster.hasInput(job)) continue;
    const { lastLevel, waited, skipped } = model.of(job);
    const seen = { lastLevel: view.lastLevel(job), waited: view.waited(job), skipped: view.isSkipped(job) };
    if (waited > 0) signs.waiting++;
    if (seen.lastLevel === lastLevel && seen.waited === waited && seen.skipped === skipped) continue;
    return `job ${jobs.id[job]} at ${run.nowUs}: ${JSON.stringify(seen)}, by the rules ${JSON.stringify(model.of(job))}`;
  }
  return null;
}

function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  let problem: string | null = null;
  let runnable: ReadonlySet<number> = new Set();
  const isRunnable = (job: number): boolean => runnable.has(job);
  const model = new NaiveWaits(run, isRunnable, boundsOf(history), countsSkips(history));
  run.watcher.afterUpdate = () => {
    runnable = admittedJobs(run).runnable;
  };
  run.watcher.beforeHeartbeat = (node, nowUs) => model.begin(node, nowUs);
  run.cluster.seeLaunch = (job, _type, node) => {
    const expected = model.next(node);
    const { level } = run.cluster;
    signs.launches++;
    if (level > 0 && level <= OFF_RACK && model.of(job).waited > 0) signs.gaveUp++;
    if (expected !== job) problem ??= `at ${run.nowUs} job ${run.jobs.id[job]} launched, by the rules ${expected}`;
    if (level <= OFF_RACK && level > model.allowed(job)) problem ??= `a launch as of level ${level} was not allowed`;
    model.launched(job, level);
  };
  run.watcher.afterHeartbeat = (node) => {
    const missed = model.next(node);
    if (missed >= 0) problem ??= `job ${run.jobs.id[missed]} should have launched at ${run.nowUs}`;
    model.end();
    problem ??= waitProblem(run, model, signs);
  };
  run.play();
  return problem;
}

/** A job was held back although it had waited for all it may be made to. */
function heldTooLong(history: History): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  const [node, rack] = boundsOf(history);
  let problem: string | null = null;
  run.cluster.seePick = (job, _, allowed, task) => {
    const waited = run.scheduler.view.waited(job);
    if (waited >= node + rack && (allowed < OFF_RACK || task < 0) && run.jobs.pending[MAP][job] > 0) {
      problem ??= `job ${run.jobs.id[job]} waited ${waited} of ${node + rack} and may go as far as ${allowed}`;
    }
  };
  run.play();
  return problem;
}

describe("locality waits", () => {
  // Pools side by side without min shares, jobs of maps alone, nobody starved, no load cap; whatever the waits, from 0
  // to longer than the run, in time, skips or fractions of the nodes, and in whatever order nodes report. For jobs with
  // pending maps: what others have waited nobody asks.
  it(
    "are those of the plain model: who launches, how far, what each job has waited and whether it is skipped",
    async () => {
      const signs: Signs = { launches: 0, gaveUp: 0, waiting: 0 };
      let count = 0;
      await searchForProblem(FILE, plainHistories, 500, (history) => {
        count++;
        return problemOf(history, signs);
      });
      if (count < 200) return;
      for (const [sign, sum] of Object.entries(signs)) expect(sum / count, sign).toBeGreaterThan(0.2);
    },
    SEARCH_TIMEOUT_MS,
  );

  // Everything on: pools in pools, starvation, preemption, updates on a grid or not, whatever hands change.
  it(
    "never hold a job that has waited W1 + W2: the next search that asks it launches, wherever it is",
    () =>
      searchForProblem(
        FILE,
        fc.oneof(
          histories(STEP_WEIGHTS, (spec) => ({ ...spec, updateIntervalUs: Infinity })),
          histories(WITHOUT_HANDS, (spec, updateIntervalUs) => ({ ...spec, updateIntervalUs })),
        ),
        300,
        heldTooLong,
      ),
    SEARCH_TIMEOUT_MS,
  );
});
