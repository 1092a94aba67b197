import { expect, it } from "vitest";
import { poolNamesOf, poolSummaryOf } from "../../../dist/core/metrics/pool-results.js";
import { measureNamed, POOL_MEASURES } from "../../../dist/experiments/measures/pool-measures.js";
import { measureProblem } from "../../../dist/io/sweep/load-sweep.js";
import { loadScenario } from "../../../dist/io/scenario/load.js";
import type { RunResult } from "../../../dist/lab/run.js";
import { runScenario } from "../../../dist/lab/run-scenario.js";

/** Kills, deadlines, promises and pools within pools: scenarios/production-pool.yaml until so late. */
async function produced(until: string): Promise<RunResult> {
  const { scenario, directory } = loadScenario("scenarios/production-pool.yaml", { set: [`run.until=${until}`] });
  return await runScenario(scenario, directory, { placement: 0, recordTasks: true });
}

it("pools share out all jobs, attempts, kills and deadlines of a run, also of one that is cut off", async () => {
  const { summary } = await produced("50m");
  const { pools } = summary;
  expect(pools.map(({ pool }) => pool)).toEqual(["production", "research.logs", "research.models"]);
  const sum = (of: (pool: (typeof pools)[number]) => number): number => pools.reduce((all, pool) => all + of(pool), 0);
  expect(sum(({ jobs }) => jobs.submitted)).toBe(summary.jobs.submitted);
  expect(sum(({ jobs }) => jobs.unfinished)).toBe(summary.jobs.unfinished);
  expect(sum(({ locality }) => locality.maps)).toBe(summary.locality.maps);
  expect(sum(({ kills }) => kills.attempts)).toBe(summary.tasks.kills);
  expect(sum(({ kills }) => kills.lostSeconds)).toBeCloseTo(summary.preemption.lostSeconds, 6);
  expect(sum(({ deadlines }) => deadlines.met)).toBe(summary.deadlines.met);
  expect(summary.tasks.kills).toBeGreaterThan(0);
});

it("slot time of a job is what its attempts took, those that still run included", async () => {
  const { summary, record } = await produced("50m");
  const { jobs, tasks } = record;
  if (tasks === null) throw new Error("no tasks were recorded");
  const endedUs = new Float64Array(jobs.rows);
  for (let row = 0; row < tasks.rows; row++) endedUs[tasks.job[row]] += tasks.finishAtUs[row] - tasks.launchAtUs[row];
  const ended = Array.from({ length: jobs.rows }, (_, job) => job).filter((job) => jobs.endAtUs[job] >= 0);
  expect(ended.length).toBeGreaterThan(0);
  for (const job of ended) expect(jobs.mapSlotUs[job] + jobs.reduceSlotUs[job]).toBeCloseTo(endedUs[job], 0);
  // The cluster is full: what is not in the table still runs.
  const all = jobs.mapSlotUs.reduce((sum, us) => sum + us, 0) / 1e6;
  const possible = summary.cluster.mapSlots * summary.virtualSeconds;
  expect(all / possible).toBeGreaterThan(summary.utilisation.map.busy - 0.1);
  expect(all).toBeLessThanOrEqual(possible);
});

it("a pool has the jobs of the pools inside it; one that nobody named has none", async () => {
  const { record, summary } = await produced("30m");
  const of = (pool: string) => poolSummaryOf(record, pool, 30 * 60e6, false);
  const inner = [of("research.logs"), of("research.models")];
  expect(of("research").jobs.submitted).toBe(inner[0].jobs.submitted + inner[1].jobs.submitted);
  expect(of("research").slotSeconds.maps).toBeCloseTo(inner[0].slotSeconds.maps + inner[1].slotSeconds.maps, 3);
  expect(of("resea").jobs.submitted).toBe(0);
  expect(of("resea").mapShare.heldSlots).toBeNull();
  expect(poolNamesOf(record.jobs)).toEqual(summary.pools.map(({ pool }) => pool));
});

it("a promise is broken for some of the time before slots are taken back, and never without one", async () => {
  const { summary } = await produced("50m");
  const [production, logs] = summary.pools;
  expect(production.mapShare.belowPromise).toBeGreaterThan(0);
  expect(production.mapShare.belowPromise).toBeLessThan(1);
  expect(logs.mapShare.belowPromise).toBeNull();
});

it("the slots held over the fair share, and the time below a promise, are measures of pools alone", async () => {
  const { summary, record } = await produced("50m");
  const run = { summary, record, decisions: null };
  const { heldSlots, fairSlots, belowPromise } = summary.pools[0]!.mapShare;
  expect(measureNamed("heldOfFairShare of production")?.of(run)).toBe(heldSlots! / fairSlots!);
  expect(measureNamed("belowPromise of production")?.of(run)).toBe(belowPromise);
  expect(measureNamed("belowPromise of research.logs")?.of(run)).toBeNull();
  expect(measureNamed("heldOfFairShare")).toBeUndefined();
});

it("`MEASURE of POOL` is that measure over the jobs of the pool", async () => {
  const { summary, record } = await produced("50m");
  const run = { summary, record, decisions: null };
  const [production, , models] = summary.pools;
  const value = (key: string) => measureNamed(key)?.of(run);
  expect(value("responseP95 of production")).toBe(production.responseSeconds.p95);
  expect(value("responseP50 of production")).toBe(production.responseSeconds.p50);
  expect(value("nodeLocalAll of production")).toBeCloseTo(production.locality.node, 12);
  expect(value("firstTaskP95 of research.models")).toBe(models.timeToFirstTaskSeconds.p95);
  expect(value("kills of research.models")).toBe(models.kills.attempts);
  expect(value("kills of research")).toBe(summary.tasks.kills);
  expect(value("deadlinesMissed of production")).toBe(production.deadlines.missed);
  expect(value("unfinishedJobs of production")).toBe(production.jobs.unfinished);
  expect(value("responseP95 of nobody")).toBeNull();
  // Every one that is offered has a value or none, and throws nothing.
  for (const key of POOL_MEASURES) expect([key, typeof value(`${key} of production`)]).not.toEqual([key, "undefined"]);
});

it.each([
  ["responseP96 of production", 'found "responseP96"'],
  ["wallSeconds of production", 'found "wallSeconds"'],
  ["responseP95 of ", 'found "responseP95 of "'],
  ["responseP95 of  production", 'found "responseP95 of  production"'],
  ["responseP95  of production", 'found "responseP95  of production"'],
  ["__proto__ of x", 'found "__proto__"'],
])("%j is refused, with what is allowed", (key, found) => {
  const [problem, ...others] = measureProblem(key, ["measures", 0]);
  expect(others).toEqual([]);
  expect(problem.message).toContain(found);
  expect(problem.message).toContain("allowed");
});

it.each(["responseP95 of production", "kills of a pool with spaces", "responseP50Small of <script>"])(
  "%j is a measure",
  (key) => {
    expect(measureProblem(key, ["measures", 0])).toEqual([]);
    expect(measureNamed(key)?.key).toBe(key);
  },
);
