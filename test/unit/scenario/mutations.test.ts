import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { type Scenario, type SchedulerSpec, SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { checkPlacement } from "../../../dist/core/platforms/hadoop/index.js";
import { InputError, parseScenario, resolvedToJson } from "../../../dist/io/index.js";
import { KEYS, POISON, VALID } from "./mutation-values.js";

type Tree = unknown;

/** Every mapping and list of a tree. */
function collections(tree: Tree): (Record<string, unknown> | unknown[])[] {
  if (typeof tree !== "object" || tree === null) return [];
  return [tree as Record<string, unknown>, ...Object.values(tree).flatMap(collections)];
}

interface Mutation {
  readonly place: number;
  readonly entry: number;
  readonly act: "replace" | "remove" | "add" | "repeat";
  readonly poison: unknown;
  readonly key: string;
}

function mutate(tree: Tree, { place, entry, act, poison, key }: Mutation): void {
  const all = collections(tree);
  const at = all[place % all.length];
  const value = structuredClone(poison);
  if (Array.isArray(at)) {
    if (act === "remove") at.splice(entry % (at.length + 1), 1);
    else if (act === "repeat" && at.length > 0) at.push(structuredClone(at[entry % at.length]));
    else at[entry % (at.length + 1)] = value;
    return;
  }
  const names = Object.keys(at);
  const name = act === "add" || names.length === 0 ? key : names[entry % names.length];
  if (act === "remove") Reflect.deleteProperty(at, name);
  else if (act === "repeat") at[key] = structuredClone(Object.hasOwn(at, name) ? at[name] : value);
  else at[name] = value;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(60),
  entry: fc.nat(20),
  act: fc.constantFrom("replace", "replace", "remove", "add", "repeat"),
  poison: fc.oneof(fc.constantFrom(...POISON), fc.double(), fc.string(), fc.integer()),
  key: fc.constantFrom(...KEYS),
});

/** Every number of the record, with the name it stands under. */
function numbers(tree: unknown, key = ""): [string, number][] {
  if (typeof tree === "number") return [[key, tree]];
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => numbers(value, name));
}

const MAY_BE_INFINITE = new Set([
  "rescindAfterUs",
  "computing",
  "perJob",
  "untilUs",
  "tasksPerHeartbeat",
  "mapsPerHeartbeat",
  "reducesPerHeartbeat",
  "maxMaps",
  "maxReduces",
  "maxJobs",
  "poolMaxJobs",
  "userMaxJobs",
  "minShareTimeoutUs",
  "fairShareTimeoutUs",
  "uplinkBytesPerSecond",
  "rowUplinkBytesPerSecond",
  "memoryBytes",
  "diskBytes",
  "loadLimit",
  "forUs",
  "everyUs",
  "redrawUs",
  "maxReplicas",
  "maximumInitializedJobsPerUser",
]);
const MAY_BE_FRACTIONS = new Set([
  "speed",
  "scalingFactor",
  "rereadProbability",
  "timeScale",
  "weight",
  "mapSigma",
  "maxDiff",
  "factor",
  "node",
  "rack",
  "row",
  "any",
  "slowStart",
  "heartbeatJitter",
  "ioShare",
  "outputRatio",
  "progressGap",
  "slowerBy",
  "maxShareOfSlots",
  "mapFailure",
  "reduceFailure",
  "stragglers",
  "stragglerFactor",
  "share",
  "skew",
  "overMean",
  "slack",
  "ioBoundFrom",
  "hotShare",
  "readHot",
  "alpha",
  "step",
  "removeAt",
  "readersPerReplica",
  "capacityPercent",
  "maximumCapacityPercent",
  "userLimitFactor",
]);

