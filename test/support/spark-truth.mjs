/**
 * A synthetic truth for what-ifs on imports of Spark's logs: applications of which everything is known, run by Bide's
 * scheduler with what no import is told, which is hosts of several speeds, executors that warm up, noise, and the
 * places of all replicas. A run leaves a log in Spark's form; `predicted` imports it and asks what `bide compare` says
 * of another setting, and `ran` says what that gives in truth.
 *
 * What is drawn, by case, from its seed alone:
 *
 *   hosts 3 to 12, with 1 to 4 cores an executor, 2 executors a host in a quarter of the cases; up to 3 more hosts with
 *   data alone in 3 of 10
 *   racks: none known (45 %), one (40 %), two (15 %); data on a part of the hosts alone in 4 of 10 cases, 1 to 3
 *   replicas
 *   jobs 1 to 4, one after the other, 2 to 12 stages in all, of 8 to 200 tasks; input, cached partitions and shuffles
 *   in shares of the case
 *   tasks of 0.2 to 8 s, whose work differs within a stage (sigma 0.05 to 0.5), told by their bytes to a degree of the
 *   case
 *   factors 1 to 3 for input, in the rack a part of that; 2 to 10 for cached partitions, on another executor of the
 *   host a part of that;
 *   1 to 1.6 for shuffles
 *   speeds of hosts 1/1.2 to 1.2; first tasks of an executor 1.5 to 3 times, then less and less; noise of each attempt
 *   with sigma 0.1 to 0.4
 *   driver's times of stages 10 ms to 5 s, before their submission and at the end of jobs 1 to 300 ms; scheduler delays
 *   around 3 to 60 ms
 *   in half of the cases attempts fail (0.2 to 2 %); one executor is lost in 1 of 10 where nothing is cached; some come
 *   late in 1 of 5
 *   recorded with a wait of 3 s (60 %), 1 s or 0 s, by Spark 3.5 (70 %) or 2.4
 *
 * Work, hosts, places of input and what the driver needs are the same under any setting. Two truths are asked for: what
 * the setting changes, with the noise of each attempt, failures and the order of offers as they were; and what another
 * run takes, in which all of these are new. Cached partitions lie where the run itself computed them.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import {
  counterHash,
  exp,
  fractionOf,
  logNormal,
  logUniform,
  logUniformInteger,
  normalQuantile,
  power,
  seedWord,
} from "../../dist/core/kernel/index.js";
import {
  defaultSettings,
  NOWHERE,
  poolsInFairMode,
  SPARK_LEVELS,
  SPARK_RULES,
  SparkSimulation,
} from "../../dist/core/platforms/spark/index.js";
import { importApplication, readEventLogs, writeImports } from "../../dist/io/index.js";
import { compareSystems, measureHere, planComparison, runScenario } from "../../dist/lab/index.js";

const SECOND_US = 1_000_000;
const ORIGIN_MS = 1_700_000_000_000;
/** As `bide import` takes it if nothing is said. */
const AFTER_WITHIN_US = 60e6;
/** What is asked in turn: another wait, other executors. */
export const KINDS = ["waits", "executors"];
const WAITS_US = [0, 500_000, 3_000_000, 10_000_000];

/** Fractions in (0, 1) and what is made of them, by a seed. */
class Draws {
  constructor(seed) {
    this.word = seedWord(seed, "truth");
    this.drawn = 0;
  }
  fraction() {
    return fractionOf(counterHash(this.word, 0, this.drawn++));
  }
  happens(chance) {
    return this.fraction() < chance;
  }
  between(low, high) {
    return logUniform(this.fraction(), low, high);
  }
  whole(low, high) {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }
  around(median, sigma) {
    return logNormal(this.fraction(), median, sigma);
  }
  /** So many of a list, in an order of their own. */
  some(list, count) {
    const left = [...list];
    return Array.from(
      { length: Math.min(count, left.length) },
      () => left.splice(this.whole(0, left.length - 1), 1)[0],
    );
  }
}

