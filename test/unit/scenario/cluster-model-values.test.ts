import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const BASE = "workload: {kind: facebook}\n";

/** [what is wrong, lines after the workload, place, part of the message] */
const CASES: readonly (readonly [string, string, string, string])[] = [
  [
    "a bandwidth without unit",
    "cluster: {disk: 240}",
    "2:17",
    "found 240 for cluster.disk, allowed a bandwidth from 1KB to 1TB per second; write a unit: 240MB/s",
  ],
  [
    "bits in the spelling of bytes",
    "cluster: {link: 1Gb/s}",
    "2:17",
    "written 240MB/s (2^20 bytes) or 1Gbps (10^9 bits)",
  ],
  ["a bandwidth of 0", "cluster: {link: 0Gbps}", "2:17", "allowed a bandwidth from 1KB to 1TB per second"],
  ["an unlimited disk", "cluster: {disk: unlimited}", "2:17", 'found "unlimited" for cluster.disk'],
  ["a bandwidth of NaN", "cluster: {disk: .nan}", "2:17", "found .nan for cluster.disk"],
  ["a bandwidth beyond doubles", "cluster: {disk: 1e999}", "2:17", "found .inf for cluster.disk"],
  ["a negative link", "cluster: {link: -1Gbps}", "2:17", 'found "-1Gbps" for cluster.link'],
  [
    "no memory in a node group",
    "cluster: {racks: [{nodes: [{memory: 0B}]}]}",
    "2:37",
    "for cluster.racks.0.nodes.0.memory, allowed a size from 1B to 1048576TB, or unlimited",
  ],
  ["a load limit of 0", "cluster: {loadLimit: 0}", "2:22", "allowed a whole number from 1 to 128, or unlimited"],
  ["an uplink of the whole cluster", "cluster: {uplink: 1Gbps}", "2:11", 'found the key "uplink" in cluster'],
  ["less than all links", "cluster: {oversubscription: 0.5}", "2:29", "allowed a number from 1 to 1000"],
  ["settling for ever", "cluster: {network: {settle: 2m}}", "2:29", "allowed a time from 1ms to 1m"],
  [
    "nodes that join at once, for which there is a rule without",
    "cluster: {heartbeat: {rule: hadoop-0.20, joinEvery: 0s}}",
    "2:53",
    'found "0s" for cluster.heartbeat.joinEvery, allowed a time from 1ms to 30m',
  ],
  [
    "nodes that join backwards",
    "cluster: {heartbeat: {rule: hadoop-0.20, joinEvery: -1ms}}",
    "2:53",
    'found "-1ms" for cluster.heartbeat.joinEvery, allowed a time from 1ms to 30m',
  ],
  [
    "nodes that take too long to join",
    "cluster: {racks: 2, nodesPerRack: 2, heartbeat: {rule: hadoop-0.20, joinEvery: 21m}}\nstorage: {replication: 2}",
    "2:49",
    "found 4 nodes that take 1h3m to join, allowed at most 1h in all",
  ],
  [
    "joining without a rule",
    "cluster: {heartbeat: {joinEvery: 1ms}}",
    "2:11",
    "found nothing for cluster.heartbeat.rule, allowed hadoop-0.20, hadoop-1.1",
  ],
  [
    "rules of a release that there is not",
    'scheduler: {kind: fifo, rules: "0.20"}',
    "2:32",
    'found "0.20" for scheduler.rules, allowed paper, 0.21, 1.2, branch-1; did you mean "0.21"?',
  ],
  ["rules of no release", "scheduler: {kind: fifo, rules: [paper]}", "2:32", "allowed paper, 0.21, 1.2, branch-1"],
  [
    "a rack without nodes beside one with",
    "cluster: {racks: [{nodes: 0}, {nodes: 3}]}",
    "2:27",
    "found 0 for cluster.racks.0.nodes, allowed a whole number of nodes from 1 to 1000000, or a list of node groups",
  ],
  [
    "three replicas on one node",
    "cluster: {racks: 1, nodesPerRack: 1}\nstorage: {replication: 3}",
    "3:24",
    "found 3 replicas on 1 node, allowed at most one per node",
  ],
  ["jitter of a whole interval", "cluster: {heartbeatJitter: 1}", "2:28", "allowed a number from 0 to 0.9"],
  [
    "a delay below a millisecond",
    "cluster: {outOfBandDelay: 999us}",
    "2:27",
    "found 999us for cluster.outOfBandDelay, allowed 0, or at least 1ms",
  ],
  [
    "jitter beyond the longest heartbeat",
    "cluster: {heartbeat: 20m, heartbeatJitter: 0.6}",
    "2:22",
    "late by up to 0.6 of that, allowed at most 30m00s",
  ],
  [
    "a row for some racks",
    "cluster: {racks: [{row: a}, {name: b}]}",
    "2:29",
    "found a rack without a row beside others with one, allowed a row for every rack, or for none",
  ],
  ["an unknown model", "runtime: {model: detaild}", "2:18", 'allowed light, detailed; did you mean "detailed"?'],
  [
    "splitting by a word",
    "runtime: {copyCompute: sometimes}",
    "2:24",
    "allowed off, or a mapping {computing: 2, perJob: 2, order: waiting}",
  ],
  ["nobody who computes", "runtime: {copyCompute: {computing: 0}}", "2:36", "allowed a whole number from 1 to 64"],
  ["half a reduce", "runtime: {copyCompute: {computing: 1.5}}", "2:36", "allowed a whole number from 1 to 64"],
  ["copies without end", "runtime: {copyCompute: {perJob: .inf}}", "2:33", "allowed a whole number from 1 to 64"],
  [
    "an order of reduces that there is not",
    "runtime: {copyCompute: {order: wating}}",
    "2:32",
    'allowed waiting, submission, fair; did you mean "waiting"?',
  ],
  [
    "a setting of splitting that there is not",
    "runtime: {copyCompute: {compute: 2}}",
    "2:25",
    "computing, perJob, order",
  ],
  ["commits that never come", "runtime: {commit: {poll: 0s}}", "2:26", "allowed a time from 1ms to 30d"],
  ["commit by a word", "runtime: {commit: always}", "2:19", "allowed off, on, or a mapping {poll: 1s, commit: 1s}"],
  [
    "an unknown rule of speculation",
    "runtime: {speculation: hadop}",
    "2:24",
    "allowed off, hadoop, late, or a mapping",
  ],
  [
    "speculation without a rule",
    "runtime: {speculation: {minAge: 1s}}",
    "2:11",
    "found nothing for runtime.speculation.rule",
  ],
  ["more than all of a map", "runtime: {io: {ioShare: 1.5}}", "2:25", "allowed a number from 0 to 1, or block"],
  [
    "a start too short to look ahead",
    "runtime: {model: detailed, io: {taskStart: 1ms}}",
    "2:44",
    "found 1ms for runtime.io.taskStart in the detailed model, allowed at least 2ms",
  ],
  [
    "more replicas of output than nodes",
    "cluster: {racks: 1, nodesPerRack: 2}\nstorage: {replication: 1}\nruntime: {io: {outputReplication: 3}}",
    "4:35",
    "found 3 replicas on 2 nodes, allowed at most one per node",
  ],
  [
    "maps that fit nowhere",
    "cluster: {memory: 1GB}\nruntime: {attempts: {mapMemory: 2GB}}",
    "3:33",
    "found 2GB for runtime.attempts.mapMemory, allowed at most 1GB, the memory of the largest node with a slot for it",
  ],
  [
    "reduces that fit only where there is no slot for them",
    "cluster: {memory: 1GB, racks: [{nodes: [{reduceSlots: 0, memory: 8GB}, {}]}]}\nruntime: {attempts: {reduceMemory: 2GB}}",
    "3:36",
    "found 2GB for runtime.attempts.reduceMemory, allowed at most 1GB",
  ],
  [
    "an expiry within a heartbeat",
    "cluster: {heartbeat: 5s, heartbeatJitter: 0.5}\nruntime: {attempts: {trackerExpiry: 7500ms}}",
    "3:37",
    "found 7s500ms for runtime.attempts.trackerExpiry with heartbeats up to 7.5s apart, allowed more",
  ],
  [
    "the default expiry within a heartbeat, with faults",
    "cluster: {heartbeat: 20m}\nfaults: {mapFailure: 0.1}",
    "1:1",
    "found 10m for runtime.attempts.trackerExpiry with heartbeats up to 20m00s apart",
  ],
  [
    "faults of nothing",
    "faults: {events: []}",
    "2:18",
    "found an empty list for faults.events, allowed a list of at least one",
  ],
  [
    "an unknown kind of fault",
    "faults: {events: [{kind: slow-disk}]}",
    "2:26",
    'allowed crash, switch, slowDisk, slowNode; did you mean "slowDisk"?',
  ],
  ["a fault without a kind", "faults: {events: [{rack: 0}]}", "2:19", "found nothing for faults.events.0.kind"],
  [
    "a rack that is not there",
    "faults: {events: [{kind: switch, rack: rakc03, at: 1s}]}",
    "2:40",
    'found the rack "rakc03", allowed the name of a rack, or a position from 0 to 30; did you mean "rack03"?',
  ],
  [
    "a position beyond the racks",
    "faults: {events: [{kind: switch, rack: 31, at: 1s}]}",
    "2:40",
    "a position from 0 to 30",
  ],
  [
    "a node that is not there",
    "faults: {events: [{kind: crash, rack: 3, node: 20, at: 1s}]}",
    "2:48",
    'found node 20 of the rack "rack03", allowed a position from 0 to 19',
  ],
  [
    "the node of a switch",
    "faults: {events: [{kind: switch, rack: 3, node: 2, at: 1s}]}",
    "2:43",
    'found the key "node"',
  ],
  [
    "the factor of a crash",
    "faults: {events: [{kind: crash, rack: 3, node: 2, at: 1s, factor: 2}]}",
    "2:59",
    'found the key "factor"',
  ],
  [
    "a disk that becomes faster",
    "faults: {events: [{kind: slowDisk, rack: 3, node: 2, at: 1s, factor: 0.5}]}",
    "2:70",
    "allowed a number from 1 to 1000",
  ],
  [
    "a fault of no length",
    "faults: {events: [{kind: switch, rack: 3, at: 1s, for: 0s}]}",
    "2:56",
    "allowed a time from 1ms to 36500d, or ever",
  ],
  ["crashes without pause", "faults: {rates: {crash: {every: 1ms, for: 1s}}}", "2:33", "allowed a time from 1s"],
  [
    "crashes without a length",
    "faults: {rates: {crash: {every: 1d}}}",
    "2:18",
    "found nothing for faults.rates.crash.for",
  ],
  ["a map that always fails", "faults: {mapFailure: 1}", "2:22", "allowed a number from 0 to 0.999"],
  [
    "stragglers that hurry",
    "faults: {stragglers: {share: 0.1, factor: 0.5}}",
    "2:43",
    "allowed a number from 1 to 1000",
  ],
  [
    "no node with reduce slots that lasts",
    "cluster: {racks: [{nodes: [{}, {reduceSlots: 0}]}]}\nstorage: {replication: 1}\nfaults: {events: [{kind: crash, rack: 0, node: 0, at: 1h}]}",
    "4:18",
    "found no node with slots for reduces that stays in the cluster to the end, and no time in run.until, allowed a node that stays",
  ],
  [
    "no rack that can be heard again",
    "cluster: {racks: 2}\nfaults: {events: [{kind: switch, rack: 0, at: 1h}, {kind: switch, rack: 1, at: 2h}]}",
    "3:18",
    "found no node with slots for maps that stays in the cluster to the end",
  ],
];

