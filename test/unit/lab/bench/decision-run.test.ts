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
});
