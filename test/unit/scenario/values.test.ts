import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { refusal } from "./refused.js";

const KINDS = SCHEDULER_KINDS.map(({ name }) => name).join(", ");

const BASE = "workload: {kind: facebook}\n";

/** [what is wrong, lines after the workload, place, part of the message] */
const CASES: readonly (readonly [string, string, string, string])[] = [
  [
    "a fraction of a slot",
    "cluster: {mapSlots: 2.5}",
    "2:21",
    "found 2.5 for cluster.mapSlots, allowed a whole number from 0 to 64",
  ],
  ["negative slots", "cluster: {mapSlots: -1}", "2:21", "found -1 for cluster.mapSlots"],
  ["NaN", "cluster: {mapSlots: .nan}", "2:21", "found .nan for cluster.mapSlots"],
  ["infinity", "cluster: {speed: .inf}", "2:18", "found .inf for cluster.speed, allowed a number from 0.1 to 100"],
  [
    "beyond 2^53",
    "cluster: {nodesPerRack: 9007199254740993}",
    "2:25",
    "for cluster.nodesPerRack, allowed a whole number from 1 to 1000000",
  ],
  ["a number as text", 'cluster: {mapSlots: "5"}', "2:21", 'found "5" for cluster.mapSlots'],
  ["an empty value", "cluster:\n  mapSlots:\n  reduceSlots: 1", "3:12", "found nothing for cluster.mapSlots"],
  ["0 racks", "cluster: {racks: 0}", "2:18", "found 0 for cluster.racks"],
  [
    "a billion racks",
    "cluster: {racks: 1e9}",
    "2:18",
    "found 1000000000 for cluster.racks, allowed a whole number of racks from 1 to 100000",
  ],
  [
    "no racks in a list",
    "cluster: {racks: []}",
    "2:18",
    "found an empty list for cluster.racks, allowed a list of at least one of rack groups",
  ],
  ["a billion racks in a group", "cluster: {racks: [{count: 1e9}]}", "2:27", "allowed a whole number from 1 to 100000"],
  [
    "too many racks in sum",
    "cluster: {nodesPerRack: 1, racks: [{count: 99999}, {count: 2}]}",
    "2:35",
    "found 100001 racks, allowed at most 100000",
  ],
  [
    "too many nodes in sum",
    "cluster: {racks: 1000, nodesPerRack: 1001}",
    "2:18",
    "found 1001000 nodes, allowed at most 1000000",
  ],
  [
    "no slot in the cluster",
    "cluster: {mapSlots: 0, reduceSlots: 0}",
    "2:10",
    "found 0 slots in the whole cluster, allowed at least one",
  ],
  ["no map slot for maps", "cluster: {mapSlots: 0}", "2:10", "found 0 map slots in the whole cluster"],
  ["no reduce slot for reduces", "cluster: {reduceSlots: 0}", "2:10", "found 0 reduce slots in the whole cluster"],
  [
    "heartbeat 0",
    "cluster: {heartbeat: 0s}",
    "2:22",
    'found "0s" for cluster.heartbeat, allowed a time from 1ms to 30m',
  ],
  ["a heartbeat without unit", "cluster: {heartbeat: 3}", "2:22", "write a unit: 3s, 3ms"],
  ["an unknown rule", "cluster: {heartbeat: {rule: hadoop-0.2}}", "2:29", 'did you mean "hadoop-0.20"?'],
  ["a rule without a name", "cluster: {heartbeat: {perSecond: 5}}", "2:11", "found nothing for cluster.heartbeat.rule"],
  [
    "duplicate rack names",
    "cluster: {racks: [{name: a}, {name: b}, {name: a}]}",
    "2:48",
    'found the rack name "a" a second time',
  ],
  [
    "a rack named like a counted one",
    "cluster: {racks: [{name: a, count: 2}, {name: a-2}]}",
    "2:47",
    'found the rack name "a-2" a second time',
  ],
  [
    "more replicas than nodes",
    "cluster: {racks: 1, nodesPerRack: 2}\nstorage: {replication: 3}",
    "3:24",
    "found 3 replicas on 2 nodes, allowed at most one per node",
  ],
  [
    "a size without unit",
    "storage: {blockSize: 128}",
    "2:22",
    "found 128 for storage.blockSize, allowed a size from 1KB to 1TB; write a unit: 128MB",
  ],
  ["an absurd size", "storage: {blockSize: 99999999TB}", "2:22", "allowed a size from 1KB to 1TB"],
  ["a probability of 2", "storage: {rereadProbability: 2}", "2:30", "allowed a number from 0 to 1"],
  [
    "an unknown placement",
    "storage: {placement: uniforn}",
    "2:22",
    'allowed hdfs, uniform, correlated; did you mean "uniform"?',
  ],
  [
    "negative W2",
    "scheduler: {wait: {rack: -5s}}",
    "2:26",
    'found "-5s" for scheduler.wait.rack, allowed a time from 0s to 365d',
  ],
  ["an absurd wait", "scheduler: {wait: {node: 99999d}}", "2:26", "allowed a time from 0s to 365d"],
  [
    "two kinds of wait",
    "scheduler: {wait: {node: 5s, nodeSkips: 3, rackSkips: 3}}",
    "2:19",
    "found both times and skip counts for scheduler.wait, allowed either node, rack and row (times), or",
  ],
  [
    "two kinds of wait, one for rows alone",
    "scheduler: {wait: {node: 5s, rowSkips: 3}}",
    "2:19",
    "found both times and skip counts for scheduler.wait, allowed either node, rack and row (times), or",
  ],
  [
    "a negative wait for the row",
    "scheduler: {wait: {row: -1s}}",
    "2:25",
    'found "-1s" for scheduler.wait.row, allowed',
  ],
  ["a share of a skip", "scheduler: {wait: {rowSkips: 1.5}}", "2:30", "found 1.5 for scheduler.wait.rowSkips, allowed"],
  ["too large a fraction", "scheduler: {wait: {rowFraction: 1e9}}", "2:33", "for scheduler.wait.rowFraction, allowed"],
  [
    "a wait that is one time",
    "scheduler: {wait: 10s}",
    "2:19",
    'found "10s" for scheduler.wait, allowed none, auto, a mapping {node: 10s, rack: 5s}',
  ],
  [
    "an unknown scheduler",
    "scheduler: dealy",
    "2:12",
    `found "dealy" for scheduler, allowed ${KINDS}; did you mean "delay"?`,
  ],
  ["an unknown scheduler kind", "scheduler: {kind: drf}", "2:19", `found "drf" for scheduler.kind, allowed ${KINDS}`],
  [
    "no tasks per heartbeat",
    "scheduler: {tasksPerHeartbeat: 0}",
    "2:32",
    "allowed a whole number from 1 to 128, or all",
  ],
  [
    "duplicate pools in a list",
    "scheduler: {pools: [{name: a}, {name: a}]}",
    "2:39",
    'found the pool name "a" a second time',
  ],
  ["duplicate pools in a mapping", "scheduler: {pools: {a: {}, a: {}}}", "2:28", 'found the key "a" a second time'],
  ["a weight of 0", "scheduler: {pools: {a: {weight: 0}}}", "2:33", "found 0 for scheduler.pools.a.weight"],
  [
    "a pool whose jobs could never end",
    "scheduler: {pools: {a: {maxMaps: 0}}}",
    "2:34",
    "found 0 for scheduler.pools.a.maxMaps",
  ],
  [
    "a min above its max",
    "scheduler: {pools: {a: {minMaps: 5, maxMaps: 2}}}",
    "2:34",
    "found 5 for scheduler.pools.a.minMaps, allowed at most its maxMaps, 2",
  ],
  ["an unprintable pool", 'scheduler: {pools: {"a\\e[2J": {}}}', "2:21", "\\u001b"],
  ["an end before the start", "run: {until: -1s}", "2:14", "or end"],
  ["an absurd end", "run: {until: 4000000d}", "2:14", "allowed a time from 1ms to 36500d, or end"],
  ["too many samples", "run: {until: 3000d, sample: 1s}", "2:29", "samples until the end, allowed at most 10000000"],
  ["a seed that is a path", "run: {seed: ../../etc}", "2:13", "for run.seed"],
  ["a seed beyond 2^53", "run: {seed: 12345678901234567890}", "2:13", "goes in quotes"],
  ["a name that is a path", "name: ../x", "2:7", 'found "../x" for name'],
  ["a factor of 0", "runtime: {localityFactor: {any: 0}}", "2:33", "allowed a number from 0.01 to 100"],
  ["a slow start of 5", "runtime: {slowStart: 5}", "2:22", "allowed a number from 0 to 1"],
  [
    "an unknown section",
    "clutser: {}",
    "2:1",
    'found the key "clutser" in the scenario, allowed platform, name, why, cluster, storage, workload, scheduler, runtime, faults, compare, run; did you mean "cluster"?',
  ],
  ["an unknown key", "cluster: {map_slots: 3}", "2:11", 'did you mean "mapSlots"?'],
  [
    "an unknown key in a list",
    "cluster: {racks: [{nods: 3}]}",
    "2:20",
    'found the key "nods" in cluster.racks.0, allowed name, count, nodes',
  ],
  [
    "a section that is a word",
    "storage: big",
    "2:10",
    'found "big" for storage, allowed a mapping with the keys blockSize',
  ],
];

