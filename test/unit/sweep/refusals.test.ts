import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSweep, parseSweep } from "../../../dist/io/index.js";
import { refusalOf } from "../scenario/refused.js";
import { refusedSweep, sweepOf, SWEEPS } from "./sweep-texts.js";
import { ofHadoop } from "../../support/of-hadoop.js";

const AXIS = "axes: [{name: W1, path: scheduler.wait.node, values: [0s, 5s]}]";
const UNTIL = "until: {measure: jain, relativeHalfWidth: 5%, most: 10}";

describe("runs of a sweep", () => {
  it("have seeds that all points share, as many as there can be replications", () => {
    expect(sweepOf("seed: day\nreplications: 3").plan.seeds).toEqual(["day", "day.2", "day.3"]);
    expect(sweepOf("seeds: [7, x, 3]").plan).toMatchObject({ replications: 3, seeds: ["7", "x", "3"] });
    expect(sweepOf("seeds: [7, x, 3]\nreplications: 2").plan).toMatchObject({ replications: 2, seeds: ["7", "x"] });
    expect(sweepOf(UNTIL).plan).toMatchObject({
      replications: 10,
      seeds: { length: 10 },
      until: { measure: "jain", relativeHalfWidth: 0.05, most: 10 },
    });
    const given = sweepOf("seed: 5\nreplications: 9", { seed: "40", replications: 2 });
    expect(given.plan).toMatchObject({ replications: 2, seeds: ["40", "41"] });
    expect(sweepOf("", { seed: "x" }).plan.seeds).toEqual(["x", ...Array.from({ length: 9 }, (_, i) => `x.${i + 2}`)]);
    expect(sweepOf(UNTIL.replace("most: 10", "most: 4")).plan).toMatchObject({ replications: 4 });
  });

  it("have a warm-up, and series where they are wanted", () => {
    expect(sweepOf("warmUp: 30s\nseries: true").plan).toMatchObject({
      warmUp: { kind: "cut", untilUs: 30e6 },
      series: true,
    });
    expect(sweepOf("warmUp: detect").plan.warmUp).toEqual({ kind: "detect" });
  });

  it.each([
    "seed: 1\nseeds: [1]",
    "seeds: [1, 2, 1]",
    "seeds: [1]\nreplications: 2",
    `seeds: [1, 2]\n${UNTIL}`,
    "seed: a/b",
    "measures: [jian]",
    "measures: [wallSeconds]",
    "measures: [responseP95]\nuntil: {measure: jain, relativeHalfWidth: 5%, most: 10}",
    `${UNTIL}\nreplications: 1`,
    `${UNTIL}\nreplications: 11`,
    "until: {measure: jain, relativeHalfWidth: 0, most: 10}",
    "until: {measure: jain, relativeHalfWidth: 500%, most: 10}",
    "warmUp: soon",
    "warmUp: 2h\nset: {run.until: 1h}",
    "replications: .inf",
    "set: {run.seed: 4}",
    "set: {scheduler.wait.node: 1}",
    `${AXIS}\nset: {scheduler.wait.node: 1s}`,
    "goul: 3",
    "- 3",
  ])("%s", (text) => {
    expect(refusedSweep(text)).toMatch(/^x\.yaml/);
  });

  it("keep what the options say, unless an axis decides it", () => {
    const options = { set: ["storage.replication=1"] };
    const { plan, scenarioAt } = sweepOf(`${AXIS}\nset: {storage.replication: 2}`, options);
    expect(ofHadoop(scenarioAt(plan.points[1]!, "1")).storage.replication).toBe(1);
    for (const set of ["scheduler.wait.node=3s", "scheduler.wait={node: 3s}", "scheduler=fair"]) {
      expect(refusedSweep(AXIS, { set: [set] })).toBe(
        `--set ${set}: expected other paths, found what the axis "W1" sets at each point`,
      );
    }
    expect(refusedSweep("", { set: ["run.seed=4"] })).toContain("expected --seed");
    expect(refusedSweep("seeds: [1, 2]", { seed: "4" })).toContain("--seed 4: expected none, found a seed");
    expect(refusedSweep("", { set: ["storage.replication=x"] })).toContain('found "x" for storage.replication');
  });
});

describe("points", () => {
  it("set what lies outside before what lies inside, wherever it stands", () => {
    const { plan, scenarioAt } = sweepOf(`
set: {scheduler.preemption: log}
axes:
  - {name: W1, path: scheduler.wait.node, values: [1s, 2s]}
  - {path: scheduler, values: [fair, {kind: hfs, wait: {rack: 3s}}]}
`);
    const found = plan.points.map((point) => ofHadoop(scenarioAt(point, "1")).scheduler);
    expect(found.map(({ kind, wait }) => [kind, wait])).toMatchObject([
      ["fair", { nodeUs: 1e6 }],
      ["hfs", { nodeUs: 1e6, rackUs: 3e6 }],
      ["fair", { nodeUs: 2e6 }],
      ["hfs", { nodeUs: 2e6, rackUs: 3e6 }],
    ]);
  });
});

describe("files", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bide-sweep-file-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("named by axes are relative to the sweep file, those of the scenario to the scenario", () => {
    const csv = "at,job,user,maps,reduces,mapSeconds,reduceSeconds\n";
    writeFileSync(join(folder, "a.csv"), csv);
    const text = `scenario: ${join(SWEEPS, "../swim.yaml")}\naxes: [{name: trace, path: workload.file, values: [a.tsv, ../b.tsv, /c.tsv]}]`;
    const { plan, directory, scenarioAt } = parseSweep(text, join(folder, "x.yaml"));
    const found = plan.points.map((point) => {
      const { workload } = scenarioAt(point, "1");
      return "file" in workload ? join(workload.file.startsWith("/") ? "" : directory, workload.file) : "";
    });
    expect(found).toEqual([join(folder, "a.tsv"), join(folder, "../b.tsv"), "/c.tsv"]);
    expect(plan.axes[0]!.steps.map(({ label }) => label)).toEqual(["a.tsv", "../b.tsv", "/c.tsv"]);
  });

  it.each([
    "missing.yaml",
    "loop.yaml",
    "binary.yaml",
    "large.yaml",
    "gone.yaml",
    "bomb.yaml",
    "deep.yaml",
    "two.yaml",
    "empty.yaml",
    "evil.yaml",
  ])("%s", (file) => {
    const contents: Readonly<Record<string, string | Uint8Array>> = {
      "binary.yaml": new Uint8Array([0xff, 0xfe, 0x00]),
      "large.yaml": " ".repeat(2 ** 20 + 1),
      "gone.yaml": "scenario: no-such-scenario.yaml",
      "two.yaml": "scenario: a\n---\nscenario: b",
      "empty.yaml": "",
    };
    const content = contents[file];
    if (content !== undefined) writeFileSync(join(folder, file), content);
    expect(refusalOf(() => loadSweep(join(folder, file)))).toMatch(/yaml/);
  });
});
