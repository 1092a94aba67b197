import { existsSync, readFileSync } from "node:fs";
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

  it("draws a page, and the same from what --json printed", async () => {
    const { code, stdout, stderr } = await reproduce("--json", "--quiet", "--report", "card.html");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    place.write("printed.json", stdout);
    expect((await place.bide("report", "printed.json")).stdout).toBe("printed.html\n");
    const page = readFileSync(join(place.path, "card.html"), "utf8");
    expect(page).toContain("b.local");
    expect(page).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)=/i);
    expect(readFileSync(join(place.path, "printed.html"), "utf8")).toBe(page);
  }, 60_000);

  it("prints the scorecard before a page that a full disk refuses", async () => {
    const line = "ulimit -f 400; $BIDE reproduce a --published mine.yaml --report full.html --quiet";
    const { code, stdout, stderr } = await place.shell(line);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "full.html: cannot write: file too large\n",
    });
    expect(stdout).toContain("1 of 1 rows within tolerance");
    expect(existsSync(join(place.path, "full.html"))).toBe(false);
  });

  it.each([
    ["no JSON", "{"],
    ["rows.0.verdict", JSON.stringify({ format: "bide-scorecard", version: 2, rows: [{ id: "a.b" }] }), "rows.0"],
    [
      "another format",
      '{"format": "bide-published", "version": 2, "rows": []}',
      "the rows that bide reproduce --list prints",
    ],
    ["version", '{"format": "bide-scorecard", "version": 1, "rows": []}'],
    ["rows", JSON.stringify({ format: "bide-scorecard", version: 2, rows: Array(2001).fill({}) })],
  ])("refuses a file that is no scorecard: %s", async (what, text, named = what) => {
    place.write("broken.json", text);
    const { code, stderr } = await place.bide("report", "broken.json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(named) as string });
    expect(stderr).toContain("broken.json");
  });

  it("takes rows by experiment and by --quick, and lists them without a run", async () => {
    const { stdout } = await reproduce("--quick", "--list");
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await reproduce("a", "--quiet")).stdout).toContain("1 of 1 rows");
  });

  it.each([
    [["c"], 'bide reproduce: found "c", allowed the id of a row (--list shows them) or a, b'],
    [["--markdown", "card.csv"], "card.csv"],
    [["--markdown", "card.md"], "card.md: found an existing file"],
    [["--threads", "0"], "--threads"],
    [["--report", "card.pdf"], "--report card.pdf: found the ending .pdf, allowed .html"],
    [["--report", "card.html"], "card.html: found an existing file"],
    [["--report", "."], "found a folder"],
    [["--report", "nowhere/card.html"], "no such file or directory"],
    [["--report", "/dev/full"], "found neither a file nor a folder"],
  ])("refuses %j before any run", async (args, message) => {
    const { code, stdout, stderr } = await reproduce(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("refuses a sweep that is not there, and a point that it does not have", async () => {
    place.write("gone.yaml", PUBLISHED.replace("sweep: small", "sweep: nowhere"));
    expect((await place.bide("reproduce", "--published", "gone.yaml")).stderr).toContain("nowhere.yaml");
    place.write("point.yaml", PUBLISHED.replace("at: { scheduler: fair }", "at: { scheduler: hfs }"));
    const { code, stderr } = await place.bide("reproduce", "--published", "point.yaml");
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain("point.yaml:24:9: found");
  });
});

describe("the quick rows of the package", () => {
  it("answer the formulas of section 3.5 within tolerance", async () => {
    const { code, stdout } = await place.bide("reproduce", "3.5", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ scores: { hard: { within: 5, of: 5 } } });
  });
});