/** A case: an application, its cluster, the setting that is recorded and the one that is asked for. */
export function drawnCase(series, number) {
  const name = `${series}-${number}`;
  const draws = new Draws(name);
  const cluster = drawnCluster(draws);
  const version = draws.happens(0.7) ? "3.5" : "2.4";
  const recordedWaitUs = draws.happens(0.6) ? 3_000_000 : draws.happens(0.5) ? 1_000_000 : 0;
  const anyFactor = draws.between(1, 3);
  const cachedAnyFactor = draws.between(2, 10);
  const away = {
    anyFactor,
    rackFactor: power(anyFactor, 0.3 + 0.6 * draws.fraction()),
    cachedAnyFactor,
    cachedNodeFactor: power(cachedAnyFactor, 0.2 + 0.5 * draws.fraction()),
    shuffleAnyFactor: draws.between(1, 1.6),
  };
  const hidden = { sigma: 0.1 + 0.3 * draws.fraction(), warmUp: 1.5 + 1.5 * draws.fraction() };
  const failureChance = draws.happens(0.5) ? draws.between(0.002, 0.02) : 0;
  const jobs = drawnJobs(draws, cluster);
  const hasCached = jobs.some(({ stages }) => stages.some(({ reads }) => reads === "cached"));
  const executors = drawnExecutors(draws, cluster, jobs, hasCached);
  const kind = KINDS[number % KINDS.length];
  const other = { waitUs: recordedWaitUs, executors: executors.length };
  if (kind === "waits")
    other.waitUs = draws.some(
      WAITS_US.filter((us) => us !== recordedWaitUs),
      1,
    )[0];
  else {
    const { length } = executors;
    other.executors = draws.some([...new Set([Math.ceil(length / 2), Math.ceil((2 * length) / 3), length - 1])], 1)[0];
  }
  const recorded = { waitUs: recordedWaitUs, executors: executors.length };
  return { name, kind, version, cluster, away, hidden, failureChance, jobs, executors, recorded, other };
}

function drawnCluster(draws) {
  const count = draws.whole(3, 12);
  const cores = draws.whole(1, 4);
  const executorsPerHost = draws.happens(0.25) ? 2 : 1;
  const more = draws.happens(0.3) ? draws.whole(1, 3) : 0;
  const hosts = Array.from({ length: count + more }, (_, host) => `host-${host + 1}`);
  const speeds = hosts.map(() => draws.between(1 / 1.2, 1.2));
  const racked = draws.fraction();
  const rackOf = (host) => (racked < 0.45 ? NOWHERE : racked < 0.85 ? 0 : host % 2);
  const racks = hosts.map((_, host) => rackOf(host));
  const replicas = draws.happens(0.6) ? 3 : draws.whole(1, 2);
  const all = [...hosts.keys()];
  const withData = draws.happens(0.4) ? draws.some(all, Math.ceil(hosts.length * (0.3 + 0.5 * draws.fraction()))) : all;
  return { count, cores, executorsPerHost, hosts, speeds, racks, replicas, withData };
}

