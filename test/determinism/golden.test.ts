import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fingerprintOfGolden, GOLDEN_FILE, GOLDEN_HEADER, GOLDEN_RUNS, goldenKey } from "./golden-runs.mjs";

const [header, ...rows] = readFileSync(GOLDEN_FILE, "utf8").trimEnd().split("\n");
const known = new Map(rows.map((row) => [row.slice(0, row.lastIndexOf(",")), row.slice(row.lastIndexOf(",") + 1)]));

/**
 * These change whenever what a scheduler, a generator or a model decides changes. If that was meant, `npm run build && node
 * tools/update-golden.mjs`, and say in the commit what changed; if not, it is a fault.
 */
describe("golden fingerprints", () => {
  it("are there for exactly the runs that are listed", () => {
    expect(header).toBe(GOLDEN_HEADER);
    expect([...known.keys()]).toEqual(GOLDEN_RUNS.map(goldenKey));
    expect(new Set(known.values()).size).toBe(known.size);
  });

  it.each(GOLDEN_RUNS.map((run) => [goldenKey(run), run] as const))("%s", async (key, run) => {
    expect(await fingerprintOfGolden(run)).toBe(known.get(key));
  });

  // copy-compute has two racks.
  it.each([
    { scenario: "benchmark", seed: "7", scheduler: "hfs" },
    { scenario: "copy-compute", seed: "1", scheduler: "-" },
  ])("$scenario,$seed,$scheduler on two threads", async (run) => {
    expect(await fingerprintOfGolden(run, 2)).toBe(known.get(goldenKey(run)));
  });

  it.each([2, 4])("capacity,1,- on %i threads, of four racks", async (threads) => {
    const run = { scenario: "capacity", seed: "1", scheduler: "-" };
    expect(await fingerprintOfGolden(run, threads)).toBe(known.get(goldenKey(run)));
  });
});
