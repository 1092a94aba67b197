import { describe, expect, it } from "vitest";
import stringWidth from "string-width";
import { barLine, columnsOf } from "../../../dist/cli/index.js";
import { MEASURES, OWN_MEASURES, CONFIDENCE, estimate, sweepResults } from "../../../dist/experiments/index.js";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import {
  comparisonReport,
  explainPoolReport,
  explainReport,
  explainWait,
  groupTimeline,
  runReport,
  sweepReport,
  entry,
  fitted,
  NO_PAINT,
  noteLines,
  shortened,
  textTable,
} from "../../../dist/report/index.js";
import { doneRun, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

const WIDTHS = [60, 80, 200] as const;

const HARD_NAMES = ["fair", "生産プール".repeat(12), "a-name-without-a-blank-".repeat(9), "👩‍🔬 e\u0301".repeat(30)];

function expectToFit(text: string, widthColumns: number): void {
  const tooWide = text.split("\n").filter((line) => stringWidth(line) > widthColumns);
  expect(tooWide).toEqual([]);
}

function comparison(names: readonly string[]) {
  const run = { summary: sampleSummary(), record: sampleRecord(), decisions: null };
  const of = new Map(OWN_MEASURES.map(({ key, of: value }) => [key, value(run as never)]));
  const measures = Object.fromEntries(
    MEASURES.map(({ key }) => [key, estimate([1, 1.2, 0.9].map((scale) => (of.get(key) ?? 1) * scale * 1e6))]),
  );
  const systems = names.map((name, at) => ({
    name,
    why: "",
    point: "",
    kind: "hfs",
    baseline: at === 0 ? null : names[0]!,
    waits: "no wait",
    fingerprints: ["0"],
    measures,
    differences: at === 0 ? null : measures,
  }));
  const found = { scenario: names[1], why: "", seeds: ["7", "8", "9"], confidence: CONFIDENCE, systems };
  return {
    format: "bide-comparison",
    version: 3,
    words: HADOOP_WORDS,
    ...found,
    notes: [...names, "one ".repeat(80)],
  } as never;
}

describe.each(WIDTHS)("every line of a report fits in %i columns", (widthColumns) => {
  const paint = { ...NO_PAINT, widthColumns };

  it("of a run, with long names and paths", () => {
    const scenario = parseScenario("workload: {kind: benchmark}", "sample.yaml").scenario;
    for (const name of HARD_NAMES) {
      const summary = { ...sampleSummary(), scenario: name, notes: HARD_NAMES };
      const extras = { scenario, timeline: null, resultsPath: `results/${name}`, paint };
      expectToFit(runReport(summary, extras), widthColumns);
    }
  });

  it("of a comparison", () => {
    expectToFit(comparisonReport(comparison(HARD_NAMES), paint), widthColumns);
  });

  it("of why a job and the jobs of a pool waited", () => {
    const row = (second: number, reason: string, takenBy: number | null) => ({
      job: 0,
      fromUs: second * 1e6,
      toUs: (second + 1) * 1e6,
      reason,
      opportunities: 1234567,
      level: "off-rack",
      node: 12345,
      takenBy,
    });
    const rows = HARD_NAMES.map((_, i) => row(i, i === 0 ? "busy" : "slot", i)).concat(row(4, "locality", null));
    for (const name of HARD_NAMES) {
      const job = { job: 0, name, pool: name, submitUs: 0 };
      const wait = explainWait(job, null, [...rows, { ...row(5, "launch", null), toUs: 5e6 }], (i) => HARD_NAMES[i]!);
      expectToFit(
        explainReport(job, wait!, true, (i) => HARD_NAMES[i]!, paint),
        widthColumns,
      );
      expectToFit(explainPoolReport(name, [wait!, wait!], paint), widthColumns);
    }
  });

  it("of a sweep", () => {
    const axes = [wordAxis(HARD_NAMES[1]!, ...HARD_NAMES), wordAxis("scheduler", "fair", "hfs")];
    const plan = sweepPlan(axes, { measures: MEASURES.map(({ key }) => key) });
    const values = Object.fromEntries(MEASURES.map(({ key }) => [key, 123456.789]));
    const record = sweepRecord(plan, () => doneRun(values));
    const view = { results: sweepResults(record), measures: plan.measures, baseline: null };
    expectToFit(sweepReport(view, paint), widthColumns);
  });

  it("of the timeline, which uses the room", () => {
    const rows = 400;
    const atUs = Float64Array.from({ length: rows }, (_, row) => row * 1e6);
    const groupSamples = {
      rows: rows * 2,
      groupNames: HARD_NAMES.slice(1, 3),
      held: [new Float64Array(rows * 2).fill(3), new Float64Array(rows * 2)],
      atUs: Float64Array.from({ length: rows * 2 }, (_, row) => atUs[row >> 1]!),
      group: Int32Array.from({ length: rows * 2 }, (_, row) => row % 2),
    };
    const lines = groupTimeline(
      { words: HADOOP_WORDS, samples: { rows, atUs }, groupSamples, capacity: 6 } as never,
      widthColumns,
    );
    expectToFit(lines.slice(1).join("\n"), widthColumns);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeGreaterThan(widthColumns - 3);
  });

  it("of what is said while runs go on, and the time that is left is always there", () => {
    for (const name of HARD_NAMES) {
      for (const fraction of [0, 0.5, 1]) {
        const words = "12h34m simulated, 1,234,567/9,999,999 jobs, 123,456,789 tasks, nothing has ended for 3h";
        const line = barLine(fraction, { label: `run 12 of 40, ${name}`, words, left: "1h2m3s" }, widthColumns);
        expect(stringWidth(line)).toBeLessThan(widthColumns);
        expect(line).toContain("ETA 1h2m3s");
        expect(line).toContain(`${String(fraction * 100)} %`);
      }
    }
  });
});

it("A table that is too wide goes on below with its last columns, beside the first one", () => {
  const rows = [
    ["pool", "jobs", "response"],
    ["production", "1,234", "12.5"],
  ];
  expect(textTable(rows, undefined, 18)).toEqual([
    ...["pool        jobs", "producti…  1,234", "", "pool       respon…", "producti…     12.5"],
  ]);
  expect(textTable(rows, undefined, 27)).toEqual(textTable(rows));
});

describe("text", () => {
  it("of any words is the same after it is fitted, but for breaks", () => {
    const text = "note: one two three four five six seven\n  indented words go on below their beginning";
    expect(fitted(text, 20).replace(/\s+/g, " ")).toBe(text.replace(/\s+/g, " "));
    expectToFit(fitted(text, 20), 20);
    expect(fitted(text, undefined)).toBe(text);
  });

  it("is cut between letters, never within one", () => {
    expect(shortened("生産プール", 5)).toBe("生産…");
    expect(shortened("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
    expect(shortened("abc", 3)).toBe("abc");
  });

  it("keeps paths whole where no terminal limits it", () => {
    const path = "x".repeat(300);
    expect(entry("Results", path, NO_PAINT)).toEqual([`Results         ${path}`]);
  });
});

it("a width that says nothing is none", () => {
  expect([NaN, 0, -3, 1.5, Infinity].map(columnsOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect([3, 80, 1e9].map(columnsOf)).toEqual([40, 80, 1000]);
});

it("Notes that come again are said once, with a count; they are a few unless all are asked for", () => {
  expect(noteLines(["b", "a", "b", "b"])).toEqual(["b (3 times)", "a"]);
  const many = Array.from({ length: 1007 }, (_, i) => `note ${String(i)}`);
  expect([noteLines(many).length, noteLines(many).at(-1)]).toEqual([6, expect.stringContaining("1,002")]);
  expect(noteLines(many, true)).toEqual(many);
});
