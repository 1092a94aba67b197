import { describe, expect, it } from "vitest";
import { checkScheduler } from "../../dist/lab/index.js";

/** Runs of the kit on a busy machine. */
const TIMEOUT_MS = 180_000;

describe("the contract of schedulers is kept by fifo", () => {
  it.each(["0.21", "1.2"])(
    "under the rules of %s",
    async (rules) => {
      const { checks } = await checkScheduler("fifo", { set: [`scheduler.rules=${rules}`] });
      expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
