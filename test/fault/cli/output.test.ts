import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "./command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

const ALL_FILES = [
  ".bide-folder",
  "README.txt",
  "jobs.parquet",
  "pool-samples.parquet",
  "pools.parquet",
  "resolved-scenario.json",
  "samples.parquet",
  "summary.json",
];

describe("a results folder of bide run", () => {
  it("is whole, and the summary on stdout says where it is", async () => {
    const { code, stdout } = await place.bideOn("good", "run", "good.yaml", "--out", "out", "--tasks", "--quiet");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Results {9}out$/m);
    expect(place.left()).toEqual(["out"]);
    expect(readdirSync(join(place.path, "out")).sort()).toEqual([...ALL_FILES, "tasks.parquet"].sort());
    expect(JSON.parse(readFileSync(join(place.path, "out/resolved-scenario.json"), "utf8"))).toMatchObject({
      name: "good",
    });
    expect(readFileSync(join(place.path, "out/README.txt"), "utf8")).toContain("duckdb -c");
  });

  it("has its name from scenario, seed and time when nobody names it", async () => {
    expect((await place.bideOn("good", "run", "good.yaml", "--no-tables", "--seed", "day+1")).code).toBe(0);
    expect(readdirSync(join(place.path, "results"))).toEqual([expect.stringMatching(/^good-day-1-\d{8}-\d{6}$/)]);
  });

  it("has no Parquet with --no-tables", async () => {
    await place.bideOn("good", "run", "good.yaml", "--out", "out", "--no-tables");
    expect(readdirSync(join(place.path, "out")).sort()).toEqual([
      ".bide-folder",
      "README.txt",
      "resolved-scenario.json",
      "summary.json",
    ]);
  });

  it("is refused before the run when it exists, and replaced with --force", async () => {
    mkdirSync(join(place.path, "out"));
    writeFileSync(join(place.path, "out/summary.json"), JSON.stringify({ format: "bide-summary" }));
    writeFileSync(join(place.path, "out/.bide-folder"), '{"format":"bide-folder","version":1,"kind":"results"}\n');
    // This engine would never end.
    const { code, stdout, stderr } = await place.bideOn("deaf", "run", "good.yaml", "--out", "out");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe("out: found an existing folder, allowed a new one; --force replaces the results in it\n");
    expect((await place.bideOn("good", "run", "good.yaml", "--out", "out", "--force")).code).toBe(0);
    expect(readFileSync(join(place.path, "out/summary.json"), "utf8")).toContain("fingerprint");
    expect(place.left()).toEqual(["out"]);
  });

  it.each([
    ["good.yaml", "found a file"],
    ["good.yaml/out", "not a directory"],
    ["/proc/bide-results", "cannot write"],
    ["", "Found nothing, allowed a name"],
  ])("is refused before the run at %j", async (out, message) => {
    const { code, stderr } = await place.bideOn("deaf", "run", "good.yaml", "--out", out);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(place.left()).toEqual([]);
  });

  it.each([
    ["of the summary", 2, "--no-tables", /^out: cannot write: file too large$/m],
    ["of a table", 8, "--tasks", /^out: cannot write: .*File too large/m],
  ])("leaves nothing when the disk refuses in the middle %s", async (_, kilobytes, option, message) => {
    const command = `ulimit -f ${kilobytes}; $GOOD run good.yaml --out out --quiet ${option}`;
    const { code, stderr, stdout } = await place.shell(command);
    expect({ code, stdout, left: place.left() }).toEqual({ code: 2, stdout: "", left: [] });
    expect(stderr).toMatch(message);
  });

  it("keeps the former results when a forced run fails", async () => {
    await place.bideOn("good", "run", "good.yaml", "--out", "out", "--no-tables");
    const { code } = await place.bideOn("dyingRack", "run", "good.yaml", "--out", "out", "--force");
    expect(code).toBe(3);
    expect(place.left()).toEqual(["out"]);
    expect(readFileSync(join(place.path, "out/summary.json"), "utf8")).toContain("bide-summary");
  });

  it("is not mixed with a folder that somebody made meanwhile", async () => {
    const { code, stderr } = await place.bideOn("overtaken", "run", "good.yaml", "--out", "out", "--no-tables");
    expect(code).toBe(2);
    expect(stderr).toContain("out: found an existing folder");
    expect(readdirSync(join(place.path, "out"))).toEqual(["theirs"]);
    expect(place.left()).toEqual(["out"]);
  });
});

