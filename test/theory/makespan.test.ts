import { describe, expect, it } from "vitest";
import { equalTasksUs } from "./closed-forms.js";
import { oneMap, runJobs } from "./listed-run.js";

const S = 1_000_000;

describe("the time of equal tasks", () => {
  it("is a wave, of whole heartbeats, for as many tasks as there are slots, or fewer", () => {
    const nodes = { slotsPerNode: 2, heartbeatUs: 3 * S, firstBeatUs: [0, S, 2 * S] };
    expect(equalTasksUs(nodes, 6, 6 * S)).toBe(8 * S);
    expect(equalTasksUs(nodes, 6, 6 * S + 1)).toBe(11 * S);
    expect(equalTasksUs(nodes, 3, 6 * S)).toBe(7 * S);
    expect(equalTasksUs(nodes, 2, 1)).toBe(3 * S);
  });

  it("is as many waves as there are slots' worth of tasks: 13 on 6 slots, the last on the node that comes first", () => {
    const nodes = { slotsPerNode: 2, heartbeatUs: 3 * S, firstBeatUs: [S, 2 * S, 0] };
    expect(equalTasksUs(nodes, 13, 7 * S)).toBe(27 * S);
  });

  it.each([
    [1, 1, 1, 10 * S],
    [4, 2, 8, 10 * S],
    [4, 2, 9, 10 * S],
    [5, 3, 100, 9 * S],
    [5, 3, 100, 9 * S + 1],
    [6, 1, 64, S / 2],
  ])("is that of a simulated job: %i nodes of %i slots, %i maps of %i us", async (nodes, slotsPerNode, maps, mapUs) => {
    const text = `
cluster: { racks: 1, nodesPerRack: ${nodes}, mapSlots: ${slotsPerNode}, reduceSlots: 0, heartbeat: 3s }
scheduler: fifo
runtime: { jobSetup: 0s, jobCleanup: 0s, localityFactor: { node: 1, rack: 1, any: 1 } }
`;
    const { record } = await runJobs(text, [oneMap({ maps, mapUs })]);
    const firstBeatUs = Array.from({ length: nodes }, (_, p) => Math.floor((3 * S * p) / nodes));
    expect(record.jobs.endAtUs[0]).toBe(equalTasksUs({ slotsPerNode, heartbeatUs: 3 * S, firstBeatUs }, maps, mapUs));
  });
});
