import { describe, expect, it } from "vitest";
import { LIMITS, parseScenario, type LoadOptions, parseSystems } from "../../../dist/io/index.js";
import { refusalOf } from "./refused.js";
import { ofHadoop } from "../../support/of-hadoop.js";

const BASE = `cluster: {racks: 2, nodesPerRack: 3}
workload: {kind: benchmark}
scheduler: {kind: hfs, wait: {node: 7s}, tasksPerHeartbeat: 1}
`;
const systemsOf = (section: string, options: LoadOptions = {}) => {
  const found = parseSystems(`${BASE}${section}`, "x.yaml", options);
  if (found === null) throw new Error("no section");
  return found;
};
const refused = (section: string, options: LoadOptions = {}) => refusalOf(() => systemsOf(section, options));

describe("the systems of a file", () => {
  it("are the scenario but for what each sets", () => {
    const { systems, seeds, baseline } = systemsOf(`compare:
  seeds: 4
  systems:
    - {name: plain}
    - name: other
      why: it waits less
      set: {scheduler: {kind: hfs, wait: {node: 1s}}, storage.replication: 2, workload.meanGap: 3s}
`);
    const [plain, other] = systems.map(({ scenario }) => ofHadoop(scenario));
    expect([seeds, baseline, systems.map(({ name }) => name)]).toEqual([4, "plain", ["plain", "other"]]);
    expect(plain).toEqual(parseScenario(BASE, "x.yaml").scenario);
    expect(systems[1]!.why).toBe("it waits less");
    expect(other!.scheduler).toMatchObject({ wait: { nodeUs: 1e6 }, tasksPerHeartbeat: Infinity });
    expect([other!.storage.replication, other!.workload]).toMatchObject([2, { meanGapUs: 3e6 }]);
    expect({ ...other, scheduler: 0, storage: 0, workload: 0 }).toEqual({
      ...plain,
      scheduler: 0,
      storage: 0,
      workload: 0,
    });
  });

  it("keep the file's scheduler but for its wait where they only name another kind, as --set does", () => {
    const [system] = systemsOf("compare: {systems: [{name: a, set: {scheduler: delay}}]}").systems;
    expect(system!.scenario.scheduler).toMatchObject({ kind: "delay", wait: { node: 270 }, tasksPerHeartbeat: 1 });
  });

  it("all get what --set and --seed say, after what they set themselves", () => {
    const section = "compare: {seeds: 2, systems: [{name: a, set: {cluster.racks: 3}}, {name: b}]}";
    const set = ["cluster.racks=5", "compare.seeds=7", "compare.systems.b.set={cluster.mapSlots: 9}"];
    const { systems, seeds } = systemsOf(section, { set, seed: "41" });
    expect(seeds).toBe(7);
    expect(systems.map(({ scenario }) => [ofHadoop(scenario).cluster.racks.length, scenario.run.seed])).toEqual([
      ...[5, 5].map((racks) => [racks, "41"]),
    ]);
    expect(ofHadoop(systems[1]!.scenario).cluster.racks[0]!.nodes[0]!.mapSlots).toBe(9);
  });

  it("are told of where --set replaces what they set, so that they no longer differ in it", () => {
    const notesOf = (systems: string, ...set: string[]): readonly string[] =>
      systemsOf(`compare: {systems: [${systems}]}`, { set }).notes.filter((note) => note.includes("replaces"));
    const two = "{name: a, set: {scheduler.wait: {node: 1s}}}, {name: b, set: {scheduler.wait.node: 2s}}, {name: c}";
    expect(notesOf(two, "scheduler.wait.node=3s")).toEqual([
      "--set scheduler.wait.node=3s replaces what the file sets for a, b; to change one of them, edit compare.systems",
    ]);
    expect(notesOf(two, "scheduler={kind: fair}")).toHaveLength(1);
    expect(notesOf(two, "scheduler.wait.rack=3s", "cluster.racks=3")).toEqual([]);
    expect(notesOf("{name: a, set: {scheduler: delay}}", "scheduler.tasksPerHeartbeat=1")).toEqual([]);
  });

  it("say what --set replaces before all other notes", () => {
    const { notes } = systemsOf("compare: {systems: [{name: a, set: {scheduler.wait.node: 1s}}]}", {
      set: ["scheduler.wait.node=3s", "cluster.oversubscription=2"],
    });
    expect(notes.length).toBeGreaterThan(1);
    expect(notes[0]).toMatch(/^--set scheduler\.wait\.node=3s replaces/);
  });

  it("refuse a --set of a path that is varied, or of one around it", () => {
    const section = "compare: {vary: {scheduler.pools.a.weight: [1, 4]}, systems: [{name: x}]}";
    for (const path of ["scheduler.pools.a.weight=9", "scheduler.pools={}", "scheduler=fair"]) {
      expect(refused(section, { set: [path] })).toBe(
        `--set ${path}: found what compare.vary sets at each point (scheduler.pools.a.weight), allowed other paths`,
      );
    }
    expect(systemsOf(section, { set: ["scheduler.pools.a.minMaps=1"] }).systems).toHaveLength(2);
  });

  it("are multiplied by what is varied, each point with all systems beside each other", () => {
    const { systems } = systemsOf(`compare:
  baseline: b
  vary: {cluster.mapSlots: [1, 2], scheduler.wait.node: [0s, 5s]}
  systems: [{name: a}, {name: b, set: {storage.replication: 1}}]
`);
    expect(systems.map(({ name }) => name)).toEqual([
      ...["a mapSlots=1 node=0s", "b mapSlots=1 node=0s", "a mapSlots=1 node=5s", "b mapSlots=1 node=5s"],
      ...["a mapSlots=2 node=0s", "b mapSlots=2 node=0s", "a mapSlots=2 node=5s", "b mapSlots=2 node=5s"],
    ]);
    expect(systems[7]).toMatchObject({ base: "b", point: "mapSlots=2 node=5s" });
    expect(systems[7]!.scenario).toMatchObject({
      storage: { replication: 1 },
      scheduler: { wait: { nodeUs: 5e6 } },
      cluster: { racks: [{ nodes: [{ mapSlots: 2 }] }, {}] },
    });
  });

  it("are none where the file has no such section, and a run does without them", () => {
    expect(parseSystems(BASE, "x.yaml")).toBe(null);
    const section = "compare: {systems: [{name: a, set: {scheduler: fifo}}]}";
    expect(parseScenario(BASE + section, "x.yaml").scenario).toEqual(parseScenario(BASE, "x.yaml").scenario);
  });

  it("do not share what they set: a list that an alias puts into two of them is changed in one", () => {
    const { systems } = systemsOf(`compare:
  systems:
    - {name: a, set: &same {scheduler: {kind: hfs, pools: [{name: p, weight: 2}]}}}
    - {name: b, set: *same}
    - {name: c, set: {scheduler: {kind: hfs, pools: [{name: p, weight: 2}]}, scheduler.pools.p.weight: 5}}
`);
    const weights = systems.map(({ scenario }) => ofHadoop(scenario).scheduler.allocations.pools[0]!.weight);
    expect(weights).toEqual([2, 2, 5]);
  });
});

