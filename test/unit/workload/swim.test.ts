import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sizeBinOf } from "../../../dist/core/workload/index.js";
import { lengthsOf, loadText, problemsOf, scenarioOf, swim } from "./workload-file.js";
import { loadWorkload } from "../../../dist/io/index.js";

const data = fileURLToPath(new URL("../../data", import.meta.url));
const traces = fileURLToPath(new URL("../../../../shared/traces", import.meta.url));
const GOOD = "job0\t49\t49\t740773\t2339561\t627471\n";

describe("reading a SWIM trace", () => {
  it("turns bytes into tasks by the documented rules", async () => {
    const { jobs, files, notes } = await loadWorkload(scenarioOf({ ...swim, file: "swim-small.tsv" }), data);
    expect(notes).toEqual([]);
    expect(jobs.map((job) => [job.name, job.submitAtUs, job.maps, job.reduces])).toEqual([
      ["job0", 49_000_000, 1, 0],
      ["job1", 60_000_000, 1, 0],
      ["job2", 61_000_000, 2, 2],
      ["job3", 70_000_000, 3, 0],
      ["job4", 75_000_000, 6, 1],
    ]);
    // 2 s overhead; 134,217,728 bytes at 16,777,216 B/s are 8 s; one byte more is 0.06 us.
    expect(lengthsOf(jobs[0]).maps).toEqual([2_000_000]);
    expect(lengthsOf(jobs[1]).maps).toEqual([10_000_000]);
    expect(lengthsOf(jobs[2]).maps).toEqual([10_000_000, 2_000_000]);
    // Each of 2 reduces fetches 1e9 bytes at 16,777,216 B/s, and works through 1.5e9 at 8,388,608 B/s.
    expect(lengthsOf(jobs[2]).copies).toEqual([59_604_645, 59_604_645]);
    expect(lengthsOf(jobs[2]).reduces).toEqual([180_813_934, 180_813_934]);
    expect(files.map((file) => file.blocks)).toEqual([1, 1, 2, 6]);
    expect(jobs[3].input).toEqual(jobs[4].input);
  });

  it("caps maps and spreads the input over them; caps reduces, to none if so asked", async () => {
    const line = `big\t0\t0\t${String(100 * 2 ** 27)}\t${String(2 ** 40)}\t0\n`;
    const [job] = (await loadText(line, { ...swim, maxMaps: 10, maxReduces: 3 })).jobs;
    expect([job.maps, job.reduces]).toEqual([10, 3]);
    expect(new Set(lengthsOf(job).maps)).toEqual(new Set([82_000_000]));
    expect((await loadText(line, { ...swim, maxReduces: 0 })).jobs[0].reduces).toBe(0);
    expect((await loadText(line, { ...swim, maxMaps: Infinity, maxReduces: Infinity })).jobs[0].maps).toBe(100);
  });

  it("divides arrival times by timeScale", async () => {
    expect((await loadText(GOOD, { ...swim, timeScale: 2 })).jobs[0].submitAtUs).toBe(24_500_000);
  });

  it("takes CRLF, blank lines, comments, a byte order mark, trailing tabs and a last line without end", async () => {
    const text = `\ufeff# head\r\n\r\na\t1\t0\t1\t0\t0\t\t\t\r\nb\t2\t1\t1\t0\t0\n\n \t \nc\t3\t1\t1\t0\t0`;
    const { jobs } = await loadText(text, swim);
    expect(jobs.map((job) => job.name)).toEqual(["a", "b", "c"]);
  });

  it("sorts jobs that are out of order, stably, and says how many were", async () => {
    const text = "a\t5\t0\t1\t0\t0\nb\t3\t-2\t1\t0\t0\nc\t5\t2\t1\t0\t0\nd\t3\t-2\t1\t0\t0\n";
    const { jobs, notes } = await loadText(text, swim);
    expect(jobs.map((job) => job.name)).toEqual(["b", "d", "a", "c"]);
    expect(notes).toEqual(["trace.tsv: 2 jobs submitted before the line above; jobs were sorted by submit time"]);
  });

  it("draws users by position, more jobs for the first", async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `j${String(i)}\t${String(i)}\t1\t1\t0\t0`).join("\n");
    const { jobs } = await loadText(text, { ...swim, users: 10 });
    const first = jobs.filter((job) => job.user === "user01").length;
    expect(first / 2000).toBeCloseTo(1 / 2.929, 1.3);
    expect(jobs.every((job) => job.pool === job.user)).toBe(true);
  });

  it.each([
    ["a negative time", "a\t-1\t0\t1\t0\t0", 3, '"-1"'],
    ["a fraction", "a\t1\t0\t1.5\t0\t0", 7, '"1.5"'],
    ["a value above 2^53", "a\t1\t0\t9007199254740993\t0\t0", 7, "9007199254740991"],
    ["an exponent", "a\t1\t0\t1\t1e3\t0", 9, '"1e3"'],
    ["a missing value", "a\t1\t0\t1\t\t0", 9, "missing"],
    ["a missing job id", "\t1\t0\t1\t0\t0", 1, "job id"],
    ["a gap that is no number", "a\t1\tx\t1\t0\t0", 5, '"x"'],
    ["too few columns", "a\t1\t0\t1\t0", 1, "found 5"],
    ["too many columns", "a\t1\t0\t1\t0\t0\t\t\t\t", 1, "found 10"],
    ["spaces for tabs", "a 1 0 1 0 0", 1, "found 1 tab"],
    ["a NUL byte", "a\t1\t0\t\0\t0\t0", 7, "NUL"],
    ["a time after 100 years", "a\t3153600001\t0\t1\t0\t0", 3, "submit time"],
    ["a map of more than 30 days", "a\t1\t0\t9007199254740991\t0\t0", 7, "one map"],
  ])("refuses %s with line and column", async (_, line, column, message) => {
    const found = await problemsOf(loadText(`${GOOD}${line}\n${GOOD}`, { ...swim, maxMaps: 1 }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file: "trace.tsv", line: 2, column });
    expect(found[0].message).toContain(message);
    expect(found[0].message).toMatch(/allowed/);
  });

  it("tells 20 problems and the number of the others", async () => {
    const found = await problemsOf(loadText("x\n".repeat(50), swim));
    expect(found).toHaveLength(21);
    expect(found[19].line).toBe(20);
    expect(found[20].message).toBe("and 30 more problems like these");
  });

  it("tells every problem of a line", async () => {
    const found = await problemsOf(loadText("a\t-1\tx\t1\t0\t?\n", swim));
    expect(found.map((problem) => problem.column)).toEqual([3, 6, 12]);
  });

  it("skips and counts malformed lines when lenient", async () => {
    const { jobs, notes } = await loadText(`${GOOD}junk\n${GOOD}a\t-1\tx\t?\t0\t0\n`, { ...swim, lenient: true });
    expect(jobs).toHaveLength(2);
    expect(notes).toEqual(["trace.tsv: skipped 2 malformed lines"]);
  });

  it("refuses a trace without a job, lenient or not", async () => {
    for (const text of ["", "\n\n", "# nothing\n"]) {
      expect((await problemsOf(loadText(text, swim)))[0].message).toMatch(/^has no job; a trace needs/);
    }
    const found = await problemsOf(loadText("junk\n", { ...swim, lenient: true }));
    expect(found[0].message).toContain("1 malformed line skipped");
  });

  it("does not let binary junk reach the terminal", async () => {
    const junk = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
    const found = await problemsOf(loadText(junk, swim));
    // eslint-disable-next-line no-control-regex
    for (const { message } of found) expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

describe.skipIf(!existsSync(traces))("the real trace of 2009", () => {
  it("has 5,894 jobs, most of them small", async () => {
    const workload = await loadWorkload(scenarioOf({ ...swim, file: "FB-2009_samples_24_times_1hr_0.tsv" }), traces);
    expect(workload.jobs).toHaveLength(5894);
    expect(workload.files).toHaveLength(5894);
    expect(workload.notes).toEqual([]);
    const single = workload.jobs.filter((job) => sizeBinOf(job.maps) === 0).length;
    expect(single / 5894).toBeGreaterThan(0.8);
    const mapOnly = workload.jobs.filter((job) => job.reduces === 0).length;
    expect(mapOnly / 5894).toBeCloseTo(0.75, 1.7);
  });
});
