import { beforeAll, describe, expect, test } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";
import type { GroupSampleColumns } from "../../dist/core/record/index.js";

const SLOTS = 400;
const SECOND = 1_000_000;

/** Map slots that a pool held at the sample of a second. */
function held(samples: GroupSampleColumns, pool: string, second: number): number {
  for (let row = 0; row < samples.rows; row++) {
    const isPool = samples.groupNames[samples.group[row]] === pool;
    if (isPool && samples.atUs[row] === second * SECOND) return samples.running[0][row];
  }
  return 0;
}

/** Seconds after `from` until the pool first held that many slots. */
function secondsUntil(samples: GroupSampleColumns, pool: string, from: number, slots: number): number {
  for (let second = from; second < 600; second++) if (held(samples, pool, second) >= slots) return second - from;
  return Infinity;
}

// The paper's hierarchical experiment (EuroSys 2010, section 5.2, Figure 11): pool 2 reached half of the slots in 17 s,
// the FIFO pool a third in 12 s; tolerance 5 s. Nothing is killed: slots come as tasks end.
describe.each(["1", "2", "3"])("the hierarchical experiment, seed %s", (seed) => {
  let samples: GroupSampleColumns;
  let jobEnds: readonly number[];
  let nodeLocal: number;

  beforeAll(async () => {
    const { scenario, directory } = loadScenario("scenarios/hierarchical.yaml", { seed });
    const { summary, record } = await runScenario(scenario, directory, { placement: 0 });
    samples = record.groupSamples;
    jobEnds = [1, 2, 3].map((k) => record.jobs.endAtUs[record.jobs.name.indexOf(`short-${k}`)]);
    nodeLocal = summary.locality.shares.node;
  }, 180_000);

  test("one pool has the whole cluster until the second comes", () => {
    expect(held(samples, "pool1", 50)).toBe(SLOTS);
  });

  test("the second pool reaches half of the slots within 17 s, give or take 5 s", () => {
    const seconds = secondsUntil(samples, "pool2", 57, SLOTS / 2);
    expect(seconds).toBeGreaterThanOrEqual(12);
    expect(seconds).toBeLessThanOrEqual(22);
  });

  test("the FIFO pool reaches a third within 12 s, give or take 5 s", () => {
    const seconds = secondsUntil(samples, "pool3", 118, Math.floor(SLOTS / 3));
    expect(seconds).toBeGreaterThanOrEqual(7);
    expect(seconds).toBeLessThanOrEqual(17);
  });

  test("the FIFO pool runs its jobs one after the other", () => {
    expect(jobEnds[0]).toBeLessThan(jobEnds[1]);
    expect(jobEnds[1]).toBeLessThan(jobEnds[2]);
  });

  test("when its jobs have ended the two others have half each again, also once one of them has two jobs", () => {
    const end = Math.ceil(jobEnds[2] / SECOND);
    for (let second = end + 30; second < 600; second++) {
      expect(Math.abs(held(samples, "pool1", second) - SLOTS / 2)).toBeLessThanOrEqual(4);
      expect(Math.abs(held(samples, "pool2", second) - SLOTS / 2)).toBeLessThanOrEqual(4);
    }
  });

  test("at least 98 % of the maps ran beside their block", () => {
    expect(nodeLocal).toBeGreaterThan(0.98);
  });
});
