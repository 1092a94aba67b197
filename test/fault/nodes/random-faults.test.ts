import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FaultEventSpec } from "../../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { faultAt, faultsOf, rateOf } from "../../support/fault-specs.js";
import { runWithFaults, type FaultRun } from "../../support/fault-run.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const RACKS = 3;
const PER_RACK = 3;
const SIGNS = ["nodesGivenUp", "attemptsLost", "outputsLost", "copies"] as const;
const FILE = "test/fault/nodes/random-faults.test.ts";

const fault = fc
  .record({
    kind: fc.constantFrom("crash", "crash", "switch", "slow-disk", "slow-node"),
    rack: fc.nat(RACKS - 1),
    node: fc.nat(PER_RACK - 1),
    at: fc.nat(150),
    lasts: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 20, max: 200 })),
    factor: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ kind, rack, node, at, lasts, factor }) =>
    faultAt(kind, rack, kind === "switch" ? 0 : node, at, lasts, kind.startsWith("slow") ? factor : 1),
  );

const job = fc
  .record({
    at: fc.nat(100),
    maps: fc.integer({ min: 0, max: 25 }),
    reduces: fc.nat(4),
    map: fc.integer({ min: 3, max: 40 }),
    file: fc.constantFrom("", "", "shared"),
  })
  .map(({ at, maps, reduces, map, file }) =>
    jobOf({ atUs: at * SECOND, maps: Math.max(maps, reduces === 0 ? 1 : 0), reduces, mapUs: map * SECOND, file }),
  );

const cases = fc.record({
  events: fc.array(fault, { minLength: 1, maxLength: 8 }),
  drawn: fc.boolean(),
  jobs: fc.array(job, { minLength: 1, maxLength: 4 }),
  model: fc.constantFrom("light", "detailed"),
  kind: fc.constantFrom("fifo", "fair", "hfs"),
  setupTasks: fc.boolean(),
  commits: fc.boolean(),
  ioShare: fc.constantFrom(0, 0.5, null),
  replication: fc.integer({ min: 1, max: 3 }),
  expiry: fc.constantFrom(10, 30, 60),
  jitter: fc.constantFrom(0, 0, 0.5),
  outOfBand: fc.constantFrom(0, 0, 0.2),
  reduceSlots: fc.constantFrom(1, 3),
  computing: fc.constantFrom(null, 1, 2),
  seed: fc.string({ maxLength: 3 }),
});
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

function scenarioOf(one: Case) {
  const { events, drawn, jobs, model, kind, setupTasks, commits, ioShare, replication, seed } = one;
  const rates = drawn ? { crash: rateOf(200, 40, 200), switch: rateOf(400, 30, 200) } : {};
  const cluster = { heartbeatJitter: one.jitter, outOfBandDelayUs: one.outOfBand * SECOND };
  return smallRun({
    cluster: clusterOf({ racks: RACKS, nodesPerRack: PER_RACK, reduceSlots: one.reduceSlots, ...cluster }),
    jobs,
    seed,
    scheduler: schedulerOf(kind),
    storage: { replication },
    runtime: {
      model,
      setupTasks,
      io: { ...DEFAULT_RUNTIME.io, ioShare },
      copyCompute: one.computing === null ? null : { computing: one.computing, perJob: 1, order: "fair" },
      commit: commits ? { pollUs: SECOND, commitUs: 500_000 } : null,
      attempts: { ...DEFAULT_RUNTIME.attempts, trackerExpiryUs: one.expiry * SECOND },
    },
    faults: faultsOf(events as readonly FaultEventSpec[], rates),
  });
}

/** What is wrong with a run whose faults all end; null: nothing. */
function problemOf(run: FaultRun): string | null {
  if (!run.allEnded) return "not all jobs have ended";
  if (!run.slotsAddUp) return "the slots of the living nodes do not add up";
  const failed = run.attempts.filter(({ outcome }) => outcome === "failed");
  const results = new Map<string, number>();
  for (const { job, type, task, outcome } of run.attempts) {
    if (outcome !== "succeeded") continue;
    const name = [job, type, task].join("/");
    results.set(name, (results.get(name) ?? 0) + 1);
  }
  const doubles = [...results].filter(([name, count]) => count > 1 && name.split("/")[1] !== "0");
  if (doubles.length > 0) return `more than one result of ${doubles.map(([name]) => name).join(", ")}`;
  const again = [...results].reduce((sum, [, count]) => sum + count - 1, 0);
  if (again > run.outputsLost) return `${again} maps succeeded again, ${run.outputsLost} outputs were lost`;
  return failed.length > 0 && run.nodesGivenUp === 0 ? "an attempt failed although every block had its replicas" : null;
}

/** Random cases must show what they are for, or they are compared in vain: in per cent of the cases. */
const LEAST = { nodesGivenUp: 40, attemptsLost: 40, outputsLost: 10, copies: 30 };
const ENOUGH_CASES = 50;

describe("whatever schedule of faults that ends", () => {
  it(
    "all jobs end, no reduce succeeds twice and no map but for lost output, slots add up, alike on any slices",
    async () => {
      const found = { nodesGivenUp: 0, attemptsLost: 0, outputsLost: 0, copies: 0 };
      let runs = 0;
      await searchForProblem(FILE, fc.tuple(cases, fc.integer({ min: 2, max: 4 })), 60, async ([one, slices]) => {
        const run = await runWithFaults(scenarioOf(one));
        runs++;
        for (const sign of SIGNS) found[sign] += Math.min(1, run[sign]);
        const problem = problemOf(run);
        if (problem !== null) return problem;
        const { fingerprint } = await runWithFaults(scenarioOf(one), { slices });
        return fingerprint === run.fingerprint ? null : `another fingerprint with ${slices} slices`;
      });
      if (runs < ENOUGH_CASES) return;
      for (const sign of SIGNS) expect((found[sign] * 100) / runs, sign).toBeGreaterThan(LEAST[sign]);
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "every task succeeds where the nodes that hold a block never go at once",
    async () => {
      const crash = fc.record({
        at: fc.nat(20),
        lasts: fc.integer({ min: 1, max: 14 }),
        node: fc.nat(PER_RACK * RACKS - 1),
      });
      const crashes = fc.array(crash, { minLength: 1, maxLength: 6 });
      await searchForProblem(FILE, fc.tuple(crashes, cases), 25, async ([ones, rest]) => {
        // One after the other, each for less than 15 s of its 40.
        const events = ones.map(({ at, lasts, node }, i) =>
          faultAt("crash", node % RACKS, Math.floor(node / RACKS), 40 * i + at, lasts),
        );
        const run = await runWithFaults(scenarioOf({ ...rest, events, drawn: false, replication: 3 }));
        return run.attempts.some(({ outcome }) => outcome === "failed") ? "an attempt failed" : problemOf(run);
      });
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "and on threads, the result is the same",
    async () => {
      await searchForProblem(FILE, cases, 3, async (one) => {
        const { fingerprint } = await runWithFaults(scenarioOf(one));
        const two = await runWithFaults(scenarioOf(one), { threads: 2, slices: 2 });
        const perRack = await runWithFaults(scenarioOf(one), { threads: RACKS, slices: 1 });
        return two.fingerprint === fingerprint && perRack.fingerprint === fingerprint ? null : "another fingerprint";
      });
    },
    SEARCH_TIMEOUT_MS,
  );
});
