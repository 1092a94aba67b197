import { describe, expect, it } from "vitest";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { BlockStore, buildTopology, type Topology, ReadEnds } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  buildLaunchDetails,
  type LaunchDetails,
  OpenReads,
} from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const MB = 1_000_000;

/**
 * One job of four maps and two reduces, of which `needs` says what it reads and writes, on three racks of two nodes;
 * the block of map i is on `holders[i]`.
 */
function setUp(
  changes: object,
  holders: readonly (readonly number[])[] = [[0, 3], [1], [2, 5], [4]],
  row = "",
  needs: object = {},
  racks: { count: number; nodes: number } = { count: 3, nodes: 2 },
) {
  const node = { diskBytesPerSecond: 100 * MB, linkBytesPerSecond: 50 * MB };
  const plain = clusterOf({ racks: racks.count, nodesPerRack: racks.nodes, node });
  const cluster = { ...plain, racks: plain.racks.map((rack, r) => ({ ...rack, row: row[r] ?? "" })) };
  const jobs = [jobOf({ maps: 4, reduces: 2, copyUs: 4 * SECOND, ...needs })];
  const { scenario, workload } = smallRun({ cluster, jobs, ...changes });
  const topology: Topology = buildTopology(scenario.cluster);
  const place = (block: number, out: Int32Array): number => {
    out.set(holders[block]);
    return holders[block].length;
  };
  const store = new BlockStore([4], topology, place, 3);
  const table = new JobTable();
  const entry = { id: 0, pool: 0, user: 0, priority: 2, startUs: 0, maps: 4, reduces: 2, slowStartMaps: 1 };
  const job = table.enter({ ...entry, firstBlock: 0 });
  const told: unknown[][] = [];
  const commands = {
    openRead: (...words: unknown[]) => void told.push(["open", ...words]),
    closeRead: (...words: unknown[]) => void told.push(["close", ...words]),
  };
  const commandsOf = () => commands as never;
  const tables = { scenario, workload, topology, jobs: table, store, commandsOf };
  const details = buildLaunchDetails(tables) as LaunchDetails;
  const reads = details?.reads ?? new OpenReads(topology, new ReadEnds(topology, scenario.cluster.network), commandsOf);
  return { details, reads, told, table, job, topology, store, commandsOf };
}

const DETAILED = { runtime: { model: "detailed" } };

