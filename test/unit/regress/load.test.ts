import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError, readBaseline, type LoadedRegress, loadRegress } from "../../../dist/io/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-regress-"));
  const workload = "workload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s}]}";
  writeFileSync(join(folder, "s.yaml"), `cluster: {racks: 2, nodesPerRack: 2}\n${workload}\nrun: {seed: 7}\n`);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function load(text: string): LoadedRegress {
  const file = join(folder, "suite.yaml");
  writeFileSync(file, text);
  return loadRegress(file);
}

/** What is told of a file, without its folder. */
function told(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll(`${folder}/`, "");
    throw error;
  }
  throw new Error("nothing was wrong");
}

describe("a regression file", () => {
  it("refuses statistics of a pool that is another one with each seed", () => {
    const run =
      "{name: a, scenario: s.yaml, replications: 2, set: {workload: {kind: benchmark}}, statistics: [STATISTIC]}";
    const refused = (statistic: string) => told(() => load(`runs: [${run.replace("STATISTIC", statistic)}]`));
    expect(refused("responseMean of job050")).toMatch(
      /^suite\.yaml:1:\d+: found "responseMean of job050": "job050" is another job with each seed; allowed pools/,
    );
    expect(load(`runs: [${run.replace("STATISTIC", "responseMean")}]`).runs).toHaveLength(1);
  });

  it("says in one line what a scenario is that is none", () => {
    writeFileSync(join(folder, "job_1.jhist"), 'Avro-Json\n{"type":"record","name":"Event"}\n');
    expect(told(() => load("runs: [{name: a, scenario: job_1.jhist}]"))).toMatch(
      /^job_1\.jhist: found a job history of Hadoop \(\.jhist\), allowed a scenario; [^\n]+$/,
    );
  });

  it("defaults: all exact figures of one run, three measurements; of several seeds with statistics, those alone", () => {
    const { name, baselineFile, runs } = load(
      "runs: [{name: a, scenario: s.yaml}, {name: b, scenario: s.yaml, replications: 3, statistics: [responseMean]}]",
    );
    expect([name, baselineFile]).toEqual(["suite", join(folder, "suite.baseline.json")]);
    expect(runs).toMatchObject([
      {
        seeds: ["7"],
        exact: ["fingerprint", "counts", "virtualSeconds"],
        speed: { tolerance: 1.5, repeats: 3 },
        memory: null,
      },
      {
        seeds: ["7", "8", "9"],
        exact: [],
        statistics: { measures: ["responseMean"], tolerance: 0.02 },
        speed: { repeats: 1 },
      },
    ]);
    expect(runs[0].asked).toEqual(runs[1].asked);
  });

  it("a run's own words come before the file's; what it sets is in its scenario", () => {
    const { runs } = load(`
speed: {tolerance: 3, repeats: 5}
memory: {tolerance: 2}
tolerance: 0.5
runs:
  - {name: a, scenario: s.yaml, set: {cluster.racks: 3}, seed: x, threads: rack, speed: {tolerance: 4}}
  - {name: b, scenario: s.yaml, speed: false, memory: {tolerance: 9}}
`);
    expect(runs).toMatchObject([
      { seeds: ["x"], threads: "rack", speed: { tolerance: 4, repeats: 5 }, memory: { tolerance: 2 } },
      { threads: 0, speed: null, memory: { tolerance: 9 }, statistics: { tolerance: 0.5 } },
    ]);
    expect(runs.map(({ scenario }) => scenario.run.seed)).toEqual(["x", "7"]);
    expect(runs[0].asked.scenario).not.toBe(runs[1].asked.scenario);
    expect(runs[0].asked.settings).toMatchObject({ "cluster.racks.0-2.nodes.0.count": 2, "run.seed": "x" });
  });

  it.each([
    ["runs: []", /^suite\.yaml:1:7: found an empty list for runs, allowed a list of at least one of runs/],
    ["[1]", /^suite\.yaml:1:1: found a list of 1 for the file, allowed a mapping with the keys name, why, baseline/],
    ["run: []", /found the key "run" in the file, allowed .*did you mean "runs"\?/],
    ["runs: [{name: a}]", /^suite\.yaml:1:8: found nothing for runs\.0\.scenario, allowed text/],
    [
      "runs: [{name: a, scenario: s.yaml, exact: [fingerprnt]}]",
      /:1:44: found "fingerprnt" .*did you mean "fingerprint"\?/,
    ],
    [
      "runs: [{name: a, scenario: s.yaml, replications: 2, statistics: [nodeLocal]}]",
      /found "nodeLocal" for runs\.0\.statistics\.0, allowed .*nodeLocalAll/,
    ],
    [
      "runs: [{name: a, scenario: s.yaml, statistics: [responseMean]}]",
      /found 1 with statistics for runs\.0\.replications, allowed 2 or more/,
    ],
    [
      "runs: [{name: a, scenario: s.yaml, tolerance: 0.1}]",
      /found a tolerance without statistics for runs\.0\.tolerance/,
    ],
    [
      "runs: [{name: a, scenario: s.yaml}, {name: a, scenario: s.yaml}]",
      /:1:44: found "a" for runs\.1\.name a second time, allowed once/,
    ],
    ["runs: [{name: a, scenario: s.yaml, exact: [], speed: false}]", /found a run of which nothing is compared/],
    [
      "runs: [{name: a, scenario: s.yaml, speed: {tolerance: 1}}]",
      /found 1 for runs\.0\.speed\.tolerance, allowed a number from 1\.01/,
    ],
    [
      "runs: [{name: a, scenario: s.yaml, threads: auto}]",
      /found "auto" for runs\.0\.threads, allowed 1 or 0 \(inline\)/,
    ],
    ["runs: [{name: a, scenario: s.yaml, set: {cluster..racks: 1}}]", /:1:42: found the key "cluster\.\.racks"/],
    [
      "runs: [{name: a, scenario: s.yaml, set: {cluster.racks: none}}]",
      /^suite\.yaml:1:57: found "none" for cluster\.racks/,
    ],
    ["runs: [{name: a, scenario: s.yaml, set: {clusters.racks: 1}}]", /^suite\.yaml:1:42: found the key "clusters"/],
    ["runs: [{name: a, scenario: t.yaml}]", /^t\.yaml: found no readable file \(no such file or directory\)/],
    ["runs: [{name: a, scenario: s.yaml}\nwhy: x", /^suite\.yaml:\d:\d+: found broken YAML/],
  ])("%s: says where and what is allowed", (text, message) => {
    expect(told(() => load(text))).toMatch(message);
  });
});

