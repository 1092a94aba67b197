import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";
import { parseScenario, loadWorkload } from "../../dist/io/index.js";
import { simulate } from "../../dist/lab/index.js";
import { threadsOfFile } from "../support/threads-of-file.js";

export const KINDS = SCHEDULER_KINDS.map(({ name }) => name);
const RACKS = 3;
/** Rack threads, slices per lookahead, whether inline, too, through frames, and racks on the master's thread. */
const PLACES = [
  [0, 3, false, 0],
  [0, 2, true, 0],
  [2, 2, false, 1],
  [RACKS, 1, false, 0],
] as const;

/** What goes with every kind of scheduler, beside the two models of a cluster; a new one is entered here. */
export const COMPOSITIONS: Readonly<Record<string, readonly string[]>> = {
  light: [],
  detailed: ["runtime.model=detailed", "cluster.oversubscription=4"],
  // Reads between the rows also pass the uplink of the second one, which its first rack keeps.
  rows: [
    "runtime.model=detailed",
    "cluster.racks=[{name: a, row: x}, {name: b, row: y}, {name: c, row: y}]",
    "cluster.network.rowUplink=20MB/s",
  ],
  "copy-compute": ["runtime.copyCompute={computing: 1, perJob: 1}"],
  "cached files": [
    "scheduler.preference=cache",
    "storage.nodeCache=150MB",
    "workload.jobs.ask.cacheFile=model",
    "workload.jobs.join.cacheFile=model",
    "workload.jobs.scan.cacheFile=table",
  ],
  dsbra: ["storage.dynamicReplication={rule: dsbra, every: 5s}"],
  "hot spots": ["storage.dynamicReplication={rule: hotSpots, every: 5s, readersPerReplica: 1}"],
  "long tasks": ["scheduler.longTasks=balance"],
  "second attempts": [
    "runtime.model=detailed",
    "runtime.speculation=late",
    "faults.stragglers={share: 0.2, factor: 5}",
  ],
  faults: [
    "storage.replication=3",
    "runtime.attempts.trackerExpiry=20s",
    "faults.rates.crash={every: 5m, for: 1m, until: 10m}",
  ],
  "the rules of a release": ["scheduler.rules=1.2"],
};

/** Scans, small jobs on one file, reduces alone, long tasks: a little of everything on six nodes. */
const SCENARIO = {
  name: "matrix",
  cluster: { racks: RACKS, nodesPerRack: 2, mapSlots: 2, reduceSlots: 2 },
  storage: { replication: 1 },
  workload: {
    kind: "jobs",
    jobs: [
      {
        name: "scan",
        user: "ann",
        maps: 24,
        mapTime: "9s",
        reduces: 4,
        spread: 0.5,
        longTasks: { share: 0.2, factor: 4, of: "tasks" },
      },
      { name: "ask", user: "bob", at: "6s", maps: 3, mapTime: "5s", file: "clicks", count: 5, every: "8s" },
      { name: "join", user: "eve", at: "15s", maps: 8, reduces: 5, file: "clicks", priority: "high" },
      { name: "sum", user: "bob", at: "20s", maps: 0, reduces: 3 },
    ],
  },
  run: { until: "2h" },
};

const idleThreads = threadsOfFile();

/** Everything that a run decides, in one word. */
export async function fingerprintOf(
  kind: string,
  composition: string,
  threads = 0,
  slices = 1,
  framed = false,
  ownRacks = 0,
): Promise<string> {
  const text = JSON.stringify({ ...SCENARIO, scheduler: { kind } });
  const { scenario } = parseScenario(text, "matrix.json", { set: COMPOSITIONS[composition] ?? [] });
  const workload = await loadWorkload(scenario, ".");
  const run = await simulate(scenario, workload, {
    threads,
    slices,
    framed,
    ownRacks,
    recordTasks: false,
    idleThreads,
  });
  expect(run.allEnded).toBe(true);
  return run.master.master.recorder.fingerprint.hex();
}

/**
 * Every kind with both models and two of the other compositions, so that each of those meets some kinds: inline, and on
 * threads.
 */
export function checkSomeOfMatrix(): void {
  const names = Object.keys(COMPOSITIONS);
  const some = KINDS.flatMap((kind, k) =>
    names.flatMap((name, n) => (n < 2 || (k + n) % 4 === 0 ? [[kind, name, (k + n) % 4 < 2] as const] : [])),
  );
  it.each(some)("one fingerprint of %s with %s", async (kind, composition, onThreads) => {
    const [threads, slices, framed, ownRacks] = onThreads ? PLACES[2] : PLACES[1];
    expect(await fingerprintOf(kind, composition, threads, slices, framed, ownRacks)).toBe(
      await fingerprintOf(kind, composition),
    );
  });
}

/**
 * Kinds whose place leaves that remainder by three, with every composition, on every placement: files run side by side.
 */
export function checkMatrix(remainder: 0 | 1 | 2): void {
  describe.each(KINDS.filter((_, place) => place % 3 === remainder))("one fingerprint of %s", (kind) => {
    it.each(Object.keys(COMPOSITIONS))("with %s, inline and on threads", async (composition) => {
      const first = await fingerprintOf(kind, composition);
      // Threads take long to start: each kind meets them under both models, and in one of the other compositions.
      const place = Object.keys(COMPOSITIONS).indexOf(composition);
      const onThreads = place < 2 || (KINDS.indexOf(kind) + place) % (Object.keys(COMPOSITIONS).length - 2) === 0;
      for (const [threads, slices, framed, ownRacks] of onThreads ? PLACES : PLACES.slice(0, 2)) {
        const found = await fingerprintOf(kind, composition, threads, slices, framed, ownRacks);
        expect([threads, found]).toEqual([threads, first]);
      }
    });
  });
}
