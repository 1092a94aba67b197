import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blockedByLongTasksProbability,
  expectedPreferredFraction,
  headOfLineLocality,
  localLaunchProbability,
  localLaunchProbabilityBound,
  nonLocalLaunchProbability,
  stickySlotLocalityBound,
} from "./closed-forms.js";
import {
  expectedJobLocality,
  jobLocalityBound,
  jobLocalityLooseBound,
  localityWaitSeconds,
  reassignSeconds,
  skipCountForLocality,
  skipCountForWait,
  slotsFreedPerSecond,
} from "../../dist/core/theory.js";

/** Room for the rounding of a mean over a few thousand terms. */
const ROUNDING = 1e-12;

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const skips = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
const job = fc
  .record({ tasks: fc.integer({ min: 1, max: 3000 }), nodes: fc.integer({ min: 1, max: 2000 }), copies: fraction })
  .map(({ tasks, nodes, copies }) => ({ tasks, nodes, replication: 1 + Math.floor(copies * Math.min(9, nodes - 1)) }));
const block = fc.record({
  replication: fc.integer({ min: 1, max: 20 }),
  slotsPerNode: fc.integer({ min: 1, max: 64 }),
});
const cluster = fc.record({
  slots: fc.integer({ min: 1, max: 1_000_000 }),
  taskSeconds: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
});

function expectFraction(value: number): void {
  expect(value).toBeGreaterThanOrEqual(0);
  expect(value).toBeLessThanOrEqual(1);
}

describe("what can never happen in the closed forms", () => {
  it("no probability or locality leaves [0, 1]", () => {
    fc.assert(
      fc.property(job, skips, fraction, block, (j, d, f, b) => {
        const input = { tasksLeft: j.tasks, nodes: j.nodes, replication: j.replication };
        [
          expectedPreferredFraction(input),
          nonLocalLaunchProbability(f, d),
          localLaunchProbability(input, d),
          localLaunchProbabilityBound(input, d),
          expectedJobLocality(j, d),
          jobLocalityBound(j, d),
          jobLocalityLooseBound(j, d),
          headOfLineLocality(j),
          stickySlotLocalityBound(f, b),
          blockedByLongTasksProbability(f, b),
        ].forEach(expectFraction);
      }),
    );
  });

  it("no lower bound lies above what it bounds", () => {
    fc.assert(
      fc.property(job, skips, (j, d) => {
        const input = { tasksLeft: j.tasks, nodes: j.nodes, replication: j.replication };
        expect(localLaunchProbabilityBound(input, d)).toBeLessThanOrEqual(localLaunchProbability(input, d) + ROUNDING);
        expect(jobLocalityBound(j, d)).toBeLessThanOrEqual(expectedJobLocality(j, d) + ROUNDING);
        expect(jobLocalityLooseBound(j, d)).toBeLessThanOrEqual(jobLocalityBound(j, d) + ROUNDING);
      }),
    );
  });

  it("no locality falls when the job may be skipped more often", () => {
    fc.assert(
      fc.property(job, skips, skips, fraction, (j, a, b, p) => {
        const [few, many] = [Math.min(a, b), Math.max(a, b)];
        expect(nonLocalLaunchProbability(p, many)).toBeLessThanOrEqual(nonLocalLaunchProbability(p, few));
        for (const locality of [expectedJobLocality, jobLocalityBound, jobLocalityLooseBound]) {
          expect(locality(j, many)).toBeGreaterThanOrEqual(locality(j, few) - ROUNDING);
        }
      }),
    );
  });

  it("no locality falls when blocks have one copy more, and no more skips are needed", () => {
    fc.assert(
      fc.property(
        job.filter((j) => j.replication < j.nodes),
        skips,
        fraction,
        block,
        (j, d, f, b) => {
          const more = { ...j, replication: j.replication + 1 };
          const moreOfBlock = { ...b, replication: b.replication + 1 };
          expect(expectedJobLocality(more, d)).toBeGreaterThanOrEqual(expectedJobLocality(j, d) - ROUNDING);
          expect(jobLocalityBound(more, d)).toBeGreaterThanOrEqual(jobLocalityBound(j, d) - ROUNDING);
          expect(headOfLineLocality(more)).toBeGreaterThanOrEqual(headOfLineLocality(j) - ROUNDING);
          expect(skipCountForLocality(more, 0.95)).toBeLessThan(skipCountForLocality(j, 0.95));
          expect(stickySlotLocalityBound(f, moreOfBlock)).toBeGreaterThanOrEqual(stickySlotLocalityBound(f, b));
          expect(blockedByLongTasksProbability(f, moreOfBlock)).toBeLessThanOrEqual(
            blockedByLongTasksProbability(f, b),
          );
        },
      ),
    );
  });

  it("no skip count for a locality misses it in l(D), and it solves the loose bound", () => {
    fc.assert(
      fc.property(job, fc.double({ min: 0, max: 0.9999, noNaN: true }), (j, locality) => {
        const needed = skipCountForLocality(j, locality);
        expect(jobLocalityLooseBound(j, needed)).toBeCloseTo(locality, 9);
        expect(expectedJobLocality(j, needed)).toBeGreaterThanOrEqual(locality - 1e-9);
      }),
    );
  });

  it("no wait differs from the time its skip count takes to be offered", () => {
    fc.assert(
      fc.property(cluster, fc.double({ min: 1e-3, max: 1e4, noNaN: true }), fraction, (c, waitSeconds, f) => {
        const offers = skipCountForWait(waitSeconds, slotsFreedPerSecond(c));
        expect(Math.abs(localityWaitSeconds(c, offers) / waitSeconds - 1)).toBeLessThan(ROUNDING);
        const share = Math.floor(f * c.slots);
        expect(reassignSeconds(c, share)).toBeLessThanOrEqual(c.taskSeconds);
      }),
    );
  });

  it("the mean over K is no other than its terms, added one by one", () => {
    fc.assert(
      fc.property(job, fc.integer({ min: 0, max: 200 }), (j, d) => {
        let exact = 0;
        let bound = 0;
        for (let k = 1; k <= j.tasks; k++) {
          exact += 1 - Math.max(0, 1 - k / j.nodes) ** (j.replication * d);
          bound += 1 - Math.exp((-j.replication * d * k) / j.nodes);
        }
        expect(expectedJobLocality(j, d)).toBeCloseTo(exact / j.tasks, 10);
        expect(jobLocalityBound(j, d)).toBeCloseTo(bound / j.tasks, 10);
      }),
    );
  });
});
