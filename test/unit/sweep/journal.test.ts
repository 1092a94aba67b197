import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SweepRow } from "../../../dist/experiments/index.js";
import { checkedLine, Journal, readJournal } from "../../../dist/io/index.js";
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

describe("a journal", () => {
  it("gives back what was written, in order, over several processes", () => {
    written(row(0), row(1));
    written(row(2));
    expect(readJournal(path).rows).toEqual([row(0), row(1), row(2)]);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(4);
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
});
