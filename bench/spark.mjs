/**
 * Speed of Spark's scheduler in a simulation: task sets that wait at once, executors of one host each, and tasks whose data is on three of the
 * hosts. `npm run bench:spark -- [--tasks N] [--sets N] [--executors N] [--mode FIFO|FAIR]` prints tasks per CPU second of a whole run; in a second
 * run, what a round of offers takes. Loads nothing but the engine.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { counterHash, scaled } from "../dist/core/kernel/index.js";
import {
  defaultSettings,
  poolsInFairMode,
  SPARK_RULES,
  SparkSimulation,
  TaskScheduler,
} from "../dist/core/platforms/spark/index.js";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "400000" },
    sets: { type: "string", default: "100" },
    executors: { type: "string", default: "1000" },
    cores: { type: "string", default: "4" },
    mode: { type: "string" },
    wait: { type: "string", default: "3" },
  },
});
const [tasks, sets, executors, cores] = [values.tasks, values.sets, values.executors, values.cores].map(Number);
const PLACES = 3;

function applicationOf(mode) {
  const rules = SPARK_RULES["3.5"];
  const drawn = (entity, counter, bound) => scaled(counterHash(1, entity, counter), bound);
  const waitUs = Number(values.wait) * 1e6;
  return {
    rules,
    settings: { ...defaultSettings(rules), mode, waitNodeUs: waitUs, waitRackUs: waitUs },
    pools: poolsInFairMode([], rules),
    timing: {
      stageStartUs: 0,
      reviveUs: 1e6,
      speculationUs: 1e5,
      launchUs: 1000,
      reportUs: 1000,
      rackFactor: 1.5,
      anyFactor: 2,
    },
    executors: Array.from({ length: executors }, (_, host) => ({ host, cores, fromUs: 0, untilUs: Infinity })),
    racks: Array.from({ length: executors }, (_, host) => host % 40),
    jobs: Array.from({ length: sets }, (_, job) => ({
      ...{ name: `job ${job}`, pool: `pool ${job % 10}`, submitAtUs: 0 },
      stages: [
        {
          ...{ name: "stage", parents: [], isBarrier: false },
          tasks: Array.from({ length: tasks / sets }, (_, task) => ({
            runUs: 1e6 + drawn(job, 4 * task, 4e6),
            places: Array.from({ length: PLACES }, (_, at) => ({ host: drawn(job, 4 * task + 1 + at, executors) })),
          })),
        },
      ],
    })),
  };
}

function run(application) {
  const before = process.cpuUsage();
  const { attempts, fingerprint, endedUs } = new SparkSimulation(application, "1").run();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, attempts: attempts.length, fingerprint, endedUs };
}

/** Microseconds of each round, sorted. */
function roundsOf(application) {
  const { offer } = TaskScheduler.prototype;
  const times = [];
  TaskScheduler.prototype.offer = function (...args) {
    const began = performance.now();
    const launches = offer.apply(this, args);
    times.push((performance.now() - began) * 1000);
    return launches;
  };
  run(application);
  TaskScheduler.prototype.offer = offer;
  return Float64Array.from(times).sort();
}

console.log(`${sets} task sets, ${executors} executors of ${cores} cores, ${tasks} tasks, Node ${process.version}`);
console.log("mode  CPU s    tasks  tasks per CPU s   rounds   p50 us   p99 us  virtual s  fingerprint");
for (const mode of values.mode === undefined ? ["FIFO", "FAIR"] : [values.mode]) {
  const application = applicationOf(mode);
  const { seconds, attempts, fingerprint, endedUs } = run(application);
  const times = roundsOf(application);
  const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(2);
  const figures = [seconds.toFixed(2), attempts, Math.round(attempts / seconds), times.length, at(0.5), at(0.99)];
  const widths = [7, 9, 17, 9, 9, 9];
  const words = figures.map((figure, i) => String(figure).padStart(widths[i]));
  console.log(`${mode}${words.join("")}${(endedUs / 1e6).toFixed(0).padStart(11)}  ${fingerprint}`);
}
