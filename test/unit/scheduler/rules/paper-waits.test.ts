import { describe, expect, it } from "vitest";
import type { RulesName, SchedulerSpec } from "../../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../../dist/io/index.js";
import { FakeMaster, nodesOf, underRules, type FakeNode } from "../../../support/fake-master.js";

/** Three nodes of one map slot: `home` has the block, `beside` is in its rack, `away` in another one. */
const NODES: readonly FakeNode[] = [
  { name: "home", rack: "r1", mapSlots: 1 },
  { name: "beside", rack: "r1", mapSlots: 1 },
  { name: "away", rack: "r2", mapSlots: 1 },
];

/** When the only map of a job is launched on a node that beats at these times; Infinity: at none of them. */
function launchedAt(spec: SchedulerSpec, node: string, times: readonly number[]): number {
  const master = new FakeMaster(spec, NODES);
  master.submit({ name: "job", maps: 1, on: [["home"]] });
  return times.find((atS) => master.heartbeat(node, atS).length > 0) ?? Infinity;
}

function ofScenario(rules: RulesName): SchedulerSpec {
  return parseScenario(`workload: {kind: facebook}\nscheduler: {rules: ${rules}}`, "my.yaml").scenario.scheduler;
}

// The numbers of docs/schedulers/rules.md.
describe("waits where the paper prevails over 0.21", () => {
  it("are two, not one: W1 for the node, W2 for the rack", () => {
    const wait = { kind: "time", nodeUs: 5_000_000, rackUs: 2_000_000 } as const;
    const far = [0, 5, 7, 10];
    expect(launchedAt(underRules("paper", { wait }), "away", far)).toBe(7);
    expect(launchedAt(underRules("0.21", { wait }), "away", far)).toBe(10);
    expect(launchedAt(underRules("1.2", { wait }), "away", far)).toBe(7);
    for (const rules of ["paper", "0.21", "1.2", "branch-1"] as const) {
      expect(launchedAt(underRules(rules, { wait }), "beside", [0, 4, 5])).toBe(5);
    }
  });

  it("are 10 s and 5 s where the scenario says nothing, not 1.5 heartbeat intervals each", () => {
    const times = [0, 3, 6, 9, 12, 15];
    expect(launchedAt(underRules("paper", { wait: ofScenario("paper").wait }), "away", times)).toBe(15);
    for (const rules of ["0.21", "1.2", "branch-1"] as const) {
      expect(launchedAt(underRules(rules, { wait: ofScenario(rules).wait }), "away", times)).toBe(9);
    }
  });

  it("are of jobs that have something to launch: under paper one whose map comes back starts to wait then", () => {
    const wait = { kind: "time", nodeUs: 5_000_000, rackUs: 0 } as const;
    const nodes = [
      { name: "home", rack: "r1", mapSlots: 1 },
      { name: "away", rack: "r2", mapSlots: 60 },
    ];
    const launchedAgainAt = (rules: RulesName): number => {
      const master = new FakeMaster(underRules(rules, { wait, tasksPerHeartbeat: 1 }), nodes);
      master.submit({ name: "idle", maps: 1, on: [["home"]] });
      expect(master.heartbeat("home", 0)).toEqual(["idle/m0"]);
      // Keeps the scheduler asking: from 5 s on it gets a slot on every beat, and has more running than the idle job.
      master.submit({ name: "busy", maps: 60, on: Array.from({ length: 60 }, () => ["home"]) });
      for (let atS = 1; atS < 20; atS++) master.heartbeat("away", atS);
      master.kill("idle", 0, 20);
      for (let atS = 20; atS < 40; atS++) if (master.heartbeat("away", atS).includes("idle/m0")) return atS;
      return Infinity;
    };
    expect(launchedAgainAt("paper")).toBe(25);
    expect(launchedAgainAt("0.21")).toBe(20);
  });

  it("are moved by free map slots alone; in a release also by a node whose only free slot is for reduces", () => {
    const wait = { kind: "time", nodeUs: 5_000_000, rackUs: 0 } as const;
    const nodes = [...NODES, { name: "full", rack: "r2", mapSlots: 1, reduceSlots: 1 }];
    const launchedBeside = (rules: RulesName): number => {
      const master = new FakeMaster(underRules(rules, { wait }), nodes);
      master.submit({ name: "runs", maps: 1, on: [["full"]] });
      expect(master.heartbeat("full", 0)).toEqual(["runs/m0"]);
      master.submit({ name: "job", maps: 1, on: [["home"]] });
      expect(master.heartbeat("beside", 0)).toEqual([]);
      expect(master.heartbeat("full", 1)).toEqual([]);
      return [5, 10].find((atS) => master.heartbeat("beside", atS).length > 0) ?? Infinity;
    };
    expect(launchedBeside("paper")).toBe(5);
    for (const rules of ["0.21", "1.2", "branch-1"] as const) expect(launchedBeside(rules)).toBe(10);
  });

  it("are not ended by a timeout where preemption is off: the clocks run all the same", () => {
    const wait = { kind: "time", nodeUs: 10_000_000, rackUs: 5_000_000 } as const;
    const launchesAtOnce = (rules: RulesName, preemption: "off" | "log") => {
      const changes = { wait, preemption: { mode: preemption, intervalUs: 15_000_000 } };
      const master = new FakeMaster(underRules(rules, changes, { minShareTimeoutUs: 30_000_000 }), NODES);
      master.submit({ name: "job", maps: 1, on: [["home"]] }, 100);
      return master.heartbeat("away", 100).length > 0;
    };
    expect(launchesAtOnce("paper", "off")).toBe(false);
    expect(launchesAtOnce("paper", "log")).toBe(false);
    for (const rules of ["0.21", "1.2", "branch-1"] as const) {
      expect(launchesAtOnce(rules, "off")).toBe(true);
      expect(launchesAtOnce(rules, "log")).toBe(false);
    }
  });
});

describe("what a heartbeat may hand out where the paper prevails over 0.21", () => {
  it("has no load cap where the scenario says nothing", () => {
    const second = (rules: RulesName) => {
      const { loadManager } = ofScenario(rules);
      const master = new FakeMaster(underRules(rules, { loadManager }), nodesOf({ a: 4, b: 4 }));
      master.submit({ name: "first", maps: 1 });
      expect(master.heartbeat("a", 0)).toEqual(["first/m0"]);
      master.submit({ name: "second", maps: 1 }, 1);
      return master.heartbeat("a", 3);
    };
    expect(second("paper")).toEqual(["second/m0"]);
    for (const rules of ["0.21", "1.2", "branch-1"] as const) expect(second(rules)).toEqual([]);
  });
});
