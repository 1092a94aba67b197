/** A sound file with one small timeline and one function-level case, to be spoiled in one place at a time. */
export function soundSuite() {
  return {
    format: "hfs-scenarios",
    version: 1,
    scenarios: [
      {
        id: "a/timeline",
        kind: "timeline",
        suite: "derived",
        variants: ["0.21", "1.2", "branch-1"],
        clockMs: 100,
        cluster: {
          trackers: [
            { id: "tt1", host: "h1", rack: "r1", mapSlots: 2, reduceSlots: 2 },
            { id: "tt2", host: "h2", rack: null, mapSlots: 2, reduceSlots: 2 },
          ],
        },
        config: {
          assignMultiple: true,
          nodeLocalityDelayMs: 5000,
          rackLocalityDelayMs: 5000,
          preemption: true,
          preemptionOnlyLog: false,
          preemptionIntervalMs: 15000,
          sizeBasedWeight: false,
          reduceSlowstart: 0,
        },
        allocations: {
          pools: { p: { minMaps: 1, maxReduces: 3, weight: 2, schedulingMode: "FIFO" } },
          users: { ann: { maxRunningJobs: 2 } },
        },
        steps: [
          { op: "submit", job: "job1", state: "RUNNING", maps: 3, reduces: 1, pool: "p" },
          { op: "heartbeat", tracker: "tt1", expect: { assigned: ["job1/m0", "job1/r0", "job1/m1"] } },
          { op: "finish", tracker: "tt1", task: "job1/m0" },
          {
            op: "preempt",
            derived: { killed: { map: { count: 0, from: [] }, reduce: { count: 0, from: ["job1/r0"] } } },
          },
          {
            op: "check",
            expect: {
              jobs: {
                job1: { map: { running: 1, demand: 3, weight: 1, fairShare: 0 }, lastLocality: "ANY", pool: "p" },
              },
              pools: { p: { map: { running: 1, minShare: 1, maxSlots: "unlimited" }, reduce: { maxSlots: 3 } } },
              users: { ann: { maxRunningJobs: 2 }, bob: { maxRunningJobs: "unlimited" } },
              trackers: { tt1: { map: { cap: 2 } } },
              cluster: { poolCount: 2, fairSharePreemptionTimeoutMs: "unlimited" },
              greater: [["jobs.job1.map.demand", "pools.p.map.running"]],
            },
          },
        ],
      },
      {
        id: "a/cap",
        kind: "loadCap",
        suite: "apache",
        variants: ["1.2"],
        maxDiff: 0,
        expect: { cases: [{ demand: 1, trackerSlots: 10, totalSlots: 100, cap: 1 }] },
      },
    ],
  };
}

