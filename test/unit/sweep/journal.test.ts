import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SweepRow } from "../../../dist/experiments/index.js";
import { InputError, checkedLine, Journal, readJournal, valueOfLine } from "../../../dist/io/index.js";
import { doneRun, failedRun, keyOf } from "../../support/small-sweeps.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-journal-"));
  path = join(folder, "journal.jsonl");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function row(replication: number): SweepRow {
  const key = keyOf(String(replication));
  const run = replication === 1 ? failedRun("two\nlines “é”") : doneRun(key);
  return { key, point: 0, replication, seed: String(replication + 1), run };
}

function written(...rows: SweepRow[]): Buffer {
  const journal = Journal.open(path, readJournal(path));
  for (const one of rows) journal.append(one);
  journal.close();
  return readFileSync(path);
}

function writtenAnew(...rows: SweepRow[]): void {
  rmSync(path);
  written(...rows);
}

describe("a journal", () => {
  it("gives back what was written, in order, over several processes", () => {
    written(row(0), row(1));
    written(row(2));
    expect(readJournal(path).rows).toEqual([row(0), row(1), row(2)]);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(4);
  });

  it("is empty where there is none", () => {
    expect(readJournal(path)).toEqual({ rows: [], damagedLines: [], goodBytes: 0, bytes: 0 });
  });

  it("that is a folder is the user's to mend", () => {
    mkdirSync(path);
    expect(() => readJournal(path)).toThrow(/journal\.jsonl: found a directory, allowed the journal of a sweep/);
    expect(() => readJournal(path)).toThrow(InputError);
  });

  it("whose lines end nowhere is not read to its end", () => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 31);
    expect(() => readJournal(path)).toThrow(/journal\.jsonl:1: found a line of more than 128 MiB, allowed the journal/);
    writtenAnew(row(0));
    const { size } = statSync(path);
    truncateSync(path, size + 2 ** 31);
    expect(() => readJournal(path)).toThrow(/journal\.jsonl:2: found a line of more than 128 MiB/);
  });

  it("that is a device is no journal", () => {
    symlinkSync("/dev/zero", path);
    expect(() => readJournal(path)).toThrow(/journal\.jsonl: found a device or a pipe, allowed the journal of a sweep/);
  });

  it("has lines that lie across the pieces in which it is read", () => {
    const long = { ...row(1), run: failedRun("€".repeat(800_000)) };
    written(row(0), long, row(2), long);
    expect(readJournal(path).rows).toEqual([row(0), long, row(2), long]);
  });

  it("torn at any byte, it keeps the lines that had ended, and goes on behind them", () => {
    const whole = written(row(0), row(1), row(2));
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    expect(ends).toHaveLength(3);
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const kept = ends.filter((end) => end <= length).length;
      const found = readJournal(path);
      expect(found.rows, String(length)).toEqual([row(0), row(1), row(2)].slice(0, kept));
      expect(found.damagedLines).toEqual([]);
      const journal = Journal.open(path, found);
      for (let i = kept; i < 3; i++) journal.append(row(i));
      journal.close();
      expect(readFileSync(path).equals(whole), String(length)).toBe(true);
    }
  });

  it("changed at any byte of its last line, it drops that line; of another, it says which", () => {
    const whole = written(row(0), row(1), row(2));
    const [first, second] = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
    for (let at = second + 1; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] ^= 1;
      writeFileSync(path, bytes);
      expect(readJournal(path), String(at)).toMatchObject({ rows: [row(0), row(1)], damagedLines: [] });
    }
    for (let at = first + 1; at < second; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] ^= 1;
      writeFileSync(path, bytes);
      expect(readJournal(path), String(at)).toMatchObject({ rows: [row(0), row(2)], damagedLines: [2] });
    }
  });

  it("writes a damaged line out when it goes on", () => {
    const whole = written(row(0), row(1), row(2)).toString();
    writeFileSync(path, whole.replace('"failed"', '"faxled"'));
    expect(readJournal(path).damagedLines).toEqual([2]);
    written(row(1));
    expect(readJournal(path)).toMatchObject({ rows: [row(0), row(2), row(1)], damagedLines: [] });
  });

  it("takes no line for a run that is none, whatever its checksum", () => {
    const { key } = row(0);
    const wrong = [
      null,
      [],
      {},
      { ...row(0), key: key.slice(1) },
      { ...row(0), point: -1 },
      { ...row(0), run: { outcome: "maybe" } },
      { ...row(0), run: { ...row(0).run, values: { jain: "1" } } },
      { ...row(0), more: 1 },
    ];
    for (const value of wrong) {
      writeFileSync(path, `${checkedLine(value)}\n`);
      appendFileSync(path, `${checkedLine(row(1))}\n`);
      expect(readJournal(path)).toMatchObject({ rows: [row(1)], damagedLines: [1] });
    }
  });

  it("checks lines by their own text", () => {
    const line = checkedLine({ a: 1 });
    expect(valueOfLine(line)).toEqual({ a: 1 });
    for (const broken of ["", "{", line.slice(1), line.slice(0, -1), `${line} `, line.replace("1", "2"), "null"]) {
      expect(valueOfLine(broken), broken).toBeUndefined();
    }
  });
});
