import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const BASE = "workload: {kind: facebook}\n";

/** [what is wrong, the scheduler, column, part of the message] */
const CASES: readonly (readonly [string, string, number, string])[] = [
  ["unknown rules", "{rules: branch1}", 20, 'allowed paper, 0.21, 1.2, branch-1; did you mean "branch-1"?'],
  [
    "rules of another release",
    "{rules: 0.22}",
    20,
    "found 0.22 for scheduler.rules, allowed paper, 0.21, 1.2, branch-1",
  ],
  ["rules that are a list", "{rules: [paper]}", 20, "found a list of 1 for scheduler.rules"],
  ["rules that are named like a property of objects", "{rules: constructor}", 20, 'found "constructor"'],
  ["an unknown wait", "{wait: automatic}", 19, "allowed none, auto, a mapping {node: 10s, rack: 5s}"],
  [
    "an unknown way with long tasks",
    "{longTasks: ballance}",
    24,
    "allowed off, balance, or a mapping {over, overMean: 2",
  ],
  [
    "long tasks that last no time",
    "{longTasks: {over: 0}}",
    31,
    "found 0 for scheduler.longTasks.over, allowed a time from",
  ],
  ["two measures of long", "{longTasks: {over: 1m, overMean: 2}}", 24, "found both over and overMean"],
  ["long tasks below any mean", "{longTasks: {overMean: 0}}", 35, "allowed a number from 0.001 to 1000"],
  ["less than no slack", "{longTasks: {slack: -1}}", 32, "allowed a number from 0 to 64"],
  ["new jobs of no length", "{longTasks: {newJobs: medium}}", 34, "allowed long, short"],
  ["a negative fraction", "{wait: {nodeFraction: -0.1}}", 34, "allowed a number from 0 to 100"],
  ["an absurd fraction", "{wait: {rackFraction: 100.1}}", 34, "allowed a number from 0 to 100"],
  ["no fraction", "{wait: {rackFraction: .nan}}", 34, "found .nan for scheduler.wait.rackFraction"],
  [
    "two forms of wait",
    "{wait: {nodeSkips: 3, rackFraction: 1}}",
    19,
    "found both skip counts and fractions for scheduler.wait, allowed either",
  ],
  [
    "three forms of wait",
    "{wait: {nodeSkips: 3, rackFraction: 1, node: 5s}}",
    19,
    "found both times and skip counts and fractions for scheduler.wait",
  ],
  [
    "two delays where there is one",
    "{rules: 0.21, wait: {node: 5s, rack: 3s}}",
    49,
    "found a rack that differs from node in scheduler.wait under rules 0.21, which have one delay, allowed the same",
  ],
  ["two counts where there is one", "{rules: 0.21, wait: {nodeSkips: 5, rackSkips: 3}}", 58, "found a rackSkips that"],
  ["two delays, one of them 0", "{rules: 0.21, wait: {node: 5s, rack: 0}}", 49, "found a rack that differs"],
  ["no maps per heartbeat", "{mapsPerHeartbeat: 0}", 31, "allowed a whole number from 1 to 64, or all"],
  ["more reduces than slots", "{reducesPerHeartbeat: 65}", 34, "allowed a whole number from 1 to 64, or all"],
  ["an unlimited number of maps", "{mapsPerHeartbeat: unlimited}", 31, "or all"],
  ["a flag that is no flag", "{countsThisHeartbeat: yes}", 34, "allowed true or false"],
  [
    "a load cap that is on",
    "{loadCap: on}",
    22,
    'found "on" for scheduler.loadCap, allowed off, or a mapping {maxDiff: 0}',
  ],
  ["a load cap above all slots", "{loadCap: {maxDiff: 1.01}}", 32, "allowed a number from 0 to 1"],
  ["unknown preemption", "{preemption: kil}", 25, 'found "kil" for scheduler.preemption, allowed off, log, kill, or a'],
  ["preemption without a mode", "{preemption: {interval: 5s}}", 13, "found nothing for scheduler.preemption.mode"],
  ["an unknown mode of preemption", "{preemption: {mode: lgo}}", 32, 'allowed off, log, kill; did you mean "log"?'],
  ["preemption as a number", "{preemption: 1}", 25, "found 1 for scheduler.preemption"],
  ["a negative interval", "{preemption: {mode: log, interval: -1s}}", 47, "allowed a time from 0s to 365d"],
  [
    "preemption without updates",
    "{updateInterval: 0, preemption: log}",
    29,
    "found 0 for scheduler.updateInterval with preemption log, allowed more",
  ],
  ["size-based weights by size", "{sizeBasedWeight: 2}", 30, "found 2 for scheduler.sizeBasedWeight, allowed true or"],
  ["a booster of 0", "{weightBooster: {factor: 0}}", 37, "allowed a number from 0.001 to 1000000"],
  ["a booster that overflows", "{weightBooster: {factor: 1e300}}", 37, "allowed a number from 0.001 to 1000000"],
  ["a booster without unit", "{weightBooster: {duration: 300}}", 39, "write a unit: 300s"],
  ["a booster that is on", "{weightBooster: on}", 28, "allowed off, or a mapping {factor: 3, duration: 5m}"],
  ["pools by group", "{poolBy: group}", 21, "allowed pool, user, default"],
  [
    "refused pools where none can be",
    "{undeclaredPools: false}",
    30,
    "found false for scheduler.undeclaredPools under rules paper, allowed true; pools are refused only under rules 1.2 and branch-1",
  ],
  ["refused pools under 0.21", "{rules: 0.21, undeclaredPools: false}", 43, "under rules 0.21, allowed true"],
  ["groups in a list", "{groups: [ana]}", 21, "allowed a mapping from users to lists of group names"],
  ["a user in no group", "{groups: {ana: []}}", 27, "allowed a list of at least one of group names"],
  ["a user in one group, not listed", "{groups: {ana: staff}}", 27, "allowed a list of group names"],
  ["a group without a name", '{groups: {ana: [""]}}', 28, "allowed a name of 1 to 100 printable characters"],
  ["a user with an unprintable name", '{groups: {"a\\e[2J": [x]}}', 22, 'found the user name "a\\u001b[2J"'],
  ["users in a list", "{users: [{name: a, maxJobs: 1}]}", 20, "allowed a mapping from users to {maxJobs}"],
  ["a user who may not run jobs", "{users: {ana: {maxJobs: 0}}}", 36, "allowed a whole number from 1 to 10000000, or"],
  ["a user without a limit", "{users: {ana: {}}}", 21, "found nothing for scheduler.users.ana.maxJobs"],
  [
    "a user with a weight",
    "{users: {ana: {weight: 2, maxJobs: 1}}}",
    27,
    'found the key "weight" in scheduler.users.ana',
  ],
  ["an overlong user", `{users: {${"u".repeat(101)}: {maxJobs: 1}}}`, 21, "allowed a name of 1 to 100"],
  ["pools without jobs", "{poolMaxJobs: 0}", 26, "allowed a whole number from 1 to 10000000, or unlimited"],
  ["half a job", "{userMaxJobs: 0.5}", 26, "found 0.5 for scheduler.userMaxJobs"],
  ["a negative timeout", "{minShareTimeout: -1s}", 30, "allowed a time from 0s to 365d, or never"],
  ["a timeout in bare seconds", "{fairShareTimeout: 60}", 31, "write a unit: 60s"],
  ["a timeout after the end of time", "{fairShareTimeout: 366d}", 31, "allowed a time from 0s to 365d, or never"],
  ["an unknown default mode", "{defaultMode: fiar}", 26, 'allowed fair, fifo; did you mean "fair"?'],
  ["a pool without jobs", "{pools: {a: {maxJobs: 0}}}", 34, "found 0 for scheduler.pools.a.maxJobs"],
  ["an unknown key far inside", "{pools: {a: {pools: [{name: b, wieght: 2}]}}}", 43, 'did you mean "weight"?'],
  [
    "a min above its max far inside",
    "{pools: [{name: a, pools: {b: {minReduces: 2, maxReduces: 1}}}]}",
    55,
    "found 2 for scheduler.pools.0.pools.b.minReduces, allowed at most its maxReduces, 1",
  ],
  ["a nameless pool far inside", "{pools: {a: {pools: [{}]}}}", 33, "found nothing for scheduler.pools.a.pools.0.name"],
  [
    "pools with one full name",
    "{pools: {a: {pools: {b: {}}}, a.b: {}}}",
    42,
    'found the pool name "a.b" a second time, allowed each pool name once',
  ],
  ["an overlong pool", `{pools: {${"p".repeat(101)}: {}}}`, 21, "allowed a name of 1 to 100 printable characters"],
  [
    "an overlong full name",
    `{pools: {${"p".repeat(60)}: {pools: {${"q".repeat(40)}: {}}}}}`,
    134,
    "found a full pool name of 101 characters",
  ],
  [
    "a queue of pools",
    "{pools: {a: {mode: fifo, pools: {b: {}}}}}",
    31,
    "found fifo for scheduler.pools.a.mode, a pool with pools inside, allowed fair, or the mode of the pools inside",
  ],
  [
    "placement without rules",
    "{rules: branch-1, placement: []}",
    41,
    "allowed a list of at least one of placement rules",
  ],
  ["an unknown placement rule", "{rules: branch-1, placement: [usr]}", 42, "allowed specified, user, primaryGroup"],
  [
    "a nameless placement rule",
    "{rules: branch-1, placement: [{create: true}]}",
    42,
    "scheduler.placement.0.rule, allowed",
  ],
  [
    "a rule that is never asked",
    "{rules: branch-1, placement: [user, default]}",
    41,
    "found one more after rule 1, user",
  ],
  [
    "rules without an end",
    "{rules: branch-1, placement: [specified]}",
    41,
    "found rule 1, specified with create as the last",
  ],
  [
    "placement under other rules",
    "{rules: 1.2, placement: [user]}",
    25,
    "found placement rules under rules 1.2, allowed only",
  ],
  ["placement under the paper's", "{placement: [user]}", 13, "found placement rules under rules paper, allowed only"],
  [
    "allocations without a file",
    '{allocations: ""}',
    26,
    "allowed the path of an allocation file, 1 to 1000 characters",
  ],
  ["an overlong path", `{allocations: ${"x".repeat(1001)}}`, 26, "allowed the path of an allocation file, 1 to 1000"],
  [
    "a list of files",
    "{allocations: [a.xml]}",
    26,
    "allowed the path of an allocation file, or a mapping with the keys",
  ],
  ["allocations that are a number", "{allocations: 5}", 26, "found 5 for scheduler.allocations"],
  ["a key of the scheduler in allocations", "{allocations: {kind: hfs}}", 27, 'found the key "kind" in scheduler.allo'],
  [
    "both forms",
    "{allocations: {}, poolMaxJobs: 3}",
    30,
    "found scheduler.poolMaxJobs beside scheduler.allocations, allowed one of the two",
  ],
  ["no reloads in a list", "{reloads: []}", 22, "allowed a list of at least one of reloads {at, allocations}"],
  ["a reload at no time", "{reloads: [{allocations: {}}]}", 23, "found nothing for scheduler.reloads.0.at"],
  ["a reload of nothing", "{reloads: [{at: 5s}]}", 23, "found nothing for scheduler.reloads.0.allocations"],
  ["a reload at the start", "{reloads: [{at: 0, allocations: {}}]}", 28, "allowed a time from 1us to 36500d"],
  [
    "a reload at the time of another",
    "{reloads: [{at: 5s, allocations: {}}, {at: 5000ms, allocations: {}}]}",
    55,
    "found 5s for scheduler.reloads.1.at, allowed later than the one before, 5s",
  ],
  [
    "a reload that takes a pool's pools",
    "{pools: {a: {pools: {b: {}}}}, reloads: [{at: 5s, allocations: {pools: {a: {}}}}]}",
    87,
    'found the pool "a" at the top without pools inside in scheduler.reloads.0.allocations, allowed the place it has in scheduler, at the top with pools inside',
  ],
  [
    "a reload that moves a pool",
    "{pools: {a.b: {}}, reloads: [{at: 5s, allocations: {}}, {at: 6s, allocations: {pools: {a: {pools: {b: {}}}}}}]}",
    114,
    'found the pool "a.b" inside "a" without pools inside in scheduler.reloads.1.allocations, allowed the place it has in scheduler, at the top',
  ],
];