describe("what launches tell racks that simulate stages", () => {
  it("is nothing where the run uses light racks", () => {
    expect(setUp({}).details).toBeNull();
  });

  it("a map reads its block, and leaves an equal part of what the reduces fetch", () => {
    const { details, job } = setUp(DETAILED);
    // Two reduces fetch for 4 s at min(100, 50) MB/s: 400 MB, by four maps.
    expect(details.map(job, 0, 0, 0, 10 * SECOND)).toEqual({
      commits: false,
      failsAt: -1,
      slowdown: 1000,
      prepareUs: 0,
      sourceNode: 0,
      inputBytes: 128 * 2 ** 20,
      outputBytes: 100 * MB,
    });
  });

  it("a share of the time after the start-up, at the speed of a nominal disk, gives the bytes", () => {
    const io = { taskStartUs: 2 * SECOND, ioShare: 0.25, outputRatio: 0.1, outputReplication: 3 };
    const { details, job } = setUp({ runtime: { model: "detailed", io } });
    expect(details.map(job, 0, 0, 0, 10 * SECOND).inputBytes).toBe(200 * MB);
    // Shorter than the start-up: nothing is read, from nowhere.
    expect(details.map(job, 0, 0, 0, SECOND)).toMatchObject({ inputBytes: 0, sourceNode: -1 });
  });

  it("reads nothing where times are light", () => {
    const { details, job } = setUp({ runtime: { setupTasks: true } });
    expect(details.map(job, 0, 0, 0, 10 * SECOND)).toMatchObject({ sourceNode: -1, inputBytes: 0, failsAt: -1 });
  });

  it("a reduce fetches what the nominal link brings in its time, and writes a share of it", () => {
    const { details, job, table } = setUp(DETAILED);
    table.done[MAP][job] = 3;
    expect(details.reduce(job, 1, 0, 4 * SECOND)).toEqual({
      commits: false,
      failsAt: -1,
      slowdown: 1000,
      prepareUs: 0,
      fetchBytes: 200 * MB,
      outputBytes: 20 * MB,
      available: 750_000,
      rank: 2 * 20_000_000,
    });
  });

  it("outcomes are drawn for the attempt: shares as given, the same wherever it runs, new for the next attempt", () => {
    const { details, job } = setUp({ faults: { mapFailure: 0.25, stragglers: 0.1, stragglerFactor: 2.5 } });
    const outcomes = Array.from({ length: 4000 }, (_, number) => ({ ...details.map(job, 0, number, 0, SECOND) }));
    const failing = outcomes.filter(({ failsAt }) => failsAt >= 0);
    expect(failing.length).toBeGreaterThan(900);
    expect(failing.length).toBeLessThan(1100);
    const mean = failing.reduce((sum, { failsAt }) => sum + failsAt, 0) / failing.length;
    expect(mean).toBeGreaterThan(450_000);
    expect(mean).toBeLessThan(550_000);
    expect(Math.max(...failing.map(({ failsAt }) => failsAt))).toBeLessThan(1_000_000);
    const slow = outcomes.filter(({ slowdown }) => slowdown === 2500).length;
    expect(slow).toBeGreaterThan(330);
    expect(slow).toBeLessThan(470);
    expect(outcomes.every(({ slowdown }) => slowdown === 1000 || slowdown === 2500)).toBe(true);
    const elsewhere = details.map(job, 0, 17, 3, SECOND);
    expect([elsewhere.failsAt, elsewhere.slowdown]).toEqual([outcomes[17].failsAt, outcomes[17].slowdown]);
    expect(details.reduce(job, 0, 17, SECOND).failsAt).toBe(-1);
  });

  it("nothing is drawn that cannot happen: stragglers alone do not fail, failures alone are not slow", () => {
    const slow = setUp({ faults: { stragglers: 1, stragglerFactor: 3 } });
    expect(slow.details.map(slow.job, 0, 0, 0, SECOND)).toMatchObject({ failsAt: -1, slowdown: 3000 });
    const failing = setUp({ faults: { reduceFailure: 1 } });
    expect(failing.details.map(failing.job, 0, 0, 0, SECOND)).toMatchObject({
      failsAt: -1,
      slowdown: 1000,
      prepareUs: 0,
    });
    const { failsAt, slowdown } = failing.details.reduce(failing.job, 0, 0, SECOND);
    expect([failsAt >= 0, slowdown]).toEqual([true, 1000]);
  });

  it("one record per kind is filled anew for every launch", () => {
    const { details, job, store } = setUp({ ...DETAILED, faults: { mapFailure: 1, stragglers: 1 } });
    store.remove(1, 1);
    const first = details.map(job, 0, 0, 0, SECOND);
    expect(first).toMatchObject({ sourceNode: 0, inputBytes: 128 * 2 ** 20 });
    expect(details.map(job, 1, 0, 0, SECOND)).toBe(first);
    expect(first).toMatchObject({ failsAt: 0, sourceNode: -1, inputBytes: 0 });
  });

  it("a map without any replica left fails before it reads", () => {
    const { details, job, store } = setUp(DETAILED);
    store.remove(1, 1);
    expect(details.map(job, 1, 0, 0, SECOND)).toMatchObject({ failsAt: 0, sourceNode: -1, inputBytes: 0 });
  });
});

describe("what a job says of itself", () => {
  const from = (needs: object, io: object = {}) => {
    const changes = { runtime: { model: "detailed", io: { ...DEFAULT_RUNTIME.io, taskStartUs: 2 * SECOND, ...io } } };
    const { details, job } = setUp(changes, undefined, "", needs);
    const { inputBytes, outputBytes } = details.map(job, 0, 0, 0, 10 * SECOND);
    return { inputBytes, outputBytes, reduce: { ...details.reduce(job, 0, 0, 4 * SECOND) } };
  };

  it("bytes of a map's input come before any share; the job's share before that of the runtime; then a block", () => {
    expect(from({ inputBytesPerMap: 7 * MB, ioShare: 0.5 }, { ioShare: 0.25 }).inputBytes).toBe(7 * MB);
    // Half, or a quarter, of 8 s at 100 MB/s.
    expect(from({ ioShare: 0.5 }, { ioShare: 0.25 }).inputBytes).toBe(400 * MB);
    expect(from({ ioShare: 0.5 }).inputBytes).toBe(400 * MB);
    expect(from({}, { ioShare: 0.25 }).inputBytes).toBe(200 * MB);
    expect(from({ ioShare: 0 }).inputBytes).toBe(0);
    expect(from({}).inputBytes).toBe(128 * 2 ** 20);
  });

  it("what each map writes is fetched by the reduces in equal parts, whatever time that was given", () => {
    const { outputBytes, reduce } = from({ mapOutputBytes: 30 * MB });
    // Four maps of 30 MB for two reduces; a tenth is written.
    expect([outputBytes, reduce.fetchBytes, reduce.outputBytes]).toEqual([30 * MB, 60 * MB, 6 * MB]);
    expect(from({ mapOutputBytes: 0 })).toMatchObject({ outputBytes: 0, reduce: { fetchBytes: 0, outputBytes: 0 } });
  });

  it("what a reduce writes does not follow what it fetches", () => {
    const { outputBytes, reduce } = from({ outputBytesPerReduce: 5 * MB });
    expect([outputBytes, reduce.fetchBytes, reduce.outputBytes]).toEqual([100 * MB, 200 * MB, 5 * MB]);
  });

  it("an input of no bytes is read from nowhere", () => {
    const { details, job } = setUp(DETAILED, undefined, "", { inputBytesPerMap: 0 });
    expect(details.map(job, 0, 0, 0, SECOND)).toMatchObject({ sourceNode: -1, inputBytes: 0, failsAt: -1 });
  });
});