function drawnJobs(draws, cluster) {
  const stagesInAll = draws.whole(2, 12);
  const count = draws.whole(1, Math.min(4, stagesInAll));
  const shares = [draws.fraction(), draws.fraction(), draws.fraction()];
  const [input, cached] = shares.map((share) => share / (shares[0] + shares[1] + shares[2]));
  const driverUs = draws.between(10_000, 2_000_000);
  const delayUs = draws.between(3_000, 60_000);
  const sigma = draws.between(0.05, 0.5);
  const told = draws.fraction();
  const jobs = Array.from({ length: count }, (_, job) => {
    const own = Math.floor(((job + 1) * stagesInAll) / count) - Math.floor((job * stagesInAll) / count);
    const leaves = new Set();
    const stages = [];
    for (let stage = 0; stage < own; stage++) {
      const which = draws.fraction();
      const mayShuffle = leaves.size > 0;
      let reads =
        which < input ? "input" : which < input + cached && job > 0 ? "cached" : mayShuffle ? "shuffle" : "input";
      if (job === 0 && stage === 0) reads = "input";
      const parents = reads === "shuffle" ? [...leaves] : [];
      if (reads === "shuffle") leaves.clear();
      leaves.add(stage);
      stages.push({ reads, parents, ...drawnStage(draws, { reads, cluster, driverUs, delayUs, sigma, told }) });
    }
    const gapUs = Math.round(draws.between(10_000, 2_000_000));
    return { stages, gapUs, endUs: Math.round(draws.between(1_000, 300_000)) };
  });
  // What is cached are the partitions that the first stage of all reads.
  for (const { stages } of jobs) {
    for (const stage of stages) {
      if (stage.reads !== "cached") continue;
      const [first] = jobs[0].stages;
      const word = draws.whole(0, 2 ** 30);
      const scale = draws.between(0.1, 1);
      stage.tasks = first.tasks.map((task, at) => ({
        ...task,
        places: undefined,
        runUs: Math.max(
          1_000,
          Math.round(task.runUs * scale * exp(0.1 * normalQuantile(fractionOf(counterHash(word, at, 0))))),
        ),
      }));
    }
  }
  return jobs;
}

function drawnStage(draws, { reads, cluster, driverUs, delayUs, sigma, told }) {
  const count = logUniformInteger(draws.fraction(), 8, 200);
  const medianUs = draws.between(200_000, 8_000_000);
  const tasks = Array.from({ length: count }, () => {
    const work = draws.around(1, sigma);
    return {
      runUs: Math.max(1_000, Math.round(medianUs * work)),
      bytes: Math.round(64e6 * power(work, told)),
      delayUs: Math.round(draws.around(delayUs, 0.5)),
      places: reads === "input" ? draws.some(cluster.withData, cluster.replicas).map((host) => ({ host })) : undefined,
    };
  });
  const own = Math.min(5_000_000, Math.max(10_000, draws.around(driverUs, 0.8)));
  return { tasks, driverUs: Math.round(own), beforeUs: Math.round(draws.between(1_000, 300_000)) };
}

/** In the order in which they come. */
function drawnExecutors(draws, { count, cores, executorsPerHost }, jobs, hasCached) {
  const hosts = Array.from({ length: count * executorsPerHost }, (_, at) => at % count);
  const areLate = draws.happens(0.2);
  const isLost = draws.happens(0.1) && !hasCached && hosts.length > 3;
  const work = jobs.flatMap(({ stages }) => stages.flatMap(({ tasks }) => tasks.map(({ runUs }) => runUs)));
  const aboutUs = (1.5 * work.reduce((sum, us) => sum + us, 0)) / (hosts.length * cores);
  const executors = hosts.map((host) => {
    const isLate = areLate && draws.happens(0.4);
    const fromMs = isLate ? draws.whole(10_000, 25_000) : draws.whole(2_000, 6_000);
    return { host, cores, fromUs: fromMs * 1000, untilUs: Infinity };
  });
  executors.sort((a, b) => a.fromUs - b.fromUs);
  executors[0].fromUs = Math.min(executors[0].fromUs, 6_000_000);
  const lostUs = FIRST_JOB_US + Math.round(aboutUs * (0.2 + 0.6 * draws.fraction()));
  if (isLost) executors[0].untilUs = lostUs;
  return executors;
}

const FIRST_JOB_US = 8_000_000;

/** What a run gives. @param run seeds what is new in each run. */
export function ran(one, setting, run) {
  const first = simulated(one, setting, run, null);
  if (!one.jobs.some(({ stages }) => stages.some(({ reads }) => reads === "cached"))) return first;
  // Until partitions are read this run is the one before, which says where they were computed.
  const { attempts } = first.record;
  const executorOf = [];
  for (let at = 0; at < attempts.length; at++) {
    if (attempts.job[at] === 0 && attempts.stage[at] === 0 && attempts.outcome[at] === SUCCEEDED)
      executorOf[attempts.task[at]] = attempts.executor[at];
  }
  return simulated(one, setting, run, executorOf);
}