describe("a wrong setting of cluster, runtime or faults is refused with its place, what was found and what is allowed", () => {
  it.each(CASES)("%s", (_, lines, place, part) => {
    const message = refusal(`${BASE}${lines}\n`);
    expect(message).toContain(`x.yaml:${place}: found `);
    expect(message).toContain(part);
    expect(message).toContain("allowed ");
    expect(message.split("\n")).toHaveLength(1);
  });

  it("ten thousand faults of racks that are not there are told within seconds", () => {
    const events = Array.from({ length: 10_000 }, () => "{kind: switch, rack: x, at: 1s}").join(",");
    expect(refusal(`${BASE}faults: {events: [${events}]}`)).toContain("found 9900 more problems");
  });
});

const load = (lines: string, set: readonly string[] = []) =>
  parseScenario(`${BASE}${lines}\n`, "x.yaml", { set }).scenario;

describe("faults", () => {
  it("name racks by name first, then by position", () => {
    const text =
      "cluster: {racks: [{name: b}, {name: '0'}, {}]}\nfaults: {events: [{kind: switch, rack: RACK, at: 1s, for: 1s}]}";
    const rackOf = (name: string) => load(text.replace("RACK", name)).faults.events[0].rack;
    expect(["b", "0", "1", "2", "rack02"].map(rackOf)).toEqual([0, 1, 1, 2, 2]);
  });

  it("may leave nobody when the run has an end of its own, or when they end themselves", () => {
    const lost = "cluster: {racks: 1}\nfaults: {events: [{kind: switch, rack: 0, at: 1h}]}";
    expect(load(`${lost}\nrun: {until: 2h}`).faults.events).toHaveLength(1);
    expect(load(lost, ["faults.events.0.for=1h"]).faults.events[0].forUs).toBe(3_600_000_000);
  });

  it("do not forbid long heartbeats to those who have none", () => {
    expect(load("cluster: {heartbeat: 20m}").runtime.attempts.trackerExpiryUs).toBe(600_000_000);
  });
});

