import { describe, expect, it } from "vitest";
import { CsvSplitter, type CsvRecord } from "../../../dist/io/index.js";

function split(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const splitter = new CsvSplitter((record) => records.push(record));
  text.split("\n").forEach((line, i) => {
    splitter.take({ number: i + 1, text: line });
  });
  splitter.end();
  return records;
}
const fieldsOf = (text: string) =>
  split(text).map((record) => ("fields" in record ? record.fields.map((field) => field.text) : "bad"));

describe("splitting CSV", () => {
  it("follows RFC 4180", () => {
    expect(fieldsOf("a,b\n1,\n,")).toEqual([
      ["a", "b"],
      ["1", ""],
      ["", ""],
    ]);
    expect(fieldsOf('"a,b","say ""hi""",""')).toEqual([["a,b", 'say "hi"', ""]]);
    expect(fieldsOf('x,"two\nlines\n\nand more",y\nz')).toEqual([["x", "two\nlines\n\nand more", "y"], ["z"]]);
    expect(fieldsOf('""""')).toEqual([['"']]);
  });

  it("knows where each field begins, also behind a field of several lines", () => {
    const [record] = split('x,"two\nlines",y');
    expect("fields" in record && record.fields.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [1, 3],
      [2, 8],
    ]);
  });

  it("passes over blank lines and goes on behind a malformed record", () => {
    expect(fieldsOf('a\n\n \nb"\nc')).toEqual([["a"], "bad", ["c"]]);
  });

  it("gives up on a quote that stays open for too long, where it was opened", () => {
    const records = split(`a\n"open\n${"x".repeat(60_000)}\n${"y".repeat(60_000)}\nz`);
    expect(records[1]).toMatchObject({ line: 2, problems: [{ column: 1 }] });
    expect(records.at(-1)).toMatchObject({ fields: [{ text: "z" }] });
  });
});
