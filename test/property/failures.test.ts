import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failingCases, problemOfFailing, runFailing } from "../support/failing-runs.js";

describe("attempts that fail, straggle, are copied, refused and lost", () => {
  it("never keep a job from ending, done or failed; never succeed twice, nor end twice", async () => {
    let failed = 0;
    let copies = 0;
    await fc.assert(
      fc.asyncProperty(failingCases, async (raw) => {
        const simulation = await runFailing(raw, 0, 1);
        const { recorder } = simulation.master.master;
        failed += recorder.jobsFailed;
        copies += recorder.copiesWon;
        expect(problemOfFailing(raw, simulation)).toBeNull();
      }),
      { numRuns: 120 },
    );
    expect(failed).toBeGreaterThan(10);
    expect(copies).toBeGreaterThan(10);
  }, 240_000);

  it("never leave a trace of slices and threads", async () => {
    await fc.assert(
      fc.asyncProperty(
        failingCases,
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0, 0, 1, 2),
        async (raw, slices, threads) => {
          const [one, other] = [await runFailing(raw, 0, 1), await runFailing(raw, threads, slices)];
          expect(other.master.master.recorder.fingerprint.hex()).toBe(one.master.master.recorder.fingerprint.hex());
        },
      ),
      { numRuns: 25 },
    );
  }, 240_000);
});
