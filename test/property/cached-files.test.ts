import fc from "fast-check";
import { afterEach, describe, it, vi } from "vitest";
import { CachedFirst } from "../../dist/core/platforms/hadoop/index.js";
import { simulate } from "../../dist/lab/index.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const FILE = "test/property/cached-files.test.ts";
const SECOND = 1_000_000;
const MB = 1e6;

const job = fc.record({
  maps: fc.integer({ min: 1, max: 12 }),
  reduces: fc.constantFrom(0, 0, 2),
  mapUs: fc.integer({ min: 1, max: 20 * SECOND }),
  atUs: fc.integer({ min: 0, max: 90 * SECOND }),
  file: fc.constantFrom("", "shared"),
  cacheFile: fc.constantFrom(undefined, "a", "b", "c"),
  count: fc.integer({ min: 1, max: 3 }),
});

const SIZES = { a: 150 * MB, b: 400 * MB, c: 1000 * MB };

const cases = fc
  .record({
    jobs: fc.array(job, { minLength: 1, maxLength: 6 }),
    wait: fc.constantFrom(
      { kind: "none" },
      { kind: "time", nodeUs: 7 * SECOND, rackUs: 4 * SECOND },
      { kind: "skips", node: 9, rack: 3 },
    ),
    kind: fc.constantFrom("fifo", "fair", "hfs"),
    rules: fc.constantFrom("paper", "1.2"),
    model: fc.constantFrom("light", "detailed"),
    mapFailure: fc.constantFrom(0, 0, 0.2),
    crash: fc.constantFrom(0, 20, 40),
    heartbeatJitter: fc.constantFrom(0, 0, 0.4),
    speculates: fc.boolean(),
    nodeCacheBytes: fc.constantFrom(1000 * MB, 1200 * MB, 5000 * MB),
    seed: fc.string({ maxLength: 2 }),
  })
  .map(({ jobs, wait, kind, rules, model, mapFailure, crash, heartbeatJitter, speculates, nodeCacheBytes, seed }) => {
    const events =
      crash === 0
        ? []
        : [{ kind: "crash" as const, rack: 0, node: 1, atUs: crash * SECOND, forUs: 20 * SECOND, factor: 1 }];
    return smallRun({
      cluster: clusterOf({ racks: 2, nodesPerRack: 3, heartbeatJitter, node: { linkBytesPerSecond: 50 * MB } }),
      scheduler: schedulerOf(kind, { wait, rules, preference: "cache" }),
      jobs: jobs.map((each) =>
        jobOf({
          ...each,
          everyUs: SECOND,
          cacheBytes: each.cacheFile === undefined ? undefined : SIZES[each.cacheFile],
        }),
      ),
      seed,
      storage: { replication: 2, nodeCacheBytes },
      runtime: {
        model,
        speculation: speculates
          ? { rule: "late", minAgeUs: 0, progressGap: 0.2, slowerBy: 0.5, maxShareOfSlots: 0.5, checkEveryUs: SECOND }
          : null,
      },
      faults: { mapFailure, events },
      run: { untilUs: 1000 * SECOND },
    });
  });

type Run = ReturnType<typeof smallRun>;

async function fingerprintOf({ scenario, workload }: Run, slices = 1, threads = 0): Promise<string> {
  const { master } = await simulate(scenario, workload, { threads, slices, recordTasks: false });
  return master.master.recorder.fingerprint.hex();
}

describe("preference for cached files", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it(
    "decides the same when every node may have something near, so that none is passed over",
    async () => {
      await searchForProblem(FILE, cases, 25, async (run) => {
        const short = await fingerprintOf(run);
        vi.spyOn(CachedFirst.prototype, "localNodes").mockReturnValue(-1);
        vi.spyOn(CachedFirst.prototype, "mayHaveLocal").mockReturnValue(true);
        const long = await fingerprintOf(run);
        vi.restoreAllMocks();
        return short === long ? null : "another fingerprint";
      });
    },
    SEARCH_TIMEOUT_MS,
  );
});
