import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RunInputs } from "../../dist/lab/index.js";
import { GOLDEN_FILE, GOLDEN_HEADER, GOLDEN_RUNS, goldenKey, isOfHadoop, resultOfGolden } from "./golden-runs.mjs";

const inputs = new RunInputs();

const KEY_COLUMNS = 4;
const [header, ...rows] = readFileSync(GOLDEN_FILE, "utf8").trimEnd().split("\n");
const known = new Map(
  rows.map((row) => {
    const columns = row.split(",");
    return [columns.slice(0, KEY_COLUMNS).join(","), columns.slice(KEY_COLUMNS).join(",")];
  }),
);

/** Those of Hadoop have two, three or four racks. */
const ON_TWO_THREADS = [
  "benchmark,7,hfs,-",
  "copy-compute,1,-,-",
  "capacity,1,-,-",
  "tiny,1,-,commit-out-of-band",
  "tiny,1,-,detailed-uneven",
  "tiny,1,-,detailed-crashes",
  // These run on one, whatever is asked for.
  "spark/pools,1,-,-",
  "yarn/drf,1,-,drf",
];

/**
 * These change whenever what a scheduler, a generator or a model decides changes, or what a summary or a table tells of
 * it. If that was meant, `npm run build && node tools/update-golden.mjs`, and say in the commit what changed; if not,
 * it is a fault.
 */
describe("golden results", () => {
  it("are there for exactly the runs that are listed", () => {
    expect(header).toBe(GOLDEN_HEADER);
    expect([...known.keys()]).toEqual(GOLDEN_RUNS.map(goldenKey));
    // No two runs of Hadoop are the same: each setting changes something.
    const ofHadoop = GOLDEN_RUNS.filter(isOfHadoop).map((run) => known.get(goldenKey(run))!.split(",")[0]);
    expect(new Set(ofHadoop).size).toBe(ofHadoop.length);
  });

  // One after the other, with the workloads and topologies of those before.
  it.each(GOLDEN_RUNS.map((run) => [goldenKey(run), run] as const))("%s", async (key, run) => {
    expect(await resultOfGolden(run, 0, inputs)).toBe(known.get(key));
  });

  it("came of fewer workloads and topologies than there are runs", () => {
    expect(inputs.hits).toBeGreaterThan(100);
  });

  it.each(ON_TWO_THREADS)("%s on two threads", async (key) => {
    expect(await resultOfGolden(runOf(key), 2)).toBe(known.get(key));
  });

  it("capacity,1,-,- on four threads, of four racks", async () => {
    expect(await resultOfGolden(runOf("capacity,1,-,-"), 4)).toBe(known.get("capacity,1,-,-"));
  });
});

function runOf(key: string): (typeof GOLDEN_RUNS)[number] {
  const run = GOLDEN_RUNS.find((golden) => goldenKey(golden) === key);
  if (run === undefined) throw new Error(`there is no golden run ${key}`);
  return run;
}
