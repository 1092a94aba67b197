import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InputError, parseAnyScenario, wordsOf } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

const JOBS = `platform: yarn
cluster: { racks: 2, nodes: 4 }
workload:
  kind: jobs
  jobs:
    - { name: scan, queue: ads, maps: { tasks: 12, time: 5s }, reduces: { tasks: 2, time: 3s } }
    - { name: sort, queue: ml.web, submit: 3s, count: 2, every: 1s, maps: { tasks: 4, time: 5s, memory: 2048 } }
`;
const FAIR = `scheduler:
  kind: yarn-fair
  queues: [{ name: ads, weight: 2, min: { memory: 2048 } }, { name: ml }, { name: ml.web, policy: fifo }]
`;
const CAPACITY = `scheduler:
  kind: yarn-capacity
  queues:
    - { name: ads, capacity: 60, maxAmShare: 0.5 }
    - { name: ml, capacity: 40 }
    - { name: ml.web, capacity: 100, maxAmShare: 1 }
`;
const ONE = "platform: yarn\nworkload: { kind: jobs, jobs: [{ name: a, maps: { tasks: 1, time: 1s } }] }\n";

function messages(text: string): string[] {
  try {
    parseAnyScenario(text, "yarn.yaml");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map(({ line, message }) => `${String(line)}: ${message}`);
  }
  return [];
}

describe("a scenario of YARN", () => {
  it("has YARN's own defaults", () => {
    const { scenario } = parseAnyScenario(`${ONE}scheduler: { kind: yarn-capacity }\n`, "yarn.yaml");
    expect(scenario).toMatchObject({
      platform: "yarn",
      cluster: { racks: 1, nodes: [{ memory: 8192, vcores: 8, heartbeatUs: 1e6 }] },
      scheduler: { kind: "yarn-capacity", settings: { nodeLocalityDelay: 40 } },
      workload: { jobs: [{ queue: "root.default", slowStart: 0.05, master: { memory: 1536, vcores: 1 } }] },
    });
  });

  it("takes memory in MB, or with a unit wherever a size is written", () => {
    const memoryOf = (memory: string): unknown => {
      const part = `memory: ${memory}`;
      const jobs = `[{ name: a, master: { ${part} }, maps: { tasks: 1, time: 1s, ${part} } }]`;
      const text = `platform: yarn
cluster: { ${part} }
workload: { kind: jobs, jobs: ${jobs} }
scheduler: { kind: yarn-fair, queues: [{ name: default, min: { ${part} }, max: { ${part} } }] }
`;
      const { run: _, ...read } = parseAnyScenario(text, "yarn.yaml").scenario;
      return read;
    };
    for (const same of ["4096MB", "4 GiB", "4g", "4096m", "0.00390625TB"])
      expect(memoryOf(same)).toEqual(memoryOf("4096"));
    expect(messages(`${ONE}cluster: { memory: 100KB }\nscheduler: { kind: yarn-fair }\n`).join()).toMatch(
      /a size of whole MB/,
    );
  });

  it("runs as its page has it", async () => {
    const [, text] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/schedulers/yarn.md", "utf8")) ?? [];
    const { summary } = await runScenario(parseAnyScenario(text ?? "", "queues.yaml").scenario, ".");
    expect(summary).toMatchObject({ scheduler: "yarn-fair", stopped: "all-jobs-ended" });
  });

  it("counts what preemption cost in MB-seconds, as its measure is called", async () => {
    const text = `platform: yarn
cluster: { racks: 1, nodes: 1, memory: 4096 }
workload:
  kind: jobs
  jobs:
    - { name: greedy, queue: a, master: { memory: 1 }, maps: { tasks: 4, time: 1h, replicas: 0, memory: 1023 } }
    - { name: late, queue: b, submit: 30s, master: { memory: 1 }, maps: { tasks: 1, time: 10s, replicas: 0, memory: 1000 } }
scheduler:
  kind: yarn-fair
  preemption: true
  queues:
    - { name: a }
    - { name: b, fairShareTimeout: 10s, fairShareThreshold: 1 }
`;
    const { summary, record } = await runScenario(parseAnyScenario(text, "yarn.yaml").scenario, ".", {
      recordTasks: true,
    });
    const { launchAtUs, finishAtUs, outcome } = record.tasks!;
    const killed = [...outcome.keys()].filter((at) => outcome[at] === 1);
    const ran = killed.reduce((sum, at) => sum + finishAtUs[at]! - launchAtUs[at]!, 0) / 1e6;
    expect(summary.preemption!.kills).toBe(killed.length);
    expect(ran).toBeGreaterThan(20);
    expect(summary.preemption!.lostSeconds).toBeCloseTo(1023 * ran, 3);
  });

  it("is said in a few words", () => {
    const { scenario } = parseAnyScenario(JOBS + FAIR, "yarn.yaml");
    expect(wordsOf(scenario)).toEqual({
      scheduler: "yarn-fair, 3 queues",
      waits: "no wait",
      cluster: "2 racks, 4 nodes, 32768 MB",
      workload: "3 listed jobs",
    });
  });

  it.each([
    ["yarn-fair", FAIR],
    ["yarn-capacity", CAPACITY],
  ])("runs under %s, twice to the same end", async (kind, scheduler) => {
    const { scenario } = parseAnyScenario(JOBS + scheduler, "yarn.yaml");
    const { summary } = await runScenario(scenario, ".");
    expect(summary).toMatchObject({
      scheduler: kind,
      stopped: "all-jobs-ended",
      cluster: { racks: 2, nodes: 4, resources: { memory: 32768, vcores: 32 } },
    });
    const again = await runScenario(scenario, ".");
    expect(again.summary.fingerprint).toBe(summary.fingerprint);
    const { words } = summary;
    expect(words.group.many).toBe("queues");
    expect(words.levels.map(({ key }) => key)).toEqual(["node", "rack", "offSwitch"]);
    expect(words.taskTypes.map(({ key }) => key)).toEqual(["map", "reduce"]);
  });

  it("is stuck where masters have no room, and says so", async () => {
    const text = `${ONE}scheduler: { kind: yarn-fair, queues: [{ name: default, max: { memory: 1024 } }] }\n`;
    const { summary } = await runScenario(parseAnyScenario(text, "yarn.yaml").scenario, ".");
    expect(summary).toMatchObject({ stopped: "stuck", stuck: { waiting: 1 } });
  });
});

