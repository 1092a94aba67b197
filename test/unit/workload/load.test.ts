import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadWorkload, readLines } from "../../../dist/io/index.js";
import { problemsOf, scenarioOf, swim, tasks } from "./workload-file.js";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "bide-load-"));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

const inline = {
  name: "a",
  atUs: 0,
  user: "u",
  pool: "u",
  priority: "normal",
  maps: 1,
  mapUs: 1,
  reduces: 0,
  copyUs: 0,
  reduceUs: 1,
  file: "",
  count: 1,
  everyUs: 0,
  sigma: 0,
  deadlineUs: null,
} as const;

describe("loading a workload", () => {
  it.each([swim, tasks])("refuses a missing file, a directory and a device: $kind", async (spec) => {
    const [missing] = await problemsOf(loadWorkload(scenarioOf({ ...spec, file: "no/such" }), directory));
    expect(missing).toMatchObject({ file: "no/such", line: 0 });
    expect(missing.message).toContain("no such file");
    const [folder] = await problemsOf(loadWorkload(scenarioOf({ ...spec, file: "." }), directory));
    expect(folder.message).toContain("is a directory");
    const [device] = await problemsOf(loadWorkload(scenarioOf({ ...spec, file: "/dev/zero" }), directory));
    expect(device.message).toContain("is a device");
  });

  it.each([swim, tasks])("refuses a pipe without waiting for its writer: $kind", async (spec) => {
    const file = `pipe-${spec.kind}`;
    execFileSync("mkfifo", [join(directory, file)]);
    const [pipe] = await problemsOf(loadWorkload(scenarioOf({ ...spec, file }), directory));
    expect(pipe.message).toContain("is a pipe");
  });

  it.skipIf(process.getuid?.() === 0)("refuses a file without permission", async () => {
    await writeFile(join(directory, "secret"), "x");
    await chmod(join(directory, "secret"), 0);
    const [found] = await problemsOf(loadWorkload(scenarioOf({ ...swim, file: "secret" }), directory));
    expect(found.message).toContain("permission denied");
  });

  it("reads generated workloads without a file", async () => {
    const facebook = { kind: "facebook", jobs: 10, spanUs: 1e9, users: 2, timeScale: 1 } as const;
    expect((await loadWorkload(scenarioOf(facebook), directory)).jobs).toHaveLength(10);
    expect((await loadWorkload(scenarioOf({ kind: "jobs", jobs: [inline] }), directory)).jobs).toHaveLength(1);
  });

  it("refuses list entries without tasks, all of them, by position", async () => {
    const jobs = [{ ...inline, maps: 0 }, inline, { ...inline, maps: 0 }];
    const found = await problemsOf(loadWorkload(scenarioOf({ kind: "jobs", jobs }), directory));
    expect(found.map((problem) => problem.message)).toEqual([
      expect.stringContaining("workload.jobs.0: "),
      expect.stringContaining("workload.jobs.2: "),
    ]);
  });

  it("refuses counts, tasks and times beyond what a run can hold", async () => {
    const refused = async (entry: object) =>
      (await problemsOf(loadWorkload(scenarioOf({ kind: "jobs", jobs: [{ ...inline, ...entry }] }), directory)))[0]
        .message;
    expect(await refused({ count: 20_000_000 })).toContain("20000000 jobs in all");
    expect(await refused({ count: 1001, maps: 1_000_000 })).toContain("1001000000 tasks in all");
    expect(await refused({ count: 3, everyUs: 100 * 365 * 86_400_000_000 })).toContain("after more than 100 years");
  });
});

describe("reading lines", () => {
  const linesOf = async (bytes: Uint8Array | string): Promise<(string | null)[]> => {
    await writeFile(join(directory, "lines"), bytes);
    const lines: (string | null)[] = [];
    await readLines(join(directory, "lines"), "lines", (line) => lines.push(line.text));
    return lines;
  };

  it("cuts at LF and CRLF, across chunks, and keeps a last line without end", async () => {
    expect(await linesOf("a\r\nb\n\nc")).toEqual(["a", "b", "", "c"]);
    expect(await linesOf("")).toEqual([]);
    const many = Array.from({ length: 30_000 }, (_, i) => `line ${String(i)} \u00e4\u20ac`);
    expect(await linesOf(many.join("\r\n"))).toEqual(many);
  });

  it("keeps lines of 64 KiB and no longer ones", async () => {
    const longest = "x".repeat(65_536);
    expect(await linesOf(`${longest}\n${longest}\r\n${longest}y\nz`)).toEqual([longest, longest, null, "z"]);
  });

  it.each([
    [swim, Buffer.from("a\t0\t0\t1\t0\t0\nb\xff\t1\t0\t1\t0\t0\n", "latin1"), 2],
    [tasks, Buffer.from("job,type,seconds,submit\na,map,10,0\nb\xff,map,10,1\n", "latin1"), 3],
  ])("refuses a line that is no UTF-8, or skips and counts it: $kind", async (spec, bytes, line) => {
    await writeFile(join(directory, "latin"), bytes);
    const file = "latin";
    const found = await problemsOf(loadWorkload(scenarioOf({ ...spec, file }), directory));
    const message = "found the byte 0xff (byte 1 of the line); allowed: text in UTF-8";
    expect(found).toEqual([{ file, line, column: 2, message }]);
    const { jobs, notes } = await loadWorkload(scenarioOf({ ...spec, file, lenient: true }), directory);
    expect(jobs.map(({ name }) => name)).toEqual(["a"]);
    expect(notes.join()).toContain("skipped 1 malformed");
  });

  it("reads past a line of 1 GiB in little memory", async () => {
    const path = join(directory, "huge");
    await writeFile(path, "");
    await truncate(path, 2 ** 30);
    await appendFile(path, "\na\t-1\t0\t1\t0\t0\n");
    const peakBefore = process.resourceUsage().maxRSS;
    const found = await problemsOf(loadWorkload(scenarioOf({ ...swim, file: "huge" }), directory));
    expect(process.resourceUsage().maxRSS - peakBefore).toBeLessThan(100 * 1024);
    expect(found.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(found[0].message).toContain("the line has 1073741824 bytes");
    await rm(path);
  });
});
