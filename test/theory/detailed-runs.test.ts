import { describe, expect, it } from "vitest";
import { equalTasksUs, meanReadSeconds } from "./closed-forms.js";
import type { InlineJobSpec } from "../../dist/core/scenario/index.js";
import { oneMap, runJobs } from "./listed-run.js";
import { Draws, estimate, expectAgreement } from "./monte-carlo.js";

const S = 1_000_000;
const NODE = 0;
const RACK = 1;
const FAR = 3;

interface Ran {
  readonly level: number;
  readonly launchSeconds: number;
  readonly endSeconds: number;
}

/** Attempts by job, of jobs of one map each, or by map of the only job. */
async function run(cluster: string, jobs: readonly InlineJobSpec[], more = "", seed = 1): Promise<Ran[]> {
  const text = `
cluster: ${cluster}
storage: { blockSize: 128MB, replication: 1 }
scheduler: fifo
runtime: { model: detailed, jobSetup: 0s, jobCleanup: 0s${more} }
run: { seed: ${seed}, sample: 1h }
`;
  const { tasks } = (await runJobs(text, jobs)).record;
  const ran: Ran[] = [];
  for (let i = 0; i < tasks!.rows; i++) {
    ran[tasks!.job[i] + tasks!.index[i]] = {
      level: tasks!.level[i],
      launchSeconds: tasks!.launchAtUs[i] / S,
      endSeconds: tasks!.finishAtUs[i] / S,
    };
  }
  return ran;
}

const blockReader = (maps: number, computeSeconds: number): InlineJobSpec =>
  // Start-up of 2 s and the block alone in 2 s belong to the time that is given.
  oneMap({ maps, mapUs: (4 + computeSeconds) * S });

describe("maps that read their blocks from one disk of 64 MB/s, start-up 2 s", () => {
  it.each([1, 2, 4, 8])("are through after 2 s and %i x 2 s of reading together, then compute alone", async (maps) => {
    const cluster = `{ racks: 1, nodesPerRack: 1, mapSlots: ${maps}, reduceSlots: 0, heartbeat: 3s, disk: 64MB/s }`;
    const ran = await run(cluster, [blockReader(maps, 5)]);
    expect(ran).toHaveLength(maps);
    for (const { launchSeconds, endSeconds } of ran) expect(endSeconds - launchSeconds).toBe(2 + 2 * maps + 5);
  });

  it("share with one that comes later: the second starts to read at 5 s, when the first has read for 3 s", async () => {
    const cluster = "{ racks: 1, nodesPerRack: 1, mapSlots: 2, reduceSlots: 0, heartbeat: 3s, disk: 32MB/s }";
    const ran = await run(cluster, [oneMap({ mapUs: 6 * S }), oneMap({ atUs: S, mapUs: 6 * S })]);
    // 128 MB each at 32 MB/s: 96 MB from 2 s to 5 s, the other 32 at half speed until 7 s; then 96 MB alone until 10 s.
    expect(ran.map(({ launchSeconds, endSeconds }) => [launchSeconds, endSeconds])).toEqual([
      [0, 7],
      [3, 10],
    ]);
  });
});

