import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { benchText, InputError, readBench } from "../../../dist/io/index.js";
import { aReport } from "../lab/bench/a-report.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-bench-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function fileOf(text: string): string {
  const file = join(folder, "figures.json");
  writeFileSync(file, text);
  return file;
}

describe("figures in a file", () => {
  it("come back as they were written, fractions to six digits, counts whole", () => {
    const rows = [{ case: "inline", seconds: 1.23456789, rate: null, tasks: 1234567891 }];
    expect(readBench(fileOf(benchText(aReport({ rows, ratios: { half: 0.5 } }))))).toMatchObject({
      ...aReport(),
      rows: [{ case: "inline", seconds: 1.23457, rate: null, tasks: 1234567891 }],
      ratios: { half: 0.5 },
    });
  });

  it.each([
    (text: string) => text.replace('"bench": "day",', '"bench": "day"'),
    (text: string) => text.replace('"version": 1', '"version": 7'),
    (text: string) => text.replace('"cores": 2', '"cores": "2"'),
    (text: string) => text.replace('"kind": "rate"', '"kind": "speed"'),
    (text: string) => text.replace(/"rows": \[[^\]]*\]/, '"rows": []'),
    (text: string) => text.replace(/"question": "/, '"question": "\\u001b[31m'),
    () => "[]",
    () => "",
  ])("that are none are refused: %s", (spoilt) => {
    const file = fileOf(spoilt(benchText(aReport())));
    expect(() => readBench(file)).toThrow(InputError);
  });

  it("never writes what could not be read: a number that is none is a fault of ours", () => {
    expect(() => benchText(aReport({ ratios: { nothing: NaN } }))).toThrow(/breaks its own schema/);
  });
});
