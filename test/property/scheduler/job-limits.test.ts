import { describe, expect, it } from "vitest";
import { MAP, REDUCE, RUNNING } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { admittedJobs, maxJobsOfPool, maxJobsOfUser, poolsAround, type Admitted } from "../../support/naive-limits.js";
import { histories, STEP_WEIGHTS, WITHOUT_HANDS, type History } from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/job-limits.test.ts";

const onGrid = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({ ...spec, updateIntervalUs });
const called = (spec: SchedulerSpec): SchedulerSpec => ({ ...spec, updateIntervalUs: Infinity });

interface Signs {
  keptOut: number;
  runnable: number;
  initialisedLate: number;
}

/** What the scheduler took for runnable at the update just now differs from the walk. */
function runnableProblem(run: HistoryRun, { runnable }: Admitted): string | null {
  const { jobs, rules, built } = run;
  const { view } = run.scheduler;
  for (const job of run.present) {
    if (jobs.state[job] !== RUNNING) continue;
    const demand = view.jobDemand(job, MAP) + view.jobDemand(job, REDUCE);
    const hasMax = [MAP, REDUCE].some((type) => built.pools.maxSlots[type as 0 | 1][jobs.pool[job]] !== Infinity);
    // A pool at its max leaves demands of an earlier update.
    if (rules.demandWalkStops && hasMax) continue;
    if (demand > 0 !== runnable.has(job))
      return `job ${jobs.id[job]} demands ${demand}, runnable: ${runnable.has(job)}`;
  }
  return null;
}

/** More jobs are runnable than some limit allows. */
function limitProblem(run: HistoryRun): string | null {
  const { jobs, built } = run;
  const { view } = run.scheduler;
  const running = run.present.filter(
    (job) => jobs.state[job] === RUNNING && view.jobDemand(job, MAP) + view.jobDemand(job, REDUCE) > 0,
  );
  for (const pool of built.pools.names.keys()) {
    const count = running.filter((job) => poolsAround(run, jobs.pool[job]).includes(pool)).length;
    if (count > maxJobsOfPool(run, pool)) return `${count} jobs of pool ${built.pools.names[pool]} are runnable`;
  }
  for (const user of built.users.names.keys()) {
    const count = running.filter((job) => jobs.user[job] === user).length;
    if (count > maxJobsOfUser(run, user)) return `${count} jobs of user ${built.users.names[user]} are runnable`;
  }
  return null;
}

function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  const expected = new Set<number>();
  let problem: string | null = null;
  let runnable: ReadonlySet<number> = new Set();
  run.watcher.afterUpdate = () => {
    const admitted = admittedJobs(run);
    runnable = admitted.runnable;
    for (const job of run.rules.eagerInit ? run.present : admitted.prep) expected.add(run.jobs.id[job]);
    signs.runnable += runnable.size;
    signs.keptOut += run.present.filter((job) => run.jobs.state[job] === RUNNING && !runnable.has(job)).length;
    const initialised = run.cluster.decisions.filter(({ what }) => what === "initialise").map(({ job }) => job);
    signs.initialisedLate += run.present.length - initialised.length > 0 ? 1 : 0;
    problem ??= runnableProblem(run, admitted);
    if (!run.rules.demandWalkStops) problem ??= limitProblem(run);
    // At submission an eager initialiser follows the update.
    const missing = [...expected].filter((job) => !initialised.includes(job));
    if (missing.length > 0) problem ??= `jobs ${missing.join(", ")} were not initialised`;
    const early = initialised.filter((job) => !expected.has(job));
    if (early.length > 0) problem ??= `jobs ${early.join(", ")} were initialised though nobody let them`;
    if (new Set(initialised).size < initialised.length) problem ??= "a job was initialised twice";
  };
  run.cluster.seeLaunch = (job) => {
    if (!runnable.has(job)) problem ??= `job ${run.jobs.id[job]} launched and was not runnable at the last update`;
  };
  run.play();
  return problem;
}

describe("limits of running jobs", () => {
  // As of the last update, by the walk of semantics section 4: by priority, start time and number, every job counts
  // against its user, its pool and the pools around it; PREP jobs too, except where jobs are initialised at submission.
  it.each([
    ["on a grid", histories(WITHOUT_HANDS, onGrid)],
    ["only where called", histories(STEP_WEIGHTS, called)],
  ])(
    "are never exceeded: runnable and initialised are exactly those whom the naive walk admits; updates %s",
    async (_, cases) => {
      const signs: Signs = { keptOut: 0, runnable: 0, initialisedLate: 0 };
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
});
