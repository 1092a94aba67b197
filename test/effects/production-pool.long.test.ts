import { describe, expect, test } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario, type RunResult } from "../../dist/lab/index.js";

async function run(preemption: string): Promise<RunResult> {
  const set = [`scheduler.preemption=${preemption}`];
  const { scenario, directory } = loadScenario("scenarios/production-pool.yaml", { set });
  return runScenario(scenario, directory, { placement: 0, recordTasks: true });
}

describe("a production pool with promised slots under a flood of long tasks", () => {
  test("keeps its deadlines with preemption, and misses most of them without", async () => {
    const [kills, off, log] = [await run("kill"), await run("off"), await run("log")];
    expect(kills.summary.deadlines).toEqual({ met: 9, missed: 0, open: 0 });
    expect(off.summary.deadlines!.missed).toBeGreaterThanOrEqual(5);
    expect(off.summary.deadlines!.met + off.summary.deadlines!.missed).toBe(9);
    expect(off.summary.preemption!.kills).toBe(0);
    expect(off.summary.preemption).toEqual({ checks: 0, slotsWanted: 0, lostSeconds: 0 });
    // What is only logged changes nothing.
    expect(log.summary.preemption!.slotsWanted).toBeGreaterThan(0);
    expect(log.summary.fingerprint).toBe(off.summary.fingerprint);
  });

  test("takes maps of research alone, the youngest first, and their work is done again", async () => {
    const { summary, record } = await run("kill");
    const tasks = record.tasks;
    if (tasks === null) throw new Error("no tasks were recorded");
    const poolOf = (row: number): string => record.jobs.group[tasks.job[row]];
    const killed = [...tasks.outcome.keys()].filter((row) => tasks.outcome[row] === 1);
    expect(killed.length).toBe(summary.preemption!.kills);
    expect(killed.length).toBeGreaterThan(100);
    expect(new Set(killed.map(poolOf))).toEqual(new Set(["research.models", "research.logs"]));
    const lostUs = killed.reduce((sum, row) => sum + tasks.finishAtUs[row] - tasks.launchAtUs[row], 0);
    expect(summary.preemption!.lostSeconds).toBeCloseTo(lostUs / 1e6, 3);
    // Tasks whose attempt was killed succeed later, or still wait or run at the end of the run: none is lost, none
    // twice.
    const done = new Map<string, number>();
    for (let row = 0; row < tasks.rows; row++) {
      const task = `${tasks.job[row]}/${tasks.type[row]}/${tasks.index[row]}`;
      if (tasks.outcome[row] === 0) done.set(task, (done.get(task) ?? 0) + 1);
    }
    expect([...done.values()].every((times) => times === 1)).toBe(true);
    expect(done.size).toBe(summary.tasks.map.ended + summary.tasks.reduce.ended);
  });
});
