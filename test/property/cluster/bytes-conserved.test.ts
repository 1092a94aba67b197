import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Flows } from "../../../dist/core/cluster/index.js";
import { RackIo } from "../../../dist/core/platforms/hadoop/index.js";
import { simulate } from "../../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const MIB = 2 ** 20;

/** What flows are for, by the call of RackIo that starts them. */
const CALLS = ["read", "readFromAfar", "serveAfar", "passRow", "sendOutput", "takeReplica", "fetch", "write"] as const;
type Call = (typeof CALLS)[number] | "sendOutput to itself";

interface Ledger {
  /** Bytes that got through, by call. */
  readonly bytes: (call: Call) => number;
  /** Flows that were given up, and that run still. */
  readonly stopped: () => number;
  readonly running: () => number;
}

/** Watches every flow of every rack from now on. */
function keepLedger(): Ledger {
  const through = new Map<Call, number>();
  const open = new Map<Flows, Map<number, { call: Call; bytes: number }>>();
  let now: Call = "read";
  let stopped = 0;
  const flowsOf = (flows: Flows): Map<number, { call: Call; bytes: number }> => {
    const known = open.get(flows) ?? new Map<number, { call: Call; bytes: number }>();
    open.set(flows, known);
    return known;
  };
  const close = (flows: Flows, f: number, left: number): void => {
    const { call, bytes } = flowsOf(flows).get(f)!;
    flowsOf(flows).delete(f);
    through.set(call, (through.get(call) ?? 0) + bytes - left);
  };
  for (const name of CALLS) {
    const original = RackIo.prototype[name] as (...of: unknown[]) => void;
    vi.spyOn(RackIo.prototype, name).mockImplementation(function (this: RackIo, ...of: unknown[]) {
      now = name === "sendOutput" && of[2] === of[3] ? "sendOutput to itself" : name;
      original.apply(this, of);
    });
  }
  const { start, extend, stop, popDone } = Flows.prototype;
  vi.spyOn(Flows.prototype, "start").mockImplementation(function (this: Flows, f, atUs, bytes, ...resources) {
    flowsOf(this).set(f, { call: now, bytes });
    start.call(this, f, atUs, bytes, ...resources);
  });
  vi.spyOn(Flows.prototype, "extend").mockImplementation(function (this: Flows, f, atUs, bytes) {
    flowsOf(this).get(f)!.bytes += bytes;
    extend.call(this, f, atUs, bytes);
  });
  vi.spyOn(Flows.prototype, "stop").mockImplementation(function (this: Flows, f, atUs) {
    stopped++;
    const left = stop.call(this, f, atUs);
    close(this, f, left);
    return left;
  });
  vi.spyOn(Flows.prototype, "popDone").mockImplementation(function (this: Flows) {
    const f = popDone.call(this);
    close(this, f, 0);
    return f;
  });
  return {
    bytes: (call) => through.get(call) ?? 0,
    stopped: () => stopped,
    running: () => [...open.values()].reduce((sum, flows) => sum + flows.size, 0),
  };
}

const jobs = fc.array(
  fc.record({
    maps: fc.integer({ min: 1, max: 17 }),
    reduces: fc.nat(5),
    inputBytesPerMap: fc.integer({ min: 1, max: 200 * MIB }),
    mapOutputBytes: fc.nat(300 * MIB),
    outputBytesPerReduce: fc.nat(400 * MIB),
    atUs: fc.nat(60).map((s) => s * SECOND),
  }),
  { minLength: 1, maxLength: 5 },
);
const cases = fc.record({
  jobs,
  racks: fc.integer({ min: 1, max: 3 }),
  rowUplink: fc.constantFrom(Infinity, 20 * MIB),
  nodesPerRack: fc.integer({ min: 2, max: 4 }),
  outputReplication: fc.integer({ min: 1, max: 3 }),
  slowStart: fc.constantFrom(0, 0.3, 1),
  outOfBandDelayUs: fc.constantFrom(0, 300_000),
  commits: fc.boolean(),
  seed: fc.nat(1000).map(String),
  crash: fc.option(fc.record({ node: fc.nat(1), atS: fc.nat(120), forS: fc.integer({ min: 40, max: 90 }) }), {
    freq: 2,
  }),
});

