import { describe, expect, it } from "vitest";
import { wholeProgress, words } from "../../../dist/cli/index.js";
import { shareDone } from "../../../dist/lab/index.js";

const progress = {
  virtualUs: 0,
  untilUs: Infinity,
  jobsEnded: 0,
  jobsTotal: 10,
  lastSubmitUs: 0,
  tasksEnded: 0,
  stillUs: 0,
  stuckAfterUs: 86_400e6,
};

describe("how far a run is", () => {
  it("is counted in virtual time when the run ends at a time, else in jobs", () => {
    expect(shareDone({ ...progress, virtualUs: 6e6, untilUs: 24e6, jobsEnded: 9 })).toBe(0.25);
    expect(shareDone({ ...progress, virtualUs: 6e6, jobsEnded: 9 })).toBe(0.9);
  });

  it("is no farther in jobs than virtual time on its way to the last of them", () => {
    const far = { ...progress, virtualUs: 6e6, jobsEnded: 9, lastSubmitUs: 24e6 };
    expect(shareDone(far)).toBe(0.25);
    expect(shareDone({ ...far, virtualUs: 23e6 })).toBe(0.9);
    expect(shareDone({ ...far, virtualUs: 30e6 })).toBe(0.9);
  });

  it("is never beyond 0 and 1, and 0 without jobs or time", () => {
    expect(shareDone({ ...progress, virtualUs: 30, untilUs: 24 })).toBe(1);
    expect(shareDone({ ...progress, jobsTotal: 0 })).toBe(0);
    expect(shareDone({ ...progress, untilUs: 0 })).toBe(0);
  });
});

it("several runs are together as far as those that are over and the one that goes on", () => {
  const whole = wholeProgress(2, 4, { ...progress, jobsEnded: 5 }, "fair, seed 1");
  expect(whole).toEqual({ label: "run 3 of 4, fair, seed 1", fraction: 2.5 / 4 });
});

it("says early that nothing ends, and foretells no end then", () => {
  const soFar = { ...progress, virtualUs: 110 * 3600e6, jobsEnded: 9, tasksEnded: 94 };
  expect(words(soFar, "3s")).toEqual({ words: "110h00m00s simulated, 9 of 10 jobs ended, 94 tasks", remaining: "3s" });
  expect(words({ ...soFar, stillUs: 71 * 60e6 }, "3s").remaining).toBe("3s");
  expect(words({ ...soFar, stillUs: 100 * 60e6 }, "3s")).toEqual({
    words: "110h00m00s simulated, 9 of 10 jobs ended, 94 tasks, nothing has ended for 1h40m00s",
    remaining: "?",
  });
  // However long the run is given.
  expect(words({ ...soFar, stillUs: 2 * 3600e6, stuckAfterUs: Infinity }, "3s").remaining).toBe("?");
});
