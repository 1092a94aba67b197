import { describe, expect, it } from "vitest";
import {
  DECISION_KINDS,
  type DecisionCase,
  decisionPoint,
  PAPER_CASE,
  runDecisions,
} from "../../../../dist/lab/index.js";

const SIZES = { nodes: 50, jobs: 12, maps: 30, reduces: 20 };
const SMALL: DecisionCase = { ...PAPER_CASE, ...SIZES, pools: 4 };

const [HADOOP, MODERN] = [true, false].map((isHadoop) =>
  DECISION_KINDS.filter((kind) => /^(spark|yarn)-/.test(kind) !== isHadoop),
);

describe.each(HADOOP)("an experiment with %s", (kind) => {
  it.each([Infinity, 1])("hands out every task once, %s per heartbeat", async (tasksPerHeartbeat) => {
    const run = await runDecisions({ ...SMALL, kind, tasksPerHeartbeat }, "1");
    expect(run.tasks).toBe(SMALL.jobs * (SMALL.maps + SMALL.reduces));
    expect(run.maps).toBe(SMALL.jobs * SMALL.maps);
    expect(run.times.tasks).toBe(run.tasks);
    // Each job that becomes ready makes an update of its own.
    expect(run.times.updates).toBe(run.counts.updates - SMALL.jobs);
    // The counts have heartbeats that were settled without a call, too.
    expect(run.times.offers.size).toBeLessThanOrEqual(run.counts.heartbeats);
  });
});

describe.each(MODERN)("an experiment with %s", (kind) => {
  it("hands out every task once, and times all offers that gave any", async () => {
    const run = await runDecisions(decisionPoint({ ...SIZES, kind }), "1");
    const masters = kind.startsWith("yarn") ? SMALL.jobs : 0;
    expect(run.tasks).toBe(SMALL.jobs * (SMALL.maps + SMALL.reduces) + masters);
    expect(run.maps).toBe(SMALL.jobs * SMALL.maps);
    expect(run.times.tasks).toBe(run.tasks);
    expect(run.times.offers.size).toBe(run.counts.heartbeats);
    expect(run.times.updates).toBe(run.counts.updates);
    expect(run.nodeLocal).toBeLessThanOrEqual(run.maps);
  });

  it("waits for places, unless it is told not to", async () => {
    const point = decisionPoint({ ...SIZES, kind });
    const waiting = await runDecisions(point, "1");
    const hasty = await runDecisions({ ...point, wait: { kind: "none" } }, "1");
    expect(waiting.nodeLocal).toBeGreaterThan(hasty.nodeLocal);
  });

  it("ends when virtual time is up, and at once when somebody has had enough", async () => {
    const point = decisionPoint({ ...SIZES, kind });
    const { tasks } = await runDecisions({ ...point, untilUs: 15_000_000 }, "1");
    expect(tasks).toBeGreaterThan(0);
    expect(tasks).toBeLessThan(SMALL.jobs * (SMALL.maps + SMALL.reduces));
    const reason = new Error("enough");
    await expect(runDecisions(point, "1", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe.each(DECISION_KINDS)("an experiment with %s", (kind) => {
  it("decides alike each time, and otherwise where blocks lie elsewhere", async () => {
    const point = decisionPoint({ ...SIZES, kind });
    const first = await runDecisions(point, "1");
    const again = await runDecisions(point, "1");
    const other = await runDecisions(point, "2");
    expect(again.fingerprint).toBe(first.fingerprint);
    expect(again.counts).toEqual(first.counts);
    expect(other.fingerprint).not.toBe(first.fingerprint);
  });
});

describe("the end of an experiment", () => {
  it("comes with the time that is asked for", async () => {
    const { tasks } = await runDecisions({ ...SMALL, wait: { kind: "none" }, untilUs: 5_000_000 }, "1");
    // Each of the 25 nodes that have had their heartbeat has its map slots full.
    expect(tasks).toBe(50);
  });

  it("comes at once when somebody has had enough", async () => {
    const reason = new Error("enough");
    await expect(runDecisions({ ...PAPER_CASE, nodes: 400 }, "1", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

it("one job of two maps and two reduces on two nodes of one slot each takes a round of maps, then one of reduces", async () => {
  const tiny = { ...SMALL, nodes: 2, mapSlots: 1, reduceSlots: 1, jobs: 1, pools: 1, maps: 2, reduces: 2 };
  const { counts, tasks, maps, nodeLocal } = await runDecisions(tiny, "1");
  // Both nodes have both blocks.
  expect({ tasks, maps, nodeLocal }).toEqual({ tasks: 4, maps: 2, nodeLocal: 2 });
  expect(counts).toMatchObject({ searches: 4 });
});