describe("a wrong setting of the scheduler is refused with its place, what was found and what is allowed", () => {
  it.each(CASES)("%s", (_, scheduler, column, part) => {
    const message = refusal(`${BASE}scheduler: ${scheduler}\n`);
    expect(message).toContain(`x.yaml:2:${String(column)}: found `);
    expect(message).toContain(part);
    expect(message).toContain("allowed ");
    expect(message).not.toContain("\u001b");
    expect(message.split("\n")).toHaveLength(1);
  });

  it.each(["0.21", "1.2", "branch-1"])(
    "one delay is asked for under 0.21 only, not for %s with other kinds",
    (rules) => {
      const text = `${BASE}scheduler: {kind: delay, rules: ${rules}, wait: {node: 1s, rack: 2s}, placement: [default]}`;
      expect(parseScenario(text, "x.yaml").scenario.scheduler.rules).toBe(rules);
    },
  );

  it("other kinds follow no rules, but wrong values are wrong under any", () => {
    const fifo = "kind: fifo, undeclaredPools: false, preemption: kill, updateInterval: 0";
    expect(parseScenario(`${BASE}scheduler: {${fifo}}`, "x.yaml").notes).toHaveLength(1);
    expect(refusal(`${BASE}scheduler: {${fifo}, weightBooster: {factor: -1}}`)).toContain("found -1");
    expect(refusal(`${BASE}scheduler: {kind: fifo, pools: {a: {minMaps: 2, maxMaps: 1}}}`)).toContain("at most its");
  });

  it("an interval of Hadoop's rule beyond the longest is the cluster's problem, also where only the rules ask for it", () => {
    const cluster = "cluster: {racks: 10, nodesPerRack: 20000}\n";
    expect(refusal(`${BASE}${cluster}scheduler: {rules: 1.2}`)).toBe(
      "x.yaml:2:1: found a heartbeat every 33m20s on 200000 nodes, allowed at most 30m00s",
    );
    expect(refusal(`${BASE}${cluster}scheduler: {rules: 0.21}`)).toContain("a heartbeat every 33m20s");
    expect(parseScenario(`${BASE}${cluster}scheduler: {rules: paper}`, "x.yaml").notes).toEqual([]);
  });
});