describe("maps whose blocks lie on another node of the rack, behind links of 32 MB/s", () => {
  const cluster = `{ racks: [{ nodes: [{ mapSlots: 0 }, { mapSlots: 4 }] }], reduceSlots: 0, heartbeat: 3s, disk: 64MB/s, link: 32MB/s }`;

  it("share the link of their node, m x 4 s; those with a local block the disk, k x 2 s", async () => {
    const seen = new Set<number>();
    for (let seed = 1; seed <= 12; seed++) {
      const ran = await run(cluster, [blockReader(4, 0)], "", seed);
      const remote = ran.filter(({ level }) => level === RACK).length;
      for (const { level, launchSeconds, endSeconds } of ran) {
        const reading = level === NODE ? 2 * (4 - remote) : 4 * remote;
        expect(endSeconds - launchSeconds).toBe(2 + reading);
      }
      seen.add(remote);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it("are nearly twice as long as with a local block when they only read, with no factor set", async () => {
    const seconds: number[][] = [[], []];
    for (let seed = 1; seed <= 12; seed++) {
      for (const ran of await run(cluster, [oneMap({ mapUs: 42 * S })], ", io: { ioShare: 1 }", seed))
        seconds[ran.level].push(ran.endSeconds - ran.launchSeconds);
    }
    expect(new Set(seconds[NODE])).toEqual(new Set([42]));
    expect(new Set(seconds[RACK])).toEqual(new Set([82]));
  });
});

/** Runs with the first seed that puts the blocks where each map has its level. */
async function runAt(levels: readonly number[], cluster: string, jobs: readonly InlineJobSpec[]): Promise<Ran[]> {
  for (let seed = 1; seed <= 100; seed++) {
    const ran = await run(cluster, jobs, "", seed);
    if (ran.every(({ level }, i) => level === levels[i])) return ran;
  }
  throw new Error("no seed puts the blocks there");
}

describe("maps whose blocks lie in another rack", () => {
  it.each([1, 2, 3, 4])("share its uplink of 16 MB/s, %i of them, from the end of their start-up", async (maps) => {
    const cluster = `{ racks: [{ uplink: 16MB/s, nodes: [{ mapSlots: 0 }] }, { uplink: unlimited, nodes: [{ mapSlots: 4 }] }], reduceSlots: 0, heartbeat: 3s, disk: 64MB/s }`;
    const ran = await runAt(new Array<number>(maps).fill(FAR), cluster, [blockReader(maps, 0)]);
    // Rates travel with 22 bits, rounded down: a read takes up to 2^-21 longer.
    const readingUs = 8 * maps * S;
    for (const { launchSeconds, endSeconds } of ran) {
      const moreUs = Math.round((endSeconds - launchSeconds) * S) - 2 * S - readingUs;
      expect(moreUs).toBeGreaterThanOrEqual(0);
      expect(moreUs).toBeLessThanOrEqual(1 + readingUs * 2 ** -21);
    }
  });

  it("share the far disk with a local reader, and gain by its end two lookaheads after the settle instant that follows", async () => {
    const cluster = "{ racks: 2, nodesPerRack: 1, mapSlots: 1, reduceSlots: 0, heartbeat: 3s, disk: 32MB/s }";
    const ran = await runAt([NODE, FAR], cluster, [oneMap({ maps: 2, mapUs: 6 * S })]);
    // The local map reads from 2 s on, alone until 3.5 s (48 MB); the other, launched at 1.5 s, joins then. At 16 MB/s
    // the local one is through at 8.5 s, a settle instant. The source offers more then; the reader, who knows of it at
    // 9.5 s, agrees, and from 10.5 s on that counts. The other has 48 MB to go; 32 of them until then, the rest at 32
    // MB/s.
    expect(ran.map(({ launchSeconds, endSeconds }) => [launchSeconds, endSeconds])).toEqual([
      [0, 8.5],
      [1.5, 11],
    ]);
  });
});

describe("equal maps in the detailed model", () => {
  it.each([
    [4, 9, 10],
    [5, 40, 9],
  ])(
    "take the time of the light one when each has its disk for itself: %i nodes, %i maps of %i s",
    async (nodes, maps, seconds) => {
      const cluster = `{ racks: 1, nodesPerRack: ${nodes}, mapSlots: 1, reduceSlots: 0, heartbeat: 3s, disk: 128MB/s, link: 119MB/s }`;
      // Every node has every block: all reads are local.
      const text = `
cluster: ${cluster}
storage: { replication: ${nodes} }
scheduler: fifo
runtime: { model: detailed, jobSetup: 0s, jobCleanup: 0s }
`;
      const { record } = await runJobs(text, [oneMap({ maps, mapUs: seconds * S })]);
      const firstBeatUs = Array.from({ length: nodes }, (_, p) => Math.floor((3 * S * p) / nodes));
      expect(record.jobs.endAtUs[0]).toBe(
        equalTasksUs({ slotsPerNode: 1, heartbeatUs: 3 * S, firstBeatUs }, maps, seconds * S),
      );
    },
  );
});

describe("Poisson maps that only read, on one node with more slots than ever are busy", () => {
  const MEAN_SECONDS = 20;
  const LOAD = 0.6;
  const START_US = 2 * S;

  async function meanRead(draws: Draws, jobs: number, size: (draws: Draws) => number): Promise<number> {
    let atUs = 0;
    const listed = Array.from({ length: jobs }, () => {
      atUs += Math.round(draws.exponential((MEAN_SECONDS * S) / LOAD));
      return oneMap({ atUs, mapUs: START_US + Math.max(1, Math.round(size(draws) * S)) });
    });
    const cluster = "{ racks: 1, nodesPerRack: 1, mapSlots: 64, reduceSlots: 0, heartbeat: 200ms, disk: 64MB/s }";
    const ran = (await run(cluster, listed, ", io: { ioShare: 1 }")).slice(jobs / 10);
    return (
      ran.reduce((sum, { launchSeconds, endSeconds }) => sum + endSeconds - launchSeconds, 0) / ran.length -
      START_US / S
    );
  }

  it.each([
    ["equal", (): number => MEAN_SECONDS],
    ["mostly small", (draws: Draws): number => MEAN_SECONDS * (draws.fraction() < 0.75 ? 0.4 : 2.8)],
  ])(
    "read as long as M/G/1-PS says, whatever their sizes: %s",
    async (name, size) => {
      const means: number[] = [];
      for (let i = 0; i < 10; i++) means.push(await meanRead(new Draws(91, i), 1500, size));
      const closed = meanReadSeconds({ readsPerSecond: LOAD / MEAN_SECONDS, readSeconds: MEAN_SECONDS });
      const simulated = estimate(0, means.length, ({ sample }) => means[sample]);
      expectAgreement(`a node as M/G/1-PS at load 0.6, ${name} sizes`, closed, simulated, {
        resolution: 0.05 * closed,
      });
    },
    120_000,
  );
});
