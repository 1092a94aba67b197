import { readdirSync, readFileSync } from "node:fs";
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
const run = async (engine: string, ...args: string[]) => place.bideOn(engine, "run", "good.yaml", "--quiet", ...args);

describe("a results folder of bide run", () => {
  it("is whole, and has exactly the JSON that is printed", async () => {
    const { stdout } = await run("good", "--out", "out", "--tasks", "--json");
    expect(place.left()).toEqual(["out"]);
    expect(readdirSync(join(place.path, "out")).sort()).toEqual([
      ...[".bide-folder", "README.txt", "jobs.parquet", "pool-samples.parquet", "pools.parquet"],
      ...["resolved-scenario.json", "samples.parquet", "summary.json", "tasks.parquet"],
    ]);
    expect(readFileSync(join(place.path, "out/summary.json"), "utf8")).toBe(stdout);
  });

  it("has its name from scenario, seed and time when nobody names it", async () => {
    await run("good", "--no-tables", "--seed", "day+1");
    expect(readdirSync(join(place.path, "results"))).toEqual([expect.stringMatching(/^good-day-1-\d{8}-\d{6}$/)]);
  });

  it.each([
    ["of the summary", 2, "--no-tables"],
    ["of a table", 8, "--tasks"],
  ])("leaves nothing when the disk refuses in the middle %s", async (_, kilobytes, option) => {
    const command = `ulimit -f ${kilobytes}; $GOOD run good.yaml --out out --quiet ${option}`;
    expect(await place.shell(command)).toMatchObject({ code: 2, stdout: "" });
    expect(place.left()).toEqual([]);
  });

  it("is refused before the run where it exists, and kept when a forced run fails or somebody else made it meanwhile", async () => {
    await run("good", "--out", "out", "--no-tables");
    // This engine would never end.
    expect(await run("deaf", "--out", "out")).toMatchObject({ code: 2, stdout: "" });
    expect((await run("dyingRack", "--out", "out", "--force")).code).toBe(3);
    expect(readFileSync(join(place.path, "out/summary.json"), "utf8")).toContain("bide-summary");
    expect(place.left()).toEqual(["out"]);
    place.remove();
    place = new Place();
    expect((await run("overtaken", "--out", "out", "--no-tables")).code).toBe(2);
    expect(readdirSync(join(place.path, "out"))).toEqual(["theirs"]);
  });
});

describe("stdout", () => {
  it("has no colour when it is no terminal, not even in CI, and may be closed early", async () => {
    const run = "$GOOD run good.yaml --no-tables --quiet";
    // eslint-disable-next-line no-control-regex
    expect((await place.shell(`CI=true FORCE_COLOR=1 ${run}`)).stdout).not.toMatch(/\u001b/);
    const closed = await place.shell(`set -o pipefail; ${run} --json | head -n 1`);
    expect(closed).toEqual({ code: 0, stdout: "{\n", stderr: "" });
  });

  it("may be full: exit 2, one line, and the results are there", async () => {
    for (const args of ["--help", "run good.yaml --no-tables --quiet --out out"]) {
      const { code, stderr } = await place.shell(`$GOOD ${args} > /dev/full`);
      expect([code, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
    }
    expect(place.left()).toEqual(["out"]);
  });
});

it("a name that no file can have is refused, and a long one that a file can have is written", async () => {
  const long = "N".repeat(300);
  for (const args of [
    ["results", long],
    ["init", `${long}.yaml`],
    ["compare", "good.yaml", "--out", long],
  ])
    expect((await place.bideOn("good", ...args)).code).toBe(2);
  expect((await place.bide("init", `${long.slice(50)}.yaml`)).code).toBe(0);
});
