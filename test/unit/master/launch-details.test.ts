import { describe, expect, it } from "vitest";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { BlockStore, buildTopology, type Topology, ReadEnds } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
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
  it("else from its rack, however busy", () => expect(from([1, 3], 0, "", [3, 3])).toBe(3));
  it("else from its row", () => expect(from([1, 2], 0, "aba")).toBe(2));
  it("else from the holder with fewest open reads", () => expect(from([1, 2], 0, "", [1])).toBe(2));
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
});
