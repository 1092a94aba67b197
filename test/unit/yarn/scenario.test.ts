import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InputError, parseAnyScenario, wordsOf } from "../../../dist/io/index.js";
import { answerOf } from "../../support/scenario-answers.js";
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

const answer = (scheduler: string, ...set: string[]): string =>
  answerOf(JOBS + scheduler, "yarn.yaml", set, JOBS + scheduler);

describe("a scenario of YARN", () => {
  it("has YARN's own defaults", () => {
    for (const kind of ["yarn-fair", "yarn-capacity"]) {
      expect(answerOf(`${ONE}scheduler: { kind: ${kind} }\n`, "yarn.yaml", [])).toMatchSnapshot();
    }
  });

  it("takes memory in MB, or with a unit wherever a size is written", () => {
    const textOf = (memory: string): string => {
      const part = `memory: ${memory}`;
      return `platform: yarn
cluster: { ${part} }
workload: { kind: jobs, jobs: [{ name: a, master: { ${part} }, maps: { tasks: 1, time: 1s, ${part} } }] }
scheduler: { kind: yarn-fair, queues: [{ name: default, min: { ${part} }, max: { ${part} } }] }
`;
    };
    for (const same of ["4096MB", "4 GiB", "4g", "4096m", "0.00390625TB"])
      expect(answerOf(textOf(same), "yarn.yaml", [], textOf("4096"))).toBe("");
    expect(answerOf(textOf("100KB"), "yarn.yaml", [])).toMatch(/^refused: yarn.yaml:2:/);
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
    expect(wordsOf(parseAnyScenario(JOBS + FAIR, "yarn.yaml").scenario)).toMatchSnapshot();
  });
});

const DEFAULT_QUEUE = "queues: [{ name: default";

describe("what a scenario answers", () => {
  it.each([
    JOBS.replace("queue: ads", "queue: adds") + FAIR,
    JOBS.replace("queue: ml.web", "queue: ml") + FAIR,
    JOBS.replace("queue: ads", "queue: root") + CAPACITY,
    JOBS + FAIR.replace("policy: fifo", "maxApps: 0"),
    JOBS + FAIR.replace("name: ml }", "name: ml, maxApps: 0 }"),
    ONE,
    "scheduler: yarn-fair\n",
    "scheduler: { kind: yarn-capacity }\n",
    ...[
      ...["{ kind: yarn-fair, queues: [{ name: default }, { name: a.b }] }", "{ kind: yarn-fair, policy: fifo }"],
      ...["{ kind: yarn-fair, queues: [{ name: default }, { name: root.default }] }", "fair"],
      ...["{ kind: yarn-fair, queues: [{ name: default }, { name: a..b }] }", "{ kind: yarn-fair, pools: {} }"],
      ...[
        `{ kind: yarn-capacity, ${DEFAULT_QUEUE}, capacity: 90 }] }`,
        `{ kind: yarn-fair, ${DEFAULT_QUEUE}, policy: drf }] }`,
      ],
      ...[
        `{ kind: yarn-capacity, ${DEFAULT_QUEUE}, capacity: 100, maximum: 50 }] }`,
        "{ kind: yarn-fair, queues: a.xml }",
      ],
      ...["{ kind: yarn-capacity, allocations: a.xml }", "{ kind: yarn-capacity, capacity: { file: a.xml } }"],
      ...["{ kind: yarn-fair }\nallocations: a.xml", "{ kind: yarn-fair }\ncluster: { memory: 1024 }"],
      ...["{ kind: yarn-fair }\ncluster: { memory: -1 }", "{ kind: yarn-fair }\ncluster: { memory: 7000000000 }"],
      "{ kind: yarn-capacity, preemptionWithin: users }",
      `{ kind: yarn-capacity, ${DEFAULT_QUEUE}, capacity: 100, minimumUserLimit: 50 }], preemptionWithin: userLimit }`,
      "{ kind: yarn-capacity, preemption: true, preemptionWithin: userLimit }",
      `{ kind: yarn-capacity, preemption: true, ${DEFAULT_QUEUE}, capacity: 100, minimumUserLimit: 50 }], preemptionWithin: userLimit }`,
      "{ kind: yarn-capacity, preemption: true, preemptionWithin: priority }",
      `{ kind: yarn-capacity, preemption: true, ${DEFAULT_QUEUE}, capacity: 100, preemptableWithin: false }] }`,
      `{ kind: yarn-capacity, ${DEFAULT_QUEUE}, capacity: 100, userLimitFactor: 0 }] }`,
      `{ kind: yarn-capacity, queues: [{ name: p, capacity: 100 }, { name: default, capacity: 0, maximum: 0 }] }`,
      `{ kind: yarn-capacity, queues: [{ name: a, capacity: "[memory=1]" }, { name: default, capacity: 100 }] }`,
    ].map((scheduler) => `${ONE}scheduler: ${scheduler}\n`),
  ])("%s", (text) => {
    expect(answerOf(text, "yarn.yaml", [])).toMatchSnapshot();
  });

  it.each([
    ["scheduler.preemption=true"],
    ["scheduler.queues.0.minShareTimeout=5s"],
    ["scheduler.preemption=true", "scheduler.queues.0.minShareTimeout=5s"],
    ["scheduler.queues.0.preemptable=false"],
    ["scheduler.delayNode=5s"],
    ["scheduler.continuous=true", "scheduler.delayNode=1s", "scheduler.delayRack=1s"],
    ["scheduler.thresholdNode=0.5"],
    ["scheduler.thresholdRack=0.5"],
    ["scheduler.thresholdNode=0.5", "scheduler.thresholdRack=1"],
    ["scheduler.maxAssign=3"],
    ["scheduler.dynamicMaxAssign=false"],
    ["scheduler.assignMultiple=true", "scheduler.dynamicMaxAssign=false", "scheduler.maxAssign=3"],
    ["scheduler.queues.0.min.memory=900000"],
    ["workload.jobs.0.priority=3"],
  ])("under yarn-fair to %s %s", (...set) => {
    expect(answer(FAIR, ...set)).toMatchSnapshot();
  });

  it.each([
    ["scheduler.assignMultiple=false", "scheduler.maxOffSwitch=3"],
    ["scheduler.queues.0.preemptable=false"],
    ["cluster.vcores=2"],
    ["cluster.vcores=2", "scheduler.calculator=dominant"],
  ])("under yarn-capacity to %s %s", (...set) => {
    expect(answer(CAPACITY, ...set)).toMatchSnapshot();
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
  await expect(runWith([])).rejects.toThrow(InputError);
  const { summary } = await runWith(["workload.missingHosts=ignore"]);
  expect(summary).toMatchObject({ stopped: "all-jobs-ended", jobs: { ended: 1 } });
  expect(summary.notes).toHaveLength(1);
  // The one whose only host is not there is nowhere near or far.
  expect(summary.locality.tasks).toBe(2);
  rmSync(folder, { recursive: true });
});
