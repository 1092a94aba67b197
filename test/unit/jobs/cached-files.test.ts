import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import {
  CachedFiles,
  CachedFirst,
  type MapSource,
  JobTable,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
  type PendingMaps,
} from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const MB = 1e6;

/** Two nodes whose links give 100 MB a second, with room for 500 MB, and a job for each file; the last needs none. */
function setUp(files: readonly (readonly [name: string, megabytes: number])[]) {
  const cluster = clusterOf({ racks: 1, nodesPerRack: 2, node: { linkBytesPerSecond: 100 * MB } });
  const jobs = [
    ...files.map(([cacheFile, megabytes]) => jobOf({ cacheFile, cacheBytes: megabytes * MB })),
    jobOf({ name: "plain" }),
  ];
  const { workload } = smallRun({ cluster, jobs });
  const table = new JobTable();
  const handles = workload.jobs.map((job, id) =>
    table.enter({
      id,
      pool: 0,
      user: 0,
      priority: 2,
      startUs: 0,
      maps: job.maps,
      reduces: 0,
      slowStartMaps: 0,
      firstBlock: id,
    }),
  );
  const cached = new CachedFiles({ workload, topology: buildTopology(cluster), jobs: table, bytesPerNode: 500 * MB });
  for (const job of handles) cached.jobEntered(job);
  return { cached, handles };
}

describe("files that tasks need on their nodes", () => {
  it("are fetched over the link by the first task; others wait for what is left of that, later ones not at all", () => {
    const { cached, handles } = setUp([["model", 300]]);
    const [job, plain] = handles as [number, number];
    expect([cached.isOn(0, job), cached.hasAny(0)]).toEqual([false, false]);
    expect(cached.use(job, 0, 10 * SECOND)).toBe(3 * SECOND);
    expect(cached.use(job, 0, 11 * SECOND)).toBe(2 * SECOND);
    expect(cached.use(job, 0, 13 * SECOND)).toBe(0);
    expect(cached.use(plain, 0, 13 * SECOND)).toBe(0);
    expect(cached.use(job, 1, 13 * SECOND)).toBe(3 * SECOND);
    expect([cached.found, cached.fetched, cached.bytesFetched, cached.evicted]).toEqual([2, 2, 600 * MB, 0]);
    expect([cached.nodeBits[0], cached.isNeededBy(job), cached.isNeededBy(plain)]).toEqual([3, true, false]);
  });

  it("are shared by all jobs that name them", () => {
    const { cached, handles } = setUp([
      ["model", 300],
      ["model", 300],
    ]);
    cached.use(handles[0]!, 0, 0);
    expect([cached.isOn(0, handles[1]!), cached.use(handles[1]!, 0, SECOND)]).toEqual([true, 2 * SECOND]);
  });

  it("go when there is no room, those used least recently first, as many as must", () => {
    const { cached, handles } = setUp([
      ["a", 200],
      ["b", 100],
      ["c", 200],
      ["d", 400],
    ]);
    const [a, b, c, d] = handles as [number, number, number, number];
    for (const job of [a, b, c]) cached.use(job, 0, 0);
    cached.use(a, 0, 9 * SECOND);
    const there = (): boolean[] => [a, b, c, d].map((job) => cached.isOn(0, job));
    // Full, to the byte. For 400 MB more b, c and a must go.
    expect([there(), cached.evicted]).toEqual([[true, true, true, false], 0]);
    cached.use(b, 0, 9 * SECOND);
    cached.use(d, 0, 10 * SECOND);
    expect([there(), cached.evicted]).toEqual([[false, true, false, true], 2]);
  });

  it("are lost with the node", () => {
    const { cached, handles } = setUp([["model", 300]]);
    cached.use(handles[0]!, 0, 0);
    cached.forget(0);
    expect([cached.isOn(0, handles[0]!), cached.hasAny(0), cached.nodeBits[0]]).toEqual([false, false, 0]);
    expect(cached.use(handles[0]!, 0, SECOND)).toBe(3 * SECOND);
  });
});

describe("preference for cached files", () => {
  /** The inner source has map 7, near its block as it says, wherever anything is allowed, or on node 1. */
  function preferring() {
    const { cached, handles } = setUp([["model", 300]]);
    const asked: number[] = [];
    const nearest: MapSource = {
      launchesBringNear: false,
      level: RACK_LOCAL,
      isListedNear: true,
      pick: (_job, node, allowed) => (asked.push(allowed), allowed === NODE_LOCAL && node !== 1 ? -1 : 7),
      hasPlaceless: () => false,
      mayHaveLocal: (node) => node === 1,
      mayHaveLocalOf: (_job, node) => node === 1,
      localNodes: () => 0b10,
    };
    const pending = { hasFailedMaps: false } as PendingMaps;
    return { cached, job: handles[0]!, plain: handles[1]!, asked, source: new CachedFirst(pending, nearest, cached) };
  }

  it("makes a node near that has the file, wherever the input is", () => {
    const { cached, job, asked, source } = preferring();
    cached.use(job, 0, 0);
    expect([source.pick(job, 0, NODE_LOCAL), source.level, asked]).toEqual([7, NODE_LOCAL, [OFF_RACK]]);
    expect([source.mayHaveLocal(0), source.localNodes(0)]).toEqual([true, 0b11]);
  });

  it("makes any other node far: out of reach at first, whatever its input, then as good as any", () => {
    const { job, asked, source } = preferring();
    expect([source.pick(job, 1, NODE_LOCAL), asked]).toEqual([-1, []]);
    expect([source.pick(job, 1, RACK_LOCAL), source.level, asked]).toEqual([7, OFF_RACK, [OFF_RACK]]);
  });

  it("is not for jobs that need no file", () => {
    const { cached, job, plain, asked, source } = preferring();
    cached.use(job, 0, 0);
    expect([source.pick(plain, 0, NODE_LOCAL), asked]).toEqual([-1, [NODE_LOCAL]]);
    expect([source.pick(plain, 1, NODE_LOCAL), source.level]).toEqual([7, RACK_LOCAL]);
  });
});
