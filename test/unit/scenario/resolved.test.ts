import { describe, expect, it } from "vitest";
import type { Scenario } from "../../../dist/core/scenario/index.js";
import { parseScenario, resolvedToJson } from "../../../dist/io/index.js";

const load = (text: string) => parseScenario(text, "dir/my.day.yaml");
const clusterOf = (cluster: string): Scenario["cluster"] =>
  load(`workload: {kind: facebook}\ncluster: ${cluster}`).scenario.cluster;

const PLAIN_NODE = {
  diskBytesPerSecond: 240 * 2 ** 20,
  linkBytesPerSecond: 119 * 2 ** 20,
  memoryBytes: Infinity,
  diskBytes: Infinity,
  loadLimit: Infinity,
};
const NEVER = { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity };

describe("a resolved scenario", () => {
  it("of one line is the Facebook cluster under hfs, every default filled in", () => {
    const { scenario, notes, file } = load("workload: {kind: facebook}");
    expect(file).toBe("dir/my.day.yaml");
    expect(notes).toEqual([]);
    const { cluster, ...others } = scenario;
    expect(cluster.heartbeat).toEqual({ rule: "fixed", intervalUs: 3_000_000 });
    expect(cluster.racks).toHaveLength(31);
    expect(cluster.racks[30]).toEqual({
      name: "rack30",
      row: "",
      uplinkBytesPerSecond: Infinity,
      nodes: [{ ...PLAIN_NODE, count: 20, mapSlots: 5, reduceSlots: 5, speed: 1 }],
    });
    expect(cluster.heartbeatJitter).toBe(0);
    expect(cluster.outOfBandDelayUs).toBe(0);
    expect(cluster.network).toEqual({ rowUplinkBytesPerSecond: Infinity, settleUs: 250_000 });
    expect(others).toEqual({
      platform: "hadoop",
      name: "my.day",
      why: "",
      storage: { blockBytes: 134_217_728, replication: 3, placement: "hdfs", nodesPerFile: 10, rereadProbability: 0.5 },
      workload: { kind: "facebook", jobs: 7500, spanUs: 86_400_000_000, users: 200, timeScale: 1 },
      scheduler: {
        kind: "hfs",
        wait: { kind: "time", nodeUs: 10_000_000, rackUs: 5_000_000 },
        tasksPerHeartbeat: Infinity,
        updateIntervalUs: 500_000,
        rules: "paper",
        mapsPerHeartbeat: Infinity,
        reducesPerHeartbeat: Infinity,
        countsThisHeartbeat: false,
        loadManager: null,
        preemption: { mode: "off", intervalUs: 15_000_000 },
        sizeBasedWeight: false,
        weightBooster: null,
        poolBy: "pool",
        undeclaredPools: true,
        groups: [],
        allocations: {
          pools: [],
          users: [],
          poolMaxJobs: Infinity,
          userMaxJobs: Infinity,
          minShareTimeoutUs: Infinity,
          fairShareTimeoutUs: Infinity,
          defaultMode: "fair",
          placement: null,
        },
        reloads: [],
      },
      runtime: {
        jobSetupUs: 10_000_000,
        jobCleanupUs: 2_000_000,
        localityFactor: { node: 1, rack: 1.2, row: 1.6, any: 2 },
        slowStart: 0.05,
        model: "light",
        setupTasks: false,
        commit: null,
        io: { taskStartUs: 2_000_000, ioShare: null, outputRatio: 0.1, outputReplication: 3 },
        attempts: {
          maxPerTask: 4,
          maxFailuresPerNode: 4,
          trackerExpiryUs: 600_000_000,
          mapMemoryBytes: 0,
          reduceMemoryBytes: 0,
        },
        speculation: null,
        copyCompute: null,
      },
      faults: {
        events: [],
        rates: { crash: NEVER, switch: NEVER, slowDisk: NEVER, slowNode: NEVER },
        mapFailure: 0,
        reduceFailure: 0,
        stragglers: 0,
        stragglerFactor: 3,
      },
      run: { seed: "1", untilUs: Infinity, sampleUs: 60_000_000 },
    });
  });

  it("has the racks of a mixed list in order, with what they inherit", () => {
    const cluster = `
  mapSlots: 4
  speed: 2
  nodesPerRack: 3
  racks:
    - { count: 2 }
    - { name: fast, count: 2, nodes: [{ count: 5, mapSlots: 8 }, { speed: 0.5 }], reduceSlots: 1 }
    - { name: rack03, nodes: 7, speed: 1 }
    - {}`;
    const plain = { ...PLAIN_NODE, count: 3, mapSlots: 4, reduceSlots: 5, speed: 2 };
    const fast = [
      { ...PLAIN_NODE, count: 5, mapSlots: 8, reduceSlots: 1, speed: 2 },
      { ...PLAIN_NODE, count: 1, mapSlots: 4, reduceSlots: 1, speed: 0.5 },
    ];
    expect(clusterOf(cluster).racks.map(({ name, nodes }) => ({ name, nodes }))).toEqual([
      { name: "rack00", nodes: [plain] },
      { name: "rack01", nodes: [plain] },
      { name: "fast-1", nodes: fast },
      { name: "fast-2", nodes: fast },
      { name: "rack03", nodes: [{ ...PLAIN_NODE, count: 7, mapSlots: 4, reduceSlots: 5, speed: 1 }] },
      { name: "rack05", nodes: [plain] },
    ]);
  });

  it("has as many replicas as nodes when there are fewer than three, and says so", () => {
    const { scenario, notes } = load("workload: {kind: facebook}\ncluster: {racks: 1, nodesPerRack: 2}");
    expect(scenario.storage.replication).toBe(2);
    expect(notes).toEqual(["storage.replication is 2: one replica per node"]);
  });

  it("keeps Hadoop's heartbeat rules as rules", () => {
    expect(clusterOf("{heartbeat: {rule: hadoop-1.1}}").heartbeat).toEqual({
      rule: "hadoop-1.1",
      perSecond: 100,
      scalingFactor: 1,
    });
  });

  it("names unnamed jobs without colliding, and gives jobs their user's pool", () => {
    const { workload } = load(
      "workload: {kind: jobs, jobs: [{maps: 1, name: job2}, {maps: 1, user: 7}, {maps: 1, pool: p}]}",
    ).scenario;
    expect(workload.kind === "jobs" && workload.jobs.map(({ name, user, pool }) => [name, user, pool])).toEqual([
      ["job2", "user", "user"],
      ["job3", "7", "7"],
      ["job4", "user", "p"],
    ]);
  });

  it("gives swim maps the size of a block", () => {
    const { workload } = load(
      "storage: {blockSize: 64MB}\nworkload: {kind: swim, file: t.tsv, mapRate: 8MB/s, maxMaps: unlimited}",
    ).scenario;
    expect(workload).toMatchObject({ bytesPerMap: 2 ** 26, mapBytesPerSecond: 2 ** 23, maxMaps: Infinity });
  });
});

it("what a results folder gets is JSON and writes Infinity as words", () => {
  const { scenario } = load("workload: {kind: facebook}\nscheduler: {pools: {a: {}}}");
  const json = resolvedToJson(scenario) as { run: object; scheduler: object };
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  expect(json.run).toEqual({ seed: "1", untilUs: "end", sampleUs: 60_000_000 });
  expect(json.scheduler).toMatchObject({
    tasksPerHeartbeat: "unlimited",
    allocations: { fairShareTimeoutUs: "unlimited", pools: [{ maxMaps: "unlimited", maxJobs: null }] },
  });
});