/** Nodes 0 and 3 are in rack 0, 1 and 4 in rack 1, 2 and 5 in rack 2. */
describe("where a map reads from", () => {
  const from = (holders: readonly number[], node: number, row = "", open: readonly number[] = []): number => {
    const { details, reads, job } = setUp(DETAILED, [holders, [1], [1], [1]], row);
    open.forEach((source, slot) => reads.begin(source, slot, source, 1, 0));
    return details.map(job, 0, 0, node, SECOND).sourceNode;
  };

  it("from its own node, however busy", () => expect(from([0, 1], 0, "", [0, 0, 0])).toBe(0));
  it("else from its rack, however busy", () => expect(from([1, 3], 0, "", [3, 3])).toBe(3));
  it("else from its row", () => expect(from([1, 2], 0, "aba")).toBe(2));
  it("else from the holder with fewest open reads", () => expect(from([1, 2], 0, "", [1])).toBe(2));
  it("of equal ones the lowest", () => expect(from([5, 2, 4], 0)).toBe(2));
});

describe("open reads", () => {
  it("between rows are told to the racks that keep the uplinks of the rows, too", () => {
    const { topology, told, commandsOf } = setUp(DETAILED, [], "aabbbc", {}, { count: 6, nodes: 1 });
    const reads = (rowUplinkBytesPerSecond: number): OpenReads =>
      new OpenReads(topology, new ReadEnds(topology, { rowUplinkBytesPerSecond, settleUs: 1 }), commandsOf);
    // The first racks of the rows: of c, the only one.
    reads(MB).begin(1, 1, 4, 500, 7);
    reads(MB).begin(3, 3, 5, 600, 8);
    reads(MB).begin(2, 2, 3, 700, 9);
    reads(Infinity).begin(1, 1, 4, 800, 10);
    expect(told).toEqual([
      ["open", 4, 7, 1, 1, 4, 500],
      ["open", 2, 7, 1, 1, 4, 500],
      ["open", 0, 7, 1, 1, 4, 500],
      ["open", 5, 8, 3, 3, 5, 600],
      ["open", 2, 8, 3, 3, 5, 600],
      ["open", 3, 9, 2, 2, 3, 700],
      ["open", 4, 10, 1, 1, 4, 800],
    ]);
    const open = reads(MB);
    open.begin(1, 1, 4, 500, 11);
    open.killed(1, 1, 12);
    expect(told.filter(([what]) => what === "close")).toEqual([4, 2, 0].map((end) => ["close", end, 12, 1]));
  });

  it("count until the attempt ends; another rack is told of the begin and of a kill", () => {
    const { reads, told } = setUp(DETAILED);
    reads.begin(0, 0, 3, 500, 7);
    reads.begin(0, 1, 4, 600, 8);
    expect([reads.on(3), reads.on(4)]).toEqual([1, 1]);
    expect(told).toEqual([["open", 4, 8, 1, 0, 4, 600]]);
    reads.killed(0, 0, 9);
    reads.killed(0, 1, 9);
    expect(told.slice(1)).toEqual([["close", 4, 9, 1]]);
    reads.end(0);
    reads.end(1);
    reads.end(1);
    expect([reads.on(3), reads.on(4)]).toEqual([0, 0]);
    reads.killed(0, 1, 10);
    expect(told.length).toBe(2);
  });
});
