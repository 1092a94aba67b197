import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const scenario = (name: string) => fileURLToPath(new URL(`../../../scenarios/${name}`, import.meta.url));
const schema = JSON.parse(readFileSync(new URL("../../../docs/formats/summary.schema.json", import.meta.url), "utf8"));
const isSummary = new Ajv({ strict: true }).compile(schema);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

describe("bide run, nothing replaced", () => {
  it("writes a summary that keeps its schema, with one fingerprint wherever the racks are", async () => {
    const fingerprints = new Set<string>();
    for (const threads of ["0", "2", "rack"]) {
      const run = [
        "run",
        scenario("tiny.yaml"),
        "--threads",
        threads,
        "--json",
        "--quiet",
        "--tasks",
        "--out",
        `on-${threads}`,
      ];
      const { code, stdout, stderr } = await place.bide(...run);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const summary = JSON.parse(stdout);
      expect(isSummary(summary), JSON.stringify(isSummary.errors)).toBe(true);
      fingerprints.add(summary.fingerprint);
      expect(readdirSync(join(place.path, `on-${threads}`))).toContain("tasks.parquet");
    }
    expect(fingerprints.size).toBe(1);
  });

  it("keeps the schema also when nothing has happened yet", async () => {
    const args = ["run", "good.yaml", "--set", "run.until=1s", "--json", "--quiet", "--out", "out"];
    const { code, stdout } = await place.bide(...args);
    expect(code).toBe(0);
    expect(isSummary(JSON.parse(stdout)), JSON.stringify(isSummary.errors)).toBe(true);
  });

  it("compares all schedulers with the same seeds, twice the same", async () => {
    const args = ["compare", scenario("tiny.yaml"), "--seeds", "2", "--json", "--quiet"];
    const [first, second] = [await place.bide(...args), await place.bide(...args)].map(({ stdout }) =>
      JSON.parse(stdout),
    );
    const fingerprints = (of: typeof first) =>
      of.systems.map((system: { fingerprints: string[] }) => system.fingerprints);
    expect(new Set(fingerprints(first).flat()).size).toBe(8);
    expect(fingerprints(second)).toEqual(fingerprints(first));
    expect(place.left()).toEqual([]);
  });
});

describe("a real run that ends badly", () => {
  it.each(["throw", "exit"])(
    "a rack thread that dies (%s): exit 3, rack, time and cause, nothing left",
    async (how) => {
      const { code, stdout, stderr } = await place.bideOn(
        `dying:${how}`,
        "run",
        scenario("tiny.yaml"),
        "--threads",
        "rack",
      );
      expect({ code, stdout, left: place.left() }).toEqual({ code: 3, stdout: "", left: [] });
      expect(stderr).toMatch(/^bide: rack\d+ .*\n.*\n$/);
    },
  );
});

it("jobs that no pool takes are told in the summary, which keeps its schema", async () => {
  const scheduler = "{kind: hfs, rules: branch-1, undeclaredPools: false, pools: {etl: {minMaps: 1}}}";
  const jobs = "[{name: a, maps: 3, count: 5, pool: etll}, {name: b, maps: 2, pool: adhoc}]";
  const set = ["--set", `scheduler=${scheduler}`, "--set", `workload={kind: jobs, jobs: ${jobs}}`];
  const { stdout } = await place.bide("run", "good.yaml", "--quiet", "--json", "--allow-refused", ...set);
  const summary = JSON.parse(stdout);
  expect(isSummary(summary), JSON.stringify(isSummary.errors)).toBe(true);
  expect(summary.refusals).toEqual([
    { group: "etll", jobs: 5, nearest: "etl" },
    { group: "adhoc", jobs: 1, nearest: null },
  ]);
});
