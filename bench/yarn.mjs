/**
 * Speed of YARN's schedulers in a simulation: a cluster that is full, MapReduce jobs in many queues, and maps whose data is on three of the nodes.
 * `npm run bench:yarn -- [--kind yarn-fair|yarn-capacity] [--nodes N] [--queues N] [--jobs N] [--threshold X]` prints containers per CPU second of a
 * whole run; in a second run, what the scheduler takes for a report of a node: decisions a second, p50 and p99. Loads nothing but the engine.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { counterHash, scaled } from "../dist/core/kernel/index.js";
import {
  CAPACITY_DEFAULTS,
  CapacityScheduler,
  FAIR_DEFAULTS,
  FairScheduler,
  mapReduceStages,
  YARN_TIMING,
  YarnSimulation,
} from "../dist/core/platforms/yarn/index.js";

const { values } = parseArgs({
  options: {
    kind: { type: "string", default: "yarn-fair" },
    nodes: { type: "string", default: "2000" },
    queues: { type: "string", default: "100" },
    jobs: { type: "string", default: "400" },
    threshold: { type: "string", default: "-1" },
  },
});
const [nodes, queues, jobs] = [values.nodes, values.queues, values.jobs].map(Number);
const threshold = Number(values.threshold);
const SIZE = { memory: 1024, vcores: 1 };
const MAPS = 980;
const REDUCES = 20;

const drawn = (job, counter, bound) => scaled(counterHash(1, job, counter), bound);
const names = Array.from({ length: queues }, (_, queue) => `root.q${queue}`);
const everyQueue = (spec) => new Map([["root", { capacity: 1 }], ...names.map((name) => [name, spec])]);

const applications = Array.from({ length: jobs }, (_, job) => {
  const task = (at, places) => ({
    runUs: 1e6 + drawn(job, 4 * at, 9e6),
    nodes: Array.from({ length: places }, (__, place) => drawn(job, 4 * at + 1 + place, nodes)),
  });
  const maps = Array.from({ length: MAPS }, (__, at) => task(at, 3));
  const reduces = Array.from({ length: REDUCES }, (__, at) => task(MAPS + at, 0));
  return {
    ...{ name: `application_${String(job).padStart(6, "0")}`, queue: names[job % queues], user: `user${job % 37}` },
    ...{ submitAtUs: drawn(job, 8 * MAPS, 10e6), master: SIZE },
    stages: mapReduceStages({ size: SIZE, tasks: maps }, { size: SIZE, tasks: reduces }),
  };
});

const scheduler =
  values.kind === "yarn-fair"
    ? {
        kind: "yarn-fair",
        settings: {
          ...FAIR_DEFAULTS,
          ...{ assignsMultiple: true, localityThresholdNode: threshold, localityThresholdRack: threshold },
        },
        allocations: { queues: new Map(names.map((name) => [name, {}])), users: new Map() },
      }
    : {
        kind: "yarn-capacity",
        settings: { ...CAPACITY_DEFAULTS, maxOffSwitch: 16 },
        queues: everyQueue({ capacity: 1 / queues, userLimitFactor: -1, maxAmShare: 0.5 }),
      };
const cluster = {
  ...{ scheduler, applications, timing: YARN_TIMING },
  nodes: Array.from({ length: nodes }, (_, node) => ({
    ...{ rack: node % Math.ceil(nodes / 40), memory: 16384, vcores: 16, fromUs: 0, untilUs: Infinity },
  })),
};

const before = process.cpuUsage();
const { attempts, endedUs, stopped, fingerprint } = new YarnSimulation(cluster, "1").run();
const { user, system } = process.cpuUsage(before);
const seconds = (user + system) / 1e6;
const rate = Math.round(attempts.length / seconds);
console.log(
  `${values.kind}: ${nodes} nodes, ${queues} queues, ${attempts.length} containers in ${endedUs / 1e6} s of virtual time (${stopped}), ` +
    `${seconds.toFixed(2)} CPU s, ${rate} containers per CPU s, fingerprint ${fingerprint}`,
);

/** Microseconds of each report of a node, sorted, and how many containers they gave. */
function reportsOf(Scheduler) {
  const { heartbeat } = Scheduler.prototype;
  const times = [];
  let given = 0;
  Scheduler.prototype.heartbeat = function (...args) {
    const began = performance.now();
    const found = heartbeat.apply(this, args);
    times.push((performance.now() - began) * 1000);
    given += found.containers.length;
    return found;
  };
  new YarnSimulation(cluster, "1").run();
  Scheduler.prototype.heartbeat = heartbeat;
  return { times: Float64Array.from(times).sort(), given };
}

const { times, given } = reportsOf(values.kind === "yarn-fair" ? FairScheduler : CapacityScheduler);
const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(2);
const decisions = Math.round((1e6 * given) / times.reduce((sum, us) => sum + us, 0));
console.log(
  `${times.length} reports of nodes gave ${given} containers: ${decisions} decisions a second, p50 ${at(0.5)} us, p99 ${at(0.99)} us a report`,
);