function expectSoundAllocations({
  kind,
  rules,
  updateIntervalUs,
  preemption,
  allocations,
  reloads,
}: SchedulerSpec): void {
  if (kind === "hfs" && preemption.mode !== "off") expect(updateIntervalUs).toBeGreaterThan(0);
  const seats = new Map<string, string>();
  for (const { pools, users, placement } of [allocations, ...reloads.map((reload) => reload.allocations)]) {
    const before = new Set<string | null>([null]);
    const parents = new Set(pools.map(({ parent }) => parent));
    for (const { name, parent, minMaps, maxMaps, minReduces, maxReduces, weight, mode } of pools) {
      expect(before.has(parent), "every pool after the one it lies in").toBe(true);
      expect(before.has(name)).toBe(false);
      before.add(name);
      expect(parent === null || name.startsWith(`${parent}.`)).toBe(true);
      expect(minMaps <= maxMaps && minReduces <= maxReduces && weight > 0 && maxMaps > 0 && maxReduces > 0).toBe(true);
      if (mode === "fifo") expect(parents.has(name)).toBe(false);
      const seat = `${String(parent)}/${String(parents.has(name))}`;
      expect(seats.get(name) ?? seat).toBe(seat);
      seats.set(name, seat);
    }
    expect(users.every(({ name, maxJobs }) => name !== "" && maxJobs > 0)).toBe(true);
    if (rules !== "branch-1") expect(placement).toBeNull();
    if (placement !== null) expect(checkPlacement(placement)).toBeNull();
  }
  expect(reloads.every(({ atUs }, i) => atUs > (i === 0 ? 0 : reloads[i - 1].atUs))).toBe(true);
}

function expectSoundFaults({ cluster, runtime, faults }: Scenario): void {
  const sizes = cluster.racks.map(({ nodes }) => nodes.reduce((sum, { count }) => sum + count, 0));
  for (const { kind, rack, node, forUs, factor } of faults.events) {
    expect(rack).toBeLessThan(sizes[rack] === undefined ? 0 : sizes.length);
    expect(node).toBeLessThan(sizes[rack]);
    expect(forUs).toBeGreaterThan(0);
    expect(factor).toBeGreaterThanOrEqual(1);
    if (kind === "switch") expect(node).toBe(0);
  }
  expect(faults.mapFailure).toBeLessThan(1);
  expect(faults.reduceFailure).toBeLessThan(1);
  expect(faults.stragglerFactor).toBeGreaterThanOrEqual(1);
  const { crash, switch: lost, slowDisk, slowNode } = faults.rates;
  for (const rate of [crash, lost, slowDisk, slowNode]) expect(rate.everyUs > 0 && rate.factor >= 1).toBe(true);
  expect(new Set(cluster.racks.map(({ row }) => row === "")).size).toBe(1);
  const groups = cluster.racks.flatMap(({ nodes }) => nodes);
  expect(groups.every((group) => group.diskBytesPerSecond > 0 && group.linkBytesPerSecond > 0)).toBe(true);
  expect(groups.every((group) => group.memoryBytes > 0 && group.diskBytes > 0 && group.loadLimit > 0)).toBe(true);
  expect(cluster.racks.every(({ uplinkBytesPerSecond }) => uplinkBytesPerSecond > 0)).toBe(true);
  expect(cluster.outOfBandDelayUs === 0 || cluster.outOfBandDelayUs >= 1_000).toBe(true);
  expect(cluster.network.settleUs).toBeGreaterThan(0);
  expect(runtime.io.outputReplication).toBeLessThanOrEqual(sizes.reduce((sum, size) => sum + size, 0));
  if (runtime.model === "detailed") expect(runtime.io.taskStartUs).toBeGreaterThanOrEqual(2_000);
}

