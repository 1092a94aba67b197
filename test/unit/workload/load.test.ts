import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CsvSplitter, type CsvRecord, loadWorkload, readLines } from "../../../dist/io/index.js";
import { problemsOf, scenarioOf, swim, tasks } from "./workload-file.js";

const directory = mkdtempSync(join(tmpdir(), "bide-load-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});
const write = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(directory, name), bytes);
  return name;
};

describe.each([swim, tasks])("a file of $kind", (spec) => {
  const refused = async (file: string) => problemsOf(loadWorkload(scenarioOf({ ...spec, file }), directory));

  it("that is missing, a directory, a device or a pipe is refused by its name, without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(directory, `pipe-${spec.kind}`)]);
    for (const file of ["no/such", ".", "/dev/zero", `pipe-${spec.kind}`])
      expect(await refused(file)).toMatchObject([{ file, line: 0 }]);
  });

  it.skipIf(process.getuid?.() === 0)("that nobody may read is refused", async () => {
    chmodSync(join(directory, write("secret", "x")), 0);
    expect(await refused("secret")).toMatchObject([{ file: "secret", line: 0 }]);
  });

  it("with a line that is no UTF-8 is refused there, or the line is skipped and counted", async () => {
    const [text, line] =
      spec.kind === "swim"
        ? ["a\t0\t0\t1\t0\t0\nb\xff\t1\t0\t1\t0\t0", 2]
        : ["job,type,seconds,submit\na,map,1,0\nb\xff,map,1,1", 3];
    const file = write("latin", Buffer.from(text, "latin1"));
    expect(await refused(file)).toMatchObject([{ file, line, column: 2 }]);
    const { jobs, notes } = await loadWorkload(scenarioOf({ ...spec, file, lenient: true }), directory);
    expect([jobs.map(({ name }) => name), notes.length]).toEqual([["a"], 1]);
  });

  it("of binary junk moves no cursor, and tells 20 problems and the number of the others", async () => {
    const junk = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 256));
    const found = await refused(write("junk", junk));
    expect(found.length).toBeLessThanOrEqual(21);
    // eslint-disable-next-line no-control-regex
    for (const { message } of found) expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

describe("reading lines", () => {
  const linesOf = async (bytes: string): Promise<(string | null)[]> => {
    const lines: (string | null)[] = [];
    await readLines(join(directory, write("lines", bytes)), "lines", (line) => lines.push(line.text));
    return lines;
  };

  it("cuts at LF and CRLF, across chunks, keeps a last line without end, and lines of 64 KiB but no longer ones", async () => {
    expect(await linesOf("a\r\nb\n\nc")).toEqual(["a", "b", "", "c"]);
    const many = Array.from({ length: 30_000 }, (_, i) => `line ${i} \u00e4\u20ac`);
    expect(await linesOf(many.join("\r\n"))).toEqual(many);
    const longest = "x".repeat(65_536);
    expect(await linesOf(`${longest}\r\n${longest}y\nz`)).toEqual([longest, null, "z"]);
  });

  it("reads past a line of 1 GiB in little memory", async () => {
    const path = join(directory, write("huge", ""));
    truncateSync(path, 2 ** 30);
    appendFileSync(path, "\na\t-1\t0\t1\t0\t0\n");
    const peakBefore = process.resourceUsage().maxRSS;
    const found = await problemsOf(loadWorkload(scenarioOf({ ...swim, file: "huge" }), directory));
    expect(process.resourceUsage().maxRSS - peakBefore).toBeLessThan(100 * 1024);
    expect(found.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [2, 3],
    ]);
    rmSync(path);
  });

  it("gives up on a quote that stays open for too long, where it was opened", () => {
    const records: CsvRecord[] = [];
    const splitter = new CsvSplitter((record) => records.push(record));
    ["a", '"open', "x".repeat(60_000), "y".repeat(60_000), "z"].forEach((text, i) => {
      splitter.take({ number: i + 1, text });
    });
    splitter.end();
    expect(records[1]).toMatchObject({ line: 2, problems: [{ column: 1 }] });
    expect(records.at(-1)).toMatchObject({ fields: [{ text: "z" }] });
  });
});
