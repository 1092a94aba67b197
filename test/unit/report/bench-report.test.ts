import { describe, expect, it } from "vitest";
import { benchReport, NO_PAINT } from "../../../dist/report/index.js";
import { aReport } from "../lab/bench/a-report.js";

describe("the report of a benchmark", () => {
  it("says what was asked, of what and how, then the table, ratios and notes", () => {
    expect(benchReport(aReport(), NO_PAINT)).toBe(`Benchmark       day: what does it cost?
Machine         Abacus, 2 cores, 1.5 GiB; Node v20.0.0, linux x64
Bide            0.1.0 abc
Cluster         two nodes
Runs            3

case     CPU s    tasks/s  tasks
inline    1.50  1,234,568     42
threads   0.25          -     42

   0.17  threads to inline

Note            it rained
`);
  });

  it("shows a breakdown as a second table", () => {
    const breakdown = {
      columns: [
        { key: "case", title: "CPU s of", kind: "name" },
        { key: "nodeSeconds", title: "Node", kind: "cost", decimals: 2 },
        { key: "otherThreadsSeconds", title: "compiler, GC", kind: "cost", decimals: 2 },
      ],
      rows: [{ case: "inline", nodeSeconds: 0.125, otherThreadsSeconds: null }],
    } as const;
    const text = benchReport(aReport({ breakdown }), NO_PAINT);
    expect(text).toContain(`threads   0.25          -     42

CPU s of  Node  compiler, GC
inline    0.13             -

   0.17  threads to inline
`);
  });

  it("has no empty paragraphs where there are no ratios and no notes", () => {
    const lines = benchReport(aReport({ ratios: {}, notes: [] }), NO_PAINT).split("\n");
    expect(lines.slice(-3)).toEqual(["inline    1.50  1,234,568     42", "threads   0.25          -     42", ""]);
  });

  it("shows a value that a row lacks as one that does not apply", () => {
    const text = benchReport(aReport({ rows: [{ case: "inline", tasks: 1 }] }), NO_PAINT);
    expect(text).toMatch(/^inline +- +- +1$/m);
  });
});
