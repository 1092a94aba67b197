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

describe("bad input", () => {
  it.each([
    ["a missing trace", "workload: {kind: tasks, file: none.csv}\n", /none\.csv/],
    ["a trace that is none", "workload: {kind: tasks, file: good.yaml}\n", /good\.yaml: found a scenario/],
    ["broken YAML", "workload: {kind: tasks\n", /bad\.yaml:\d+:\d+: /],
  ])("%s: exit 2, named, nothing written", async (_, text, message) => {
    place.write("bad.yaml", text);
    const { code, stdout, stderr } = await place.bide("run", "bad.yaml");
    expect({ code, stdout, left: place.left() }).toEqual({ code: 2, stdout: "", left: ["bad.yaml"] });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("--lenient on a workload without a trace says that it has no effect", async () => {
    const { code, stderr } = await place.bide("run", "good.yaml", "--lenient", "--no-tables");
    expect(code).toBe(0);
    expect(stderr).toContain("note: --lenient has no effect: a jobs workload reads no trace\n");
  });
});

describe("bide run --recover", () => {
  const asked = ["--recover", "--no-tables", "--out", "out"];

  it("says where it has nothing to do", async () => {
    const { code, stdout, stderr } = await place.bide("run", "good.yaml", "--threads", "0", "--json", ...asked);
    expect(code).toBe(0);
    expect(stderr).toBe("note: --recover had nothing to watch: no rack had a thread of its own\n");
    expect(JSON.parse(stdout).cost).toMatchObject({ recoveries: 0, commandLogBytes: 0 });
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
      expect(stderr).toMatch(
        /^bide: rack\d+.* died at virtual time \S+: .+\nbide: the run was stopped; no results were written\n$/,
      );
    },
  );
});

describe("a workload whose pools do not exist", () => {
  const REFUSED = `name: refused
cluster: { racks: 2, nodesPerRack: 2 }
workload: { kind: jobs, jobs: [{ name: a, maps: 3, count: 5, pool: etll }, { name: b, maps: 2, pool: adhoc }] }
scheduler: { kind: hfs, rules: branch-1, undeclaredPools: false, pools: { etl: { minMaps: 1 }, prod: {} } }
`;

  it("ends with exit code 2, nothing left, the pools asked for and the nearest", async () => {
    place.write("refused.yaml", REFUSED);
    const { code, stderr } = await place.bide("run", "refused.yaml", "--out", "out", "--quiet");
    expect([code, place.left()]).toEqual([2, ["refused.yaml"]]);
    expect(stderr).toContain("all 6 jobs were refused");
    expect(stderr).toContain("pools asked for: etll (5; nearest: etl), adhoc (1)");
  });

  it("goes on with --allow-refused, and where some jobs run", async () => {
    place.write("refused.yaml", REFUSED);
    const all = await place.bide("run", "refused.yaml", "--out", "out", "--quiet", "--json", "--allow-refused");
    expect(all.code).toBe(0);
    const summary = JSON.parse(all.stdout);
    expect(isSummary(summary), JSON.stringify(isSummary.errors)).toBe(true);
    expect(summary.refusals).toEqual([
      { group: "etll", jobs: 5, nearest: "etl" },
      { group: "adhoc", jobs: 1, nearest: null },
    ]);
    place.write("refused.yaml", REFUSED.replace("adhoc", "prod"));
    const some = await place.bide("run", "refused.yaml", "--out", "some", "--quiet");
    expect(some.code).toBe(0);
    expect(some.stdout).toMatch(/Refused +5 jobs: no pool takes them/u);
  });

  it("ends bide compare with exit code 2, the system and the same reason; --allow-refused compares all the same", async () => {
    place.write("refused.yaml", REFUSED);
    const args = ["compare", "refused.yaml", "--schedulers", "fair,hfs", "--seeds", "2", "--quiet"];
    const { code, stdout, stderr } = await place.bide(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("refused.yaml: hfs, seed 1: all 6 jobs were refused");
    expect(stderr).toContain("pools asked for: etll (5; nearest: etl), adhoc (1)");
    const allowed = await place.bide(...args, "--allow-refused");
    expect(allowed.code).toBe(0);
    expect(allowed.stdout).toMatch(/^Refused +hfs, seed 1: 6 of 6 jobs; pools asked for: etll/mu);
  });

  it("is named by bide compare and bide sweep where some jobs run", async () => {
    place.write("refused.yaml", REFUSED.replace("adhoc", "prod"));
    const compared = await place.bide("compare", "refused.yaml", "--schedulers", "fair,hfs", "--seeds", "2", "--json");
    expect(compared.code).toBe(0);
    const why = "5 of 6 jobs; pools asked for: etll (5; nearest: etl)";
    expect(JSON.parse(compared.stdout).refused).toEqual([
      { system: "hfs", seed: "1", why },
      { system: "hfs", seed: "2", why },
    ]);
    place.write(
      "sweep.yaml",
      "scenario: refused.yaml\nreplications: 1\naxes: [{ path: cluster.mapSlots, values: [1, 2] }]\n",
    );
    const swept = await place.bide("sweep", "sweep.yaml", "--out", "swept", "--quiet");
    expect(swept.code).toBe(0);
    expect(swept.stdout.replace(/\s+/gu, " ")).toContain(`Refused 2 runs of 2 points (point 0, seed 1): ${why}`);
    const { stdout } = await place.bide("results", "swept");
    expect(stdout.replace(/\s+/gu, " ")).toContain(`Refused 2 runs of 2 points (point 0, seed 1): ${why}`);
  });

  it("fails the runs of bide sweep with that reason, and no repeat is offered", async () => {
    place.write("refused.yaml", REFUSED);
    place.write(
      "sweep.yaml",
      "scenario: refused.yaml\nreplications: 1\naxes: [{ path: cluster.mapSlots, values: [1, 2] }]\n",
    );
    const { code, stderr } = await place.bide("sweep", "sweep.yaml", "--out", "swept", "--quiet");
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /2 of 2 runs failed; the first, .*: all 6 jobs were refused because no pool takes them; pools/u,
    );
    expect(stderr).toContain("a repeat would fail in the same way");
  });
});
