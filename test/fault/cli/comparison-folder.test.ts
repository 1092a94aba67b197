import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const EVIL = `</script>'"|`;

const SCENARIO = `
name: own
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: a, pool: ${JSON.stringify(EVIL)}, maps: 3, mapTime: 4s, count: 3, every: 2s}
compare:
  systems:
    - {name: ${JSON.stringify(EVIL)}, set: {scheduler: fifo}}
    - {name: ${"long".repeat(24)}, set: {scheduler: fair}}
`;

const FILES = [".bide-folder", "README.txt", "comparison.json", "comparison.parquet"];

let place: Place;
let json = "";
let table = "";
beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.path, "own.yaml"), SCENARIO);
  const made = await place.bide("compare", "own.yaml", "--seeds", "3", "--out", "deep/compared", "--json", "--quiet");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  json = made.stdout;
  const printed = await place.bide("compare", "own.yaml", "--seeds", "3", "--quiet");
  table = printed.stdout;
}, 60_000);
afterAll(() => {
  place.remove();
});

const inFolder = (name: string, file: string): string => join(place.path, name, file);

/** A copy of the folder with other contents of its comparison. */
function spoilt(name: string, text: string): void {
  cpSync(join(place.path, "deep/compared"), join(place.path, name), { recursive: true });
  writeFileSync(inFolder(name, "comparison.json"), text);
}

/** Tables whose figures are no costs of this machine. */
const withoutCosts = (text: string): string => text.slice(0, text.indexOf("\nCost"));

describe("bide compare --out DIR", () => {
  it("writes a whole folder with exactly the JSON that it prints", () => {
    expect(readdirSync(join(place.path, "deep"))).toEqual(["compared"]);
    expect(readdirSync(join(place.path, "deep/compared")).sort()).toEqual(FILES);
    expect(readFileSync(inFolder("deep/compared", "comparison.json"), "utf8")).toBe(json);
    expect(readFileSync(inFolder("deep/compared", "README.txt"), "utf8")).toContain("2 systems, 3 seeds");
  });

  it("is refused before any run where a folder exists, and replaced with --force", async () => {
    await place.bideOn("good", "run", "good.yaml", "--out", "old", "--no-tables", "--quiet");
    // This engine would never end.
    const { code, stdout, stderr } = await place.bideOn("deaf", "compare", "good.yaml", "--out", "old");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe("old: found an existing folder, allowed a new one; --force replaces the results in it\n");
    const forced = await place.bideOn("good", "compare", "good.yaml", "--seeds", "1", "--out", "old", "--force");
    expect(forced.code).toBe(0);
    expect(readdirSync(join(place.path, "old")).sort()).toEqual(FILES);
  });

  it("never replaces what is not Bide's", async () => {
    mkdirSync(join(place.path, "mine"));
    writeFileSync(inFolder("mine", "comparison.json"), "mine");
    const { code, stderr } = await place.bideOn("deaf", "compare", "good.yaml", "--out", "mine", "--force");
    expect(code).toBe(2);
    expect(stderr).toContain("mine: found a folder without .bide-folder");
    expect(readFileSync(inFolder("mine", "comparison.json"), "utf8")).toBe("mine");
  });

  it("leaves nothing when the runs or the disk fail", async () => {
    const before = place.left();
    expect((await place.bideOn("dyingRack", "compare", "good.yaml", "--out", "new/failed")).code).toBe(3);
    const full = await place.shell("ulimit -f 2; $GOOD compare good.yaml --seeds 1 --out full --quiet");
    expect(full).toMatchObject({ code: 2, stdout: "" });
    expect(full.stderr).toMatch(/^full: cannot write: file too large$/m);
    expect(place.left()).toEqual(before);
  });
});

