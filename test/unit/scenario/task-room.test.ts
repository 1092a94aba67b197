import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { loadText, problemsOf, tasks } from "../workload/workload-file.js";
import { refusal } from "./refused.js";

const GB = 2 ** 30;
const listed = (cluster: string, jobs: string): string =>
  `cluster: ${cluster}\nworkload: {kind: jobs, jobs: [${jobs}]}\n`;

describe("a listed job that nothing can hold is refused with its place", () => {
  it.each([
    [
      "maps larger than any node",
      listed("{memory: 1GB}", "{maps: 1}, {maps: 1, mapMemory: 2GB}"),
      "2:63: found 2GB for workload.jobs.1.mapMemory, allowed at most 1GB, the memory of the largest node with a slot for it",
    ],
    [
      "reduces that fit only where there is no slot for them",
      listed(
        "{racks: [{nodes: [{reduceSlots: 0, memory: 8GB}, {memory: 1GB}]}]}",
        "{maps: 1, mapMemory: 8GB, reduces: 1, reduceMemory: 2GB}",
      ),
      "2:83: found 2GB for workload.jobs.0.reduceMemory, allowed at most 1GB",
    ],
    [
      "map output larger than any disk",
      listed("{diskSpace: 100MB}", "{maps: 4, reduces: 2, mapOutput: 500MB}"),
      "2:64: found 500MB for workload.jobs.0.mapOutput, allowed at most 100MB, the disk space of the largest node with a map slot",
    ],
    [
      "more map output than its reduces can fetch",
      listed("{}", "{maps: 100, mapOutput: 100GB, reduces: 9}"),
      "2:54: found 100GB from each of 100 maps for 9 reduces for workload.jobs.0.mapOutput, allowed at most 1TB for each reduce",
    ],
  ])("%s", (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it("but not what its tasks, or its reduces, do not need", () => {
    const jobs = "{maps: 0, mapMemory: 2GB, reduces: 1}, {maps: 1, mapMemory: 1GB, reduceMemory: 2GB, mapOutput: 1TB}";
    expect(parseScenario(listed("{memory: 1GB}", jobs), "x.yaml").notes).toEqual([]);
  });
});

describe("a job of a tasks file that nothing can hold", () => {
  const nodes = [
    { mapSlots: 2, reduceSlots: 0, memoryBytes: 8 * GB },
    { mapSlots: 2, reduceSlots: 1, memoryBytes: GB },
  ];
  const rows = [
    "job,type,seconds,submit,count,mapOutput,mapMemory,reduceMemory",
    "fits,map,1,0,1,1KB,8GB,",
    "fits,reduce,1,0,1,,,1GB",
    "big,map,1,0,1,,9GB,",
    "wide,reduce,1,0,1,,,2GB",
    "many,reduce,1,0,1,,,",
    "many,map,1,0,3,512GB,,",
  ];

  it("is refused at its first row", async () => {
    const found = await problemsOf(loadText(rows.join("\n"), tasks, nodes));
    const room = "the memory of the largest node with a slot for it";
    expect(found.map(({ line, message }) => `${String(line)}: ${message}`)).toEqual([
      `4: mapMemory of job "big" is 9GB; allowed: at most 8GB, ${room}`,
      `5: reduceMemory of job "wide" is 2GB; allowed: at most 1GB, ${room}`,
      '6: mapOutput of job "many" is 512GB from each of 3 maps for 1 reduces; allowed: at most 1TB for each reduce',
    ]);
  });

  it("is skipped and counted when lenient", async () => {
    const { jobs, notes } = await loadText(rows.join("\n"), { ...tasks, lenient: true }, nodes);
    expect(jobs.map(({ name }) => name)).toEqual(["fits"]);
    expect(notes).toEqual(["tasks.csv: skipped 3 inconsistent jobs"]);
  });
});

describe("the user is told of memory without effect", () => {
  const notes = (cluster: string, jobs: string): readonly string[] =>
    parseScenario(listed(cluster, jobs), "x.yaml").notes;

  it("that jobs declare, of nodes without end", () => {
    expect(notes("{}", "{maps: 1}, {maps: 1, mapMemory: 1GB}")).toEqual([
      "tasks declare memory (workload.jobs), but no node has a limit of it: it has no effect",
    ]);
  });

  it("not where a job declares it, nor where a file of tasks may", () => {
    expect(notes("{memory: 2GB}", "{maps: 1}, {maps: 1, reduceMemory: 1GB}")).toEqual([]);
    const fromFile = "cluster: {memory: 2GB}\nworkload: {kind: tasks, file: tasks.csv}\n";
    expect(parseScenario(fromFile, "x.yaml").notes).toEqual([]);
  });
});