describe("a scenario of YARN is refused", () => {
  const with_ = (queues: string, kind = "yarn-fair"): string =>
    `${ONE}scheduler: { kind: ${kind}, queues: [${queues}] }\n`;
  it.each([
    ["jobs of no queue", JOBS.replace("queue: ads", "queue: adds") + FAIR, /6: found "adds" .*did you mean "ads"/],
    ["jobs of a parent queue", JOBS.replace("queue: ml.web", "queue: ml") + FAIR, /7: found "ml" .*allowed/],
    ["jobs of the root", JOBS.replace("queue: ads", "queue: root") + CAPACITY, /found "root"/],
    [
      "jobs of a queue that may run none",
      JOBS + FAIR.replace("policy: fifo", "maxApps: 0"),
      /^7: found "root.ml.web", in which it would wait for ever: maxApps .* of "root.ml.web" is 0 for workload.jobs/,
    ],
    [
      "jobs below such a queue",
      JOBS + FAIR.replace("name: ml }", "name: ml, maxApps: 0 }"),
      /^7: found "root.ml.web", .* of "root.ml" is 0/,
    ],
    ["a queue without its parent", with_("{ name: default }, { name: a.b }"), /found "root.a" /],
    ["a queue twice", with_("{ name: default }, { name: root.default }"), /a second time/],
    ["a queue without a name between dots", with_("{ name: default }, { name: a..b }"), /names between dots/],
    ["capacities of 90", with_("{ name: default, capacity: 90 }", "yarn-capacity"), /found 90 per cent/],
    [
      "a maximum below",
      with_("{ name: default, capacity: 100, maximum: 50 }", "yarn-capacity"),
      /at least its capacity/,
    ],
    ["drf below fair", with_("{ name: default, policy: drf }"), /found drf .*below a queue that is not drf/],
    ["a fifo root", `${ONE}scheduler: { kind: yarn-fair, policy: fifo }\n`, /found fifo for scheduler.policy/],
    [
      "a map that fits nowhere",
      `${ONE.replace("1s }", "1s, memory: 9000 }")}scheduler: { kind: yarn-fair }\n`,
      /9000 MB/,
    ],
    ["a master that fits nowhere", `${ONE}cluster: { memory: 1024 }\nscheduler: { kind: yarn-fair }\n`, /1536 MB/],
    ["no scheduler", ONE, /scheduler/],
    ["another scheduler", `${ONE}scheduler: fair\n`, /yarn-fair/],
    [
      "an allocation file at the top",
      `${ONE}scheduler: { kind: yarn-fair }\nallocations: a.xml\n`,
      /is scheduler.allocations/,
    ],
    [
      "one of the other kind",
      `${ONE}scheduler: { kind: yarn-capacity, allocations: a.xml }\n`,
      /found the key "allocations" .*read under kind yarn-fair/,
    ],
    ["one for its queues", `${ONE}scheduler: { kind: yarn-fair, queues: a.xml }\n`, /a list of queues .*or a mapping/],
    [
      "a file of capacities",
      `${ONE}scheduler: { kind: yarn-capacity, capacity: { file: a.xml } }\n`,
      /a capacity-scheduler.xml is scheduler.file of kind yarn-capacity/,
    ],
    ["pools", `${ONE}scheduler: { kind: yarn-fair, pools: {} }\n`, /pools" .*; under YARN they are scheduler.queues/],
    ["YARN's kind under Hadoop", "scheduler: yarn-fair\n", /yarn-fair" for scheduler, .*needs platform: yarn$/m],
    ["it in a mapping there", "scheduler: { kind: yarn-capacity }\n", /scheduler.kind, .*needs platform: yarn$/m],
    ["no memory", `${ONE}cluster: { memory: -1 }\nscheduler: { kind: yarn-fair }\n`, /found -1 for cluster.memory/],
  ])("with %s", (_, text, message) => {
    expect(messages(text).join("\n")).toMatch(message);
  });
});

describe("a setting of YARN that changes nothing", () => {
  const notesOf = (scheduler: string, set: string[] = []): readonly string[] =>
    parseAnyScenario(JOBS + scheduler, "yarn.yaml", { set }).notes;

  it.each([
    ["scheduler.preemption=true", "no queue has a timeout"],
    [
      "scheduler.queues.0.minShareTimeout=5s",
      "root.ads says of timeouts, thresholds and who may be preempted has no effect",
    ],
    ["scheduler.queues.0.preemptable=false", "has no effect: preemption is off"],
    ["scheduler.delayNode=5s", "no effect without continuous scheduling"],
    ["scheduler.thresholdNode=0.5", "the wait for the node has no effect while that for the rack is off"],
    ["scheduler.thresholdRack=0.5", "the wait for the rack has no effect while that for the node is off"],
    ["scheduler.maxAssign=3", "assignMultiple is off"],
    ["scheduler.dynamicMaxAssign=false", "assignMultiple is off"],
    ["scheduler.queues.0.min.memory=900000", "root.ads is promised more than the cluster has"],
  ])("is noted: %s", (set, note) => {
    const notes = notesOf(FAIR, [set]);
    expect(notes.join("\n")).toContain(note);
  });

  it("is not, where it has an effect", () => {
    expect(notesOf(FAIR)).toEqual([]);
    expect(notesOf(FAIR, ["scheduler.thresholdNode=0.5", "scheduler.thresholdRack=1"])).toEqual([]);
    expect(notesOf(FAIR, ["scheduler.continuous=true", "scheduler.delayNode=1s", "scheduler.delayRack=1s"])).toEqual(
      [],
    );
    expect(notesOf(FAIR, ["scheduler.preemption=true", "scheduler.queues.0.minShareTimeout=5s"])).toEqual([]);
    const several = ["scheduler.assignMultiple=true", "scheduler.dynamicMaxAssign=false", "scheduler.maxAssign=3"];
    expect(notesOf(FAIR, several)).toEqual([]);
  });

  it("is noted of the Capacity Scheduler", () => {
    expect(notesOf(CAPACITY)).toEqual([]);
    const off = notesOf(CAPACITY, ["scheduler.assignMultiple=false", "scheduler.maxOffSwitch=3"]);
    expect(off.join("\n")).toContain("assignMultiple is off");
    expect(notesOf(CAPACITY, ["scheduler.queues.0.preemptable=false"]).join("\n")).toContain("preemption is off");
    const cores = notesOf(CAPACITY, ["cluster.vcores=2"]);
    expect(cores.join("\n")).toContain("the default resource calculator looks at memory alone");
    expect(notesOf(CAPACITY, ["cluster.vcores=2", "scheduler.calculator=dominant"])).toEqual([]);
  });
});

describe("what a run of YARN tells", () => {
  const summaryOf = async (text: string, set: string[] = []) => {
    const { scenario } = parseAnyScenario(text, "yarn.yaml", { set });
    return (await runScenario(scenario, ".")).summary;
  };

  it("of the first task is not of the master, which comes before it", async () => {
    // A master takes 3 s to start, and a launch 1 s.
    const { timeToFirstTaskSeconds } = await summaryOf(JOBS + FAIR);
    expect(timeToFirstTaskSeconds!.p50).toBeGreaterThan(4);
  });

  it("of a queue's fair share is never above its maximum", async () => {
    const text = JOBS.replace("tasks: 12, time: 5s", "tasks: 60, time: 20s") + FAIR;
    const shareOf = async (set: string[]) => {
      const { groups } = await summaryOf(text, set);
      return groups!.find(({ name }) => name === "root.ads")!.share!.fair!;
    };
    expect(await shareOf([])).toBeGreaterThan(0.5 * 32768);
    expect(await shareOf(["scheduler.queues.0.max.memory=8192"])).toBeLessThanOrEqual(8192);
  });

  it("of one that is stuck names who waits, and for what", async () => {
    const { stuck } = await summaryOf(JOBS + FAIR, [
      "scheduler.queues=[{name: ads, max: {memory: 100}}, {name: ml}, {name: ml.web}]",
    ]);
    expect(stuck).toMatchObject({ jobs: [{ name: "scan", waitsFor: expect.stringMatching(/^waits because /) }] });
  });
});

it("leaves out hosts of a table that the cluster does not have, if told so, with a note; else it is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bide-hosts-"));
  const rows = ["job,submit,type,seconds,hosts", "a,0,map,1,node-1 node-9", "a,0,map,1,node-9", "a,0,map,1,node-2"];
  writeFileSync(join(folder, "tasks.csv"), `${rows.join("\n")}\n`);
  const text = `platform: yarn
cluster: { racks: 1, nodes: 2 }
workload: { kind: tasks, file: tasks.csv }
scheduler: { kind: yarn-fair }
`;
  const runWith = (set: string[]) => {
    const { scenario } = parseAnyScenario(text, join(folder, "yarn.yaml"), { set });
    return runScenario(scenario, folder);
  };
  await expect(runWith([])).rejects.toThrow(/hosts names "node-9"; allowed: node-1, node-2; .*missingHosts: ignore/);
  const { summary } = await runWith(["workload.missingHosts=ignore"]);
  expect(summary).toMatchObject({ stopped: "all-jobs-ended", jobs: { ended: 1 } });
  expect(summary.notes.join("\n")).toContain("1 host of the table is not in the cluster");
  // The one whose only host is not there is nowhere near or far.
  expect(summary.locality.tasks).toBe(2);
  rmSync(folder, { recursive: true });
});
