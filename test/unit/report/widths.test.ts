import stringWidth from "string-width";
import { expect, it } from "vitest";
import { barLine, columnsOf } from "../../../dist/cli/index.js";
import { entry, fitted, NO_PAINT, noteLines, shortened, textTable } from "../../../dist/report/index.js";

it.each([60, 80, 200])(
  "What is said while runs go on fits in %i columns, and the time that is left is always there",
  (columns) => {
    const words = "12h34m simulated, 1,234,567/9,999,999 jobs, 123,456,789 tasks, nothing has ended for 3h";
    for (const name of ["fair", "生産プール".repeat(12), "👩‍🔬 e\u0301".repeat(30)]) {
      for (const fraction of [0, 0.5, 1]) {
        const line = barLine(fraction, { label: `run 12 of 40, ${name}`, words, remaining: "1h2m3s" }, columns);
        expect(stringWidth(line)).toBeLessThan(columns);
        expect(line).toContain("1h2m3s");
        expect(line).toContain(`${fraction * 100} %`);
      }
    }
  },
);

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

it("Text is the same after it is fitted, but for breaks, and is cut between letters, never within one", () => {
  const text = "note: one two three four five six seven\n  indented words go on below their beginning";
  expect(fitted(text, 20).replace(/\s+/g, " ")).toBe(text.replace(/\s+/g, " "));
  expect(
    fitted(text, 20)
      .split("\n")
      .filter((line) => stringWidth(line) > 20),
  ).toEqual([]);
  expect(fitted(text, undefined)).toBe(text);
  expect([shortened("生産プール", 5), shortened("e\u0301e\u0301e\u0301", 2), shortened("abc", 3)]).toEqual([
    ...["生産…", "e\u0301…", "abc"],
  ]);
  // Paths stay whole where no terminal limits them.
  expect(entry("Results", "x".repeat(300), NO_PAINT)).toHaveLength(1);
});

it("A width that says nothing is none", () => {
  expect([NaN, 0, -3, 1.5, Infinity].map(columnsOf)).toEqual(Array(5).fill(undefined));
  expect([3, 80, 1e9].map(columnsOf)).toEqual([40, 80, 1000]);
});

it("Notes that come again are said once, with a count; they are a few unless all are asked for", () => {
  expect(noteLines(["b", "a", "b", "b"])).toEqual(["b (3 times)", "a"]);
  const many = Array.from({ length: 1007 }, (_, i) => `note ${i}`);
  expect([noteLines(many).length, noteLines(many).at(-1)]).toEqual([6, expect.stringContaining("1,002")]);
  expect(noteLines(many, true)).toEqual(many);
});
