import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type SlotType, fairShares, TOP } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { histories, STEP_WEIGHTS, type History } from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";
import { bestByTrying, exactShares, problemWith, type Claim } from "../../support/water-filling.js";

const FILE = "test/property/scheduler/fair-shares.test.ts";

const weight = fc.oneof(
  fc.constantFrom(1, 1, 2, 0.5, 0, 0.001, 1e6),
  fc.double({ min: 1e-3, max: 1e3, noNaN: true, noDefaultInfinity: true }),
);
const minShare = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 30, noNaN: true }));
const demand = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1_000_000 }));

/** Up to nine pools or jobs that share whole slots, or the share of the pool that they lie in. */
const divisions = fc.record({
  claims: fc.array(fc.record({ weight, minShare, demand }), { maxLength: 9 }),
  slots: fc.oneof(fc.nat(100), fc.double({ min: 0, max: 1000, noNaN: true })),
  scales: fc.boolean(),
});

/** Shares of such divisions are multiples of 1 / STEPS: weights add up to at most 6. */
const STEPS = 60;
const smallDivisions = fc
  .record({
    claims: fc.array(fc.record({ weight: fc.constantFrom(1, 2), minShare: fc.nat(2), demand: fc.nat(3) }), {
      minLength: 1,
      maxLength: 3,
    }),
    slots: fc.nat(3),
  })
  .filter(({ claims, slots }) => claims.reduce((sum, c) => sum + Math.min(c.minShare, c.demand), 0) <= slots);

/** Updates are those of the history, after each of which all shares are looked at. */
const called = (spec: SchedulerSpec): SchedulerSpec => ({ ...spec, updateIntervalUs: Infinity });

interface Signs {
  nested: number;
  contended: number;
  overPromised: number;
}

/** What is wrong with the shares of the pools in one pool, and of those in them, or of its jobs. */
function problemIn(run: HistoryRun, parent: number, type: SlotType, slots: number, signs: Signs): string | null {
  const { pools } = run.built;
  const { view } = run.scheduler;
  const children = pools.childrenOf[parent + 1];
  if (parent !== TOP && children.length === 0) return problemOfJobs(run, parent, type, slots);
  const claims = children.map((pool) => ({
    weight: pools.weight[pool],
    minShare: pools.minShare[type][pool],
    demand: view.poolDemand(pool, type),
  }));
  const shares = children.map((pool) => view.poolFairShare(pool, type));
  const total = (of: (claim: Claim) => number): number => claims.reduce((sum, claim) => sum + of(claim), 0);
  if (parent !== TOP && total((c) => c.demand) > 0) signs.nested++;
  if (total((c) => c.demand) > slots) signs.contended++;
  if (total((c) => Math.min(c.minShare, c.demand)) > slots) signs.overPromised++;
  const problem = problemWith(shares, claims, slots, run.rules.scalesMinShares);
  if (problem !== null) return `in pool ${pools.names[parent] ?? "(top)"}, type ${type}: ${problem}`;
  for (const [i, pool] of children.entries()) {
    const inside = problemIn(run, pool, type, shares[i], signs);
    if (inside !== null) return inside;
  }
  return null;
}

function problemOfJobs(run: HistoryRun, pool: number, type: SlotType, slots: number): string | null {
  const { view } = run.scheduler;
  const jobs = run.present.filter((job) => run.jobs.pool[job] === pool);
  const shares = jobs.map((job) => view.jobFairShare(job, type));
  if (run.built.pools.mode[pool] === "fifo") {
    return shares.every((share) => share === 0) ? null : `jobs of a FIFO pool have shares ${shares.join(", ")}`;
  }
  const claims = jobs.map((job) => ({
    weight: view.jobWeight(job, type),
    minShare: 0,
    demand: view.jobDemand(job, type),
  }));
  const problem = problemWith(shares, claims, slots, false);
  return problem === null ? null : `jobs of pool ${run.built.pools.names[pool]}, type ${type}: ${problem}`;
}

function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  let problem: string | null = null;
  run.watcher.afterUpdate = () => {
    for (const type of [MAP, REDUCE] as const) problem ??= problemIn(run, TOP, type, run.cluster.slots[type], signs);
  };
  run.play();
  return problem;
}

describe("fair shares", () => {
  // Within bisection tolerance: above the exact share by at most weight * 2^-25 * max(1, 2 * ratio) slots, never below.
  // Their sum is min(slots, demand), unless min shares, cut to demand, exceed the slots and are not scaled (then it is
  // theirs), or a weight of 0 leaves slots over.
  it("are those of exact water filling, within bisection tolerance, and never exceed demand or capacity", () =>
    searchForProblem(FILE, divisions, 2000, ({ claims, slots, scales }) =>
      problemWith(fairShares(claims, slots, { scalesMinShares: scales, narrows: scales }), claims, slots, scales),
    ));

  // Where promises can be kept: the least share per weight is as large as can be, then the next, as found by trying
  // all.
  it("are max-min optimal among all divisions of a few slots, weights 1 and 2, promises that can be kept", () =>
    searchForProblem(FILE, smallDivisions, 300, ({ claims, slots }) => {
      const best = bestByTrying(claims, slots, STEPS);
      const exact = exactShares(claims, slots, false);
      const isOff = (share: number, i: number): boolean => share < best[i] - 1e-9 || share > best[i] + exact[i].excess;
      const shares = fairShares(claims, slots);
      return shares.some(isOff) ? `found ${shares.join(", ")}, best is ${best.join(", ")}` : null;
    }));

  // Right after an update, at every level: the pools in a pool share its share, jobs of a fair pool that of their pool.
  it(
    "are so at every level of the tree of pools, and among the jobs of every fair pool, after every update",
    async () => {
      const signs: Signs = { nested: 0, contended: 0, overPromised: 0 };
      let cases = 0;
      await searchForProblem(FILE, histories(STEP_WEIGHTS, called), 250, (history) => {
        cases++;
        return problemOf(history, signs);
      });
      if (cases < 200) return;
      for (const [sign, count] of Object.entries(signs)) expect(count / cases, sign).toBeGreaterThan(0.5);
    },
    SEARCH_TIMEOUT_MS,
  );
});