describe("stdout", () => {
  it("has exactly summary.json with --json", async () => {
    const { code, stdout } = await place.bideOn("good", "run", "good.yaml", "--json", "--out", "out", "--no-tables");
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(place.path, "out/summary.json"), "utf8"));
  });

  it("has no colour when it is no terminal, not even in CI", async () => {
    const { stdout } = await place.shell("CI=true FORCE_COLOR=1 $GOOD run good.yaml --no-tables");
    expect(stdout).toContain("Fingerprint");
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001b/);
  });

  it("may be closed early", async () => {
    const { code, stdout, stderr } = await place.shell(
      "set -o pipefail; $GOOD run good.yaml --no-tables --quiet --json | head -n 1",
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "{\n", stderr: "" });
    const closed = await place.shell("set -o pipefail; $GOOD run good.yaml --no-tables --quiet --json | true");
    expect(closed).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each(["", "--help", "run --help", "--version", "schedulers"])(
    "may be full for bide %s: exit 2, one line",
    async (args) => {
      const { code, stderr } = await place.shell(`$GOOD ${args} > /dev/full`);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^standard output: cannot write: ENOSPC.*\n$/);
    },
  );

  it("may be full: exit 2, and the results are there", async () => {
    const { code, stderr } = await place.shell("$GOOD run good.yaml --no-tables --quiet --out out > /dev/full");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^standard output: cannot write: .*no space left/);
    expect(place.left()).toEqual(["out"]);
  });
});

describe("a long name", () => {
  const long = (length: number): string => "N".repeat(length);

  it.each([
    ["results", long(300)],
    ["init", `${long(300)}.yaml`],
    ["compare", "good.yaml", "--seeds", "2", "--quiet", "--out", long(300)],
  ])("that no file can have is refused: %s", async (...args) => {
    const { code, stderr } = await place.bide(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("name")]);
    expect(stderr).not.toContain("mistake in Bide");
  });

  it("that a file can have is written", async () => {
    expect((await place.bide("init", `${long(250)}.yaml`)).code).toBe(0);
    expect(place.left()).toEqual([`${long(250)}.yaml`]);
  });
});

describe("bide compare", () => {
  it("prints one table, or JSON, and writes the same JSON", async () => {
    const table = await place.bideOn(
      "good",
      "compare",
      "good.yaml",
      "--schedulers",
      "fair,hfs",
      "--seeds",
      "2",
      "--quiet",
    );
    expect(table.stdout).toMatch(/^fair .*\nhfs /m);
    const { code, stdout } = await place.bideOn(
      "good",
      "compare",
      "good.yaml",
      "--json",
      "--seeds",
      "1",
      "--out",
      "c.json",
      "--quiet",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ format: "bide-comparison", seeds: ["1"], confidence: 0.95 });
    expect(readFileSync(join(place.path, "c.json"), "utf8")).toBe(stdout);
    expect(place.left()).toEqual(["c.json"]);
  });

  it("refuses an existing file before any run", async () => {
    place.write("c.json", "mine");
    const { code, stderr } = await place.bideOn("deaf", "compare", "good.yaml", "--out", "c.json");
    expect(code).toBe(2);
    expect(stderr).toContain("c.json: found an existing file");
    expect(readFileSync(join(place.path, "c.json"), "utf8")).toBe("mine");
  });
});
