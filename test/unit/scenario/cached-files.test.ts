import { describe, expect, it } from "vitest";
import { generateWorkload } from "../../../dist/core/workload/index.js";
import type { BenchmarkWorkloadSpec } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const MB = 2 ** 20;
const load = (text: string) => parseScenario(text, "x.yaml");
const listed = (job: string): string => `workload: {kind: jobs, jobs: [${job}]}`;

describe("cached files, as a scenario says them", () => {
  it("are none where nothing is said, and input is preferred", () => {
    const { scenario } = load("workload: {kind: facebook}");
    expect([scenario.storage.cachedFiles, scenario.storage.nodeCacheBytes]).toEqual([undefined, undefined]);
    expect(scenario.scheduler.preference).toBeUndefined();
  });

  it("have defaults for all that is not said", () => {
    const { scenario } = load("workload: {kind: benchmark}\nstorage: {cachedFiles: {}, nodeCache: 1GB}");
    expect(scenario.storage.cachedFiles).toEqual({ share: 0.5, files: 10, bytes: 100 * MB });
    expect(scenario.storage.nodeCacheBytes).toBe(1024 * MB);
    const jobs = "{maps: 1, cacheFile: a}, {maps: 1, cacheFile: a, cacheSize: 100MB}, {maps: 1}";
    const needed = { cacheFile: "a", cacheBytes: 100 * MB };
    expect(load(listed(jobs)).scenario.workload).toMatchObject({ jobs: [needed, needed, { maps: 1 }] });
  });

  it("say so where they have no effect", () => {
    const where = "where no job needs a file on its nodes";
    expect(load("workload: {kind: facebook}\nscheduler: {preference: cache}\nstorage: {nodeCache: 1GB}").notes).toEqual(
      [`storage.nodeCache, scheduler.preference have no effect ${where}`],
    );
    const generated = "storage.cachedFiles has no effect: a workload of kind jobs says itself what its jobs need";
    expect(load(`${listed("{maps: 1}")}\nstorage: {cachedFiles: {}}`).notes).toEqual([generated]);
    // Links are what such files come over, in the light model too.
    const link = "cluster: {link: 1Gbps}";
    expect(load(`${listed("{maps: 1, cacheFile: a}")}\n${link}`).notes).toEqual([]);
    expect(load(`${listed("{maps: 1}")}\n${link}`).notes).toEqual(["cluster.link has no effect in the light model"]);
  });

  it.each([
    [
      "a preference that there is not",
      "workload: {kind: facebook}\nscheduler: {preference: cached}",
      "2:25",
      'mean "cache"?',
    ],
    ["a share above 1", "workload: {kind: facebook}\nstorage: {cachedFiles: {share: 2}}", "2:32", "from 0 to 1"],
    ["no file", "workload: {kind: facebook}\nstorage: {cachedFiles: {files: 0}}", "2:32", "from 1 to 100000"],
    ["an empty file", "workload: {kind: facebook}\nstorage: {cachedFiles: {size: 0B}}", "2:31", "a size from 1B"],
    ["no room", "workload: {kind: facebook}\nstorage: {nodeCache: 0B}", "2:22", "a size from 1B"],
    ["files by a word", "workload: {kind: facebook}\nstorage: {cachedFiles: many}", "2:24", "off, or a mapping"],
    [
      "files larger than a node's room",
      "workload: {kind: facebook}\nstorage: {cachedFiles: {size: 11GB}}",
      "2:31",
      "found 11GB for storage.cachedFiles.size, allowed at most 10GB",
    ],
    [
      "a file larger than a node's room",
      `storage: {nodeCache: 1GB}\n${listed("{maps: 1, cacheFile: a, cacheSize: 2GB}")}`,
      "2:66",
      "allowed at most 1GB, what a node has room for (storage.nodeCache)",
    ],
    [
      "a default size larger than a node's room",
      `storage: {nodeCache: 1MB}\n${listed("{maps: 1, cacheFile: a}")}`,
      "2:31",
      'found 100MB for the file "a", allowed at most 1MB',
    ],
    [
      "a file of two sizes",
      listed(
        "{maps: 1, cacheFile: a}, {maps: 1, cacheFile: b, cacheSize: 9MB}, {maps: 1, cacheFile: a, cacheSize: 1MB}",
      ),
      "1:132",
      'found 1MB for the file "a", allowed one size for one file, 100MB above',
    ],
    ["the size of nothing", listed("{maps: 1, cacheSize: 1MB}"), "1:52", "both, or cacheFile alone"],
    ["a size without end", listed("{maps: 1, cacheFile: a, cacheSize: .inf}"), "1:66", "allowed a size from"],
    ["a size in numbers", listed("{maps: 1, cacheFile: a, cacheSize: 77}"), "1:66", "write a unit: 77MB"],
  ])("%s is refused", (_, text, place, message) => {
    const found = refusal(text);
    expect(found).toContain(`:${place}:`);
    expect(found).toContain(message);
  });
});

describe("generated jobs", () => {
  const spec: BenchmarkWorkloadSpec = { kind: "benchmark", meanGapUs: 1e6, mapUs: 1e6, mapSigma: 0, repeat: 20 };
  const storage = load("workload: {kind: benchmark}\nstorage: {cachedFiles: {share: 0.3, files: 4}}").scenario.storage;

  it("need files in the share that is asked for, all alike, and are otherwise as they were", () => {
    const { jobs } = generateWorkload(spec, storage, "1");
    const needs = (file: string): number => jobs.filter(({ cacheFile }) => cacheFile === file).length;
    const counts = [1, 2, 3, 4].map((k) => needs(`cached-${String(k)}`));
    expect(counts.reduce((sum, count) => sum + count)).toBe(
      jobs.filter(({ cacheBytes }) => cacheBytes === 100 * MB).length,
    );
    // 600 of 2000; 150 each: 4 standard deviations are 82 and 47.
    expect(Math.abs(counts.reduce((sum, count) => sum + count) - 600)).toBeLessThan(82);
    for (const count of counts) expect(Math.abs(count - 150)).toBeLessThan(47);
    const plain = generateWorkload(spec, { ...storage, cachedFiles: undefined }, "1");
    expect(jobs.map(({ name, maps, submitAtUs }) => [name, maps, submitAtUs])).toEqual(
      plain.jobs.map(({ name, maps, submitAtUs }) => [name, maps, submitAtUs]),
    );
  });
});