describe("racks and nodes", () => {
  it("inherit disks and links downwards, and uplinks are what is left of the links", () => {
    const { racks } = load(`cluster:
  link: 1Gbps
  disk: 100MB/s
  oversubscription: 4
  racks:
    - { name: a, link: 10Gbps, nodes: [{ count: 3 }, { link: 1Gbps, disk: 50MB/s }] }
    - { name: b, nodes: 8 }
    - { name: c, uplink: 3Gbps }
    - { name: d, uplink: unlimited }`).cluster;
    const disks = racks.map(({ nodes }) => nodes.map(({ diskBytesPerSecond }) => diskBytesPerSecond / 2 ** 20));
    expect(disks).toEqual([[100, 50], [100], [100], [100]]);
    const links = racks.map(({ nodes }) => nodes.map(({ linkBytesPerSecond }) => linkBytesPerSecond / 125e6));
    expect(links).toEqual([[10, 1], [1], [1], [1]]);
    const uplinks = racks.map(({ uplinkBytesPerSecond }) => uplinkBytesPerSecond / 125e6);
    expect(uplinks).toEqual([31 / 4, 2, 3, Infinity]);
  });
});

describe("--set", () => {
  it("works through the short forms of commit and speculation", () => {
    const short = "runtime: {commit: on, speculation: hadoop}";
    const { commit, speculation } = load(short, ["runtime.commit.poll=2s", "runtime.speculation.minAge=5s"]).runtime;
    expect(commit).toEqual({ pollUs: 2_000_000, commitUs: 1_000_000 });
    expect(speculation).toMatchObject({ rule: "hadoop", minAgeUs: 5_000_000 });
    const off = load("runtime: {speculation: off, commit: off}", ["runtime.speculation.minAge=5s"]).runtime;
    expect([off.speculation, off.commit]).toEqual([null, null]);
  });

  it("makes sections that the file does not have", () => {
    const { faults, runtime } = load("", ["faults.stragglers.share=0.1", "runtime.io.ioShare=block"]);
    expect([faults.stragglers, faults.stragglerFactor, runtime.io.ioShare]).toEqual([0.1, 3, null]);
  });
});
