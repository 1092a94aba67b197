import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const KINDS = SCHEDULER_KINDS.map(({ name }) => name).join(", ");

const BASE = "workload: {kind: facebook}\n";
const scenarioOf = (text: string, ...set: string[]) => parseScenario(BASE + text, "x.yaml", { set }).scenario;
const W = (node: number, rack: number) => ({ kind: "time", nodeUs: node * 1e6, rackUs: rack * 1e6 });

describe("--set", () => {
  it("is blamed for what it sets, and not for a bare kind that it adds to", () => {
    const refused = (text: string, ...set: string[]) => refusal(BASE + text, { set });
    expect(refused("scheduler: mine", "scheduler.options.x=1")).toMatch(/^x\.yaml:2:1: found "mine"/);
    expect(refused("", "scheduler=mine", "scheduler.options.x=1")).toMatch(/^--set scheduler=mine: found "mine"/);
    expect(refused("scheduler: fair", "scheduler.options.x=1")).toMatch(/^--set scheduler\.options\.x=1: /);
    expect(refused("", "scheduler.wait.node=x")).toMatch(/^--set scheduler\.wait\.node=x: found "x"/);
  });

  it("sets a wait whether the file gives a mapping, a bare kind, no wait or no scheduler", () => {
    for (const text of [
      "",
      "scheduler: hfs",
      "scheduler: {kind: hfs}",
      "scheduler: {wait: none}",
      "scheduler: {wait: {node: 1s}}",
    ]) {
      const { scheduler } = scenarioOf(text, "scheduler.wait.node=7s");
      expect(scheduler.wait, text).toEqual(W(7, 5));
      expect(scheduler.kind).toBe("hfs");
    }
    expect(scenarioOf("scheduler: delay", "scheduler.wait.nodeSkips=9").scheduler.wait).toEqual({
      kind: "skips",
      node: 9,
      rack: 30,
    });
  });

  it("scheduler=KIND takes the waits of that kind, and keeps pools and tasks per heartbeat", () => {
    const text =
      "scheduler: {kind: hfs, wait: {node: 1s}, updateInterval: 2s, tasksPerHeartbeat: 1, pools: {a: {weight: 2}}}";
    const { scheduler } = scenarioOf(text, "scheduler=delay");
    expect(scheduler.wait).toEqual({ kind: "skips", node: 270, rack: 30 });
    expect(scheduler.updateIntervalUs).toBe(0);
    expect(scheduler.tasksPerHeartbeat).toBe(1);
    expect(scheduler.allocations.pools[0]).toMatchObject({ name: "a", weight: 2 });
    expect(scenarioOf(text, "scheduler=fifo", "scheduler.wait.node=3s").scheduler).toMatchObject({
      kind: "fifo",
      wait: W(3, 5),
    });
    expect(scenarioOf(text, "scheduler.kind=fifo").scheduler).toMatchObject({ kind: "fifo", wait: W(1, 5) });
  });

  it("reaches into lists by position and by name, and the last of several wins", () => {
    const racks = "cluster: {racks: [{name: a, nodes: 2}, {name: b, nodes: [{count: 1}, {count: 2}]}]}";
    const counts = (...set: string[]) =>
      scenarioOf(racks, ...set).cluster.racks.map((rack) => rack.nodes.map((group) => group.count));
    expect(counts("cluster.racks.0.nodes=5", "cluster.racks.b.nodes.1.count=9")).toEqual([[5], [1, 9]]);
    expect(counts("cluster.racks.0.nodes=5", "cluster.racks.a.nodes=6")).toEqual([[6], [1, 2]]);
  });

  it("takes whole mappings and lists", () => {
    const { workload } = scenarioOf("", "workload={kind: jobs, jobs: [{maps: 3}]}");
    expect(workload).toMatchObject({ kind: "jobs", jobs: [{ name: "job1", maps: 3, mapUs: 10e6 }] });
  });

  it("--seed stands in for run.seed and is kept as text", () => {
    expect(parseScenario(`${BASE}run: {seed: 3}`, "x.yaml", { seed: "007" }).scenario.run.seed).toBe("007");
    expect(scenarioOf("run: {seed: 3}").run.seed).toBe("3");
    expect(scenarioOf("").run.seed).toBe("1");
  });

  it("a path to a workload file is relative to where it is typed, one in the scenario to the scenario", () => {
    const text = "workload: {kind: swim, file: a.tsv}";
    const given = parseScenario(text, "some/folder/x.yaml", { set: ["workload.file=b.tsv"] });
    expect(given.directory).toBe(resolve("some/folder"));
    expect(given.scenario.workload).toMatchObject({ file: "../../b.tsv" });
    expect(parseScenario(text, "some/folder/x.yaml").scenario.workload).toMatchObject({ file: "a.tsv" });
    const absolute = resolve("b.tsv");
    const set = [`workload.file=${absolute}`];
    expect(parseScenario(text, "some/x.yaml", { set }).scenario.workload).toMatchObject({ file: absolute });
  });
});

