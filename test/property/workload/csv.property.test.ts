import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvSplitter, parseSwimLine } from "../../../dist/io/index.js";

/** A plain writer of RFC 4180, to read back. */
const write = (records: string[][]) =>
  records
    .map((fields) =>
      fields
        .map((field) => (/[",\n]/.test(field) || field === "" ? `"${field.replace(/"/g, '""')}"` : field))
        .join(","),
    )
    .join("\n");

describe("hostile text", () => {
  it("never comes back from CSV other than it was written", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", "\u20ac"), maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        (records) => {
          // A record that is one unquoted field of spaces is a blank line.
          fc.pre(records.every((fields) => fields.length > 1 || fields[0] === "" || fields[0].trim() !== ""));
          const read: string[][] = [];
          const splitter = new CsvSplitter((record) => {
            if (!("fields" in record)) throw new Error(record.problems[0].message);
            read.push(record.fields.map((f) => f.text));
          });
          write(records)
            .split("\n")
            .forEach((text, i) => {
              splitter.take({ number: i + 1, text });
            });
          splitter.end();
          expect(read).toEqual(records);
        },
      ),
    );
  });

  it("never makes the CSV splitter throw or lose its place", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", '"', ",", "\0") })), (lines) => {
        const splitter = new CsvSplitter((record) => {
          expect(record.line).toBeGreaterThanOrEqual(1);
          expect(record.line).toBeLessThanOrEqual(lines.length);
          if (!("problems" in record)) return;
          for (const { column } of record.problems) expect(column).toBeLessThanOrEqual(lines[record.line - 1].length);
        });
        lines.forEach((text, i) => {
          splitter.take({ number: i + 1, text });
        });
        splitter.end();
      }),
    );
  });

  it("never makes a SWIM line anything but whole non-negative numbers, or a placed problem", () => {
    const field = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.maxSafeNat().map(String),
      fc.constantFrom("-1", "1e9", "NaN", "", " 5 "),
    );
    fc.assert(
      fc.property(fc.array(field, { maxLength: 10 }), (fields) => {
        const text = fields.join("\t");
        const parsed = parseSwimLine(text);
        if ("job" in parsed) {
          for (const value of [parsed.submitUs, parsed.inputBytes, parsed.shuffleBytes, parsed.outputBytes]) {
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
          }
        } else {
          expect(parsed.length).toBeGreaterThan(0);
          for (const { column } of parsed) expect(column >= 1 && column <= text.length + 1).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
