import { describe, expect, it } from "vitest";
import { countedRun } from "./counted-run.mjs";

interface Counts {
  readonly tasks: number;
  readonly visits: number;
  readonly searches: number;
  readonly lookups: number;
  readonly frameBytes: number;
  readonly framesPerSlice: number;
}

/**
 * Operations, never seconds. Visits are heartbeats that the master looks at one by one; searches are those of the
 * scheduler for a task; lookups are questions to the index of pending maps.
 */
describe.each(["fifo", "fair", "delay", "hfs"])("the work of %s per launched task", (kind) => {
  let small: Counts;

  it("is a handful of operations on 20 nodes", async () => {
    small = await countedRun({ kind, nodes: 20 });
    expect(small.tasks).toBeGreaterThan(900);
    expect(small.visits).toBeLessThan(1.3);
    expect(small.searches).toBeLessThan(1.4);
    expect(small.lookups).toBeLessThan(1.5);
  });

  it.each([10, 100])("stays near that at %s times the nodes and the same load of a slot", async (times) => {
    const large: Counts = await countedRun({ kind, nodes: 20 * times });
    expect(large.tasks).toBeGreaterThan(900 * times);
    // With a hundred times the nodes as many more heartbeats fall into a locality wait; nearly all of them are passed
    // over together.
    expect(large.visits).toBeLessThan(3);
    expect(large.searches).toBeLessThan(3);
    // A job is asked only where it has a map on the node or may leave it; those that may are more on a larger cluster.
    expect(large.lookups).toBeLessThan(3 + 0.03 * times);
    if (kind === "hfs") expect(large.lookups).toBeLessThan(1);
    // A launch and a report: 28 and 20 bytes, and a few for the frame; never a word about heartbeats without news.
    expect(large.frameBytes).toBeLessThan(60);
    expect(large.framesPerSlice).toBeLessThan(2.01);
  });

  it("does not grow with jobs that only run", async () => {
    const alone: Counts = await countedRun({ kind, nodes: 200 });
    const crowded: Counts = await countedRun({ kind, nodes: 200, idleJobs: 2000 });
    // The idle jobs' own 2000 launches are in the sums.
    expect(crowded.visits).toBeLessThan(alone.visits + 1);
    expect(crowded.searches).toBeLessThan(alone.searches + 1);
  });
});
