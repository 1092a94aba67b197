import { describe, expect, it } from "vitest";
import { allocations, type Beside, configuration, jobsOf, readBeside, refusal } from "./beside-scenario.js";

function site(values: Readonly<Record<string, string>>, more: Partial<Beside> = {}, settings = ""): Beside {
  const files = { "y.xml": configuration("yarn.", values), "f.xml": allocations('<queue name="a"/>') };
  const scheduler = `{ kind: yarn-fair, site: y.xml, allocations: f.xml${settings === "" ? "" : `, ${settings}`} }`;
  return { files, scheduler, ...more };
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
    const { scenario } = readBeside(site(values, {}, "maxAssign: 2"));
    expect(scenario.scheduler.settings).toMatchObject({
      assignsMultiple: true,
      dynamicMaxAssign: false,
      maxAssign: 2,
      localityThresholdNode: 0.5,
      localityThresholdRack: -1,
      isContinuous: true,
      localityDelayNodeUs: 700_000,
      // A year, which is more than any run lasts.
      localityDelayRackUs: 31_536_000_000_000,
      preempts: true,
      preemptionUtilization: 0.6,
      waitBeforeKillUs: 3e6,
      weighsBySize: true,
      updateUs: 250_000,
      reservationThreshold: { memory: 1536, vcores: 3 },
      heartbeatUs: 2e6,
    });
    expect(scenario.cluster.nodes[0].heartbeatUs).toBe(2e6);
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
    const { scenario } = readBeside({ files, scheduler: "{ kind: yarn-capacity, site: y.xml, file: c.xml }" });
    expect(scenario.scheduler.settings).toMatchObject({
      nodeLocalityDelay: 7,
      preemption: { totalPerRound: 0.5, monitoringUs: 3e6 },
      minimumAllocation: { memory: 2048, vcores: 1 },
    });
    expect(jobsOf(scenario)[0]).toMatchObject({ master: { memory: 2048 }, maps: { size: { memory: 2048 } } });
  });

  it("rounds sizes up as YARN does, which a scenario without it does not", () => {
    const jobs = ["queue: a, master: { memory: 1500 }"];
    const master = (beside: Beside): number => jobsOf(readBeside(beside).scenario)[0].master.memory;
    expect(master(site({ "scheduler.increment-allocation-mb": "1000" }, { jobs }))).toBe(2000);
    expect(master(site({}, { jobs }))).toBe(2048);
    expect(master({ files: {}, scheduler: "{ kind: yarn-fair, queues: [{ name: a }] }", jobs })).toBe(1500);
  });

  it("says what nodes have, where the scenario does not", () => {
    const values = { "nodemanager.resource.memory-mb": "4096", "nodemanager.resource.cpu-vcores": "3" };
    const [node] = readBeside(site(values, { cluster: "nodes: 1, vcores: 5" })).scenario.cluster.nodes;
    expect(node).toMatchObject({ memory: 4096, vcores: 5 });
  });

  it("says whether jobs make queues, and whether by user", () => {
    const queueOf = (values: Readonly<Record<string, string>>): string =>
      jobsOf(readBeside(site(values, { jobs: ["user: ann"] })).scenario)[0].queue;
    expect(queueOf({})).toBe("root.ann");
    expect(queueOf({ "scheduler.fair.user-as-default-queue": "false" })).toBe("root.default");
    expect(queueOf({ "scheduler.fair.allow-undeclared-pools": "false" })).toBe("root.default");
  });

  it("says of what bears on scheduling and is not used why, and counts the rest", () => {
    const values = {
      "scheduler.fair.allocation.file": "fair-scheduler.xml",
      "scheduler.fair.locality.threshold.nod": "1",
      "nodemanager.aux-services": "mapreduce_shuffle",
      "log-aggregation-enable": "true",
    };
    expect(readBeside(site(values)).notes).toEqual([
      expect.stringMatching(/y.xml, line 1: 2 more properties have no part in when and where containers run/),
      expect.stringMatching(
        /line 2: yarn.scheduler.fair.allocation.file is not used: scheduler.allocations names the file/,
      ),
      expect.stringMatching(/line 3: .*it is unknown; did you mean "locality.threshold.node"/),
    ]);
  });

  it.each([
    [
      "of another scheduler",
      { "resourcemanager.scheduler.class": "a.b.CapacityScheduler" },
      {},
      /found yarn-fair for scheduler.kind, allowed yarn-capacity/,
    ],
    [
      "with a class that is none",
      { "resourcemanager.scheduler.class": "a.b.FifoScheduler" },
      {},
      /at\/y.xml:2:1: found "a.b.FifoScheduler" .*FairScheduler, CapacityScheduler/,
    ],
    [
      "with a word for a number",
      { "scheduler.fair.max.assign": "all" },
      {},
      /y.xml:2:1: found "all" for yarn.scheduler.fair.max.assign/,
    ],
    [
      "with a threshold that is none",
      { "scheduler.fair.locality.threshold.node": "x" },
      {},
      /allowed a number from 0 to 1, or -1/,
    ],
    ["with neither true nor false", { "scheduler.fair.preemption": "on" }, {}, /allowed true or false/],
    ["with time 0 between looks", { "scheduler.fair.update-interval-ms": "0" }, {}, /allowed a whole number from 1/],
    [
      "that allows less than a job asks for",
      { "scheduler.maximum-allocation-mb": "1024" },
      {},
      /found 2048 for workload.jobs.0.master.memory, allowed at most 1024/,
    ],
    [
      "by which a container fits no node",
      { "scheduler.minimum-allocation-mb": "3000" },
      { cluster: "memory: 2048" },
      /found 3072 for .*at most 2048/,
    ],
  ])("%s is refused", (_, values, more, message) => {
    expect(refusal(site(values, more))).toMatch(message);
  });

  it("that is something else is refused", () => {
    const files = { "y.xml": "<allocations/>" };
    expect(refusal({ files, scheduler: "{ kind: yarn-fair, site: y.xml }" })).toMatch(
      /at\/y.xml:1:1: found the root element <allocations>, allowed <configuration> of a yarn-site.xml; a fair-scheduler.xml is/,
    );
  });
});
