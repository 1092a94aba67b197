import { describe, expect, it } from "vitest";
import { runScenario } from "../../../dist/lab/index.js";
import { type Beside, configuration, jobsOf, readBeside, refusal } from "./beside-scenario.js";

const TREE = {
  "root.queues": "a,b",
  "root.a.capacity": "60",
  "root.b.capacity": "40",
  "root.b.queues": "c, d",
  "root.b.c.capacity": "25",
  "root.b.c.maximum-capacity": "50",
  "root.b.d.capacity": "75",
};

function capacity(
  values: Readonly<Record<string, string>>,
  more: Omit<Beside, "files" | "scheduler"> = {},
  settings = "",
): Beside {
  const files = { "c.xml": configuration("yarn.scheduler.capacity.", values) };
  const scheduler = `{ kind: yarn-capacity, file: c.xml${settings === "" ? "" : `, ${settings}`} }`;
  return { files, scheduler, ...more };
}

function specsOf(...args: Parameters<typeof capacity>) {
  const { scheduler } = readBeside(capacity(...args)).scenario;
  return new Map(scheduler.queues.map(({ name, spec }) => [name, spec as Record<string, unknown>]));
}

describe("a capacity-scheduler.xml under YARN", () => {
  it("keeps queues nested, with their parts of the parent's", () => {
    const queues = [...specsOf(TREE)].map(([name, spec]) => [name, spec.capacity, spec.maximumCapacity]);
    expect(queues).toEqual([
      ["root", 1, 1],
      ["root.a", 0.6, 1],
      ["root.b", 0.4, 1],
      ["root.b.c", 0.25, 0.5],
      ["root.b.d", 0.75, 1],
    ]);
  });

  it.each([
    ["minimum-user-limit-percent", "25", { minimumUserLimitPercent: 25 }],
    ["user-limit-factor", "2.5", { userLimitFactor: 2.5 }],
    ["user-limit-factor", "-1", { userLimitFactor: -1 }],
    ["maximum-am-resource-percent", "0.4", { maxAmShare: 0.4 }],
    ["ordering-policy", "fair", { appOrder: "fair" }],
    ["ordering-policy.fair.enable-size-based-weight", "true", { weighsBySize: true }],
    ["disable_preemption", "true", { isPreemptable: false }],
    ["priority", "7", { priority: 7 }],
    ["maximum-capacity", "-1", { maximumCapacity: 1 }],
  ])("reads %s %s of a queue", (key, value, spec) => {
    expect(specsOf({ ...TREE, [`root.a.${key}`]: value }).get("root.a")).toMatchObject(spec);
  });

  it("reads weights as parts of their sum", () => {
    const weights = { ...TREE, "root.a.capacity": "3w", "root.b.capacity": "1w" };
    expect(specsOf(weights).get("root.a")).toMatchObject({ capacity: 0.75 });
  });

  it("orders queues by priority where their parent says so", () => {
    const queues = specsOf({ ...TREE, "root.ordering-policy": "priority-utilization" });
    expect(queues.get("root")).toMatchObject({ ordersByPriority: true });
  });

  it("reads what holds for all queues, and the scenario goes before it", () => {
    const all = {
      ...TREE,
      "node-locality-delay": "12",
      "rack-locality-additional-delay": "3",
      "resource-calculator": "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
      "per-node-heartbeat.maximum-offswitch-assignments": "5",
      "maximum-am-resource-percent": "0.7",
      "schedule-asynchronously.enable": "true",
    };
    const { scheduler } = readBeside(capacity(all, {}, "nodeLocalityDelay: 8")).scenario;
    expect(scheduler.settings).toMatchObject({
      nodeLocalityDelay: 8,
      rackLocalityAdditionalDelay: 3,
      countsVcores: true,
      maxOffSwitch: 5,
      asynchronousUs: 5000,
    });
    expect(scheduler.queues.map(({ spec }) => (spec as { maxAmShare?: number }).maxAmShare)).toEqual(
      Array(5).fill(0.7),
    );
  });

  it("says of each property that is not used why", () => {
    const { notes } = readBeside(
      capacity({
        ...TREE,
        "root.a.acl_submit_applications": "*",
        "root.a.wieght": "1",
        "maximum-applications": "9",
        "root.x.capacity": "1",
      }),
    );
    expect(notes).toEqual([
      expect.stringMatching(/c.xml, line 9: .*root.a.acl_submit_applications is not used: who may do what/),
      expect.stringMatching(/line 10: .*root.a.wieght is not used: Bide does not know it/),
      expect.stringMatching(/line 11: .*maximum-applications is not used: applications are accepted/),
      expect.stringMatching(/line 12: .*root.x.capacity is not used/),
    ]);
  });

  it.each([
    ["its name", "queue: b.c", "root.b.c"],
    ["its full name", "queue: root.b.c", "root.b.c"],
    ["the last part of it", "queue: d", "root.b.d"],
    ["the mapping of its user", "user: ann", "root.b.c"],
    ["the mapping of all users", "user: d", "root.b.d"],
    ["its own name before a mapping", "user: ann, queue: a", "root.a"],
  ])("puts a job by %s", (_, job, queue) => {
    const mapped = { ...TREE, "queue-mappings": "u:ann:c,g:staff:a,u:%user:%user" };
    expect(jobsOf(readBeside(capacity(mapped, { jobs: [job] })).scenario)[0].queue).toBe(queue);
  });

  it("puts a job by a mapping first where that overrides", () => {
    const mapped = { ...TREE, "queue-mappings": "u:ann:c", "queue-mappings-override.enable": "true" };
    expect(jobsOf(readBeside(capacity(mapped, { jobs: ["user: ann, queue: a"] })).scenario)[0].queue).toBe("root.b.c");
  });

  it("is changed by name", () => {
    const set = [
      "scheduler.queues.b.c.userLimitFactor=4",
      "scheduler.queues.a.capacity=70",
      "scheduler.queues.b.capacity=30",
    ];
    const queues = specsOf(TREE, { set });
    expect(queues.get("root.b.c")).toMatchObject({ capacity: 0.25, userLimitFactor: 4 });
    expect([queues.get("root.a")?.capacity, queues.get("root.b")?.capacity]).toEqual([0.7, 0.3]);
    expect(refusal(capacity(TREE, { set: ["scheduler.queues.a.capacity=70"] }))).toMatch(
      /found 110 per cent in all below root for scheduler.queues.a.capacity/,
    );
  });

  it("is as good as the same queues in the scenario itself", async () => {
    const jobs = ["queue: a, count: 9", "queue: b.c, count: 9"];
    const inline = `{ kind: yarn-capacity, queues: [{ name: a, capacity: 60 }, { name: b, capacity: 40 },
      { name: b.c, capacity: 25, maximum: 50 }, { name: b.d, capacity: 75 }] }`;
    const [read, said] = [readBeside(capacity(TREE, { jobs })), readBeside({ files: {}, scheduler: inline, jobs })];
    const [first, second] = [await runScenario(read.scenario, "."), await runScenario(said.scenario, ".")];
    expect(first.summary.fingerprint).toBe(second.summary.fingerprint);
  });
});
