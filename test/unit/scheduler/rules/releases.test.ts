import { describe, expect, it } from "vitest";
import {
  BlockStore,
  type PlaceBlock,
  buildTopology,
  heartbeatIntervalUs,
} from "../../../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  NearestMaps,
  NODE_LOCAL,
  OFF_RACK,
  PendingMaps,
  mostOfType,
  RULES,
} from "../../../../dist/core/platforms/hadoop/index.js";
import type { PlacementRuleSpec, RulesName } from "../../../../dist/core/scenario/index.js";
import { InputError, parseScenario } from "../../../../dist/io/index.js";
import { FakeMaster, nodesOf, underRules } from "../../../support/fake-master.js";
import { poolOf } from "../../../support/plain-scheduler.js";
import { clusterOf } from "../../../support/small-scenarios.mjs";

const ALL = ["paper", "0.21", "1.2", "branch-1"] as const;
const VERY_HIGH = 0;

/** The same question under every rule set. */
function underAll<T>(answer: (rules: RulesName) => T): Record<RulesName, T> {
  return Object.fromEntries(ALL.map((rules) => [rules, answer(rules)])) as Record<RulesName, T>;
}

const loadOf = (text: string) => parseScenario(`workload: {kind: facebook}\n${text}`, "my.yaml").scenario;

// The numbers of docs/schedulers/rules.md.
describe("what Hadoop 1.2 does otherwise than 0.21", () => {
  it("lets jobs begin within limits only, and those in set-up hold their places", () => {
    const answers = underAll((rules) => {
      const master = new FakeMaster(underRules(rules, {}, { poolMaxJobs: 1 }), nodesOf({ n: 1, m: 1 }));
      master.submit({ name: "slow", maps: 2, isPrep: true });
      master.submit({ name: "fast", maps: 1, isPrep: true }, 1);
      const fastBegan = master.ready("fast", 10);
      const before = master.heartbeat("n", 11);
      const slowBegan = master.ready("slow", 30);
      return { fastBegan, before, slowBegan, after: master.heartbeat("m", 31) };
    });
    expect(answers["0.21"]).toEqual({ fastBegan: true, before: ["fast/m0"], slowBegan: true, after: ["slow/m0"] });
    expect(answers.paper).toEqual(answers["0.21"]);
    expect(answers["1.2"]).toEqual({ fastBegan: false, before: [], slowBegan: true, after: ["slow/m0"] });
    expect(answers["branch-1"]).toEqual(answers["1.2"]);
  });

  it("counts what a heartbeat has handed out for the load cap", () => {
    const answers = underAll((rules) => {
      const counts = { loadManager: { maxDiff: 0 }, countsThisHeartbeat: RULES[rules].countsThisHeartbeat };
      const master = new FakeMaster(underRules(rules, counts), nodesOf({ a: 2, b: 2 }));
      master.submit({ name: "j", maps: 2 });
      return [master.heartbeat("a", 0).length, master.heartbeat("b", 1).length];
    });
    expect(answers).toEqual({ paper: [2, 0], "0.21": [2, 0], "1.2": [1, 1], "branch-1": [1, 1] });
  });

  it("counts it for the choice between map and reduce, which then take turns", () => {
    const answers = underAll((rules) => {
      const counts = { countsThisHeartbeat: RULES[rules].countsThisHeartbeat };
      const master = new FakeMaster(underRules(rules, counts), [{ name: "n", mapSlots: 2, reduceSlots: 2 }]);
      master.submit({ name: "j", maps: 2, reduces: 2 });
      return master.heartbeat("n", 0).join(" ");
    });
    expect(answers["0.21"]).toBe("j/m0 j/m1 j/r0 j/r1");
    expect(answers.paper).toBe(answers["0.21"]);
    expect(answers["1.2"]).toBe("j/m0 j/r0 j/m1 j/r1");
    expect(answers["branch-1"]).toBe(answers["1.2"]);
  });

  it("cuts a cap to the free slots; in a simulation nobody can exceed them", () => {
    const most = underAll((rules) => mostOfType(RULES[rules], 3, 2, Infinity));
    expect(most).toEqual({ paper: 2, "0.21": 3, "1.2": 2, "branch-1": 2 });
    const given = underAll((rules) => {
      const master = new FakeMaster(underRules(rules, { mapsPerHeartbeat: 3 }), nodesOf({ n: 2 }));
      master.submit({ name: "j", maps: 9 });
      return master.heartbeat("n", 0).length;
    });
    expect(given).toEqual({ paper: 2, "0.21": 2, "1.2": 2, "branch-1": 2 });
  });

  it("leaves the demands of jobs behind the pool's max as they were", () => {
    const answers = underAll((rules) => {
      const pools = [poolOf({ name: "p", maxMaps: 4 })];
      const master = new FakeMaster(underRules(rules, {}, { pools }), nodesOf({ n: 8 }));
      master.submit({ name: "one", pool: "p", maps: 6 });
      master.submit({ name: "two", pool: "p", maps: 6 }, 1);
      const { view } = master;
      const jobs = [master.handle("one"), master.handle("two")];
      return {
        demands: jobs.map((job) => view.jobDemand(job, MAP)),
        shares: jobs.map((job) => view.jobFairShare(job, MAP)),
        pool: view.poolDemand(master.pool("p"), MAP),
      };
    });
    expect(answers["0.21"]).toEqual({ demands: [6, 6], shares: [2, 2], pool: 4 });
    expect(answers.paper).toEqual(answers["0.21"]);
    expect(answers["1.2"]).toEqual({ demands: [6, 0], shares: [4, 0], pool: 4 });
    expect(answers["branch-1"]).toEqual(answers["1.2"]);
  });

  it("lets killed maps ignore locality, lowest first; before they head the lists of their nodes, the last one first", () => {
    const answers = underAll((rules) => killedMaps(RULES[rules].requeuedIgnoreLocality));
    expect(answers["0.21"]).toEqual({ away: -1, home: [1, 0] });
    expect(answers.paper).toEqual(answers["0.21"]);
    expect(answers["1.2"]).toEqual({ away: 0, home: [0, 1] });
    expect(answers["branch-1"]).toEqual(answers["1.2"]);
  });

  it("can refuse pools that nobody declared", () => {
    const answers = underAll((rules) => {
      const spec = underRules(rules, { undeclaredPools: false }, { pools: [poolOf({ name: "etl" })] });
      const master = new FakeMaster(spec, nodesOf({ n: 1 }));
      return [master.placed("etl", "ann"), master.placed("adhoc", "ann"), master.placed("", "ann")];
    });
    expect(answers["0.21"]).toEqual(["etl", "adhoc", "default"]);
    expect(answers.paper).toEqual(answers["0.21"]);
    expect(answers["1.2"]).toEqual(["etl", null, null]);
    expect(answers["branch-1"]).toEqual(answers["1.2"]);
    // A scenario that asks for it elsewhere is told so.
    const refuses = (rules: RulesName) => () => loadOf(`scheduler: {rules: ${rules}, undeclaredPools: false}`);
    expect(refuses("paper")).toThrow(InputError);
    expect(refuses("0.21")).toThrow(InputError);
    expect(refuses("1.2")().scheduler.undeclaredPools).toBe(false);
  });

  it("has nodes report more often in small clusters", () => {
    const seconds = (rules: RulesName, nodes: number) => {
      const { heartbeat } = loadOf(`scheduler: {rules: ${rules}}\ncluster: {racks: 1, nodesPerRack: ${nodes}}`).cluster;
      return heartbeatIntervalUs(heartbeat, nodes) / 1e6;
    };
    expect(underAll((rules) => seconds(rules, 20))).toEqual({ paper: 3, "0.21": 3, "1.2": 0.3, "branch-1": 0.3 });
    expect(underAll((rules) => seconds(rules, 150))).toEqual({ paper: 3, "0.21": 3, "1.2": 1.5, "branch-1": 1.5 });
  });
});

