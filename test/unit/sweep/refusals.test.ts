import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSweep, parseSweep, PointNotes } from "../../../dist/io/index.js";
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
    expect(sweepOf("", { seed: "x" }).plan.seeds).toEqual([
      "x",
      ...Array.from({ length: 9 }, (_, i) => `x.${String(i + 2)}`),
    ]);
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
    ["seed: 1\nseeds: [1]", 'x.yaml:2:7: found "1" beside seeds for seed, allowed one of them'],
    ["seeds: [1, 2, 1]", 'x.yaml:2:15: found "1" again for seeds.2'],
    ["seeds: [1]\nreplications: 2", "found a list of 1 for seeds, allowed at least 2"],
    [`seeds: [1, 2]\n${UNTIL}`, "allowed at least 10"],
    ["seed: a/b", 'found "a/b" for seed'],
    ["measures: [jian]", 'x.yaml:2:12: found "jian" for measures.0, allowed responseP50Small'],
    ["measures: [jian]", 'did you mean "jain"?'],
    ["measures: [wallSeconds]", 'found "wallSeconds"'],
    ["measures: [responseP95]\nuntil: {measure: jain, relativeHalfWidth: 5%, most: 10}", "allowed responseP95"],
    [`${UNTIL}\nreplications: 1`, "found one replication to start with for until"],
    [`${UNTIL}\nreplications: 11`, "allowed at least the 11 replications"],
    [
      "until: {measure: jain, relativeHalfWidth: 0, most: 10}",
      "found 0 for until.relativeHalfWidth, allowed a share above 0",
    ],
    ["until: {measure: jain, relativeHalfWidth: 500%, most: 10}", "allowed a share"],
    ["warmUp: soon", 'found "soon" for warmUp, allowed a time like 30m, detect or none'],
    ["warmUp: 2h\nset: {run.until: 1h}", "x.yaml:2:9: found 2h for warmUp, allowed less than 1h, where the run ends"],
    ["replications: .inf", "found .inf for replications"],
    ["set: {run.seed: 4}", 'x.yaml:2:7: found the path "run.seed"'],
    ["set: {scheduler.wait.node: 1}", "x.yaml:2:28: found 1 for scheduler.wait.node, allowed a time"],
    [`${AXIS}\nset: {scheduler.wait.node: 1s}`, 'x.yaml:2:19: found the path "scheduler.wait.node" a second time'],
    ["goul: 3", 'found the key "goul" in the sweep, allowed name, why'],
    ["- 3", "broken YAML"],
  ])("%s", (text, message) => {
    expect(refusedSweep(text)).toContain(message);
  });

  it("keep what the options say, unless an axis decides it", () => {
    const options = { set: ["storage.replication=1"] };
    const { plan, scenarioAt } = sweepOf(`${AXIS}\nset: {storage.replication: 2}`, options);
    expect(ofHadoop(scenarioAt(plan.points[1]!, "1")).storage.replication).toBe(1);
    for (const set of ["scheduler.wait.node=3s", "scheduler.wait={node: 3s}", "scheduler=fair"]) {
      expect(refusedSweep(AXIS, { set: [set] })).toBe(
        `--set ${set}: found what the axis "W1" sets at each point, allowed other paths`,
      );
    }
    expect(refusedSweep("", { set: ["run.seed=4"] })).toContain("allowed --seed");
    expect(refusedSweep("seeds: [1, 2]", { seed: "4" })).toContain("--seed 4: found a seed, allowed none");
    expect(refusedSweep("", { set: ["storage.replication=x"] })).toContain('--set storage.replication=x: found "x"');
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

  it("are told what is wrong in both files, each problem once", () => {
    const message = refusedSweep(`
axes:
  - {path: storage.replication, values: [1, 0, 99]}
  - {path: cluster.mapSlots, values: [1, 2, 65]}
`);
    const lines = message.split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("x.yaml:5:45: found 65 for cluster.mapSlots");
    expect(lines[1]).toContain("x.yaml:4:45: found 0 for storage.replication");
    expect(lines[2]).toMatch(/^x\.yaml:4:48: found 99 .*nodes/);
    expect(
      refusedSweep(
        "axes: [{path: cluster.racks, range: {from: 1, to: 400, step: 1}}]\nset: {workload: {kind: no}}",
      ).split("\n"),
    ).toHaveLength(1);
  });

  it("are not those of the scenario's section compare, which is named", () => {
    const text = "scenario: ../limit-slots.yaml\naxes: [{path: storage.replication, values: [1, 2]}]";
    const { plan, notes } = parseSweep(text, `${SWEEPS}x.yaml`);
    expect(plan.points).toHaveLength(2);
    expect(notes).toEqual(["../limit-slots.yaml: its section compare is ignored; a sweep has axes"]);
    expect(sweepOf("").notes).toEqual([]);
  });

  it("tell their notes once, with how many share them, and not without end", () => {
    const at = (index: number) => ({ index, steps: [], label: `n=${String(index)}` });
    const some = new PointNotes();
    for (const index of [0, 1, 2]) some.add(index === 2 ? ["of all", "of one"] : ["of all", "of two"], at(index));
    expect(some.sentences(3)).toEqual(["of all", "n=0 and 1 more: of two", "n=2: of one"]);
    const many = new PointNotes();
    for (let index = 0; index < 500; index++) many.add([`note ${String(index)}`], at(index));
    expect(many.sentences(500)).toHaveLength(21);
    expect(many.sentences(500)[20]).toBe("480 more notes on single points");
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
    ["missing.yaml", "found no readable file (no such file or directory)"],
    [".", "found a directory, allowed a sweep file"],
    ["loop.yaml", "found no readable file"],
    [
      "binary.yaml",
      "binary.yaml:1:1: found the byte 0xff (byte 0 of the file), which is no UTF-8 text, allowed a sweep in YAML or JSON",
    ],
    ["large.yaml", "found more than 1048576 bytes"],
    ["gone.yaml", "no-such-scenario.yaml: found no readable file"],
    ["bomb.yaml", "found more than 100000 values"],
    ["deep.yaml", "found nesting deeper than"],
    ["two.yaml", "found a second document"],
    ["empty.yaml", "found nothing for the sweep, allowed a mapping with the keys name, why, scenario"],
    ["evil.yaml", "found a key that is no plain word"],
  ])("%s", (file, message) => {
    const contents: Readonly<Record<string, string | Uint8Array>> = {
      "binary.yaml": new Uint8Array([0xff, 0xfe, 0x00]),
      "large.yaml": " ".repeat(2 ** 20 + 1),
      "gone.yaml": "scenario: no-such-scenario.yaml",
      "bomb.yaml": `a: &a [${"1,".repeat(999)}1]\nb: &b [${"*a,".repeat(99)}*a]\nscenario: x\nset: {c: [*b, *b]}`,
      "deep.yaml": "[".repeat(5000),
      "two.yaml": "scenario: a\n---\nscenario: b",
      "empty.yaml": "",
      "evil.yaml": "scenario: a\nset: {__proto__: {x: 1}}",
    };
    if (file === "loop.yaml") symlinkSync("loop.yaml", join(folder, file));
    const content = contents[file];
    if (content !== undefined) writeFileSync(join(folder, file), content);
    expect(refusalOf(() => loadSweep(join(folder, file)))).toContain(message);
  });
});
