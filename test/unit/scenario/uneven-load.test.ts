import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const load = (text: string) => parseScenario(text, "x.yaml");
const storageOf = (storage: string, cluster = "{}") =>
  load(`workload: {kind: facebook}\ncluster: ${cluster}\nstorage: ${storage}`);
const workloadOf = (workload: string) => load(`workload: ${workload}`).scenario.workload;

describe("hot spots and correlated placement, as a scenario says them", () => {
  it("are off where nothing is said", () => {
    const { storage } = storageOf("{}").scenario;
    expect(storage.hotSpots).toBeUndefined();
    expect(storageOf("{hotSpots: off}").scenario.storage.hotSpots).toBeUndefined();
    expect([storage.placement, storage.nodesPerFile]).toEqual(["hdfs", 10]);
  });

  it("have defaults for all that is not said", () => {
    expect(storageOf("{hotSpots: {}}").scenario.storage.hotSpots).toEqual({
      share: 0.5,
      files: 10,
      skew: 1,
      redrawUs: Infinity,
    });
    expect(storageOf("{hotSpots: {share: 0.25, files: 3, skew: 0, redraw: 30m}}").scenario.storage.hotSpots).toEqual({
      share: 0.25,
      files: 3,
      skew: 0,
      redrawUs: 1_800_000_000,
    });
  });

  it("put a file on ten nodes, on all if there are fewer, and on no fewer than it has replicas", () => {
    const nodes = (storage: string, cluster: string): number =>
      storageOf(storage, cluster).scenario.storage.nodesPerFile;
    expect(nodes("{placement: correlated}", "{racks: 1, nodesPerRack: 6}")).toBe(6);
    expect(nodes("{placement: correlated, replication: 12}", "{racks: 2, nodesPerRack: 10}")).toBe(12);
    expect(nodes("{placement: correlated, nodesPerFile: 3}", "{}")).toBe(3);
  });

  it("say so where they have no effect", () => {
    expect(storageOf("{nodesPerFile: 5}").notes).toEqual(["storage.nodesPerFile has no effect on hdfs placement"]);
    const jobs = load("workload: {kind: jobs, jobs: [{maps: 1}]}\nstorage: {hotSpots: {}}");
    expect(jobs.notes).toEqual([
      "storage.hotSpots has no effect: a workload of kind jobs says itself what its jobs read",
    ]);
    expect(load("workload: {kind: benchmark}\nstorage: {hotSpots: {}}").notes).toEqual([]);
    expect(storageOf("{placement: correlated, nodesPerFile: 5}").notes).toEqual([]);
  });
});

describe("long tasks, as a scenario says them", () => {
  it("are none where nothing is said, and jobs where it is not said of what", () => {
    expect(workloadOf("{kind: facebook}")).not.toHaveProperty("longTasks");
    const longTasks = { share: 0.1, factor: 20, of: "jobs" };
    expect(workloadOf("{kind: facebook, longTasks: {share: 0.1, factor: 20}}")).toMatchObject({ longTasks });
    expect(workloadOf("{kind: benchmark, longTasks: {share: 0.1, factor: 20}}")).toMatchObject({ longTasks });
    const jobs = "[{maps: 1, longTasks: {share: 0.1, factor: 20, of: tasks}}, {maps: 1}]";
    expect(workloadOf(`{kind: jobs, jobs: ${jobs}}`)).toMatchObject({
      jobs: [{ longTasks: { ...longTasks, of: "tasks" } }, expect.not.objectContaining({ longTasks })],
    });
  });
});

