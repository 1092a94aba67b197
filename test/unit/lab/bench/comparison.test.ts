import { describe, expect, it } from "vitest";
import { compareReports } from "../../../../bench/comparison.mjs";
import { aReport } from "./a-report.js";

const seconds = (value: number) => aReport({ rows: [{ case: "inline", seconds: value, rate: 10, tasks: 42 }] });

describe("old and new compared", () => {
  it("equal reports differ in nothing, and every ratio is 1", () => {
    const { differences, rows } = compareReports([aReport()], [aReport()]);
    expect(differences).toEqual([]);
    expect(rows.map(({ name, title, ratio }) => [name, title, ratio])).toEqual([
      ["inline", "CPU s", 1],
      ["inline", "tasks/s", 1],
      ["threads", "CPU s", 1],
    ]);
  });

  it("takes medians, and marks what lies all beyond", () => {
    const { rows } = compareReports([2, 9, 3].map(seconds), [1, 1.8, 1.5].map(seconds));
    expect(rows[0]).toMatchObject({ old: 3, now: 1.5, ratio: 0.5, isBeyond: true });
    expect(rows[1]).toMatchObject({ title: "tasks/s", isBeyond: false });
  });

  it("tells of a count that moved, also between sessions of one side", () => {
    const counted = (tasks: number) => aReport({ rows: [{ case: "inline", seconds: 1, rate: 1, tasks }] });
    expect(compareReports([counted(42)], [counted(43)]).differences).toEqual(["inline: tasks was 42, is 43"]);
    expect(compareReports([counted(42), counted(41)], [counted(42), counted(42)]).differences).toEqual([
      "inline: tasks was 42 or 41, is 42",
    ]);
  });
});