describe("a wrong section is refused at its place", () => {
  it.each([
    [
      "a name twice",
      "compare: {systems: [{name: a}, {name: a}]}",
      "4:39",
      'found "a" for compare.systems.1.name a second time',
    ],
    ["no systems", "compare: {systems: []}", "4:20", "allowed a list of at least one of systems"],
    ["no list of them", "compare: {seeds: 2}", "4:1", "found nothing for compare.systems"],
    ["a comma", "compare: {systems: [{name: 'a, b'}]}", "4:28", "without commas"],
    ["seeds below 1", "compare: {seeds: 0, systems: [{name: a}]}", "4:18", "from 1 to 1000"],
    ["an unknown baseline", "compare: {baseline: fiar, systems: [{name: fair}]}", "4:21", 'did you mean "\\"fair\\""'],
    [
      "a seed of its own",
      "compare: {systems: [{name: a, set: {run.seed: 3}}]}",
      "4:37",
      "seed and end of runs are the comparison's",
    ],
    ["systems inside", "compare: {systems: [{name: a, set: {compare.seeds: 3}}]}", "4:37", "found the key"],
    ["a broken path", "compare: {systems: [{name: a, set: {cluster..racks: 3}}]}", "4:37", "found the key"],
    ["a hostile path", "compare: {systems: [{name: a, set: {cluster.__proto__.racks: 3}}]}", "4:37", "found the key"],
    [
      "a list varied",
      "compare: {vary: {cluster.racks: [[1]]}, systems: [{name: a}]}",
      "4:34",
      "allowed text, a number",
    ],
    [
      "a value varied twice",
      "compare: {vary: {cluster.racks: [1, 2, 1]}, systems: [{name: a}]}",
      "4:40",
      "found 1 for compare.vary.cluster.racks.2 a second time",
    ],
    [
      "nothing varied",
      "compare: {vary: {cluster.racks: []}, systems: [{name: a}]}",
      "4:33",
      "at least one of single values",
    ],
    ["an unknown key", "compare: {systems: [{name: a, sets: {}}]}", "4:31", 'did you mean "set"'],
  ])("%s", (_, section, place, part) => {
    expect(refused(section)).toContain(`x.yaml:${place}: found`);
    expect(refused(section)).toContain(part.replaceAll('\\"', '"'));
    expect(refusalOf(() => parseScenario(BASE + section, "x.yaml"))).toBe(refused(section));
  });

  it("too many systems, before any of them is looked at", () => {
    const many = Array.from({ length: 3000 }, (_, i) => `{name: s${String(i)}}`).join(", ");
    expect(refused(`compare: {systems: [${many}]}`)).toMatch(/found 3000 systems, .* at most 200$/);
    const values = Array.from({ length: 101 }, (_, i) => String(i + 1)).join(", ");
    expect(refused(`compare: {vary: {cluster.racks: [${values}]}, systems: [{name: a}, {name: b}]}`)).toContain(
      `found 202 systems, each with every value of vary, allowed at most ${String(LIMITS.systems)}`,
    );
  });
});

