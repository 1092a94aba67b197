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
});