describe("jobs of a pool with pools inside are refused", () => {
  const jobs = (job: string, scheduler: string) =>
    `workload: {kind: jobs, jobs: [{maps: 1, ${job}}]}\nscheduler: ${scheduler}`;
  const found = (job: string, scheduler: string) => refusal(jobs(job, scheduler));
  const inside = "pools: {a: {pools: {x: {}, y: {pools: {z: {}}}}}}";

  it("as are those of a pool that is declared nowhere in the pool it names, for no pool is made there", () => {
    const allowed = 'allowed one of them: "a.x", "a.y.z"';
    expect(found("pool: a.u", `{${inside}}`)).toContain(
      `found a job of the pool "a.u", which is not in "a", ${allowed}`,
    );
    expect(found("pool: a.y.u.v", `{${inside}}`)).toContain('which is not in "a.y", allowed one of them: "a.y.z"');
    const reload = "reloads: [{at: 1m, allocations: {pools: {b: {}}}}]";
    // Pools are never deleted.
    expect(parseScenario(jobs("pool: a.x", `{${inside}, ${reload}}`), "x.yaml").notes).toEqual([]);
    // A dot alone makes no pool in a pool.
    expect(parseScenario(jobs("pool: c.x", `{${inside}}`), "x.yaml").notes).toEqual([]);
  });

  it("and told the leaves", () => {
    const part = 'found a job of the pool "a", which has pools inside, allowed one of them: "a.x", "a.y.z"';
    expect(found("pool: a", `{${inside}}`)).toBe(`x.yaml:1:47: ${part}`);
    expect(found("user: a", `{${inside}}`)).toBe(`x.yaml:1:31: ${part}`);
    expect(found("pool: a", `{allocations: {${inside}}}`)).toContain(part);
    expect(found("pool: a", `{reloads: [{at: 1h, allocations: {${inside}}}]}`)).toContain(part);
    const many = Array.from({ length: 20 }, (_, i) => `p${String(i)}: {}`).join(", ");
    expect(found("pool: a", `{pools: {a: {pools: {${many}}}}}`)).toContain(
      '"a.p0", "a.p1", "a.p2", "a.p3", "a.p4", ...',
    );
  });

  it("and told that names of pools leave out the root of YARN", () => {
    const part = 'found the pool "root.a.x", allowed "a.x": names of pools leave out root';
    expect(found("pool: root.a.x", `{${inside}}`)).toContain(part);
    expect(found("pool: root.a.x", `{rules: branch-1, placement: [specified, default], ${inside}}`)).toContain(part);
    // Nobody obeys the name, or it is no declared one.
    parseScenario(jobs("pool: root.a.x, user: u", `{poolBy: user, ${inside}}`), "x.yaml");
    parseScenario(jobs("pool: root.a.x", `{rules: branch-1, placement: [default], ${inside}}`), "x.yaml");
    parseScenario(jobs("pool: root.b", `{${inside}}`), "x.yaml");
  });

  it("by the pool they go to, not by the one they name", () => {
    const accepted = (job: string, scheduler: string) => parseScenario(jobs(job, scheduler), "x.yaml");
    accepted("pool: a.x", `{${inside}}`);
    accepted("pool: a, user: u", `{poolBy: user, ${inside}}`);
    accepted("pool: a", `{poolBy: default, ${inside}}`);
    accepted("pool: a", `{kind: fifo, ${inside}}`);
    accepted("pool: a", `{rules: branch-1, placement: [default], ${inside}}`);
    expect(found("pool: b, user: a", `{poolBy: user, ${inside}}`)).toContain('of the pool "a"');
    expect(found("user: u", "{poolBy: default, pools: {default: {pools: {x: {}}}}}")).toContain('"default.x"');
    const placed = `rules: branch-1, groups: {u: [a]}, placement: [{rule: primaryGroup, create: false}, default]`;
    expect(found("user: u", `{${placed}, ${inside}}`)).toContain('of the pool "a"');
    accepted("user: constructor", `{${placed}, ${inside}}`);
  });
});

it("pools nested beyond all measure are refused", () => {
  const deep = "pools: {a: {".repeat(1000);
  expect(refusal(`${BASE}scheduler: {${deep}`)).toContain("found nesting deeper than 80 levels");
});

it("a huge name is not joined with the names of all pools inside it", () => {
  const inside = Array.from({ length: 20_000 }, (_, i) => `p${String(i)}: {}`).join(", ");
  const message = refusal(`${BASE}scheduler: {pools: {${"n".repeat(700_000)}: {pools: {${inside}}}}}`);
  expect(message.split("\n")).toHaveLength(1);
  expect(message.length).toBeLessThan(400);
});
