import { describe, expect, it } from "vitest";
import { DEFAULT_QUEUE } from "../../../dist/core/scenario/index.js";
import { readText, refusalOfText, yarn } from "./capacity-file.js";

describe("a capacity-scheduler.xml of YARN", () => {
  it("is its innermost queues, with their parts of the whole cluster", () => {
    const { queues, notes, form } = readText(
      yarn({
        "root.queues": "prod, dev",
        "root.prod.capacity": 80,
        "root.prod.maximum-capacity": 90,
        "root.dev.capacity": 20,
        "root.prod.queues": "a,b",
        "root.prod.a.capacity": 75,
        "root.prod.a.maximum-capacity": 80,
        "root.prod.b.capacity": 25,
        "root.prod.b.user-limit-factor": 4,
        "root.prod.b.minimum-user-limit-percent": 20,
      }),
    );
    expect(form).toBe("yarn");
    const ofB = { minimumUserLimitPercent: 20, userLimitFactor: 4 };
    expect(queues).toEqual([
      { ...DEFAULT_QUEUE, name: "prod.a", capacityPercent: 60, maximumCapacityPercent: 72 },
      { ...DEFAULT_QUEUE, name: "prod.b", capacityPercent: 20, maximumCapacityPercent: 90, ...ofB },
      { ...DEFAULT_QUEUE, name: "dev", capacityPercent: 20 },
    ]);
    expect(notes).toEqual([
      'c.xml, line 2: queue "root.prod" is taken apart: the queues in it stand side by side with all others',
    ]);
  });

  it("notes what has no counterpart here", () => {
    const { notes } = readText(
      yarn({
        "root.queues": "default",
        "root.default.capacity": 100,
        "root.default.state": "RUNNING",
        "root.default.acl_submit_applications": "*",
        "root.accessible-node-labels.gpu.capacity": 50,
        "root.default.ordering-policy.fair.enable-size-based-weight": "true",
        "root.default.user-limit-facto": 2,
        "root.other.capacity": 5,
        "maximum-am-resource-percent": 0.1,
        "node-locality-delay": 40,
        "maximum-aplications": 40,
      }),
    );
    expect(notes.map((note) => note.replaceAll("yarn.scheduler.capacity.", ""))).toEqual([
      "c.xml, line 4: root.default.state is ignored: every queue runs",
      "c.xml, line 5: root.default.acl_submit_applications is ignored: who may do what is not modelled",
      "c.xml, line 6: root.accessible-node-labels.gpu.capacity is ignored: nodes have no labels",
      "c.xml, line 7: root.default.ordering-policy.fair.enable-size-based-weight is ignored: jobs of a queue go by submission",
      'c.xml, line 8: root.default.user-limit-facto is unknown and ignored, as Hadoop does; did you mean "user-limit-factor"?',
      "c.xml, line 9: root.other.capacity is unknown and ignored, as Hadoop does",
      "c.xml, line 10: maximum-am-resource-percent is ignored: there are no application masters",
      "c.xml, line 11: node-locality-delay is ignored: scheduler.wait of the scenario says so: its nodeSkips count the same opportunities",
      'c.xml, line 12: maximum-aplications is unknown and ignored, as Hadoop does; did you mean "maximum-applications"?',
    ]);
  });

  it.each([
    ["no queues", { "root.capacity": 100 }, "c.xml:1:1: found no queue, allowed at least one"],
    ["an empty list", { "root.queues": "" }, 'c.xml:2:1: found the queue name ""'],
    ["a name with a dot", { "root.queues": "a.b" }, 'c.xml:2:1: found the queue name "a.b", allowed'],
    ["a queue twice", { "root.queues": "a,a", "root.a.capacity": 100 }, 'found the queue "root.a" a second time'],
    ["no capacity", { "root.queues": "a" }, 'c.xml:2:1: found no capacity of the queue "root.a"'],
    [
      "a maximum below the capacity",
      { "root.queues": "a", "root.a.capacity": 100, "root.a.maximum-capacity": 50 },
      'found maximum-capacity 50 of the queue "root.a", allowed at least its capacity, 100',
    ],
    [
      "inner capacities that make no 100",
      {
        "root.queues": "a",
        "root.a.capacity": 100,
        "root.a.queues": "b,c",
        "root.a.b.capacity": 50,
        "root.a.c.capacity": 40,
      },
      'c.xml:2:1: found capacities that add up to 90 over 2 queues in "root.a", allowed 100 in all',
    ],
    [
      "resources in place of a percentage",
      { "root.queues": "a", "root.a.capacity": "[memory=1,vcores=1]" },
      "allowed a number",
    ],
    ["a weight", { "root.queues": "a", "root.a.capacity": "3w" }, "allowed a number from 0 to 100"],
  ])("%s is refused", (_, properties, part) => {
    expect(refusalOfText(yarn(properties as Record<string, string>))).toContain(part);
  });
});
