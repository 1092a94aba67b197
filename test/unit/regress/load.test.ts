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

const placeOf = (message: string): string => message.split(": ", 1)[0]!;

describe("a regression file", () => {
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
    expect(runs[0].question).toEqual(runs[1].question);
  });

  const REFUSED = [
    "runs: []",
    "[1]",
    "run: []",
    "runs: [{name: a}]",
    "runs: [{name: a, scenario: s.yaml, exact: [fingerprnt]}]",
    "runs: [{name: a, scenario: s.yaml, replications: 2, statistics: [nodeLocal]}]",
    "runs: [{name: a, scenario: s.yaml, statistics: [responseMean]}]",
    "runs: [{name: a, scenario: s.yaml, tolerance: 0.1}]",
    "runs: [{name: a, scenario: s.yaml}, {name: a, scenario: s.yaml}]",
    "runs: [{name: a, scenario: s.yaml, exact: [], speed: false}]",
    "runs: [{name: a, scenario: s.yaml, speed: {tolerance: 1}}]",
    "runs: [{name: a, scenario: s.yaml, threads: auto}]",
    "runs: [{name: a, scenario: s.yaml, set: {cluster..racks: 1}}]",
    "runs: [{name: a, scenario: s.yaml, set: {cluster.racks: none}}]",
    "runs: [{name: a, scenario: s.yaml, set: {clusters.racks: 1}}]",
    "runs: [{name: a, scenario: t.yaml}]",
    "runs: [{name: a, scenario: s.yaml}\nwhy: x",
  ];

  it("is refused at the place of what is wrong", () => {
    const places = REFUSED.map((text) => placeOf(told(() => load(text))));
    expect(places.join(" ")).toMatchInlineSnapshot(
      `"suite.yaml:1:7 suite.yaml:1:1 suite.yaml:1:1 suite.yaml:1:8 suite.yaml:1:44 suite.yaml:1:66 suite.yaml:1:8 suite.yaml:1:47 suite.yaml:1:44 suite.yaml:1:8 suite.yaml:1:55 suite.yaml:1:45 suite.yaml:1:42 suite.yaml:1:57 suite.yaml:1:42 t.yaml suite.yaml:2:1"`,
    );
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

  it("is refused at the place of what is wrong", () => {
    const wrong = [
      "",
      text("xyz", SPEED),
      text(GOOD, { ...SPEED, ratio: 0 }),
      text(GOOD, SPEED).replace('"version": 1', '"version": 2'),
      JSON.stringify({ ...parsed, runs: [...parsed.runs, ...parsed.runs] }),
      text(GOOD, SPEED).slice(0, -20),
    ];
    const places = wrong.map((broken) => {
      writeFileSync(join(folder, "b.json"), broken);
      return placeOf(told(() => readBaseline(join(folder, "b.json"))));
    });
    expect(new Set(places)).toEqual(new Set(["b.json"]));
    expect(placeOf(told(() => readBaseline(join(folder, "none.json"))))).toBe("none.json");
  });
});
