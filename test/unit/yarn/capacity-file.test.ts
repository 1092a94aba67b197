import { describe, expect, it } from "vitest";
import { runScenario } from "../../../dist/lab/index.js";
import { answerBeside, type Beside, configuration, readBeside } from "./beside-scenario.js";

type Values = Readonly<Record<string, string>>;

const SCHEDULER = "{ kind: yarn-capacity, file: c.xml }";
const TREE = {
  "root.queues": "a,b",
  "root.a.capacity": "60",
  "root.b.capacity": "40",
  "root.b.queues": "c, d",
  "root.b.c.capacity": "25",
  "root.b.c.maximum-capacity": "50",
  "root.b.d.capacity": "75",
};
const MAPPED = { ...TREE, "queue-mappings": "u:ann:c,g:staff:a,u:%user:%user" };
const TWO = { "root.queues": "a,b", "root.a.capacity": "50", "root.b.capacity": "50" };
const AMOUNTS = {
  "root.queues": "a,b",
  "root.a.capacity": "[memory=10240,vcores=12]",
  "root.b.capacity": "[memory=10Gi,vcores=4]",
};

function capacity(values: Values, more: Partial<Beside> = {}): Beside {
  const files = { "c.xml": configuration("yarn.scheduler.capacity.", values) };
  return { files, scheduler: SCHEDULER, ...more };
}

describe("a capacity-scheduler.xml", () => {
  it.each<[base: Values, values: Values]>([
    [TREE, {}],
    ...[
      { "root.a.minimum-user-limit-percent": "25" },
      { "root.a.user-limit-factor": "2.5" },
      { "root.a.user-limit-factor": "-1" },
      { "root.a.maximum-am-resource-percent": "0.4" },
      { "root.a.ordering-policy": "fair", "root.a.ordering-policy.fair.enable-size-based-weight": "true" },
      { "root.a.disable_preemption": "true" },
      { "root.a.priority": "7" },
      { "root.a.maximum-capacity": "-1" },
      { "root.a.capacity": "3w", "root.b.capacity": "1w" },
      { "root.ordering-policy": "priority-utilization" },
      {
        "node-locality-delay": "12",
        "rack-locality-additional-delay": "3",
        "resource-calculator": "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
        "per-node-heartbeat.maximum-offswitch-assignments": "5",
        "maximum-am-resource-percent": "0.7",
        "schedule-asynchronously.enable": "true",
      },
      {
        "root.a.acl_submit_applications": "*",
        "root.a.wieght": "1",
        "maximum-applications": "9",
        "root.x.capacity": "1",
      },
    ].map((values): [Values, Values] => [TREE, values]),
    ...[
      { "root.b.capacity": "40" },
      { "root.b.capacity": "2w" },
      { "root.b.capacity": "[memory=10,vcores=1]" },
      { "root.queues": "a,b,c" },
      { "root.queues": "a,b,a" },
      { "root.queues": "a,b,c.d" },
      { "root.a.maximum-capacity": "20" },
      { "root.a.capacity": "150" },
      { "root.a.ordering-policy": "utilization" },
      { "root.ordering-policy": "fair" },
      { "root.a.state": "ASLEEP" },
      { "root.a.state": "STOPPED" },
      { "queue-mappings": "ann=a" },
      { "root.a.user-limit-factor": "1e9" },
    ].map((values): [Values, Values] => [TWO, values]),
    ...[
      { "root.a.maximum-capacity": "[memory=20480,vcores=16]" },
      { "root.b.capacity": "100" },
      { "root.a.maximum-capacity": "[memory=1,vcores=1]" },
      { "root.a.queues": "c", "root.a.c.capacity": "100" },
      { "root.a.queues": "c", "root.a.c.capacity": "[memory=10241]" },
      { "root.a.capacity": "[memory=ten]" },
    ].map((values): [Values, Values] => [AMOUNTS, values]),
    [{}, {}],
  ])("of %j with %j", (base, values) => {
    expect(answerBeside(capacity({ ...base, ...values }))).toMatchSnapshot();
  });

  it.each([
    ...["queue: b.c", "queue: root.b.c", "queue: d", "user: ann", "user: d", "user: ann, queue: a"].map(
      (job) => [job, false] as const,
    ),
    ["user: ann, queue: a", true] as const,
  ])("puts a job of %s (overriding: %j)", (job, overrides) => {
    const values = overrides ? { ...MAPPED, "queue-mappings-override.enable": "true" } : MAPPED;
    expect(
      answerBeside(capacity(values, { jobs: [job] }))
        .split("\n")
        .filter((line) => line.includes("jobs.0.queue:")),
    ).toMatchSnapshot();
  });

  it.each([
    ["scheduler.queues.b.c.userLimitFactor=4", "scheduler.queues.a.capacity=70", "scheduler.queues.b.capacity=30"],
    ["scheduler.queues.a.capacity=70"],
    ["scheduler.nodeLocalityDelay=8"],
  ])("is changed by %s", (...set) => {
    expect(answerBeside(capacity({ ...TREE, "node-locality-delay": "12" }, { set }))).toMatchSnapshot();
  });

  it.each([
    configuration("mapred.capacity-scheduler.", { "queue.a.capacity": "100" }),
    "<allocations/>",
    '<!DOCTYPE c [<!ENTITY x "1">]><configuration/>',
    "<configuration>".repeat(1000),
    configuration("yarn.scheduler.capacity.", {
      "root.queues": Array.from({ length: 10_001 }, (_, i) => i.toString(36)).join(),
    }),
    configuration(
      "yarn.scheduler.capacity.",
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`root${".a".repeat(i)}.queues`, "a"])),
    ),
  ])("is refused where it is none: %.60s", (text) => {
    expect(answerBeside({ files: { "c.xml": text }, scheduler: SCHEDULER })).toMatch(/^refused: c.xml:/);
  });

  it("is as good as the same queues in the scenario itself", async () => {
    const jobs = ["queue: a, count: 9", "queue: b.c, count: 9"];
    const inline = `{ kind: yarn-capacity, queues: [{ name: a, capacity: 60 }, { name: b, capacity: 40 },
      { name: b.c, capacity: 25, maximum: 50 }, { name: b.d, capacity: 75 }] }`;
    const [first, second] = [capacity(TREE, { jobs }), { files: {}, scheduler: inline, jobs }].map(async (given) =>
      runScenario(readBeside(given), "."),
    );
    expect((await first!).summary.fingerprint).toBe((await second!).summary.fingerprint);
  });
});