describe("what branch-1 does otherwise than 1.2", () => {
  it("sees the weights of jobs as of the last update", () => {
    const answers = underAll((rules) => {
      const master = new FakeMaster(underRules(rules), nodesOf({ n: 1 }));
      master.submit({ name: "j", maps: 9 });
      const weight = () => master.view.jobWeight(master.handle("j"), MAP);
      master.setPriority("j", VERY_HIGH);
      const before = weight();
      master.update(1);
      return [before, weight()];
    });
    expect(answers).toEqual({ paper: [4, 4], "0.21": [4, 4], "1.2": [4, 4], "branch-1": [1, 4] });
  });

  it("places jobs by rules", () => {
    const placement: readonly PlacementRuleSpec[] = [
      { rule: "specified", create: false },
      { rule: "user", create: true },
    ];
    const answers = underAll((rules) => {
      const spec = underRules(rules, {}, { pools: [poolOf({ name: "etl" })], placement });
      const master = new FakeMaster(spec, nodesOf({ n: 1 }));
      return [master.placed("etl", "ann"), master.placed("adhoc", "ann")];
    });
    expect(answers["1.2"]).toEqual(["etl", "adhoc"]);
    expect(answers["0.21"]).toEqual(answers["1.2"]);
    expect(answers.paper).toEqual(answers["1.2"]);
    expect(answers["branch-1"]).toEqual(["etl", "ann"]);
  });
});

/**
 * Two maps of one block each on one node are launched and killed, map 0 first: what is found for a job held to its
 * node.
 */
function killedMaps(requeuedIgnoreLocality: boolean) {
  const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 1 }));
  const onFirst: PlaceBlock = (_, replicas) => {
    replicas[0] = 0;
    return 1;
  };
  const store = new BlockStore([2], topology, onFirst, 1);
  const jobs = new JobTable();
  const pending = new PendingMaps(jobs, store, topology, requeuedIgnoreLocality);
  const source = new NearestMaps(pending, topology);
  const entry = { id: 0, pool: 0, user: 0, priority: 2, startUs: 0, maps: 2, reduces: 0 };
  const job = jobs.enter({ ...entry, slowStartMaps: 0, firstBlock: 0 });
  pending.add(job);
  for (const task of [0, 1]) pending.take(job, task);
  for (const task of [0, 1]) pending.putBack(job, task);
  const away = source.pick(job, 1, NODE_LOCAL);
  if (away >= 0) expect(source.level).toBe(OFF_RACK);
  const home: number[] = [];
  for (let i = 0; i < 2; i++) {
    const task = source.pick(job, 0, NODE_LOCAL);
    pending.take(job, task);
    home.push(task);
  }
  return { away, home };
}
