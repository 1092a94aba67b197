import { describe, expect, it } from "vitest";
import { allocations, answerBeside, type Beside, configuration } from "./beside-scenario.js";

type Values = Readonly<Record<string, string>>;

function site(values: Values, more: Partial<Beside> = {}): Beside {
  const files = { "y.xml": configuration("yarn.", values), "f.xml": allocations('<queue name="a"/>') };
  return { files, scheduler: "{ kind: yarn-fair, site: y.xml, allocations: f.xml, maxAssign: 2 }", ...more };
}

describe("a yarn-site.xml", () => {
  it("sets what bears on the Fair Scheduler, and the scenario goes before it", () => {
    const values = {
      "resourcemanager.scheduler.class": "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
      "scheduler.fair.assignmultiple": "true",
      "scheduler.fair.dynamic.max.assign": "false",
      "scheduler.fair.max.assign": "4",
      "scheduler.fair.locality.threshold.node": "0.5",
      "scheduler.fair.locality.threshold.rack": "-1.0",
      "scheduler.fair.continuous-scheduling-enabled": "true",
      "scheduler.fair.locality-delay-node-ms": "700",
      "scheduler.fair.locality-delay-rack-ms": "9223372036854775807",
      "scheduler.fair.preemption": "true",
      "scheduler.fair.preemption.cluster-utilization-threshold": "0.6",
      "scheduler.fair.waitTimeBeforeKill": "3000",
      "scheduler.fair.sizebasedweight": "true",
      "scheduler.fair.update-interval-ms": "250",
      "scheduler.increment-allocation-mb": "512",
      "scheduler.reservation-threshold.increment-multiple": "3",
      "resourcemanager.nodemanagers.heartbeat-interval-ms": "2000",
    };
    expect(answerBeside(site(values))).toMatchSnapshot();
  });

  it("sets what bears on the Capacity Scheduler, and its own file goes before it", () => {
    const queues = { "root.queues": "a", "root.a.capacity": "100", "node-locality-delay": "7" };
    const values = {
      "scheduler.capacity.node-locality-delay": "3",
      "resourcemanager.scheduler.monitor.enable": "true",
      "resourcemanager.monitor.capacity.preemption.total_preemption_per_round": "0.5",
      "scheduler.minimum-allocation-mb": "2048",
    };
    const files = {
      "y.xml": configuration("yarn.", values),
      "c.xml": configuration("yarn.scheduler.capacity.", queues),
    };
    expect(answerBeside({ files, scheduler: "{ kind: yarn-capacity, site: y.xml, file: c.xml }" })).toMatchSnapshot();
  });

  it.each<[values: Values, more?: Partial<Beside>]>([
    [
      { "nodemanager.resource.memory-mb": "4096", "nodemanager.resource.cpu-vcores": "3" },
      { cluster: "nodes: 1, vcores: 5" },
    ],
    [{ "scheduler.increment-allocation-mb": "1000" }, { jobs: ["queue: a, master: { memory: 1500 }"] }],
    [{}, { jobs: ["user: ann"] }],
    [{ "scheduler.fair.user-as-default-queue": "false" }, { jobs: ["user: ann"] }],
    [{ "scheduler.fair.allow-undeclared-pools": "false" }, { jobs: ["user: ann"] }],
    [
      {
        "scheduler.fair.allocation.file": "fair-scheduler.xml",
        "scheduler.fair.locality.threshold.nod": "1",
        "nodemanager.aux-services": "mapreduce_shuffle",
        "log-aggregation-enable": "true",
      },
    ],
    [{ "resourcemanager.scheduler.class": "a.b.CapacityScheduler" }],
    [{ "resourcemanager.scheduler.class": "a.b.FifoScheduler" }],
    [{ "scheduler.fair.max.assign": "all" }],
    [{ "scheduler.fair.locality.threshold.node": "x" }],
    [{ "scheduler.fair.preemption": "on" }],
    [{ "scheduler.fair.update-interval-ms": "0" }],
    [{ "scheduler.maximum-allocation-mb": "1024" }],
    [{ "scheduler.minimum-allocation-mb": "3000" }, { cluster: "memory: 2048" }],
    [{}, { files: { "y.xml": "<allocations/>" }, scheduler: "{ kind: yarn-fair, site: y.xml }" }],
  ])("of %j beside %j", (values, more) => {
    expect(answerBeside(site(values, more))).toMatchSnapshot();
  });
});