describe("a wrong system is refused where it says so, by its name", () => {
  it.each([
    [
      "a wrong value",
      "compare: {systems: [{name: a}, {name: b, set: {storage.replication: 0}}]}",
      "4:69",
      /allowed a whole number .*\(in the system "b"\)$/,
    ],
    [
      "a wrong value deep inside",
      "compare: {systems: [{name: b, set: {scheduler: {kind: delay, wait: {nodeSkips: x}}}}]}",
      "4:80",
      /nodeSkips, allowed .*\(in the system "b"\)$/,
    ],
    [
      "an unknown key",
      "compare: {systems: [{name: b, set: {cluster.rakcs: 3}}]}",
      "4:37",
      /did you mean "racks"\? \(in the system "b"\)$/,
    ],
    [
      "what does not go with the rest",
      "compare: {systems: [{name: b, set: {storage.replication: 9}}]}",
      "4:58",
      /allowed .*\(in the system "b"\)$/,
    ],
    [
      "a path into a value",
      "compare: {systems: [{name: b, set: {workload.kind.x: 3}}]}",
      "4:37",
      /found .* for|allowed a mapping/,
    ],
    [
      "a varied value, once for all systems",
      "compare: {vary: {cluster.mapSlots: [1, 99]}, systems: [{name: a}, {name: b}]}",
      "4:40",
      /^[^\n]*found 99 for cluster.mapSlots[^\n]*"a mapSlots=99"\)$/,
    ],
  ])("%s", (_, section, place, message) => {
    expect(refused(section)).toContain(`x.yaml:${place}: found`);
    expect(refused(section)).toMatch(message);
    parseScenario(BASE + section, "x.yaml");
  });

  it("and what --set breaks by its option", () => {
    expect(refused("compare: {systems: [{name: a}]}", { set: ["cluster.racks=0"] })).toMatch(
      /^--set cluster.racks=0: /,
    );
  });

  it("with at most a hundred problems", () => {
    const many = Array.from(
      { length: 190 },
      (_, i) => `{name: s${String(i)}, set: {cluster.mapSlots: ${String(100 + i)}}}`,
    );
    expect(refused(`compare: {systems: [${many.join(", ")}]}`).split("\n").length).toBeLessThanOrEqual(LIMITS.problems);
  });
});
