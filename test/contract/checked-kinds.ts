import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";
import { checkScheduler } from "../../dist/lab/index.js";

/** Runs of the kit on a busy machine. */
const TIMEOUT_MS = 180_000;

/**
 * Holds every kind of the registry whose place leaves that remainder by four to the contract: files run side by side.
 */
export function checkKinds(remainder: 0 | 1 | 2 | 3): void {
  describe("the contract of schedulers is kept by", () => {
    it.each(SCHEDULER_KINDS.filter((_, place) => place % 4 === remainder).map(({ name }) => name))(
      "%s",
      async (name) => {
        const { checks, scenarios, runs } = await checkScheduler(name);
        expect(checks.filter(({ passed }) => !passed)).toEqual([]);
        // Four ways of each scenario, two more on threads of two of them, and the scenario of waits once more without
        // set-up.
        expect(runs).toBe(4 * scenarios.length + 2 * 2 + 1);
      },
      TIMEOUT_MS,
    );
  });
}