describe("a baseline", () => {
  const text = (fingerprint: string, speed: unknown): string =>
    JSON.stringify(
      {
        format: "bide-regress-baseline",
        version: 1,
        runs: [
          {
            name: "a",
            scenario: "0".repeat(64),
            replications: [{ seed: "1", fingerprint, virtualSeconds: 1, counts: { maps: 1 }, values: { m: null } }],
            speed,
            peakMemoryMiB: null,
            machine: { cpu: "x", cores: 1, memoryGiB: 1, node: "v20", platform: "linux", bide: "1" },
          },
        ],
      },
      null,
      2,
    );
  const GOOD = "0123456789abcdef".repeat(2);
  const SPEED = { ratio: 2, cpuSeconds: 1, calibrationSeconds: 0.5, calibration: 1 };

  const parsed = JSON.parse(text(GOOD, SPEED)) as { readonly runs: readonly unknown[] };

  it("is read as it was written", () => {
    writeFileSync(join(folder, "b.json"), text(GOOD, SPEED));
    expect(readBaseline(join(folder, "b.json")).runs).toMatchObject([{ name: "a", speed: SPEED, peakMemoryMiB: null }]);
  });

  it.each([
    [
      "nothing",
      "",
      /^b\.json:1:1: found nothing for the baseline, allowed a value of type object; npx bide regress --update writes it$/,
    ],
    [
      "no fingerprint",
      text("xyz", SPEED),
      /^b\.json:11:26: found "xyz" for runs\.0\.replications\.0\.fingerprint, allowed what npx bide regress --update writes/,
    ],
    ["a ratio of 0", text(GOOD, { ...SPEED, ratio: 0 }), /found 0 for runs\.0\.speed\.ratio/],
    [
      "another version",
      text(GOOD, SPEED).replace('"version": 1', '"version": 2'),
      /^b\.json:3:14: found 2 for version, allowed 1/,
    ],
    [
      "two runs of one name",
      JSON.stringify({ ...parsed, runs: [...parsed.runs, ...parsed.runs] }),
      /^b\.json:1:\d+: found the run name "a" a second time, allowed each run name once$/,
    ],
    ["half of it", text(GOOD, SPEED).slice(0, -20), /^b\.json:\d+:\d+: found broken JSON/],
  ])("%s: refused with its place", (_, broken, message) => {
    writeFileSync(join(folder, "b.json"), broken);
    expect(told(() => readBaseline(join(folder, "b.json")))).toMatch(message);
  });

  it("that is not there: says what writes it", () => {
    expect(told(() => readBaseline(join(folder, "none.json")))).toBe(
      "none.json: found no readable file (no such file or directory), allowed a baseline; npx bide regress --update writes it",
    );
  });
});
