import { describe, expect, it } from "vitest";
import { MAP, REDUCE, buildScheduler, type Launcher } from "../../../../dist/core/platforms/hadoop/index.js";
import {
  DECISION_KINDS,
  type DecisionCase,
  PAPER_CASE,
  bareSeconds,
  type BuildDecisions,
  runDecisions,
} from "../../../../dist/lab/index.js";

const SMALL: DecisionCase = { ...PAPER_CASE, nodes: 50, jobs: 12, pools: 4, maps: 30, reduces: 20 };

/** The real scheduler, whose launches are noted as `job/type/task`. */
function noting(launches: string[]): BuildDecisions {
  return (spec, around, launcher) => {
    const { jobs } = around;
    const launch = (job: number, type: number, task: number): void => {
      launches.push(`${String(jobs.id[job])}/${String(type)}/${String(task)}`);
    };
    const noted = Object.create(launcher) as Launcher;
    noted.launchMap = (job, task, node, level) => {
      launch(job, MAP, task);
      launcher.launchMap(job, task, node, level);
    };
    noted.launchReduce = (job, node) => {
      launch(job, REDUCE, jobs.total[REDUCE][job] - jobs.pending[REDUCE][job]);
      launcher.launchReduce(job, node);
    };
    return buildScheduler(spec, { ...around, launcher: noted });
  };
}

describe.each(DECISION_KINDS)("an experiment with %s", (kind) => {
  it.each([Infinity, 1])("hands out every task once, %s per heartbeat", async (tasksPerHeartbeat) => {
    const launches: string[] = [];
    const run = await runDecisions({ ...SMALL, kind, tasksPerHeartbeat }, "1", undefined, noting(launches));
    const tasks = SMALL.jobs * (SMALL.maps + SMALL.reduces);
    expect(launches).toHaveLength(tasks);
    expect(new Set(launches).size).toBe(tasks);
    expect(run.tasks).toBe(tasks);
    expect(run.maps).toBe(SMALL.jobs * SMALL.maps);
    // Each heartbeat is timed, or known to have lost its processor.
    expect(run.busy.offers.size).toBeLessThanOrEqual(run.counts.heartbeats);
    expect(run.busy.reports + run.busy.interrupted).toBeGreaterThanOrEqual(run.busy.beats);
    expect(run.drain).not.toBeNull();
  });

  it("decides alike each time, and otherwise where blocks lie elsewhere", async () => {
    const first = await runDecisions({ ...SMALL, kind }, "1");
    const again = await runDecisions({ ...SMALL, kind }, "1");
    const other = await runDecisions({ ...SMALL, kind }, "2");
    expect(again.fingerprint).toBe(first.fingerprint);
    expect(again.counts).toEqual(first.counts);
    expect(other.fingerprint).not.toBe(first.fingerprint);
  });
});

describe("the end of an experiment", () => {
  it("comes with the number of tasks that is asked for, without a drain", async () => {
    const run = await runDecisions({ ...SMALL, assignments: 100 }, "1");
    expect(run.tasks).toBeGreaterThanOrEqual(100);
    // A heartbeat is carried out to its end.
    expect(run.tasks).toBeLessThan(104);
    expect(run.drain).toBeNull();
  });

  it("comes at once when somebody has had enough", async () => {
    const reason = new Error("enough");
    const many = { ...PAPER_CASE, nodes: 400, assignments: Infinity };
    await expect(runDecisions(many, "1", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("one job of two maps and two reduces on two nodes of one slot each", () => {
  // Every node has all blocks. Round 0: each node beats, gets a map and a reduce: two searches each. After the second node
  // nothing is left.
  const tiny = { ...SMALL, nodes: 2, mapSlots: 1, reduceSlots: 1, jobs: 1, pools: 1, maps: 2, reduces: 2 };

  it("takes two heartbeats of two searches each, and two reports at the end", async () => {
    const { counts, busy, drain, tasks, maps, nodeLocal } = await runDecisions(tiny, "1");
    expect({ tasks, maps, nodeLocal }).toEqual({ tasks: 4, maps: 2, nodeLocal: 2 });
    expect(counts).toEqual({ heartbeats: 2, passedOver: 0, searches: 4, updates: 0, jobsVisited: 2 });
    expect(busy.beats).toBe(2);
    // Two rounds: that in which the tasks end, and one more.
    expect(drain?.beats).toBe(4);
  });

  it("takes four heartbeats with one task each, the tasks lasting two rounds", async () => {
    const { counts, busy } = await runDecisions({ ...tiny, tasksPerHeartbeat: 1 }, "1");
    expect(counts).toMatchObject({ heartbeats: 4, searches: 4, jobsVisited: 2 });
    expect(busy.beats).toBe(4);
  });
});

it("takes time by itself, with nobody who decides", async () => {
  expect(await bareSeconds(SMALL, "1")).toBeGreaterThan(0);
});
