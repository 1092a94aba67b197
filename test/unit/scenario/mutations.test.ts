import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type Scenario, type SchedulerSpec, SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { checkPlacement } from "../../../dist/core/platforms/hadoop/index.js";
import { InputError, parseScenario, resolvedToJson } from "../../../dist/io/index.js";

type Tree = unknown;
interface Values {
  readonly valid: Tree[];
  readonly poison: unknown[];
  readonly keys: string[];
}
const { valid: VALID, poison: POISON, keys: KEYS } = parse(readFileSync("test/data/mutations.yaml", "utf8")) as Values;

/** Every mapping and list of a tree. */
function collections(tree: Tree): (Record<string, unknown> | unknown[])[] {
  if (typeof tree !== "object" || tree === null) return [];
  return [tree as Record<string, unknown>, ...Object.values(tree).flatMap(collections)];
}

const mutation = fc.record({
  place: fc.nat(60),
  entry: fc.nat(20),
  act: fc.constantFrom("replace", "replace", "remove", "add", "repeat"),
  poison: fc.oneof(fc.constantFrom(...POISON), fc.double(), fc.string(), fc.integer()),
  key: fc.constantFrom(...KEYS),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(tree: Tree, { place, entry, act, poison, key }: Mutation): void {
  const all = collections(tree);
  const part = all[place % all.length];
  const value = structuredClone(poison);
  if (Array.isArray(part)) {
    if (act === "remove") part.splice(entry % (part.length + 1), 1);
    else part[entry % (part.length + 1)] = act === "repeat" ? structuredClone(part[0]) : value;
    return;
  }
  const names = Object.keys(part);
  const name = act === "add" || names.length === 0 ? key : names[entry % names.length];
  if (act === "remove") Reflect.deleteProperty(part, name);
  else if (act === "repeat") part[key] = structuredClone(part[name]);
  else part[name] = value;
}

/** Every number of the record, with the name it stands under. */
function numbers(tree: unknown, key = ""): [string, number][] {
  if (typeof tree === "number") return [[key, tree]];
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => numbers(value, name));
}

function expectSoundAllocations({ kind, rules, updateIntervalUs, preemption, ...scheduler }: SchedulerSpec): void {
  if (kind === "hfs" && preemption.mode !== "off") expect(updateIntervalUs).toBeGreaterThan(0);
  const { allocations, reloads } = scheduler;
  const seats = new Map<string, string>();
  for (const { pools, placement } of [allocations, ...reloads.map((reload) => reload.allocations)]) {
    const before = new Set<string | null>([null]);
    const parents = new Set(pools.map(({ parent }) => parent));
    for (const { name, parent, minMaps, maxMaps, minReduces, maxReduces, weight, mode } of pools) {
      expect(before.has(parent) && !before.has(name), "each pool once, after the one it lies in").toBe(true);
      before.add(name);
      expect(parent === null || name.startsWith(`${parent}.`)).toBe(true);
      expect(minMaps <= maxMaps && minReduces <= maxReduces && weight > 0 && maxMaps > 0 && maxReduces > 0).toBe(true);
      expect(mode === "fifo" && parents.has(name)).toBe(false);
      const seat = `${String(parent)}/${String(parents.has(name))}`;
      expect(seats.get(name) ?? seat).toBe(seat);
      seats.set(name, seat);
    }
    expect(placement === null || (rules === "branch-1" && checkPlacement(placement) === null)).toBe(true);
  }
  expect(reloads.every(({ atUs }, i) => atUs > (i === 0 ? 0 : reloads[i - 1].atUs))).toBe(true);
}

function expectSound(scenario: Scenario): void {
  const { cluster, storage, faults, runtime, workload } = scenario;
  for (const [key, value] of numbers(scenario)) {
    expect(value >= 0 && !Object.is(value, -0), key).toBe(true);
    const isWhole = /(Us|Bytes|Jobs)$|^(mapSlots|reduceSlots|count|maps|reduces|files)$/.test(key);
    if (isWhole && value !== Infinity) expect(Number.isSafeInteger(value), key).toBe(true);
  }
  const groups = cluster.racks.flatMap((rack) => rack.nodes);
  const sizes = cluster.racks.map(({ nodes }) => nodes.reduce((sum, { count }) => sum + count, 0));
  const nodes = sizes.reduce((sum, size) => sum + size, 0);
  expect(nodes).toBeLessThanOrEqual(1_000_000);
  expect(groups.some(({ mapSlots, reduceSlots }) => mapSlots + reduceSlots > 0)).toBe(true);
  for (const { count, speed, diskBytesPerSecond, linkBytesPerSecond, memoryBytes, diskBytes, loadLimit } of groups)
    expect(Math.min(count, speed, diskBytesPerSecond, linkBytesPerSecond, memoryBytes, diskBytes, loadLimit) > 0).toBe(
      true,
    );
  expect(new Set(cluster.racks.map(({ name }) => name)).size).toBe(cluster.racks.length);
  expect(new Set(cluster.racks.map(({ row }) => row === "")).size).toBe(1);
  expect(storage.replication > 0 && storage.replication <= nodes && runtime.io.outputReplication <= nodes).toBe(true);
  if (storage.placement === "correlated") expect(storage.nodesPerFile).toBeGreaterThanOrEqual(storage.replication);
  expect(SCHEDULER_KINDS.map(({ name }) => name)).toContain(scenario.scheduler.kind);
  expectSoundAllocations(scenario.scheduler);
  for (const { rack, node, forUs, factor } of faults.events)
    expect(rack < sizes.length && node < sizes[rack] && forUs > 0 && factor >= 1).toBe(true);
  expect(faults.mapFailure < 1 && faults.reduceFailure < 1 && faults.stragglerFactor >= 1).toBe(true);
  for (const { everyUs, factor } of Object.values(faults.rates)) expect(everyUs > 0 && factor >= 1).toBe(true);
  expect(cluster.outOfBandDelayUs === 0 || cluster.outOfBandDelayUs >= 1_000).toBe(true);
  if (runtime.model === "detailed") expect(runtime.io.taskStartUs).toBeGreaterThanOrEqual(2_000);
  expect(scenario.name).toMatch(/^(-(?=\d))?[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u);
  expect(scenario.run.seed).toMatch(/^[\p{L}\p{N}._+-]+$/u);
  if (workload.kind === "jobs") {
    expect(
      workload.jobs.every(({ maps, reduces, mapUs, pool }) => maps + reduces > 0 && mapUs > 0 && pool !== ""),
    ).toBe(true);
    expect(new Set(workload.jobs.map(({ name }) => name)).size).toBe(workload.jobs.length);
  }
  const json = resolvedToJson(scenario);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
}

/** What reading a text comes to; anything but a sound scenario or a refusal with a place fails the test. */
function outcome(text: string, set: readonly string[] = []): "read" | "refused" {
  try {
    expectSound(parseScenario(text, "m.yaml", { set }).scenario);
    return "read";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = text.split("\n");
    for (const { file, line, column, message } of error.diagnostics) {
      if (file.startsWith("--set ")) continue;
      // A mutation may have named a file of allocations, or of queues.
      if (file !== "m.yaml" && /\b(allocation file|capacity scheduler|directory)\b/.test(message)) continue;
      expect([file, line >= 1 && line <= lines.length]).toEqual(["m.yaml", true]);
      expect(column >= 1 && column <= lines[line - 1].length + 1).toBe(true);
    }
    return "refused";
  }
}

it.each(VALID.map((tree) => [tree]))("%j is read", (tree) => {
  expect(outcome(stringify(tree))).toBe("read");
});

it("a mutated scenario is either sound or refused with a place, and never fails in another way", () => {
  const counts = { read: 0, refused: 0 };
  const inputs = [fc.constantFrom(...VALID), fc.array(mutation, { minLength: 1, maxLength: 3 })] as const;
  const property = fc.property(...inputs, (valid, mutations) => {
    const tree = structuredClone(valid);
    for (const step of mutations) mutate(tree, step);
    counts[outcome(stringify(tree))]++;
  });
  fc.assert(property, { numRuns: 600 });
  // Neither branch of the property may be empty. About 45 of 600 are read, give or take 7.
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(10);
}, 240_000);

it.each([1, 4, 6])("text %i with characters replaced is either sound or refused with a place", (valid) => {
  const text = stringify(VALID[valid]);
  const put = fc.oneof(fc.constantFrom(..."\n\t :-{}]\"'#|%0\u0000"), fc.constantFrom("", "- ", "&a ", "*a", "---\n"));
  const property = fc.property(fc.nat(text.length), fc.nat(3), put, (start, length, characters) => {
    outcome(text.slice(0, start) + characters + text.slice(start + length));
  });
  fc.assert(property, { numRuns: 200 });
});

it("any --set is either applied or refused under its own name or the file's", () => {
  const part = fc.constantFrom(...KEYS, "cluster", "scheduler", "workload", "0", "__proto__", "constructor", "");
  const value = fc.oneof(fc.constantFrom(...POISON.map((poison) => JSON.stringify(poison))), fc.string());
  const sets = fc.array(fc.tuple(fc.array(part, { maxLength: 5 }), value), { minLength: 1, maxLength: 3 });
  const property = fc.property(fc.constantFrom(...VALID), sets, (valid, settings) => {
    outcome(
      stringify(valid),
      settings.map(([path, text]) => `${path.join(".")}=${text}`),
    );
  });
  fc.assert(property, { numRuns: 600 });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}, 240_000);