describe("a wrong value is refused with its place, what was found and what is allowed", () => {
  it.each(CASES)("%s", (_, lines, place, part) => {
    const message = refusal(`${BASE}${lines}\n`);
    expect(message).toContain(`x.yaml:${place}: found `);
    expect(message).toContain(part);
    expect(message).toContain("allowed ");
    expect(message.split("\n")).toHaveLength(1);
  });
});

/** [what is wrong, workload, part of the message] */
const WORKLOADS: readonly (readonly [string, string, string])[] = [
  [
    "none at all",
    "name: x",
    "x.yaml:1:1: found nothing for workload, allowed a mapping with a kind: facebook, swim, benchmark, jobs, tasks",
  ],
  ["a word", "workload: facebook", 'x.yaml:1:11: found "facebook" for workload, allowed a mapping with a kind'],
  [
    "no kind",
    "workload: {jobs: 5}",
    "x.yaml:1:1: found nothing for workload.kind, allowed facebook, swim, benchmark, jobs, tasks",
  ],
  [
    "an unknown kind",
    "workload: {kind: facebok}",
    'x.yaml:1:18: found "facebok" for workload.kind, allowed facebook, swim, benchmark, jobs, tasks; did you mean "facebook"?',
  ],
  ["no swim file", "workload: {kind: swim}", "x.yaml:1:1: found nothing for workload.file"],
  ["an empty swim file", 'workload: {kind: swim, file: ""}', 'x.yaml:1:30: found "" for workload.file'],
  [
    "a flag that is no flag",
    "workload: {kind: tasks, file: a, lenient: yes}",
    'x.yaml:1:43: found "yes" for workload.lenient, allowed true or false',
  ],
  [
    "another kind's key",
    "workload: {kind: benchmark, jobs: 3}",
    'x.yaml:1:29: found the key "jobs" in workload, allowed kind, meanGap, mapTime, mapSigma, repeat',
  ],
  [
    "no bins",
    "workload: {kind: benchmark, bins: []}",
    "x.yaml:1:35: found an empty list for workload.bins, allowed a list of at least one of {count, maps, mapTime, reduces, ...}",
  ],
  [
    "a bin without maps",
    "workload: {kind: benchmark, bins: [{count: 1, maps: 0}]}",
    "x.yaml:1:53: found 0 for workload.bins.0.maps, allowed a whole number from 1 to 1000000",
  ],
  [
    "too many jobs by repetition",
    "workload: {kind: benchmark, repeat: 2, bins: [{count: 10000000, maps: 1}]}",
    "x.yaml:1:46: found 20000000 jobs, allowed at most 10000000",
  ],
  [
    "too many tasks in bins",
    "workload: {kind: benchmark, bins: [{count: 1000, maps: 1000000, reduces: 1}]}",
    "x.yaml:1:35: found 1000001000 tasks, allowed at most 1000000000",
  ],
  [
    "reduces of bins without a slot",
    "workload: {kind: benchmark, bins: [{count: 1, maps: 1, reduces: 1}]}\ncluster: {reduceSlots: 0}",
    "x.yaml:2:10: found 0 reduce slots in the whole cluster, allowed at least one, for a workload with reduces",
  ],
  ["0 jobs", "workload: {kind: facebook, jobs: 0}", "x.yaml:1:34: found 0 for workload.jobs"],
  [
    "an empty list",
    "workload: {kind: jobs, jobs: []}",
    "x.yaml:1:30: found an empty list for workload.jobs, allowed a list of at least one",
  ],
  [
    "a job without maps",
    "workload: {kind: jobs, jobs: [{reduces: 1}]}",
    "x.yaml:1:31: found nothing for workload.jobs.0.maps",
  ],
  [
    "a job without tasks",
    "workload: {kind: jobs, jobs: [{maps: 0}]}",
    "x.yaml:1:31: found a job with 0 maps and 0 reduces, allowed at least one task",
  ],
  [
    "a task without time",
    "workload: {kind: jobs, jobs: [{maps: 1, mapTime: 0}]}",
    "x.yaml:1:50: found 0 for workload.jobs.0.mapTime, allowed a time from 1us to 30d",
  ],
  [
    "duplicate jobs",
    "workload: {kind: jobs, jobs: [{maps: 1, name: a}, {maps: 1, name: a}]}",
    'x.yaml:1:67: found the job name "a" a second time',
  ],
  [
    "a job named like a counted one",
    "workload: {kind: jobs, jobs: [{maps: 1, name: a, count: 3}, {maps: 1, name: a-3}]}",
    'found the job name "a-3" a second time',
  ],
  [
    "Unix time in a list of jobs",
    "workload: {kind: jobs, jobs: [{maps: 1}, {maps: 1, at: 1700000000s}]}",
    "x.yaml:1:56: found 19675d22h13m20s, which looks like Unix time, allowed less than 10 years: jobs are submitted so long after the start of the run; take the first one's time from all",
  ],
  [
    "a last job after 100 years",
    "workload: {kind: jobs, jobs: [{maps: 1, count: 1000, every: 365d}]}",
    "x.yaml:1:31: found a last submission after 364635d, allowed at most 36500d",
  ],
  [
    "too many tasks",
    "workload: {kind: jobs, jobs: [{maps: 1000000, count: 1001}]}",
    "x.yaml:1:30: found 1001000000 tasks, allowed at most 1000000000",
  ],
  [
    "too many jobs",
    "workload: {kind: jobs, jobs: [{maps: 1, count: 10000000}, {maps: 1}]}",
    "x.yaml:1:30: found 10000001 jobs, allowed at most 10000000",
  ],
  ["an unknown priority", "workload: {kind: jobs, jobs: [{maps: 1, priority: hihg}]}", 'did you mean "high"?'],
  [
    "a list in place of a name",
    "workload: {kind: jobs, jobs: [{maps: 1, name: [a]}]}",
    "found a list of 1 for workload.jobs.0.name",
  ],
];

describe("a wrong workload is refused with its place, what was found and what is allowed", () => {
  it.each(WORKLOADS)("%s", (_, text, part) => {
    const message = refusal(text);
    expect(message).toContain(part);
    expect(message.split("\n")).toHaveLength(1);
  });
});

it("all problems of a file are reported at once, in the order of the file", () => {
  const message = refusal(
    [
      "workload: {kind: facebok}",
      "cluster: {racks: 1, nodesPerRack: 2, heartbeat: 3s}",
      "storage: {replication: 9}",
      "scheduler:",
      "  wiat: none",
      "run: {until: never}",
    ].join("\n"),
  );
  expect(message.split("\n").map((line) => line.split(": found")[0])).toEqual([
    "x.yaml:1:18",
    "x.yaml:3:24",
    "x.yaml:5:3",
    "x.yaml:6:14",
  ]);
});

it("a hundred problems are told one by one, the others are counted", () => {
  const message = refusal(
    `workload: {kind: facebook}\n${Array.from({ length: 250 }, (_, i) => `k${String(i)}: 1`).join("\n")}`,
  );
  expect(message.split("\n")).toHaveLength(101);
  expect(message).toContain("found 150 more problems");
});