const SUCCEEDED = 0;
const FAILED = 2;

function simulated(one, { waitUs, executors: count }, run, executorOf) {
  const { cluster, hidden, version, failureChance } = one;
  const rules = SPARK_RULES[version];
  const seed = `${one.name}/${run}`;
  const [noise, driver] = [seedWord(seed, "truth/noise"), seedWord(seed, "truth/driver")];
  const executors = one.executors.slice(0, count);
  // At most so many at one time, as `executors.count` asks: when one is lost, the next of the others comes.
  for (const { untilUs } of executors.filter((own) => own.untilUs < Infinity)) {
    const next = one.executors[executors.length];
    if (next !== undefined) executors.push({ ...next, fromUs: Math.max(next.fromUs, untilUs) });
  }
  let stagesSoFar = 0;
  const firstStage = one.jobs.map(({ stages }) => (stagesSoFar += stages.length) - stages.length);
  const driverUs = (us, at) => Math.round(us * exp(0.1 * normalQuantile(fractionOf(counterHash(driver, at, 0)))));
  const application = {
    rules,
    settings: {
      ...defaultSettings(rules),
      waitProcessUs: waitUs,
      waitNodeUs: waitUs,
      waitRackUs: waitUs,
      executorCores: cluster.cores,
    },
    pools: poolsInFairMode(null, rules),
    timing: {
      reviveUs: SECOND_US,
      speculationUs: SECOND_US / 10,
      stageStartUs: 0,
      launchUs: 0,
      reportUs: 0,
      away: one.away,
    },
    executors,
    racks: cluster.racks,
    speeds: cluster.speeds,
    reduceLocality: true,
    jobs: one.jobs.map(({ stages, gapUs, endUs }, job) => ({
      name: String(job),
      submitAtUs: job === 0 ? FIRST_JOB_US : 0,
      endUs,
      ...(job === 0 ? {} : { after: { job: job - 1, delayUs: gapUs } }),
      stages: stages.map((stage, at) => ({
        name: String(at),
        isBarrier: false,
        parents: stage.parents,
        reads: stage.reads,
        beforeUs: stage.beforeUs,
        driverUs: driverUs(stage.driverUs, firstStage[job] + at),
        tasks: stage.tasks.map(({ runUs, delayUs, places }, task) => ({
          runUs,
          delayUs,
          places:
            places ?? (stage.reads === "cached" && executorOf !== null ? placeOf(executors, executorOf[task]) : []),
        })),
      })),
    })),
    ...(failureChance > 0 ? { failures: { chance: failureChance, planned: [] } } : {}),
    stretch: ({ job, stage, task, number, before }) => {
      const fraction = fractionOf(counterHash(counterHash(noise, firstStage[job] + stage, number), task, 0));
      const warmUp = 1 + (hidden.warmUp - 1) * power(0.4, Math.floor(before / cluster.cores));
      return warmUp * exp(hidden.sigma * normalQuantile(fraction));
    },
  };
  const record = new SparkSimulation(application, seed).run();
  const ends = record.jobs.map(({ endedUs }) => endedUs);
  const hasEnded = record.jobs.every(({ endedUs, failure }) => endedUs >= 0 && failure === null);
  const seconds = (Math.max(...ends) - record.jobs[0].submittedUs) / SECOND_US;
  return { record, application, firstStage, seconds: hasEnded ? seconds : null };
}

function placeOf(executors, executor) {
  return executor === undefined ? [] : [{ host: executors[executor].host, executor }];
}

/** Kinds of event of one instant, in the order in which Spark's listeners hear them. */
const ORDER = [
  "TaskEnd",
  "StageCompleted",
  "JobEnd",
  "ExecutorRemoved",
  "ExecutorAdded",
  "JobStart",
  "StageSubmitted",
  "TaskStart",
];

