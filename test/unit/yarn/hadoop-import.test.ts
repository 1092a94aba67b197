import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HadoopImport, importJobs, InputError, readHadoopRecords } from "../../../dist/io/index.js";

/** From the root, where tests run: messages cut long paths. */
const DATA = "test/data";

/** Folders of files that are read together, each called after what it shows. */
const RECORDS = join(DATA, "hadoop-records");

async function made(...files: string[]): Promise<HadoopImport> {
  return importJobs(await readHadoopRecords(files), files);
}

/** All that files become, a line each: jobs, their tasks, nodes, queues, what was recorded, and the report. */
function digest({ jobs, nodes, queues, recorded, report, ...rest }: HadoopImport): string {
  const { folded, guessed, leftOut, warnings } = report;
  return [
    ...[rest, { queues }, ...nodes, ...(recorded === null ? [] : [recorded.jobs, recorded.stages, recorded.attempts])],
    ...jobs.flatMap(({ maps, reduces, ...job }) => [job, ...maps, ...reduces]),
    ...[...folded, ...guessed, ...leftOut, ...warnings],
  ]
    .map((row) => (typeof row === "string" ? row : JSON.stringify(row)))
    .join("\n");
}

it.each(readdirSync(RECORDS))("What becomes of records: %s", async (name) => {
  const folder = join(RECORDS, name);
  const files = readdirSync(folder).map((file) => join(folder, file));
  const outcome: unknown = await made(...files).then(digest, (error: unknown) => error);
  expect(outcome instanceof InputError).toBe(name.startsWith("refused-"));
  const text = outcome instanceof InputError ? outcome.message : (outcome as string);
  expect(text.replaceAll(`${folder}/`, "")).toMatchSnapshot();
});

describe("A synthetic load of SLS", () => {
  const load = (name: string): string => join(DATA, "hadoop-loads", `${name}.json`);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  it("draws jobs by its means and deviations, in its buckets of time, on its nodes", async () => {
    const { jobs, nodes } = await made(load("flat"));
    const one = { ...jobs[0]!, maps: [], reduces: [] };
    expect([jobs.length, nodes, one]).toMatchSnapshot();
    // The first comes at 0 whatever its bucket; all within a minute.
    expect(jobs.every(({ submitUs }) => submitUs >= 0 && submitUs < 60e6)).toBe(true);
    expect(mean(jobs.map(({ submitUs }) => submitUs))).toBeCloseTo(29.5e6, -7);
    const times = jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6));
    expect(mean(times)).toBeCloseTo(10, 0);
    expect(Math.sqrt(mean(times.map((time) => (time - 10) ** 2)))).toBeCloseTo(2, 0);
    expect(mean(jobs.map(({ maps }) => maps.length))).toBeCloseTo(4, 0);
    expect(mean(jobs.flatMap(({ reduces }) => reduces.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(20, 0);
    expect(new Set(jobs.flatMap(({ maps }) => maps.flatMap(({ hosts }) => hosts))).size).toBe(8);
  });

  it("is the same each time, another with another seed, and its jobs do not hang on how many there are", async () => {
    const drawn = async (name: string): Promise<unknown[]> => (await made(load(name))).jobs.map(({ maps }) => maps);
    const all = await drawn("together");
    expect(await drawn("together")).toEqual(all);
    expect(await drawn("fewer-together")).toEqual(all.slice(0, 100));
    expect(await drawn("other-seed")).not.toEqual(all);
  });

  it("may list tasks with constants, other distributions and choices; other nodes beside it count", async () => {
    const { jobs, nodes } = await made(load("listed"), load("nodes"));
    const counts = jobs.map(({ maps }) => maps.length);
    expect(new Set(counts)).toEqual(new Set([1, 9]));
    expect(mean(counts)).toBeCloseTo(7, 0);
    expect(jobs.every(({ reduces }) => reduces.length === 0)).toBe(true);
    expect(mean(jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(30, 0);
    expect(nodes.map(({ name }) => name)).toEqual(["n1", "n2"]);
  });

  it("chooses workloads and classes by weight, and leaves out what is no job of mapreduce", async () => {
    const { jobs, report } = await made(load("classes"));
    const ofA = jobs.filter(({ name }) => name.startsWith("a_")).length;
    expect(Math.abs(ofA - 300)).toBeLessThan(40);
    expect(jobs.filter(({ name }) => name.startsWith("s_"))).toEqual([]);
    expect(report.leftOut).toMatchSnapshot();
  });
});

it("The shipped histories are read whole, and name queues of the allocation file beside them", async () => {
  const shipped = new URL("../../../scenarios/yarn/history/", import.meta.url).pathname;
  const files = readdirSync(shipped).map((name) => join(shipped, name));
  const { jobs, ...rest } = importJobs(await readHadoopRecords(files), files);
  const { queues, nodes, report } = rest;
  expect([jobs.map(({ maps, reduces }) => [maps.length, reduces.length]), queues, nodes, report]).toMatchSnapshot();
});
