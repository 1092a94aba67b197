import { expect, it } from "vitest";
import { groupNamesOf, groupSummariesOf } from "../../../dist/core/record/index.js";
import { groupMeasures, measureNamed } from "../../../dist/experiments/index.js";
import { loadScenario } from "../../../dist/io/index.js";
import { type RunResult, runScenario } from "../../../dist/lab/index.js";

/** Kills, deadlines, promises and pools within pools: scenarios/production-pool.yaml until so late. */
async function produced(until: string): Promise<RunResult> {
  const { scenario, directory } = loadScenario("scenarios/production-pool.yaml", { set: [`run.until=${until}`] });
  return await runScenario(scenario, directory, { placement: 0, recordTasks: true });
}

it("pools share out all jobs, attempts, kills and deadlines of a run, also of one that is cut off", async () => {
  const { summary } = await produced("50m");
  const { groups: pools } = summary;
  expect(pools.map(({ name }) => name)).toEqual(["production", "research.logs", "research.models"]);
  const sum = (of: (pool: (typeof pools)[number]) => number): number => pools.reduce((all, pool) => all + of(pool), 0);
  expect(sum(({ jobs }) => jobs.submitted)).toBe(summary.jobs.submitted);
  expect(sum(({ jobs }) => jobs.unfinished)).toBe(summary.jobs.unfinished);
  expect(sum(({ locality }) => locality.tasks)).toBe(summary.locality.tasks);
  expect(sum(({ kills }) => kills!.attempts)).toBe(summary.preemption!.kills);
  expect(sum(({ kills }) => kills!.lostSeconds)).toBeCloseTo(summary.preemption!.lostSeconds, 6);
  expect(sum(({ deadlines }) => deadlines!.met)).toBe(summary.deadlines!.met);
  expect(summary.preemption!.kills).toBeGreaterThan(0);
});

it("slot time of a job is what its attempts took, those that still run included", async () => {
  const { summary, record } = await produced("50m");
  const { jobs, tasks } = record;
  if (tasks === null) throw new Error("no tasks were recorded");
  const endedUs = new Float64Array(jobs.rows);
  for (let row = 0; row < tasks.rows; row++) endedUs[tasks.job[row]] += tasks.finishAtUs[row] - tasks.launchAtUs[row];
  const ended = Array.from({ length: jobs.rows }, (_, job) => job).filter((job) => jobs.endAtUs[job] >= 0);
  expect(ended.length).toBeGreaterThan(0);
  for (const job of ended) expect(jobs.heldUs[0][job] + jobs.heldUs[1][job]).toBeCloseTo(endedUs[job], 0);
  // The cluster is full: what is not in the table still runs.
  const all = jobs.heldUs[0].reduce((sum, us) => sum + us, 0) / 1e6;
  const possible = summary.cluster.resources.mapSlots * summary.virtualSeconds;
  expect(all / possible).toBeGreaterThan(summary.utilisation.mapSlots.busy - 0.1);
  expect(all).toBeLessThanOrEqual(possible);
});

it("a pool has the jobs of the pools inside it; one that nobody named has none", async () => {
  const { record, summary } = await produced("30m");
  const of = (pool: string) => groupSummariesOf(record, "pool", [pool], 30 * 60e6)[0];
  const inner = [of("research.logs"), of("research.models")];
  expect(of("research").jobs.submitted).toBe(inner[0].jobs.submitted + inner[1].jobs.submitted);
  expect(of("research").resourceSeconds.mapSlots).toBeCloseTo(
    inner[0].resourceSeconds.mapSlots + inner[1].resourceSeconds.mapSlots,
    3,
  );
  expect(of("resea").jobs.submitted).toBe(0);
  expect(of("resea").share!.held).toBeNull();
  expect(groupNamesOf(record.jobs, "pool")).toEqual(summary.groups.map(({ name }) => name));
});

