import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { JobNeeds } from "../../../dist/core/scenario/index.js";
import { type JobSpec, generateWorkload } from "../../../dist/core/workload/index.js";
import { parseScenario, loadWorkload } from "../../../dist/io/index.js";
import { loadText, problemsOf, scenarioOf, swim, tasks } from "./workload-file.js";

const NONE: JobNeeds = {
  inputBytesPerMap: undefined,
  mapOutputBytes: undefined,
  outputBytesPerReduce: undefined,
  mapMemoryBytes: undefined,
  reduceMemoryBytes: undefined,
  ioShare: undefined,
};
function needsOf(job: JobSpec): JobNeeds {
  const { inputBytesPerMap, mapOutputBytes, outputBytesPerReduce, mapMemoryBytes, reduceMemoryBytes, ioShare } = job;
  return { inputBytesPerMap, mapOutputBytes, outputBytesPerReduce, mapMemoryBytes, reduceMemoryBytes, ioShare };
}

async function listed(jobs: string): Promise<JobNeeds[]> {
  const { scenario, directory } = parseScenario(`workload: {kind: jobs, jobs: ${jobs}}`, "x.yaml");
  return (await loadWorkload(scenario, directory)).jobs.map(needsOf);
}

describe("what the tasks of a job read, write and need", () => {
  it("is said by entries of a job list, key by key, and by all copies of one", async () => {
    const all =
      "{maps: 1, count: 2, mapInput: 64MB, mapOutput: 0B, reduceOutput: 1.5GB, mapMemory: 1GB, reduceMemory: 2GB, ioShare: 0.8}";
    const said = {
      inputBytesPerMap: 2 ** 26,
      mapOutputBytes: 0,
      outputBytesPerReduce: 1.5 * 2 ** 30,
      mapMemoryBytes: 2 ** 30,
      reduceMemoryBytes: 2 ** 31,
      ioShare: 0.8,
    };
    expect(await listed(`[${all}, {maps: 1}, {maps: 1, ioShare: 0}]`)).toEqual([
      said,
      said,
      NONE,
      { ...NONE, ioShare: 0 },
    ]);
  });

  it("is, of the benchmark, how much of map times is reading, for every job alike", () => {
    const storage = {
      blockBytes: 1,
      replication: 1,
      placement: "uniform",
      nodesPerFile: 1,
      rereadProbability: 0,
    } as const;
    const spec = { kind: "benchmark", meanGapUs: 1, mapUs: 1, mapSigma: 0, repeat: 1 } as const;
    const shares = (ioShare?: number): unknown[] => [
      ...new Set(generateWorkload({ ...spec, ioShare }, storage, "1").jobs.map((job) => job.ioShare)),
    ];
    expect(shares()).toEqual([undefined]);
    expect(shares(0.9)).toEqual([0.9]);
  });

  it("is, of a SWIM trace, the job's bytes in equal parts; without reduces the maps write its output", async () => {
    const data = fileURLToPath(new URL("../../data", import.meta.url));
    const { jobs } = await loadWorkload(scenarioOf({ ...swim, file: "swim-small.tsv" }), data);
    const bytes = jobs.map((job) => [job.inputBytesPerMap, job.mapOutputBytes, job.outputBytesPerReduce]);
    expect(bytes).toEqual([
      [0, 1000, undefined],
      [134_217_728, 5, undefined],
      // 134,217,729 bytes by 2 maps, 2e9 shuffled from 2 maps, 1e9 written by 2 reduces.
      [67_108_865, 1_000_000_000, 500_000_000],
      [100_000_000, 0, undefined],
      // 700,000,000 by 6 maps; a byte shuffled from six maps is none of each.
      [116_666_667, 0, 1],
    ]);
    const line = "a\t0\t0\t100\t80\t60\n";
    const [withoutReduces] = (await loadText(line, { ...swim, bytesPerMap: 50, maxReduces: 0 })).jobs;
    expect([withoutReduces.maps, withoutReduces.mapOutputBytes, withoutReduces.outputBytesPerReduce]).toEqual([
      2,
      30,
      undefined,
    ]);
  });

  it("stands in optional columns of a tasks file, in any row of the job, in bytes or with a unit", async () => {
    const head = "job,type,seconds,submit,mapInput,mapOutput,reduceOutput,mapMemory,reduceMemory,ioShare\n";
    const rows = "a,map,1,0,64MB,,,,,0.25\na,reduce,1,,67108864,4096,1.5 GB,,2GiB,\nb,map,1,0,,,,0,,1\n";
    const { jobs } = await loadText(head + rows, tasks);
    expect(jobs.map(needsOf)).toEqual([
      {
        inputBytesPerMap: 2 ** 26,
        mapOutputBytes: 4096,
        outputBytesPerReduce: 1.5 * 2 ** 30,
        mapMemoryBytes: undefined,
        reduceMemoryBytes: 2 ** 31,
        ioShare: 0.25,
      },
      { ...NONE, mapMemoryBytes: 0, ioShare: 1 },
    ]);
  });
});

const SIZES = ["mapInput", "mapOutput", "reduceOutput", "mapMemory", "reduceMemory"];

describe.each(SIZES)("a wrong %s is refused with its place", (key) => {
  it.each([
    ["negative", "-1MB"],
    ["not a number", "NaN"],
    ["of an unknown unit", "64Mb"],
    ["in exponents", "1e3"],
    ["huge", "1.1TB"],
    ["too long for any number", "9".repeat(400)],
  ])("%s, in a tasks file", async (_, value) => {
    const found = await problemsOf(loadText(`job,type,seconds,submit,${key}\na,map,1,0,${value}\n`, tasks));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file: "tasks.csv", line: 2, column: 11 });
    expect(found[0].message).toMatch(new RegExp(`^${key} is "`));
    expect(found[0].message).toContain("allowed: bytes up to 1TB, such as 4096, 64KB or 1.5GB");
  });

  it("differs between rows of a job", async () => {
    const rows = "a,map,1,0,1KB\na,map,1,,1024\na,map,1,,1025\n";
    const found = await problemsOf(loadText(`job,type,seconds,submit,${key}\n${rows}`, tasks));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ line: 4, column: 10 });
    expect(found[0].message).toContain(`${key} of job "a" differs from the one in line 2`);
  });
});

it.each(["-0.1", "1.01", "NaN", "half", "50%", "1e-1"])("an ioShare of %s is refused with its place", async (value) => {
  const found = await problemsOf(loadText(`job,type,seconds,submit,ioShare\na,map,1,0,${value}\n`, tasks));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ file: "tasks.csv", line: 2, column: 11 });
  expect(found[0].message).toBe(`ioShare is "${value}"; allowed: a number from 0 to 1, such as 0.25`);
});
