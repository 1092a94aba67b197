import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import type { Scenario } from "../../../dist/core/scenario/scenario.js";
import { SCHEDULER_KINDS } from "../../../dist/core/scheduler/kinds.js";
import { InputError } from "../../../dist/io/input-error.js";
import { parseScenario } from "../../../dist/io/scenario/load.js";
import { resolvedToJson } from "../../../dist/io/scenario/resolved.js";

type Tree = unknown;

const VALID: readonly Tree[] = [
  { workload: { kind: "facebook" } },
  {
    name: "all",
    why: "w",
    cluster: {
      racks: [
        { name: "a", count: 2, nodes: 3 },
        { nodes: [{ count: 2, mapSlots: 1, speed: 0.5 }, { count: 1 }], mapSlots: 2 },
      ],
      heartbeat: { rule: "hadoop-0.20", perSecond: 10, scalingFactor: 2 },
    },
    storage: { blockSize: "64MB", replication: 2, placement: "uniform", rereadProbability: 0.25 },
    workload: {
      kind: "jobs",
      jobs: [
        { name: "x", at: "1s", maps: 3, mapTime: "2s", reduces: 1, count: 2, every: "5s" },
        { maps: 1, file: "f", priority: "high" },
      ],
    },
    scheduler: { kind: "hfs", wait: { node: "5s", rack: "1s" }, pools: { p: { weight: 2, minMaps: 1, maxMaps: 3 } } },
    runtime: { jobSetup: "1s", localityFactor: { any: 3 }, slowStart: 0.5 },
    run: { seed: 7, until: "1h", sample: "5s" },
  },
  {
    cluster: { racks: 3, nodesPerRack: 2, heartbeat: "1s" },
    workload: { kind: "swim", file: "t.tsv", mapRate: "8MB/s", maxMaps: "unlimited" },
    scheduler: { kind: "delay", wait: { nodeSkips: 3 }, pools: [{ name: "q", mode: "fifo" }] },
  },
  { workload: { kind: "benchmark", repeat: 2 }, scheduler: "fifo", run: { until: "end" } },
];

const POISON: readonly unknown[] = [
  null,
  "",
  "x",
  "10s",
  "0s",
  "-1s",
  "128MB",
  "none",
  "all",
  "unlimited",
  "end",
  "hfs",
  "jobs",
  "\u0000",
  "\u001b[2J",
  "__proto__",
  "constructor",
  0,
  -0,
  1,
  -1,
  0.5,
  2.5,
  64,
  65,
  1e9,
  2 ** 53,
  2 ** 53 + 2,
  1e308,
  NaN,
  Infinity,
  -Infinity,
  true,
  [],
  {},
  [[]],
  [{}],
  [null],
  { a: 1 },
  { kind: "jobs" },
];
const KEYS = [
  "racks",
  "nodes",
  "count",
  "mapSlots",
  "kind",
  "wait",
  "node",
  "nodeSkips",
  "file",
  "jobs",
  "maps",
  "name",
  "toString",
  "x",
  "1",
];

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

const MAY_BE_INFINITE = new Set(["untilUs", "tasksPerHeartbeat", "maxMaps", "maxReduces"]);
const MAY_BE_FRACTIONS = new Set([
  "speed",
  "scalingFactor",
  "rereadProbability",
  "timeScale",
  "weight",
  "mapSigma",
  "node",
  "rack",
  "any",
  "slowStart",
]);

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
  expect(new Set(scenario.scheduler.pools.map((pool) => pool.name)).size).toBe(scenario.scheduler.pools.length);
  expect(scenario.scheduler.pools.every((pool) => pool.minMaps <= pool.maxMaps && pool.weight > 0)).toBe(true);
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
  // Neither branch of the property may be empty.
  expect(counts.read).toBeGreaterThan(30);
  expect(counts.refused).toBeGreaterThan(30);
});

it("a text with characters replaced is either sound or refused with a place", () => {
  const text = stringify(VALID[1]);
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
    { numRuns: 600 },
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
    "workload",
    "jobs",
    "1",
    "maps",
    "run",
    "seed",
    "__proto__",
    "constructor",
    "",
  );
  const set = fc.tuple(
    fc.array(part, { maxLength: 4 }),
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