/** Ann is in two pools, bob and cy share one; a user's name may have dots, and means no user around it. */
const USERS = `workload={kind: jobs, jobs: [
  {name: a, user: ann, pool: x, maps: 3, mapTime: 4s, count: 3, every: 2s},
  {name: b, user: ann, pool: "y,1", maps: 4, mapTime: 4s},
  {name: c, user: bob, pool: x, maps: 5, mapTime: 9s, deadline: 1s},
  {name: d, user: bob.jr, pool: x, maps: 6, mapTime: 4s}]}`.replaceAll("\n", " ");

async function ofUsers(...set: string[]): Promise<RunResult> {
  const { scenario, directory } = loadScenario("scenarios/tiny.yaml", { set: [USERS, ...set] });
  return await runScenario(scenario, directory, { placement: 0, recordTasks: false });
}

it("users share out all jobs of a run; their measures are those over their jobs", async () => {
  const { summary, record } = await ofUsers();
  const users = summary.users ?? [];
  expect(users.map(({ name, jobs }) => [name, jobs.submitted])).toEqual([
    ["ann", 4],
    ["bob", 1],
    ["bob.jr", 1],
  ]);
  expect(users.reduce((maps, { locality }) => maps + locality.tasks, 0)).toBe(summary.locality.tasks);
  const inPools = summary.groups.reduce((seconds, { resourceSeconds }) => seconds + resourceSeconds.mapSlots, 0);
  expect(users.reduce((seconds, { resourceSeconds }) => seconds + resourceSeconds.mapSlots, 0)).toBeCloseTo(inPools, 6);
  const value = (key: string) => measureNamed(key)?.evaluate({ summary, record, decisions: null });
  expect(value("responseP95 of user ann")).toBe(users[0].responseSeconds.p95);
  expect(value("nodeLocalAll of user bob")).toBeCloseTo(users[1].locality.shares.node, 12);
  expect(value("deadlinesMissed of user bob")).toBe(1);
  expect(value("unfinishedJobs of user ann")).toBe(0);
  expect(value("responseP95 of user x")).toBeNull();
  expect(value("responseP95 of ann")).toBeNull();
  expect(value('responseP95 of "y,1"')).toBe(summary.groups[1].responseSeconds.p95);
  for (const key of groupMeasures("user")) expect([key, typeof value(`${key} of user ann`)]).not.toContain("undefined");
});

it("kills caused are as many as kills suffered, also of a pool with pools inside, where the scheduler says for whom", async () => {
  const { summary, record } = await produced("50m");
  const { groups: pools } = summary;
  const value = (key: string) => measureNamed(key)?.evaluate({ summary, record, decisions: null });
  const caused = pools.map(({ killsCaused = 0 }) => killsCaused);
  expect(caused.reduce((sum, kills) => sum + kills, 0)).toBe(summary.preemption!.kills);
  // Production, which has the only promise, takes from both others.
  expect(caused[0]).toBeGreaterThan(pools[0].kills!.attempts);
  expect(value("killsCaused of production")).toBe(caused[0]);
  expect(value("killsCaused of research")).toBe(caused[1] + caused[2]);
  const gentle = await ofUsers();
  expect(gentle.summary.groups[0].killsCaused).toBeUndefined();
  expect(measureNamed("killsCaused of x")?.evaluate({ ...gentle, decisions: null })).toBe(0);
  expect(measureNamed("killsCaused of user ann")).toBeUndefined();
});

it("kills of a scheduler that does not say for whom are of no pool", async () => {
  const { scenario, directory } = loadScenario("scenarios/kill-or-wait.yaml", {
    set: ["scheduler=kill", "run.until=20m"],
  });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  expect(summary.preemption!.kills).toBeGreaterThan(0);
  const [{ name: pool, killsCaused }] = summary.groups;
  expect(killsCaused).toBeUndefined();
  expect(measureNamed(`killsCaused of ${pool}`)?.evaluate({ summary, record, decisions: null })).toBeNull();
});
