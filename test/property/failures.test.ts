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
});
