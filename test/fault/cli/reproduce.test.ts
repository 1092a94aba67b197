import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const PUBLISHED = `why: >
  Formulas, and a run.
rows:
  - id: a.skips
    kind: hard
    what: D of 20 maps
    unit: ratio
    published: { value: 0.231 }
    tolerance: { absolute: 0.0005 }
    source: the paper
    confidence: 5
    quick: true
    formula: skipsPerNode
    with: { tasks: 20, nodes: 1000, replication: 3, locality: 0.95 }
  - id: b.local
    kind: shape
    what: local maps
    unit: share
    published: { atLeast: 2 }
    source: nowhere
    confidence: 1
    sweep: small
    measure: nodeLocalAll
    at: { scheduler: fair }
    why: A share is at most 1.
  - id: b.gain
    kind: shape
    what: time under fair over that under fair
    unit: ratio
    published: { value: 1 }
    tolerance: { relative: 0.1 }
    source: arithmetic
    confidence: 5
    sweep: small
    measure: responseMean of 3 maps
    of: { scheduler: fair }
    to: { scheduler: fair }
`;

const SWEEP = `scenario: good.yaml
axes: [{ path: scheduler, values: [fifo, fair] }]
replications: 2
measures: [nodeLocalAll, responseMean of 3 maps]
`;

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("mine.yaml", PUBLISHED);
  place.write("small.yaml", SWEEP);
});
afterAll(() => {
  place.remove();
});

const reproduce = async (...args: string[]) => place.bide("reproduce", "--published", "mine.yaml", ...args);

describe("bide reproduce", () => {
  it("prints published beside measured, and a miss is a result", async () => {
    const { code, stdout, stderr } = await reproduce("--markdown", "card.md", "--quiet", "--threads", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("2 of 3 rows within tolerance (hard 1 of 1, shape 1 of 2).");
    expect(stdout).toMatch(/^b\.local .* missed +- +\d+\.\d %: missed$/m);
    // Equal settings: the null model passes this row as we do.
    expect(stdout).toMatch(/^b\.gain .* within +- +1\.00: within$/m);
    expect(stdout).toContain("b.local: A share is at most 1.");
    const page = readFileSync(join(place.path, "card.md"), "utf8");
    expect(page).toContain("| a.skips | D of 20 maps | 0.23 | 0.23 | ± 0.0005 | within | - | - | the paper (5/5) |");
    expect(page).toContain("- **b.local**: A share is at most 1.");
  }, 60_000);

  it("repeats no run that is there", async () => {
    const journal = join(place.path, "results/reproduce/small/journal.jsonl");
    const before = readFileSync(journal, "utf8");
    const { code, stdout } = await reproduce("b", "--json", "--quiet");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format: "bide-scorecard",
      scores: { all: { within: 1, of: 2 } },
      rows: [
        { id: "b.local", verdict: "missed", judgedBy: "bound", singleRun: null },
        { id: "b.gain", verdict: "within", measured: 1, values: [1, 1], nullModel: { value: 1, verdict: "within" } },
      ],
    });
    expect(readFileSync(journal, "utf8")).toBe(before);
  });
});
