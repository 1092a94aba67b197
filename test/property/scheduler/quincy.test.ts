import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failingCases, problemOfFailing, runFailing } from "../../support/failing-runs.js";

const underQuincy = failingCases.map((raw) => ({ ...raw, kind: "quincy" as const }));

describe("Quincy and its greedy rival, under every policy", () => {
  it("end every job whatever fails, is lost, refused or tried twice", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(underQuincy, async (raw) => {
        expect(problemOfFailing(raw, await runFailing(raw, 0, 1))).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it("leave no trace of slices and threads", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(underQuincy, fc.integer({ min: 2, max: 5 }), fc.nat(2), async (raw, slices, threads) => {
        const [one, other] = [await runFailing(raw, 0, 1), await runFailing(raw, threads, slices)];
        expect(other.master.master.recorder.fingerprint.hex()).toBe(one.master.master.recorder.fingerprint.hex());
      }),
      { numRuns: 10 },
    );
  });
});