function expectInvariants(scenario: Scenario): void {
  for (const [key, value] of numbers(scenario)) {
    expect(value, key).toBeGreaterThanOrEqual(0);
    if (!MAY_BE_FRACTIONS.has(key) && !(MAY_BE_INFINITE.has(key) && value === Infinity))
      expect(Number.isSafeInteger(value), key).toBe(true);
    expect(Object.is(value, -0), key).toBe(false);
  }
  const groups = scenario.cluster.racks.flatMap((rack) => rack.nodes);
  const nodes = groups.reduce((sum, group) => sum + group.count, 0);
  expect(nodes).toBeLessThanOrEqual(1_000_000);
  expect(groups.reduce((sum, group) => sum + group.count * (group.mapSlots + group.reduceSlots), 0)).toBeGreaterThan(0);
  expect(groups.every((group) => group.count > 0 && group.speed > 0)).toBe(true);
  expect(new Set(scenario.cluster.racks.map((rack) => rack.name)).size).toBe(scenario.cluster.racks.length);
  expect(scenario.storage.replication).toBeGreaterThan(0);
  expect(scenario.storage.replication).toBeLessThanOrEqual(nodes);
  expect(SCHEDULER_KINDS.map((kind) => kind.name)).toContain(scenario.scheduler.kind);
  if (scenario.storage.placement === "correlated")
    expect(scenario.storage.nodesPerFile).toBeGreaterThanOrEqual(scenario.storage.replication);
  expectSoundAllocations(scenario.scheduler);
  expectSoundFaults(scenario);
  expect(scenario.name).toMatch(/^(-(?=\d))?[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u);
  expect(scenario.run.seed).toMatch(/^[\p{L}\p{N}._+-]+$/u);
  if (scenario.workload.kind === "jobs") {
    const { jobs } = scenario.workload;
    expect(jobs.every((job) => job.maps + job.reduces > 0 && job.mapUs > 0 && job.pool !== "")).toBe(true);
    expect(new Set(jobs.map((job) => job.name)).size).toBe(jobs.length);
  }
  const json = resolvedToJson(scenario);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
}

/** What reading a text comes to; anything but a sound scenario or a refusal with a place fails the test. */
function outcome(text: string, set: readonly string[] = []): "read" | "refused" {
  try {
    expectInvariants(parseScenario(text, "m.yaml", { set }).scenario);
    return "read";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.diagnostics.length).toBeGreaterThan(0);
    const lines = text.split("\n");
    for (const { file, line, column, message } of error.diagnostics) {
      expect(message).toMatch(/^found [\s\S]*allowed /);
      if (file.startsWith("--set ")) continue;
      // A mutation may have named a file of allocations, or of queues.
      if (file !== "m.yaml" && /\b(allocation file|capacity scheduler|directory)\b/.test(message)) continue;
      expect(file).toBe("m.yaml");
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(lines.length);
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(lines[line - 1].length + 1);
    }
    return "refused";
  }
}

it("a mutated scenario is either sound or refused with a place, and never fails in another way", () => {
  const counts = { read: 0, refused: 0 };
  const inputs = [fc.constantFrom(...VALID), fc.array(mutation, { minLength: 1, maxLength: 3 })] as const;
  fc.assert(
    fc.property(...inputs, (valid, mutations) => {
      const tree = structuredClone(valid);
      for (const step of mutations) mutate(tree, step);
      counts[outcome(stringify(tree))]++;
    }),
    { numRuns: 600 },
  );
  // Neither branch of the property may be empty. About 45 of 600 are read, give or take 7.
  expect(counts.read).toBeGreaterThan(10);
  expect(counts.refused).toBeGreaterThan(10);
  // A few seconds, but of a machine that may be busy.
}, 90_000);

it.each([1, 4, 6])("text %i with characters replaced is either sound or refused with a place", (valid) => {
  const text = stringify(VALID[valid]);
  const edit = fc.tuple(
    fc.nat(text.length),
    fc.nat(3),
    fc.constantFrom(
      "",
      "\n",
      "\t",
      " ",
      ":",
      "- ",
      "{",
      "]",
      '"',
      "'",
      "#",
      "&a ",
      "*a",
      "|",
      "%",
      "0",
      "-",
      "\u0000",
      "---\n",
    ),
  );
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const edited = edits.reduce((now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length), text);
      outcome(edited);
    }),
    // The fuzzer damages more of them (tools/fuzz.mjs).
    { numRuns: 200 },
  );
});

it("any --set is either applied or refused under its own name or the file's", () => {
  const part = fc.constantFrom(
    "cluster",
    "racks",
    "0",
    "a",
    "nodes",
    "scheduler",
    "wait",
    "node",
    "pools",
    "p",
    "rules",
    "preemption",
    "interval",
    "allocations",
    "placement",
    "reloads",
    "rule",
    "workload",
    "jobs",
    "1",
    "maps",
    "runtime",
    "io",
    "speculation",
    "commit",
    "faults",
    "events",
    "at",
    "memory",
    "run",
    "seed",
    "__proto__",
    "constructor",
    "",
  );
  const set = fc.tuple(
    fc.array(part, { maxLength: 5 }),
    fc.oneof(fc.constantFrom(...POISON.map((value) => JSON.stringify(value))), fc.string()),
  );
  fc.assert(
    fc.property(fc.constantFrom(...VALID), fc.array(set, { minLength: 1, maxLength: 3 }), (valid, settings) => {
      outcome(
        stringify(valid),
        settings.map(([path, value]) => `${path.join(".")}=${value}`),
      );
    }),
    { numRuns: 600 },
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