/** The log of a run, as Spark writes it. */
export function logText(one, { waitUs }, { record, application, firstStage }) {
  const { cluster, version, jobs } = one;
  const events = [];
  const ms = (us) => ORIGIN_MS + Math.floor(us / 1000);
  const note = (event, atUs, rest) => events.push({ event, atUs, rest });
  record.executors.forEach(({ host, cores, cameUs, wentUs }, executor) => {
    const of = { "Executor ID": String(executor + 1), Timestamp: ms(cameUs) };
    if (cameUs < 0) return;
    note("ExecutorAdded", cameUs, {
      ...of,
      "Executor Info": { Host: cluster.hosts[host], "Total Cores": cores, "Resource Profile Id": 0 },
    });
    const removed = { ...of, Timestamp: ms(wentUs), "Removed Reason": "worker lost" };
    if (wentUs >= 0) note("ExecutorRemoved", wentUs, removed);
  });
  const idOf = (job, stage) => firstStage[job] + stage;
  const infoOf = (job, stage) => {
    const { reads, parents, tasks } = jobs[job].stages[stage];
    const isKept = reads === "cached" || (job === 0 && stage === 0);
    const level = {
      "Use Disk": false,
      "Use Memory": isKept,
      "Use Off Heap": false,
      Deserialized: isKept,
      Replication: 1,
    };
    const rdd = { "RDD ID": isKept ? 0 : 1 + idOf(job, stage), Name: "RDD", "Parent IDs": [], Barrier: false };
    return {
      "Stage ID": idOf(job, stage),
      "Stage Attempt ID": 0,
      "Stage Name": `stage ${String(idOf(job, stage))}`,
      "Number of Tasks": tasks.length,
      "Parent IDs": parents.map((parent) => idOf(job, parent)),
      "RDD Info": [{ ...rdd, "Storage Level": level, "Number of Partitions": tasks.length }],
      "Resource Profile Id": 0,
    };
  };
  record.jobs.forEach(({ submittedUs, endedUs, failure }, job) => {
    const infos = jobs[job].stages.map((_, stage) => infoOf(job, stage));
    const stageIds = infos.map((info) => info["Stage ID"]);
    note("JobStart", submittedUs, {
      "Job ID": job,
      "Submission Time": ms(submittedUs),
      "Stage Infos": infos,
      "Stage IDs": stageIds,
      Properties: {},
    });
    const result = { Result: failure === null ? "JobSucceeded" : "JobFailed" };
    note("JobEnd", endedUs, { "Job ID": job, "Completion Time": ms(endedUs), "Job Result": result });
  });
  for (const { job, stage, submittedUs, endedUs } of record.stages) {
    const info = { ...infoOf(job, stage), "Submission Time": ms(submittedUs) };
    note("StageSubmitted", submittedUs, { "Stage Info": info, Properties: {} });
    note("StageCompleted", endedUs, { "Stage Info": { ...info, "Completion Time": ms(endedUs) } });
  }
  const { attempts } = record;
  for (let at = 0; at < attempts.length; at++) {
    const [job, stage] = [attempts.job[at], attempts.stage[at]];
    const task = jobs[job].stages[stage].tasks[attempts.task[at]];
    const [launchUs, endUs, host, outcome] = [
      attempts.launchUs[at],
      attempts.endUs[at],
      attempts.node[at],
      attempts.outcome[at],
    ];
    const of = { "Stage ID": idOf(job, stage), "Stage Attempt ID": 0, "Task Type": "ResultTask" };
    const info = {
      "Task ID": at,
      Index: attempts.task[at],
      Attempt: attempts.number[at],
      "Launch Time": ms(launchUs),
      "Executor ID": String(attempts.executor[at] + 1),
      Host: cluster.hosts[host],
      Locality: SPARK_LEVELS[attempts.level[at]],
      Speculative: false,
      "Getting Result Time": 0,
      Killed: false,
    };
    note("TaskStart", launchUs, { ...of, "Task Info": { ...info, "Finish Time": 0, Failed: false } });
    const reason = outcome === SUCCEEDED ? "Success" : outcome === FAILED ? "ExceptionFailure" : "ExecutorLostFailure";
    const ended = { ...info, "Finish Time": ms(endUs), Failed: outcome !== SUCCEEDED };
    const metrics =
      outcome === SUCCEEDED
        ? { "Task Metrics": metricsOf(jobs[job].stages[stage].reads, task, endUs - launchUs - task.delayUs) }
        : {};
    note("TaskEnd", endUs, { ...of, "Task End Reason": { Reason: reason }, "Task Info": ended, ...metrics });
  }
  events.sort((a, b) => a.atUs - b.atUs || ORDER.indexOf(a.event) - ORDER.indexOf(b.event));
  const wait = `${waitUs / 1000}ms`;
  const properties = {
    "spark.app.name": one.name,
    "spark.executor.cores": String(cluster.cores),
    "spark.locality.wait": wait,
    "spark.master": cluster.racks[0] === NOWHERE ? "spark://master:7077" : "yarn",
  };
  const id = `app-${one.name}`;
  const all = [
    { event: "LogStart", rest: { "Spark Version": `${version}.0` } },
    { event: "ApplicationStart", rest: { "App Name": one.name, "App ID": id, Timestamp: ORIGIN_MS, User: "truth" } },
    {
      event: "EnvironmentUpdate",
      rest: { "JVM Information": {}, "Spark Properties": properties, "System Properties": {} },
    },
    ...events,
    { event: "ApplicationEnd", rest: { Timestamp: ms(record.endedUs) } },
  ];
  return all.map(({ event, rest }) => `${JSON.stringify({ Event: `SparkListener${event}`, ...rest })}\n`).join("");
}

