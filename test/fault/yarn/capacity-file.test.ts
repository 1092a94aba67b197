import { describe, expect, it } from "vitest";
import { configuration, readBeside, refusal } from "../../unit/yarn/beside-scenario.js";

const SCHEDULER = "{ kind: yarn-capacity, file: c.xml }";

function told(text: string): string {
  return refusal({ files: { "c.xml": text }, scheduler: SCHEDULER, jobs: ["queue: a"] });
}

const of = (values: Readonly<Record<string, string>>): string => configuration("yarn.scheduler.capacity.", values);
const TWO = { "root.queues": "a,b", "root.a.capacity": "50", "root.b.capacity": "50" };

describe("a capacity-scheduler.xml under YARN is refused, with file and line", () => {
  it.each([
    [
      "of Hadoop 1",
      configuration("mapred.capacity-scheduler.", { "queue.a.capacity": "100" }),
      "c.xml:2:1: found mapred.capacity-scheduler.queue.a.capacity of Hadoop 1, allowed queues of YARN",
    ],
    ["of the other scheduler", "<allocations/>", "a fair-scheduler.xml is scheduler.allocations of kind yarn-fair"],
    ["without queues", of({}), "found no yarn.scheduler.capacity.root.queues"],
    [
      "that adds up to 90",
      of({ ...TWO, "root.b.capacity": "40" }),
      'found capacities that add up to 90 in "root", allowed 100',
    ],
    ["with weights beside per cents", of({ ...TWO, "root.b.capacity": "2w" }), "found weights beside per cents"],
    [
      "with amounts beside shares",
      of({ ...TWO, "root.b.capacity": "[memory=10,vcores=1]" }),
      "found amounts beside other capacities",
    ],
    [
      "with a queue without capacity",
      of({ "root.queues": "a,b", "root.a.capacity": "100" }),
      'found no capacity of the queue "root.b"',
    ],
    ["with a maximum below", of({ ...TWO, "root.a.maximum-capacity": "20" }), "found maximum-capacity 20"],
    ["with more than all", of({ ...TWO, "root.a.capacity": "150" }), 'found "150"'],
    ["with a queue twice", of({ ...TWO, "root.queues": "a,b,a" }), "a second time"],
    ["with a name with a dot", of({ ...TWO, "root.queues": "a,b,c.d" }), "without dots"],
    [
      "with an order of queues for applications",
      of({ ...TWO, "root.a.ordering-policy": "utilization" }),
      "fifo or fair: it has applications",
    ],
    [
      "with an order of applications for queues",
      of({ ...TWO, "root.ordering-policy": "fair" }),
      "it has queues below it",
    ],
    ["with a state that is none", of({ ...TWO, "root.a.state": "ASLEEP" }), "allowed RUNNING or STOPPED"],
    ["with a mapping that is none", of({ ...TWO, "queue-mappings": "ann=a" }), 'found the mapping "ann=a"'],
    [
      "with a factor that is none",
      of({ ...TWO, "root.a.user-limit-factor": "1e9" }),
      "allowed a number from 0 to 1000000",
    ],
    ["with an entity", '<!DOCTYPE c [<!ENTITY x "1">]><configuration/>', "found a DOCTYPE, allowed none"],
    ["nested deeply", "<configuration>".repeat(1000), "deeper than 64 levels"],
    [
      "with more than 10,000 queues",
      of({ "root.queues": Array.from({ length: 10_001 }, (_, i) => i.toString(36)).join() }),
      "more than 10000 queues",
    ],
    [
      "with 40 levels",
      of(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`root${".a".repeat(i)}.queues`, "a"]))),
      "more than 32 levels",
    ],
  ])("%s", (_, text, message) => {
    const found = told(text);
    expect(found).toContain(message);
    expect(found).toContain("at/c.xml");
  });

  it("of which a stopped queue is to take a job", () => {
    expect(told(of({ ...TWO, "root.a.state": "STOPPED" }))).toMatch(
      /s.yaml:3:\d+: found "a" for workload.jobs.0.queue, allowed b/,
    );
  });
});

describe("10,000 queues of a capacity-scheduler.xml", () => {
  it("are read in a time that grows with their number, not with its square", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `q${i.toString(36)}`);
    const weights = names.map((name) => [`root.${name}.capacity`, "1w"]);
    const text = of({ "root.queues": names.join(), ...(Object.fromEntries(weights) as Record<string, string>) });
    const short = text.replaceAll("</property>\n<property>", "</property><property>");
    const begin = process.cpuUsage();
    const { scenario } = readBeside({ files: { "c.xml": short }, scheduler: SCHEDULER, jobs: ["queue: q7"] });
    const { user, system } = process.cpuUsage(begin);
    expect(scenario.scheduler.queues).toHaveLength(10_001);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