/** [what is wrong, text, place and part of the message] */
const WRONG: readonly (readonly [string, string, string])[] = [
  ["a share above 1", "storage: {hotSpots: {share: 1.5}}", "2:29: found 1.5 for storage.hotSpots.share"],
  ["a negative share", "storage: {hotSpots: {share: -0.1}}", "2:29: found -0.1 for storage.hotSpots.share"],
  ["no hot file", "storage: {hotSpots: {files: 0}}", "2:29: found 0 for storage.hotSpots.files"],
  ["half a hot file", "storage: {hotSpots: {files: 2.5}}", "2:29: found 2.5 for storage.hotSpots.files"],
  ["NaN for a skew", "storage: {hotSpots: {skew: .nan}}", "2:28: found .nan for storage.hotSpots.skew"],
  [
    "a redraw without unit",
    "storage: {hotSpots: {redraw: 60}}",
    "2:30: found 60 for storage.hotSpots.redraw, allowed a time from 1s to 365d, or never; write a unit: 60s, 60ms",
  ],
  ["a redraw at once", "storage: {hotSpots: {redraw: 0}}", "2:30: found 0 for storage.hotSpots.redraw"],
  ["a word", "storage: {hotSpots: many}", '2:21: found "many" for storage.hotSpots, allowed off, or a mapping {share'],
  ["an unknown key", "storage: {hotSpots: {shares: 1}}", 'did you mean "share"?'],
  ["no node per file", "storage: {nodesPerFile: 0}", "2:25: found 0 for storage.nodesPerFile"],
  [
    "more nodes per file than one may ask for",
    "storage: {nodesPerFile: 1001}",
    "allowed a whole number from 1 to 1000",
  ],
  [
    "fewer nodes per file than replicas",
    "storage: {placement: correlated, nodesPerFile: 2}",
    "2:48: found 2 nodes for each file, allowed 3, one for each replica, to 620, all there are",
  ],
  [
    "fewer nodes than a file is to lie on",
    "storage: {placement: correlated, nodesPerFile: 7}\ncluster: {racks: 2, nodesPerRack: 3}",
    "2:48: found 7 nodes for each file, allowed 3, one for each replica, to 6, all there are",
  ],
];

describe("wrong hot spots and placements are refused with their place", () => {
  it.each(WRONG)("%s", (_, text, part) => {
    const message = refusal(`workload: {kind: facebook}\n${text}`);
    expect(message).toContain(part);
    expect(message.split("\n")).toHaveLength(1);
  });
});

/** [what is wrong, keys of an entry of a job list, part of the message] */
const WRONG_JOBS: readonly (readonly [string, string, string])[] = [
  ["long tasks without a factor", "longTasks: {share: 0.5}", "found nothing for workload.jobs.0.longTasks.factor"],
  ["long tasks that are short", "longTasks: {share: 0.5, factor: 0.5}", "allowed a number from 1 to 1000"],
  ["a factor without end", "longTasks: {share: 0.5, factor: .inf}", "found .inf for workload.jobs.0.longTasks.factor"],
  ["a share of -1", "longTasks: {share: -1, factor: 2}", "found -1 for workload.jobs.0.longTasks.share"],
  ["long nodes", "longTasks: {share: 1, factor: 2, of: nodes}", 'found "nodes" for workload.jobs.0.longTasks.of'],
  ["a size without unit", "mapInput: 64", "allowed a size from 0B to 1TB; write a unit: 64MB"],
  ["a negative size", 'mapOutput: "-1MB"', 'found "-1MB" for workload.jobs.0.mapOutput'],
  ["a size that is no number", "reduceOutput: .nan", "found .nan for workload.jobs.0.reduceOutput"],
  ["a size of bits", "mapMemory: 64Mb", "sizes are written 64KB, 128MB, 1.5GB"],
  ["a huge size", "reduceMemory: 2TB", 'found "2TB" for workload.jobs.0.reduceMemory, allowed a size from 0B to 1TB'],
  ["a share in percent", "ioShare: 80%", 'found "80%" for workload.jobs.0.ioShare, allowed a number from 0 to 1'],
  ["a share of 80", "ioShare: 80", "found 80 for workload.jobs.0.ioShare"],
];

describe("wrong long tasks and sizes of a job are refused with their place", () => {
  it.each(WRONG_JOBS)("%s", (_, keys, part) => {
    const message = refusal(`workload: {kind: jobs, jobs: [{maps: 1, ${keys}}]}`);
    expect(message).toMatch(/^x\.yaml:1:\d+: found /);
    expect(message).toContain(part);
    expect(message.split("\n")).toHaveLength(1);
  });

  it("as are those of generated jobs", () => {
    expect(refusal("workload: {kind: benchmark, ioShare: 1.5}")).toContain("1:38: found 1.5 for workload.ioShare");
    expect(refusal("workload: {kind: facebook, longTasks: {share: 2, factor: 2}}")).toContain(
      "1:47: found 2 for workload.longTasks.share",
    );
  });
});
