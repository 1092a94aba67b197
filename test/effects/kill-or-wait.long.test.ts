import { beforeAll, describe, expect, it } from "vitest";
import { reassignSeconds } from "../../dist/core/theory.js";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const SLOTS = 200;
const SHARE = 100;
const NEW_JOBS = 4;
const SETUP_SECONDS = 10;
const HEARTBEAT_SECONDS = 1;

interface Found {
  /** From ready to fair share, the mean over the new jobs, seconds. */
  readonly toShare: number;
  readonly response: number;
  readonly nodeLocal: number;
  readonly kills: number;
  readonly lostSeconds: number;
  /** Mean time of the long job's maps. */
  readonly taskSeconds: number;
}

async function run(seed: string, scheduler: string): Promise<Found> {
  const set = [`scheduler=${scheduler}`];
  const { scenario, directory } = loadScenario("scenarios/kill-or-wait.yaml", { seed, set });
  expect(scenario.runtime.jobSetupUs).toBe(SETUP_SECONDS * 1e6);
  const { record, summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: true });
  const { jobs, tasks } = record;
  if (tasks === null) throw new Error("the run kept no tasks");
  const rows = Array.from(jobs.tasks[0].keys()).filter((row) => jobs.tasks[0][row] === 400);
  expect(rows).toHaveLength(NEW_JOBS);
  const mean = (of: (row: number) => number): number => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const maps = Array.from({ length: tasks.rows }, (_, row) => row).filter((row) => tasks.outcome[row] === 0);
  const isNew = (row: number): boolean => rows.includes(tasks.job[row]);
  const longs = maps.filter((row) => !isNew(row));
  const ranUs = longs.reduce((sum, row) => sum + tasks.finishAtUs[row] - tasks.launchAtUs[row], 0);
  const news = maps.filter(isNew);
  return {
    toShare: mean((row) => (jobs.fairShareAtUs[row] - jobs.submitAtUs[row]) / 1e6) - SETUP_SECONDS,
    response: mean((row) => (jobs.endAtUs[row] - jobs.submitAtUs[row]) / 1e6),
    nodeLocal: news.filter((row) => tasks.level[row] === 0).length / news.length,
    kills: summary.preemption!.kills,
    lostSeconds: summary.preemption!.lostSeconds,
    taskSeconds: ranUs / longs.length / 1e6,
  };
}

describe.each(["1", "2"])("a job that is due half of a full cluster, seed %s", (seed) => {
  let kill: Found;
  let wait: Found;
  let delay: Found;

  beforeAll(async () => {
    kill = await run(seed, "kill");
    wait = await run(seed, "fair");
    delay = await run(seed, "{kind: delay, wait: {nodeFraction: 1, rackFraction: 0.5}}");
  }, 120_000);

  it("has it after about F T / S by waiting, with or without a wait for locality", () => {
    const expected = reassignSeconds({ slots: SLOTS, taskSeconds: wait.taskSeconds }, SHARE);
    expect(expected).toBeGreaterThan(25);
    for (const { toShare } of [wait, delay]) expect(Math.abs(toShare / expected - 1)).toBeLessThan(0.15);
  });

  it("has it after two heartbeats by killing, and answers sooner", () => {
    expect(kill.toShare).toBeLessThan(2 * HEARTBEAT_SECONDS + 0.1);
    expect(kill.response).toBeLessThan(wait.response - 8);
    expect(kill.response).toBeLessThan(delay.response);
  });

  it("wastes, by killing, one started task for each slot and none more, though the latest are taken", () => {
    expect([wait.kills, delay.kills]).toEqual([0, 0]);
    // A victim may end before the order reaches it.
    expect(kill.kills).toBeLessThanOrEqual(NEW_JOBS * SHARE);
    expect(kill.kills).toBeGreaterThan(0.97 * NEW_JOBS * SHARE);
    // Of the 200 tasks that run those are killed that began in the latest half: a quarter of a task each, if all were
    // equally long.
    const each = kill.lostSeconds / kill.kills;
    expect(each).toBeGreaterThan(0.15 * wait.taskSeconds);
    expect(each).toBeLessThan(0.45 * wait.taskSeconds);
  });

  it("loses locality by taking what it gets, which waiting for it keeps", () => {
    expect(delay.nodeLocal).toBeGreaterThan(0.99);
    expect(kill.nodeLocal).toBeLessThan(delay.nodeLocal - 0.05);
  });
});