/** [arguments, whole message] */
const REFUSED: readonly (readonly [string, string])[] = [
  [
    "scheduler.wait.node=5",
    "--set scheduler.wait.node=5: found 5 for scheduler.wait.node, allowed a time from 0s to 365d; write a unit: 5s, 5ms",
  ],
  [
    "clutser.racks=3",
    'found the key "clutser" in the scenario, allowed platform, name, why, cluster, storage, workload, scheduler, runtime, faults, compare, run; did you mean "cluster"?',
  ],
  [
    "cluster.mapslots=3",
    'found the key "mapslots" in cluster, allowed racks, nodesPerRack, mapSlots, reduceSlots, speed, disk, link, memory, diskSpace, loadLimit, oversubscription, network, heartbeat, heartbeatJitter, outOfBandDelay; did you mean "mapSlots"?',
  ],
  ["scheduler=hsf", `--set scheduler=hsf: found "hsf" for scheduler.kind, allowed ${KINDS}; did you mean "hfs"?`],
  [
    "cluster.racks=",
    "--set cluster.racks=: found nothing for cluster.racks, allowed a whole number of racks from 1 to 100000, or a list of rack groups",
  ],
  [
    "cluster.racks.0.nodes=3",
    "--set cluster.racks.0.nodes=3: found 4 for cluster.racks, allowed a mapping or a list, to set something in it",
  ],
  [
    "scheduler.pools.9.weight=3",
    '--set scheduler.pools.9.weight=3: found "9" for a place in a list, allowed a position from 0 to 0 or the name of an item',
  ],
  ["cluster", '--set cluster: found "cluster", allowed path=value, for example scheduler.wait.node=5s'],
  ["=3", 'found "=3", allowed path=value'],
  ["a..b=3", 'found "a..b=3", allowed path=value'],
  ["__proto__.name=x", "allowed path=value"],
  ["constructor.prototype.x=1", 'found the key "constructor" in the scenario'],
  ["name=[1", "--set name=[1: found broken YAML"],
  ["name=a\u001b[2J", "\\u001b"],
  [
    "storage.replication=700",
    "--set storage.replication=700: found 700 for storage.replication, allowed a whole number from 1 to 512",
  ],
  [
    "storage.replication=90",
    "--set storage.replication=90: found 90 replicas on 80 nodes, allowed at most one per node",
  ],
];

describe("a wrong --set is refused under its own name", () => {
  const text = `${BASE}cluster: {racks: 4}\nscheduler: {kind: hfs, pools: [{name: a}]}`;
  it.each(REFUSED)("%s", (set, part) => {
    const message = refusal(text, { set: [set] });
    expect(message.startsWith("--set ")).toBe(true);
    expect(message).toContain(part);
    expect(message).not.toContain("\u001b");
    expect(message.split("\n")).toHaveLength(1);
  });

  it("every wrong option and every problem of the file is told", () => {
    expect(refusal(text, { set: ["a", "b"] }).split("\n")).toHaveLength(2);
    const message = refusal(`${text}\nrun: {seed: 1.5}`, { set: ["cluster.mapSlots=-1"], seed: "a/b" });
    expect(message).toContain("--set cluster.mapSlots=-1: found -1");
    expect(message).toContain('--seed a/b: found "a/b" for run.seed');
    expect(refusal(`${text}\nrun: {sample: 1}`, { set: ["cluster.mapSlots=-1"] })).toContain(
      "x.yaml:4:15: found 1 for run.sample",
    );
  });

  it("Object.prototype stays as it was", () => {
    refusal(text, { set: ["constructor.prototype.polluted=1"] });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