/** Sets the value at a path of keys; `undefined` takes the key out. */
export function withValue(tree, path, value) {
  const copy = structuredClone(tree);
  const last = path.at(-1);
  const at = path.slice(0, -1).reduce((node, key) => node[key], copy);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const STEP = ["scenarios", 0, "steps"];
const CASE = ["scenarios", 1];

/** What is set where, and what the error says: the place, what was found, what is allowed. */
export const BROKEN = [
  [["format"], "hfs", 'format: found "hfs", allowed "hfs-scenarios"'],
  [["version"], 2, "version: found 2, allowed 1"],
  [["version"], undefined, "version: found nothing, allowed 1"],
  [["more"], 1, 'found the key "more", allowed format, version, documentation, sources, scenarios'],
  [["scenarios"], [], "scenarios: found an empty list, allowed at least one scenario"],
  [["scenarios"], {}, "scenarios: found a mapping, allowed a list of scenarios"],
  [["scenarios", 0], 7, "scenarios[1]: found 7, allowed an object"],
  [["scenarios", 0, "id"], "", 'scenario 1 (""): id: found "", allowed text that is not empty'],
  [["scenarios", 0, "id"], "a/cap", 'scenario 2 ("a/cap"): id: found again'],
  [["scenarios", 0, "kind"], "timelines", 'kind: found "timelines", allowed timeline, fairShares'],
  [["scenarios", 0, "kind"], "constructor", 'kind: found "constructor", allowed timeline'],
  [["scenarios", 0, "kind"], "slotCap", "allowed for the kind slotCap facebook-deficit, facebook-fair"],
  [["scenarios", 0, "suite"], "yarn", 'suite: found "yarn", allowed apache, apache-0.21, facebook, derived'],
  [["scenarios", 0, "variants"], [], "variants: found an empty list, allowed at least one rule set"],
  [["scenarios", 0, "variants", 1], "1.1", 'variants[2]: found "1.1", allowed 0.21, 1.2, branch-1'],
  [["scenarios", 0, "variants", 1], "paper", 'variants[2]: found "paper"'],
  [["scenarios", 0, "variants", 1], "0.21", "variants: found one twice"],
  [["scenarios", 0, "variant"], ["1.2"], 'found the key "variant", allowed id, kind'],
  [["scenarios", 0, "clockMs"], 99, "clockMs: found 99, allowed a whole number from 100"],
  [["scenarios", 0, "clockMs"], undefined, "clockMs: found nothing"],
  [["scenarios", 0, "cluster", "trackers"], [], "cluster.trackers: found an empty list, allowed at least one tracker"],
  [["scenarios", 0, "cluster", "trackers", 1, "id"], "tt1", 'cluster.trackers[2].id: found "tt1" again'],
  [
    ["scenarios", 0, "cluster", "trackers", 0, "mapSlots"],
    -1,
    "cluster.trackers[1].mapSlots: found -1, allowed a whole number from 0",
  ],
  [["scenarios", 0, "cluster", "trackers", 0, "mapSlots"], 1.5, "found 1.5, allowed a whole number"],
  [["scenarios", 0, "cluster", "trackers", 0, "mapSlots"], 1e300, "found 1e+300, allowed a whole number"],
  [
    ["scenarios", 0, "cluster", "trackers", 0, "cpus"],
    4,
    'cluster.trackers[1]: found the key "cpus", allowed id, host, rack',
  ],
  [["scenarios", 0, "config", "speculation"], true, 'config: found the key "speculation", allowed assignMultiple'],
  [["scenarios", 0, "config", "preemption"], undefined, "config.preemption: found nothing, allowed true or false"],
  [
    ["scenarios", 0, "config", "reduceSlowstart"],
    1.1,
    "config.reduceSlowstart: found 1.1, allowed a number from 0 to 1",
  ],
  [
    ["scenarios", 0, "allocations", "pools", "p", "maxTotalInitedTasks"],
    1,
    'found the key "maxTotalInitedTasks", allowed minMaps',
  ],
  [["scenarios", 0, "allocations", "pools", "p", "schedulingMode"], "drf", 'found "drf", allowed fair, fifo'],
  [
    ["scenarios", 0, "allocations", "pools", "p", "weight"],
    "2",
    'allocations.pools.p.weight: found "2", allowed a number',
  ],
  [["scenarios", 0, "allocations", "queues"], {}, 'allocations: found the key "queues", allowed pools, users'],
  [["scenarios", 0, "steps"], [], "steps: found an empty list, allowed at least one step"],
  [[...STEP, 0], "submit", 'steps[1]: found "submit", allowed an object with op'],
  [[...STEP, 0, "op"], "sumbit", 'steps[1].op: found "sumbit", allowed submit, advance'],
  [[...STEP, 0, "op"], "toString", 'steps[1].op: found "toString", allowed submit'],
  [[...STEP, 0, "op"], "setTrackerCap", "which only Facebook's scheduler has, allowed submit"],
  [[...STEP, 0, "priority"], "HIGH", 'steps[1]: found the key "priority", allowed op, note, job, state'],
  [[...STEP, 0, "job"], "job2", 'steps[1].job: found "job2", allowed job1'],
  [[...STEP, 0, "state"], "DONE", 'steps[1].state: found "DONE", allowed PREP, RUNNING'],
  [[...STEP, 0, "maps"], 1e9, "steps[1].maps: found 1000000000, allowed a whole number from 0 to 1000000"],
  [[...STEP, 0, "mapHosts"], [["h1"]], "steps[1].mapHosts: found hosts of 1 maps, allowed is one list for each of 3"],
  [[...STEP, 1, "tracker"], "tt3", 'steps[2].tracker: found "tt3", allowed tt1, tt2'],
  [
    [...STEP, 1, "expect", "assigned", 0],
    "job2/m0",
    'steps[2].expect.assigned[1]: found "job2", allowed is a job that has been submitted',
  ],
  [[...STEP, 1, "expect", "assigned", 0], "job1/m3", 'found "job1/m3", allowed is a task of job1, which has 3 maps'],
  [[...STEP, 1, "expect", "assigned", 0], "job1/x0", 'found "job1/x0", allowed is a task like job1/m0'],
  [[...STEP, 1, "expect", "jobs"], {}, 'steps[2].expect: found the key "jobs", allowed assigned'],
  [[...STEP, 2, "task"], "job1/r1", 'steps[3].task: found "job1/r1", allowed is a task of job1, which has 1 reduces'],
  [
    [...STEP, 3, "derived", "killed", "reduce", "from", 0],
    "job1/m0",
    'found "job1/m0", allowed is a task like job1/r0',
  ],
  [[...STEP, 3, "derived", "survivors"], [], 'steps[4].derived: found the key "survivors", allowed killed'],
  [[...STEP, 4, "expect"], undefined, "steps[5].expect: found nothing, allowed an object"],
  [
    [...STEP, 4, "expect", "racks"],
    {},
    'steps[5].expect: found the key "racks", allowed jobs, pools, users, trackers, cluster, greater',
  ],
  [
    [...STEP, 4, "expect", "jobs", "job2"],
    { skipped: true },
    'steps[5].expect.jobs.job2.skipped: found "job2", allowed is a job',
  ],
  [[...STEP, 4, "expect", "jobs", "job1", "map", "needed"], 1, 'found the key "needed", allowed running'],
  [
    [...STEP, 4, "expect", "jobs", "job1", "map", "running"],
    "1",
    'found "1", allowed a number, {approx, tol} or "unlimited"',
  ],
  [
    [...STEP, 4, "expect", "jobs", "job1", "map", "running"],
    { approx: 1 },
    "found a mapping, allowed a number, {approx, tol}",
  ],
  [[...STEP, 4, "expect", "jobs", "job1", "lastLocality"], "OFF", 'found "OFF", allowed NODE, RACK, ANY'],
  [[...STEP, 4, "expect", "trackers", "tt9"], { map: { cap: 1 } }, 'found "tt9", allowed tt1, tt2'],
  [
    [...STEP, 4, "expect", "greater", 0, 0],
    "jobs.job1.map.colour",
    'expect.greater[1][1]: found "jobs.job1.map.colour", allowed is a path',
  ],
  [[...STEP, 4, "expect", "greater", 0, 0], "jobs.job1.pool", 'found "jobs.job1.pool", allowed is a path'],
  [[...STEP, 4, "expect", "greater", 0, 0], "jobs.job7.map.running", 'found "job7", allowed is a job'],
  [[...CASE, "maxDif"], 0, 'found the key "maxDif", allowed id'],
  [[...CASE, "maxDiff"], undefined, "maxDiff: found nothing"],
  [[...CASE, "expect", "cases"], [], "expect.cases: found an empty list, allowed at least one case"],
  [[...CASE, "expect", "cases", 0, "caps"], 1, 'expect.cases[1]: found the key "caps", allowed note, demand'],
];