function runOf(of: typeof cases extends fc.Arbitrary<infer T> ? T : never): ReturnType<typeof smallRun> {
  const { racks, rowUplink, nodesPerRack, outputReplication, slowStart, outOfBandDelayUs, commits, crash } = of;
  const cluster = clusterOf({ racks, nodesPerRack, mapSlots: 2, reduceSlots: 2, outOfBandDelayUs });
  return smallRun({
    cluster: {
      ...cluster,
      racks: cluster.racks.map((rack, r) => ({ ...rack, row: r === 0 ? "a" : "b" })),
      network: { ...cluster.network, rowUplinkBytesPerSecond: rowUplink },
    },
    scheduler: schedulerOf("fifo"),
    jobs: of.jobs.map((job, i) => jobOf({ ...job, name: `job${i}`, file: `file${i}` })),
    storage: { replication: 1 },
    seed: of.seed,
    run: { untilUs: 20_000 * SECOND },
    runtime: {
      model: "detailed",
      slowStart,
      commit: commits ? { pollUs: SECOND, commitUs: SECOND } : null,
      io: { taskStartUs: 2 * SECOND, ioShare: null, outputRatio: 0.1, outputReplication },
    },
    faults:
      crash === null
        ? {}
        : {
            events: [
              {
                kind: "crash",
                rack: 0,
                node: crash.node,
                atUs: crash.atS * SECOND,
                forUs: crash.forS * SECOND,
                factor: 1,
              },
            ],
          },
  });
}

afterEach(() => vi.restoreAllMocks());

describe("a detailed run", () => {
  it("moves every byte on both sides, and none twice", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (of) => {
        const { scenario, workload } = runOf(of);
        const ledger = keepLedger();
        const { allEnded } = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
        vi.restoreAllMocks();
        // Whatever crashes: no transfer waits for ever, and none goes on without its attempt.
        expect([allEnded, ledger.running()]).toEqual([true, 0]);
        // What a reader reads from afar leaves its source.
        if (ledger.stopped() === 0) {
          expect(ledger.bytes("serveAfar")).toBe(ledger.bytes("readFromAfar"));
          // The third rack does not keep the uplink of its row.
          if (of.racks < 3 || of.rowUplink === Infinity) expect(ledger.bytes("passRow")).toBe(0);
          else expect(ledger.bytes("passRow")).toBeLessThanOrEqual(ledger.bytes("readFromAfar"));
        }
        if (of.crash !== null) return;
        const sum = (bytes: (job: (typeof of.jobs)[number]) => number): number =>
          of.jobs.reduce((all, job) => all + (job.reduces > 0 ? bytes(job) : 0), 0);
        const fetched = sum((job) => job.reduces * Math.round((job.maps * job.mapOutputBytes) / job.reduces));
        expect(ledger.bytes("sendOutput")).toBe(ledger.bytes("fetch"));
        expect(ledger.bytes("fetch") + ledger.bytes("sendOutput to itself")).toBe(fetched);
        const mapOutput = of.jobs.reduce((all, { maps, mapOutputBytes }) => all + maps * mapOutputBytes, 0);
        const output = sum((job) => job.reduces * job.outputBytesPerReduce);
        expect(ledger.bytes("write")).toBe(mapOutput + output);
        const others = Math.min(of.outputReplication - 1, of.racks === 1 ? of.nodesPerRack - 1 : of.nodesPerRack);
        expect(ledger.bytes("takeReplica")).toBe(others * output);
        expect(ledger.bytes("read") + ledger.bytes("readFromAfar")).toBe(
          of.jobs.reduce((all, { maps, inputBytesPerMap }) => all + maps * inputBytesPerMap, 0),
        );
      }),
      { numRuns: 60 },
    );
  });
});
