import { expect, it } from "vitest";
import { sweepWords } from "../../../dist/cli/index.js";

const progress = { ended: 12, failed: 0, running: 3, total: 1000, endedHere: 0 };

it("a sweep says what has ended, failed and is running, and its pace once there is one", () => {
  expect(sweepWords(progress, 5)).toBe("12 of 1,000 runs, 3 running");
  expect(sweepWords({ ...progress, failed: 2, endedHere: 10 }, 4)).toBe(
    "12 of 1,000 runs, 2 failed, 3 running, 2.5 runs/s",
  );
  expect(sweepWords({ ...progress, endedHere: 1 }, 0)).toBe("12 of 1,000 runs, 3 running");
});
