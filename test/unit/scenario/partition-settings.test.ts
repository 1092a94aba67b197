import { describe, expect, it } from "vitest";
import type { PartitionSpec } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";
import { USUAL_PARTITION } from "../../support/usual-settings.js";

const JOBS = "workload: {kind: jobs, jobs: [{maps: 1, pool: ads}, {maps: 1, pool: etl, user: eva}]}";
const load = (scheduler: string, rest = "") => parseScenario(`${JOBS}\nscheduler: ${scheduler}\n${rest}`, "x.yaml", {});
const spec = (scheduler: string): PartitionSpec | undefined => load(scheduler).scenario.scheduler.partition;

describe("the settings of a partition", () => {
  it("all have defaults", () => {
    expect(spec("partition")).toEqual(USUAL_PARTITION);
    expect(spec("{kind: partition, partition: {}}")).toEqual(USUAL_PARTITION);
    expect(load("partition").notes).toEqual([]);
  });

  it("are as the file says", () => {
    expect(
      spec(
        "{kind: partition, partition: {by: user, deal: contiguous, weights: {eva: 2}, inner: {kind: hfs, wait: auto}}}",
      ),
    ).toEqual({
      by: "user",
      deal: "contiguous",
      weights: [{ name: "eva", weight: 2 }],
      inner: { kind: "hfs", wait: { kind: "auto" }, updateIntervalUs: 500_000 },
    });
  });

  it("leave to inner schedulers the wait of the whole one, or of their kind", () => {
    const inner = (settings: string) => spec(`{kind: partition, ${settings}}`)?.inner;
    expect(inner("partition: {inner: delay}")?.wait).toEqual({ kind: "skips", node: 270, rack: 30 });
    expect(inner("wait: {node: 1s, rack: 0}")?.wait).toEqual({ kind: "time", nodeUs: 1_000_000, rackUs: 0 });
    expect(inner("wait: auto, partition: {inner: {kind: hfs, wait: none}}")?.wait).toEqual({ kind: "none" });
    expect(inner("updateInterval: 2s, partition: {inner: hfs}")?.updateIntervalUs).toBe(2_000_000);
  });

  it("mean nothing to other kinds, and a note says so", () => {
    expect(spec("{kind: fair, partition: {by: user}}")).toBeUndefined();
    expect(load("{kind: fair, partition: {by: user}}").notes).toEqual([
      "scheduler.partition has no effect on how fair decides",
    ]);
    expect(load("{kind: partition, poolBy: user}").notes).toEqual([
      "scheduler.poolBy has no effect on how partition decides",
    ]);
  });
});

const inside = (settings: string): string => `{kind: partition, partition: {${settings}}}`;

/** [what is wrong, the scheduler, part of the message] */
const WRONG: readonly (readonly [string, string, string])[] = [
  ["an unknown owner", inside("by: group"), 'found "group" for scheduler.partition.by, allowed pool, user'],
  ["an unknown deal", inside("deal: stripes"), 'did you mean "striped"?'],
  ["an unknown key", inside("weigths: {}"), 'did you mean "weights"?'],
  [
    "no weight",
    inside("weights: {ads: 0}"),
    "found 0 for scheduler.partition.weights.ads, allowed a number from 0.001",
  ],
  ["a list of weights", inside("weights: [ads]"), "allowed a mapping from owners to weights"],
  ["a weight of a nameless owner", inside('weights: {" ": 1}'), 'found the owner name " "'],
  [
    "a weight of somebody without jobs",
    inside("weights: {adds: 2}"),
    'found the owner "adds", allowed the pool of one of the jobs; did you mean "ads"?',
  ],
  [
    "a weight of a pool where users own",
    inside("by: user, weights: {etl: 2}"),
    'found the owner "etl", allowed the user of one of the jobs',
  ],
  ["a weight of a property of objects", inside("weights: {constructor: 2}"), 'found the owner "constructor"'],
  [
    "a partition inside",
    inside("inner: partition"),
    'found "partition" for scheduler.partition.inner, allowed fifo, fair, delay, hfs, or a mapping',
  ],
  [
    "an inner wait of two forms",
    inside("inner: {wait: {node: 1s, nodeSkips: 2}}"),
    "found both times and skip counts for scheduler.partition.inner.wait",
  ],
  [
    "no settings",
    "{kind: partition, partition: on}",
    'found "on" for scheduler.partition, allowed a mapping with the keys by, deal',
  ],
];

describe("a partition that cannot be", () => {
  it.each(WRONG)("%s", (_, scheduler, message) => {
    expect(refusal(`${JOBS}\nscheduler: ${scheduler}`)).toContain(message);
  });
});

/** [what may never end, what the file says beside, part of the message] */
const ENDLESS: readonly (readonly [string, string, string])[] = [
  [
    "a node lost for ever",
    "faults: {events: [{kind: crash, rack: 0, node: 0, at: 1s}]}",
    "found a node lost for ever where nodes are private",
  ],
  ["a rack lost for ever", "faults: {events: [{kind: switch, rack: 0, at: 1s}]}", "found a node lost for ever"],
  [
    "attempts that fail",
    "faults: {mapFailure: 0.1}",
    "found attempts that fail where nodes are private and run.until is end",
  ],
  [
    "nodes too small for some",
    "cluster: {racks: [{nodes: 3}, {nodes: 3, memory: 1GB}]}",
    "found nodes of unequal memory or disk space where",
  ],
];

describe("a partition under which jobs may never end", () => {
  it.each(ENDLESS)("%s is refused, unless the run ends anyway", (_, rest, message) => {
    const text = `${JOBS}\nscheduler: partition\n${rest}`;
    expect(refusal(text)).toContain(message);
    expect(() => parseScenario(`${text}\nrun: {until: 1h}`, "x.yaml", {})).not.toThrow();
    expect(() => parseScenario(text.replace("scheduler: partition", "scheduler: fair"), "x.yaml", {})).not.toThrow();
  });

  it("a crash that ends is no such thing", () => {
    expect(() =>
      load("partition", "faults: {events: [{kind: crash, rack: 0, node: 0, at: 1s, for: 1m}]}"),
    ).not.toThrow();
  });
});
