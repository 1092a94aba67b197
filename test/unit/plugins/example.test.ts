import type { SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import shortestJob from "../../../scenarios/plugins/shortest-job-first.mjs";

const TINY = "scenarios/tiny.yaml";
const PLUGINS = [shortestJob as unknown as SchedulerPlugin];
const text = (file: string): string => readFileSync(file, "utf8");

describe("the example of docs/plugins.md", () => {
  it("is the file that it shows, and has about forty lines", () => {
    const example = text("scenarios/plugins/shortest-job-first.mjs");
    expect(text("docs/plugins.md")).toContain(`\`\`\`js\n${example}\`\`\``);
    expect(example.split("\n").length).toBeLessThanOrEqual(45);
  });

  it("runs, the same wherever the racks are, and serves small jobs sooner than fifo", async () => {
    const { scenario, directory } = loadScenario(TINY, { plugins: PLUGINS, set: ["scheduler=shortest-job"] });
    const inline = await runScenario(scenario, directory, { plugins: PLUGINS, placement: 0 });
    const threads = await runScenario(scenario, directory, { plugins: PLUGINS, placement: "rack", slices: 3 });
    expect(threads.summary.fingerprint).toBe(inline.summary.fingerprint);
    expect(inline.summary).toMatchObject({ scheduler: "shortest-job", stopped: "all-jobs-ended" });
    const fifo = loadScenario(TINY, { set: ["scheduler=fifo"] });
    const { summary } = await runScenario(fifo.scenario, directory, { placement: 0 });
    const small = ({ bins }: typeof summary): number => bins[2]!.responseSeconds.p50!;
    expect(small(inline.summary)).toBeLessThan(small(summary));
    expect(inline.summary.locality.shares.node).toBeGreaterThan(summary.locality.shares.node);
  });

  it("waits for data from when a job may launch: on an idle cluster all maps run beside theirs", async () => {
    const text = `
cluster: { racks: 3, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1 }
storage: { replication: 1 }
runtime: { jobSetup: 10s }
workload: { kind: jobs, jobs: [{ name: one, maps: 1, mapTime: 20s, count: 40, every: 20700ms }] }
scheduler: { kind: shortest-job, options: { waitSeconds: 5 } }
`;
    const { scenario, directory } = parseScenario(text, "idle.yaml", { plugins: PLUGINS });
    const { summary } = await runScenario(scenario, directory, { plugins: PLUGINS, placement: 0 });
    expect(summary).toMatchObject({ stopped: "all-jobs-ended", locality: { shares: { node: 1 } } });
  });

  it("checks its options at their line", () => {
    const set = ["scheduler=shortest-job", "scheduler.options.waitSeconds=-1"];
    expect(() => loadScenario(TINY, { plugins: PLUGINS, set })).toThrow("--set scheduler.options.waitSeconds=-1: ");
  });
});

describe("a scenario that was read with plugins", () => {
  it("cannot be run without them", async () => {
    const { scenario, directory } = loadScenario(TINY, { plugins: PLUGINS, set: ["scheduler=shortest-job"] });
    await expect(runScenario(scenario, directory, { placement: 0 })).rejects.toThrow("shortest-job");
  });

  it("names no plugin by half", () => {
    const same = { ...PLUGINS[0]! };
    expect(() => loadScenario(TINY, { plugins: [...PLUGINS, same] })).toThrow(/another plugin/);
    expect(() => loadScenario(TINY, { plugins: [{ ...same, name: "fair" }] })).toThrow(/plugin 1: .*built-in/);
  });
});
