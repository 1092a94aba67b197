import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponential, logNormal, logUniformInteger } from "../../../dist/core/kernel/index.js";
import { drained, JobStrata, STRATA_PER_BLOCK, workloadInSteps } from "../../../dist/core/workload/index.js";

const fraction = fc.integer({ min: 0, max: 0xffffffff }).map((word) => (word + 0.5) / 4294967296);

describe("generated workloads", () => {
  it("never leave the span, never lose a job, never give a job no task or a file too short", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1_000_000, max: 3 * 86_400_000_000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, jobs, spanUs, users, rereadProbability) => {
          const spec = { kind: "facebook", jobs, spanUs, users, timeScale: 1 } as const;
          const workload = drained(workloadInSteps(spec, { rereadProbability }, seed));
          expect(workload.jobs).toHaveLength(jobs);
          let previous = 0;
          for (const job of workload.jobs) {
            expect(job.submitAtUs >= previous && job.submitAtUs < spanUs).toBe(true);
            previous = job.submitAtUs;
            expect(Number.isInteger(job.maps) && job.maps >= 1 && job.maps <= 30_000).toBe(true);
            expect(Number.isInteger(job.reduces) && job.reduces >= 0).toBe(true);
            expect(workload.files[job.input?.file ?? -1].blocks).toBe(job.maps);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("never draw a value outside the support, and never fall as the fraction rises", () => {
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        for (const draw of [
          (f: number) => exponential(f, 5),
          (f: number) => logNormal(f, 3, 1.9),
          (f: number) => logUniformInteger(f, 1, 1000) - 1,
        ]) {
          expect(draw(low)).toBeGreaterThanOrEqual(0);
          // The normal quantile is an approximation with relative error 2e-9; it may dip by as much between neighbours.
          expect(draw(high) * (1 + 1e-8)).toBeGreaterThanOrEqual(draw(low));
        }
      }),
    );
  });

  it("never miss or repeat a stratum within a block, whatever the seed", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 1000 }), (seed, block) => {
        const strata = new JobStrata(seed);
        const seen = new Set<number>();
        for (let i = 0; i < STRATA_PER_BLOCK; i++) {
          const draw = strata.drawOf(block * STRATA_PER_BLOCK + i);
          for (const x of Object.values(draw)) expect(x > 0 && x < 1).toBe(true);
          seen.add(Math.floor(draw.size * STRATA_PER_BLOCK));
        }
        expect(seen.size).toBe(STRATA_PER_BLOCK);
      }),
      { numRuns: 20 },
    );
  });
});
