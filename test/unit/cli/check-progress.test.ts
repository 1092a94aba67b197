import { afterEach, describe, expect, it, vi } from "vitest";
import { checkProgress } from "../../../dist/cli/index.js";

describe("the progress of a check that lets nothing else run", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** What stderr gets when the check is at `checked` points of 50,000 after so many seconds. */
  const written = (steps: readonly (readonly [seconds: number, checked: number])[], isTerminal: boolean): string[] => {
    const texts: string[] = [];
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => texts.push(String(text)) > 0);
    const before = process.stderr.isTTY;
    process.stderr.isTTY = isTerminal;
    const onChecked = checkProgress("Checking points");
    for (const [seconds, checked] of steps) {
      nowMs = seconds * 1000;
      onChecked(checked, 50_000);
    }
    process.stderr.isTTY = before;
    return texts;
  };

  it("says nothing of a check that takes less than a second", () => {
    expect(
      written(
        [
          [0, 0],
          [0.5, 20_000],
          [0.9, 50_000],
        ],
        false,
      ),
    ).toEqual([]);
  });

  it("has a line each ten seconds in a file", () => {
    expect(
      written(
        [
          [0, 0],
          [1.5, 10_000],
          [5, 20_000],
          [12, 30_000],
          [13, 50_000],
        ],
        false,
      ),
    ).toEqual(["Checking points: 10,000 of 50,000\n", "Checking points: 30,000 of 50,000\n"]);
  });

  it("writes over its line each second on a terminal, and leaves none behind", () => {
    const clear = "\r\u001b[K";
    expect(
      written(
        [
          [1.5, 10_000],
          [2, 15_000],
          [3, 20_000],
          [4, 50_000],
        ],
        true,
      ),
    ).toEqual([clear, "Checking points: 10,000 of 50,000", clear, "Checking points: 20,000 of 50,000", clear]);
  });
});