function metricsOf(reads, { bytes, runUs }, tookUs) {
  const tookMs = Math.floor(tookUs / 1000);
  const unpackMs = Math.min(5, tookMs);
  const fromShuffle = reads === "shuffle" ? bytes : 0;
  return {
    "Executor Deserialize Time": unpackMs,
    "Executor Run Time": tookMs - unpackMs,
    "Result Serialization Time": 0,
    "Executor Deserialize CPU Time": 1_000_000 * unpackMs,
    "Executor CPU Time": 700 * runUs,
    "JVM GC Time": 0,
    "Input Metrics": { "Bytes Read": reads === "shuffle" ? 0 : bytes, "Records Read": 0 },
    "Shuffle Read Metrics": {
      "Remote Bytes Read": Math.ceil(0.8 * fromShuffle),
      "Local Bytes Read": Math.floor(0.2 * fromShuffle),
    },
  };
}

/**
 * What `bide compare` says of the other setting, by the log of a run alone: what the setting changes, and what another
 * run with it takes more than the one that was recorded. @param folder a new one.
 */
export async function predicted(one, log, folder) {
  mkdirSync(folder);
  const file = join(folder, "eventlog");
  writeFileSync(file, log);
  const [application] = await readEventLogs([file]);
  const spark = importApplication(application, { afterWithinUs: AFTER_WITHIN_US });
  await writeImports([spark], folder, folder);
  const scenario = parse(readFileSync(join(folder, "scenario.yaml"), "utf8"));
  const set =
    one.kind === "waits"
      ? { "scheduler.wait": `${one.other.waitUs / 1000}ms` }
      : { "executors.count": one.other.executors };
  const again = { name: "another run", set: { ...set, "runtime.rerun": true } };
  const compare = { systems: [{ name: "recorded" }, { name: "other", set }, again] };
  const asked = join(folder, "what-if.yaml");
  writeFileSync(asked, stringify({ ...scenario, compare }));
  const planned = planComparison({
    file: asked,
    set: [],
    seed: undefined,
    seeds: undefined,
    kinds: undefined,
    systems: undefined,
    lenient: false,
  });
  const comparison = await compareSystems(planned, measureHere(runScenario, 1), {});
  const [effect, anotherRun] = comparison.systems.slice(1).map(({ differences }) => {
    const { mean, band } = differences.makespanSeconds;
    return { mean, low: band.low, high: band.high };
  });
  return { effect, anotherRun, spark, comparison };
}