describe("bide results of a comparison", () => {
  it("prints what the comparison printed, in each format", async () => {
    const again = await place.bide("results", "deep/compared");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(withoutCosts(again.stdout)).toBe(withoutCosts(table));
    expect((await place.bide("results", "deep/compared", "--json")).stdout).toBe(json);
    expect((await place.bide("results", "deep/compared", "--format", "md")).stdout).toContain("### Response time");
    const csv = await place.bide("results", "deep/compared", "--format", "csv", "--out", "all.csv", "--quiet");
    expect(csv).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(place.path, "all.csv"), "utf8")).toMatch(/^system,point,kind,group,measure,unit,mean/);
  });

  it("answers SQL over the values of the runs, and exports them", async () => {
    const { systems } = JSON.parse(json) as { systems: { measures: Record<string, { values: number[] }> }[] };
    const asked = await place.bide("results", "deep/compared", "--json", "--sql", "SELECT * FROM comparison");
    const rows = JSON.parse(asked.stdout) as Record<string, unknown>[];
    expect(rows).toHaveLength(6);
    for (const [row, values] of rows.entries()) {
      const { measures } = systems[Math.floor(row / 3)]!;
      const { seed, responseMean, nodeLocalAll } = values;
      expect({ seed, responseMean, nodeLocalAll }).toEqual({
        seed: String((row % 3) + 1),
        responseMean: measures.responseMean!.values[row % 3],
        nodeLocalAll: measures.nodeLocalAll!.values[row % 3],
      });
      expect(Object.keys(values)).toHaveLength(5 + Object.keys(measures).length);
    }
    expect((await place.bide("results", "deep/compared", "--csv", "-")).stdout.trim().split("\n")).toHaveLength(7);
    expect((await place.bide("results", "deep/compared", "--parquet", "runs.parquet", "--quiet")).code).toBe(0);
    expect((await place.bide("results", "deep/compared", "--tables")).stdout).toContain("responseP95");
  });

  it.each(["--top", "--where", "--baseline", "--sort", "--measures"])("refuses %s", async (option) => {
    const { code, stderr } = await place.bide("results", "deep/compared", option, "1");
    expect([code, stderr]).toEqual([2, `${option}: found the folder of one comparison, allowed that of a sweep\n`]);
  });

  it.each<[string, (good: Record<string, unknown>) => unknown, RegExp]>([
    ["other-format", (good) => ({ ...good, format: "bide-summary" }), /: format: Invalid input/],
    ["older", (good) => ({ ...good, version: 1 }), /: version: Invalid input/],
    ["no-systems", (good) => ({ ...good, systems: [] }), /: systems: /],
    ["no-measures", (good) => ({ ...good, systems: [{ ...first(good), measures: {} }] }), /found no measure "response/],
    ["a-name", (good) => ({ ...good, systems: [{ ...first(good), name: 7 }] }), /: systems\.0\.name: /],
    [
      "a-wait",
      (good) => ({ ...good, systems: [{ ...first(good), waits: { kind: "time" } }] }),
      /: systems\.0\.waits: /,
    ],
    ["a-platform", (good) => ({ ...good, words: { platform: "__proto__" } }), /: words\./],
    [
      "escape",
      (good) => ({ ...good, systems: [{ ...first(good), name: "\u001b[31m" }] }),
      /name: found a control char/,
    ],
    ["a-list", () => [], /: the file: Invalid input/],
  ])("names the file and what is wrong in it: %s", async (name, change, message) => {
    const made = change(JSON.parse(json) as Record<string, unknown>);
    spoilt(name, JSON.stringify(made));
    const { code, stdout, stderr } = await place.bide("results", name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(`${name}/comparison.json: `), stderr).toBe(true);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("says what is missing, and what cannot be read", async () => {
    spoilt("cut", json.slice(0, 1000));
    expect((await place.bide("results", "cut")).stderr).toMatch(/^cut\/comparison\.json: found no JSON \(/);
    spoilt("bare", json);
    rmSync(inFolder("bare", "comparison.parquet"));
    expect((await place.bide("results", "bare")).code).toBe(0);
    const { code, stderr } = await place.bide("results", "bare", "--sql", "SELECT 1");
    expect([code, stderr]).toEqual([
      2,
      "bare: found no comparison.parquet, allowed a folder of bide compare with it\n",
    ]);
    spoilt("noise", json);
    writeFileSync(inFolder("noise", "comparison.parquet"), "PAR1 no table");
    const noise = await place.bide("results", "noise", "--sql", "SELECT * FROM comparison");
    expect(noise.code).toBe(2);
    expect(noise.stderr).toMatch(/^noise\/comparison\.parquet: cannot read the table/);
  });
});

const first = (good: Record<string, unknown>): object => (good.systems as object[])[0]!;
