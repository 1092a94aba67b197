import { isDeepStrictEqual } from "node:util";
import { listedJobs } from "../../dist/core/platforms/spark/index.js";
import { listedApplications } from "../../dist/core/platforms/yarn/index.js";
import { InputError, platformNamed } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

/**
 * What holds of every run of Spark and YARN, whatever the scenario: what a run leaves is looked at from outside, by the
 * scenario alone. The first thing that does not hold is told as { kind, what }.
 */

/** Wall time that no case should take. */
const LONGEST_MS = 60_000;

/** How many tasks a scenario lists; those of a table are few. */
export function tasksOf({ workload }) {
  if (workload.kind !== "jobs") return 0;
  const ofJob = ({ stages, maps, reduces }) => stages ?? [maps, reduces];
  return workload.jobs.reduce((sum, job) => sum + job.count * ofJob(job).reduce((of, { tasks }) => of + tasks, 0), 0);
}

class Broken extends Error {
  constructor(kind, what) {
    super(what);
    this.kind = kind;
  }
}

function hold(condition, kind, what) {
  if (!condition) throw new Broken(kind, typeof what === "function" ? what() : what);
}

/** @param loaded a scenario with its directory. @returns null: all is well. */
export async function checkPlatformRun({ scenario, directory }) {
  try {
    await checkRun(scenario, directory);
    return null;
  } catch (error) {
    if (error instanceof Broken) return { kind: error.kind, what: error.message };
    if (error instanceof InputError) throw error;
    return { kind: "crash", what: error instanceof Error ? error.message : String(error) };
  }
}

async function checkRun(scenario, directory) {
  const first = await resultOf(scenario, directory);
  const again = await resultOf(scenario, directory, "rack");
  hold(first.summary.fingerprint === again.summary.fingerprint, "fingerprint", "the same run twice decides otherwise");
  hold(isDeepStrictEqual(first, again), "table", "the same run twice leaves other figures");
  const { summary } = first;
  hold(
    summary.stopped !== "until" || scenario.run.untilUs < Infinity,
    "endless",
    "it says that its time was up, and has no end",
  );
  const own = await stepwise(scenario, directory, 700_000);
  hold(
    own.fingerprint === summary.fingerprint || summary.stopped === "stuck",
    "fingerprint",
    "in steps it decides otherwise",
  );
  await checkBeginning(scenario, directory, own);
  checkOwn(scenario, own, summary);
  checkRecord(first, scenario);
}

/**
 * What holds of a run by what the scenario says. @param own what the platform itself has recorded. @param summary how
 * it stopped. @throws Broken
 */
function checkOwn(scenario, own, summary) {
  if (scenario.platform === "spark") checkSpark(scenario, own, summary);
  else checkYarn(scenario, own, summary);
}

/** What is wrong with a run that has been done; null: nothing. */
export function brokenIn(scenario, own, summary) {
  try {
    checkOwn(scenario, own, summary);
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.kind;
    throw error;
  }
}

async function resultOf(scenario, directory, placement = 0) {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const { summary, record } = await runScenario(scenario, directory, { recordTasks: true, placement, signal });
  const { cost: _, ...figures } = summary;
  return { summary: figures, record };
}

/** Moved on by the clock, not from event to event, until nothing happens any more or the run would be stuck. */
async function stepwise(scenario, directory, stepUs) {
  const simulation = await platformNamed(scenario.platform).build(scenario, directory);
  const { untilUs, stuckAfterUs = simulation.patienceUs } = scenario.run;
  for (let us = simulation.nextUs(); us <= untilUs && us < Infinity; us = simulation.nextUs()) {
    const { lastEndUs, lastSubmitUs } = simulation.progress();
    if (us > Math.max(lastEndUs, lastSubmitUs) + stuckAfterUs) break;
    simulation.advance(Math.min(us + stepUs, untilUs));
  }
  if (untilUs < Infinity && simulation.nextUs() < Infinity) simulation.advance(untilUs);
  return ownRecord(simulation, scenario);
}

/** What a run has recorded itself, its attempts as a list. */
export function ownRecord(simulation, { applications } = {}) {
  const listed = (own) => ({ ...own, attempts: own.attempts.rows() });
  const own = listed(simulation.record());
  return applications === undefined
    ? own
    : { ...own, applications: applications.map((_, i) => listed(simulation.record(i))) };
}

/** Cut in the middle, it has begun as the whole did. */
async function checkBeginning(scenario, directory, own) {
  const untilUs = Math.floor(own.endedUs / 2);
  if (untilUs === 0) return;
  const cut = await stepwise({ ...scenario, run: { ...scenario.run, untilUs } }, directory, 1_300_000);
  const launched = ({ job, stage, task, number, executor, node, level, launchUs }) =>
    [job, stage, task, number, executor ?? node, level, launchUs].join();
  const isBefore = ({ launchUs }) => launchUs <= untilUs;
  hold(
    isDeepStrictEqual(cut.attempts.filter(isBefore).map(launched), own.attempts.filter(isBefore).map(launched)),
    "fingerprint",
    `cut after ${untilUs} us it has begun otherwise`,
  );
}

const nameOf = ({ job, stage, task, number }) =>
  `attempt ${[job, stage, task, number].join("/")} (job/stage/task/number)`;

/** The same amount taken and given back: whenever that is more than there is, `tell` is asked for words. */
function neverMoreThan(most, uses, tell) {
  const changes = uses.flatMap(({ fromUs, untilUs, amount }) => [
    { atUs: fromUs, amount },
    { atUs: untilUs, amount: -amount },
  ]);
  // What goes at an instant makes room for what comes.
  changes.sort((a, b) => a.atUs - b.atUs || a.amount - b.amount);
  let held = 0;
  for (const { atUs, amount } of changes) {
    held += amount;
    hold(held <= most + 1e-9, "too much", () => `${tell} holds ${held} of ${String(most)} at ${String(atUs)} us`);
  }
}

function byKey(items, keyOf) {
  const found = new Map();
  for (const item of items) {
    const key = keyOf(item);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return found;
}

/** What holds of every attempt, whoever launched it. */
function checkAttempts(attempts, endedUs) {
  for (const attempt of attempts) {
    const { readyUs, launchUs, endUs, outcome } = attempt;
    hold(
      readyUs <= launchUs && launchUs <= endedUs,
      "times",
      () => `${nameOf(attempt)}: ready, launched and the end: ${[readyUs, launchUs, endedUs].join()}`,
    );
    if (endUs >= 0) {
      hold(launchUs <= endUs && endUs <= endedUs, "times", () => `${nameOf(attempt)} ended at ${String(endUs)} us`);
      hold(outcome !== "running", "times", () => `${nameOf(attempt)} has ended, and runs`);
    } else
      hold(
        outcome === "running" || outcome === "killed",
        "times",
        () => `${nameOf(attempt)} has no end, and is ${outcome}`,
      );
  }
}

function checkJobs(own, summary) {
  const open = own.jobs.filter(({ endedUs }) => endedUs < 0);
  hold(summary.stopped !== "all-jobs-ended" || open.length === 0, "endless", "all jobs have ended, and some have not");
  for (const { submittedUs, firstLaunchUs, endedUs } of own.jobs) {
    hold(endedUs < 0 || (submittedUs >= 0 && submittedUs <= endedUs), "times", "a job ended before it came");
    hold(firstLaunchUs < 0 || firstLaunchUs >= submittedUs, "times", "a job launched before it came");
  }
}

/** Tasks of jobs that ended well have succeeded once each; no others twice. */
function checkSuccesses(own, tasksOf, mayTwice) {
  const good = byKey(
    own.attempts.filter(({ outcome }) => outcome === "succeeded"),
    ({ job, stage }) => `${job}/${stage}`,
  );
  own.jobs.forEach(({ endedUs, failure = null }, job) => {
    tasksOf(job).forEach((tasks, stage) => {
      const succeeded = (good.get(`${job}/${stage}`) ?? []).map(({ task }) => task);
      hold(
        mayTwice(job, stage) || new Set(succeeded).size === succeeded.length,
        "twice",
        `a task of stage ${stage} of job ${job} succeeds twice`,
      );
      if (endedUs < 0 || failure !== null) return;
      hold(
        new Set(succeeded).size === tasks,
        "lost task",
        `job ${job} has ended, and of the ${tasks} tasks of its stage ${stage} ${succeeded.length} succeeded`,
      );
    });
  });
}

/** Each application by itself, and that all of them hold no more cores of a host than it has. */
function checkApplications(scenario, own, summary) {
  const { applications, ...shared } = scenario;
  applications.forEach(({ name, startUs, ...spec }, i) => {
    const run = { ...scenario.run, seed: `${scenario.run.seed}/${name}` };
    checkSpark({ ...shared, ...spec, startUs, run }, own.applications[i], summary);
  });
  checkHosts(scenario, own.applications, summary);
}

function checkHosts({ cluster: { hosts } }, all, summary) {
  const uses = all.flatMap(({ executors, endedUs, stopped }) =>
    executors
      .filter(({ cameUs }) => cameUs >= 0)
      .map(({ host, cores, cameUs, wentUs }) => {
        // An application that has ended has none.
        const goneUs = stopped === "until" || summary.stopped === "stuck" ? Infinity : endedUs;
        return { host, fromUs: cameUs, untilUs: wentUs < 0 ? goneUs : wentUs, amount: cores };
      }),
  );
  for (const [host, held] of byKey(uses, ({ host: of }) => of)) {
    neverMoreThan(hosts[host].cores ?? Infinity, held, `all executors on host ${host}`);
  }
}

function checkSpark(scenario, own, summary) {
  if (scenario.applications !== undefined) return checkApplications(scenario, own, summary);
  const { executors: listed, scheduler, run, workload, startUs = 0 } = scenario;
  const executors = own.executors.map(({ host, cores: of, cameUs, wentUs }) => {
    return { host, cores: of, fromUs: cameUs < 0 ? Infinity : cameUs, untilUs: wentUs < 0 ? Infinity : wentUs };
  });
  listed.forEach(({ host, cores: of, fromUs, untilUs }, executor) => {
    const { cameUs, wentUs, ...is } = own.executors[executor];
    const inTime = cameUs < 0 || (cameUs >= fromUs + startUs && wentUs <= untilUs + startUs);
    hold(inTime && is.host === host && is.cores === of, "nowhere", () => `executor ${executor} is not as it is listed`);
  });
  const endOf = ({ endUs }) => (endUs < 0 ? Infinity : endUs);
  checkAttempts(own.attempts, own.endedUs);
  checkJobs(own, summary);
  const cores = scheduler.coresPerTask;
  for (const [executor, ran] of byKey(own.attempts, ({ executor }) => executor)) {
    const { cores: most, fromUs, untilUs } = executors[executor];
    neverMoreThan(
      most,
      ran.map((one) => ({ fromUs: one.launchUs, untilUs: endOf(one), amount: cores })),
      `executor ${executor}`,
    );
    for (const one of ran) {
      // Of executors that go at one instant the driver learns of the first before the others.
      hold(
        one.launchUs >= fromUs && one.launchUs <= untilUs,
        "nowhere",
        () => `${nameOf(one)} is launched where no executor is`,
      );
      hold(
        one.node === executors[executor].host,
        "nowhere",
        () => `${nameOf(one)} runs on another host than its executor`,
      );
    }
  }
  // A copy beside a task, and no more; what was killed with its barrier stage may still be about.
  const needed = own.attempts.filter(({ outcome }) => outcome !== "killed");
  for (const [task, tries] of byKey(needed, ({ job, stage, task }) => `${job}/${stage}/${task}`)) {
    neverMoreThan(
      scheduler.speculation === null ? 1 : 2,
      tries.map((one) => ({ fromUs: one.launchUs, untilUs: endOf(one), amount: 1 })),
      `task ${task}`,
    );
  }
  const copies = own.attempts.filter(({ isSpeculative }) => isSpeculative);
  hold(scheduler.speculation !== null || copies.length === 0, "twice", "there are copies, and nobody asked for them");
  if (workload.kind === "jobs") checkSparkTasks(scenario, own);
  checkSparkWork(scenario, own, executors);
  if (workload.kind !== "jobs") return;
  // One executor that stays and has room for a task is enough, but for barrier stages: executors may go when the job is
  // there.
  const isShared = scenario.cluster.hosts.some(({ cores: room }) => room !== undefined);
  const hasBarrier = workload.jobs.some(({ stages }) => stages.some(({ isBarrier }) => isBarrier));
  const isLasting = !isShared && !hasBarrier && scenario.losses === undefined;
  const stays = isLasting && listed.some((one) => one.untilUs === Infinity && one.cores >= cores);
  const patient = run.stuckAfterUs === undefined || run.stuckAfterUs > 3_600_000_000;
  hold(
    !(stays && patient && summary.stopped === "stuck"),
    "stuck",
    "it is stuck, and an executor stays that could run each task",
  );
}

/** Each task of a listed job is done once, as near to its data as it says. */
function checkSparkTasks({ cluster, executors, run, scheduler, workload }, own) {
  const jobs = listedJobs(workload.jobs, { hosts: cluster.hosts.length, executors }, run.seed);
  const mayTwice = (job, stage) => jobs[job].stages[stage].isBarrier;
  checkSuccesses(own, (job) => jobs[job].stages.map(({ tasks }) => tasks.length), mayTwice);
  checkSparkLevels({ cluster, scheduler }, own, jobs);
}

/** Executors that have room do not wait beside tasks, where nobody waits for locality and all tasks are alike. */
function checkSparkWork({ scheduler, workload, runtime }, own, executors) {
  const { waitProcessUs, waitNodeUs, waitRackUs, exclusion, coresPerTask } = scheduler;
  const waits = waitProcessUs + waitNodeUs + waitRackUs > 0 || exclusion !== null || runtime.stageStartUs > 0;
  const hasBarrier =
    workload.kind !== "jobs" || workload.jobs.some(({ stages }) => stages.some(({ isBarrier }) => isBarrier));
  if (waits || hasBarrier) return;
  const waiting = own.attempts.filter(({ isSpeculative, launchUs, readyUs }) => !isSpeculative && launchUs > readyUs);
  executors.forEach(({ cores, fromUs, untilUs }, executor) => {
    if (cores < coresPerTask) return;
    const ran = own.attempts.filter((one) => one.executor === executor);
    const changes = [
      ...new Set([fromUs, ...ran.flatMap(({ launchUs, endUs }) => [launchUs, endUs < 0 ? Infinity : endUs])]),
    ].filter((us) => us < untilUs);
    changes.sort((a, b) => a - b);
    changes.forEach((us, place) => {
      const nextUs = Math.min(changes[place + 1] ?? Infinity, untilUs, own.endedUs);
      const running = ran.filter(({ launchUs, endUs }) => launchUs <= us && (endUs < 0 || endUs > us)).length;
      if ((running + 1) * coresPerTask > cores || nextUs <= us) return;
      const one = waiting.find(({ readyUs, launchUs }) => Math.max(readyUs, us) < Math.min(launchUs, nextUs));
      hold(
        one === undefined,
        "idle",
        () =>
          `executor ${executor} has room from ${us} to ${nextUs} us, and ${nameOf(one)} waits from ${one.readyUs} to ${one.launchUs} us`,
      );
    });
  });
}

/** An attempt ran as near to its data as it is said to have. */
function checkSparkLevels({ cluster, scheduler }, own, jobs) {
  const [PROCESS, NODE, NO_PREF, RACK] = [0, 1, 2, 3];
  const rackOf = (host) => cluster.hosts[host].rack;
  for (const one of own.attempts) {
    const { tasks, parents } = jobs[one.job].stages[one.stage];
    const { places } = tasks[one.task];
    // Such a task prefers hosts that its parents' output is on.
    if (scheduler.reduceLocality === true && parents.length > 0 && places.length === 0) continue;
    const isThere = {
      [PROCESS]: places.length === 0 || places.some(({ executor }) => executor === one.executor),
      [NODE]: places.some(({ host }) => host === one.node),
      [NO_PREF]: places.length === 0,
      [RACK]: rackOf(one.node) !== "" && places.some(({ host }) => rackOf(host) === rackOf(one.node)),
    }[one.level];
    hold(
      isThere ?? true,
      "locality",
      () =>
        `${nameOf(one)} runs on host ${one.node}, executor ${one.executor} at level ${one.level}, and its data is at ${JSON.stringify(places)}`,
    );
  }
}

function checkYarn(scenario, own, summary) {
  const { cluster, scheduler, workload, run } = scenario;
  checkAttempts(own.attempts, own.endedUs);
  checkJobs(own, summary);
  const applications = listedApplications(workload.jobs, cluster.nodes.length, run.seed);
  checkSuccesses(
    own,
    (job) => applications[job].stages.map(({ tasks }) => tasks.length),
    () => false,
  );
  const sizes = ({ job, stage }) => (stage < 0 ? applications[job].master : applications[job].stages[stage].size);
  const use = (resource) => (one) => ({
    fromUs: one.givenUs,
    untilUs: one.endUs < 0 ? Infinity : one.endUs,
    amount: sizes(one)[resource],
  });
  const countsVcores = scheduler.kind === "yarn-fair" || scheduler.settings.countsVcores;
  const resources = countsVcores ? ["memory", "vcores"] : ["memory"];
  for (const [node, ran] of byKey(own.attempts, (one) => one.node)) {
    for (const resource of resources)
      neverMoreThan(cluster.nodes[node][resource], ran.map(use(resource)), `${resource} of node ${node}`);
  }
  for (const [task, tries] of byKey(own.attempts, ({ job, stage, task }) => `${job}/${stage}/${task}`)) {
    neverMoreThan(
      1,
      tries.map((one) => ({ ...use("memory")(one), amount: 1 })),
      `task ${task}`,
    );
  }
  checkQueues(scenario, own, applications, use);
  checkYarnLevels(scenario, own, applications);
  checkYarnWork(scenario, own, applications, sizes);
  const patient = run.stuckAfterUs === undefined || run.stuckAfterUs > 3_600_000_000;
  const mayWait = !patient || hasLimits(scheduler, cluster, applications) || !hasRoomForAll(cluster, applications);
  hold(
    mayWait || summary.stopped !== "stuck",
    "stuck",
    "it is stuck, and however masters lie some node has room for any container",
  );
}

/**
 * Whether limits of queues, users or masters may keep applications waiting for ever: told of a single queue alone,
 * which has all.
 */
function hasLimits({ kind, settings, queues }, { nodes }, applications) {
  const [, { spec }, ...others] = queues;
  if (others.length > 0) return true;
  if (kind === "yarn-capacity") {
    return (spec.maximumCapacity ?? 1) < 1 || (spec.userLimitFactor !== -1 && (spec.userLimitFactor ?? 1) < 1);
  }
  if (spec.maxResources !== undefined || spec.maxRunningApps !== undefined) return true;
  const { maxAmShare = settings.maxAmShare } = spec;
  return ["memory", "vcores"].some((resource) => {
    const most = maxAmShare * nodes.reduce((sum, node) => sum + node[resource], 0);
    return maxAmShare >= 0 && applications.some(({ master }) => master[resource] > most);
  });
}

/** However masters lie, some node has room for the largest container. */
function hasRoomForAll({ nodes }, applications) {
  const blocked = ["memory", "vcores"].map((resource) => {
    const masters = applications.reduce((sum, { master }) => sum + master[resource], 0);
    const largest = Math.max(1, ...applications.flatMap(({ stages }) => stages.map(({ size }) => size[resource])));
    const toBlock = Math.min(...nodes.map((node) => node[resource])) - largest + 1;
    return toBlock <= 0 ? nodes.length : Math.floor(masters / toBlock);
  });
  return blocked[0] + blocked[1] < nodes.length;
}

function checkYarnLevels({ cluster }, own, applications) {
  const [NODE, RACK] = [0, 1];
  for (const one of own.attempts) {
    if (one.stage < 0) continue;
    const { nodes } = applications[one.job].stages[one.stage].tasks[one.task];
    if (nodes.length === 0) continue;
    const rackOf = (node) => cluster.nodes[node].rack;
    const isThere = {
      [NODE]: nodes.includes(one.node),
      [RACK]: nodes.some((node) => rackOf(node) === rackOf(one.node)),
    }[one.level];
    hold(
      isThere ?? true,
      "locality",
      () => `${nameOf(one)} runs on node ${one.node} at level ${one.level}, and its data is on nodes ${nodes.join()}`,
    );
  }
}

/** The Fair Scheduler learns of demand at its updates. */
const UPDATE_US = 500_000;

/**
 * A node that has room for the largest of all containers over several of its reports gives none only where nobody waits
 * for one, or queues and locality have a say.
 */
function checkYarnWork({ cluster, scheduler, runtime }, own, applications, sizes) {
  const { settings, queues } = scheduler;
  const isLimited =
    scheduler.kind === "yarn-fair"
      ? queues.some(({ spec }) => spec.maxResources !== undefined || spec.maxRunningApps !== undefined) ||
        settings.localityThresholdNode >= 0 ||
        settings.localityThresholdRack >= 0 ||
        settings.isContinuous
      : true;
  if (isLimited) return;
  const largest = { memory: 0, vcores: 0 };
  for (const { master, stages } of applications) {
    for (const { memory, vcores } of [master, ...stages.map(({ size }) => size)]) {
      largest.memory = Math.max(largest.memory, memory);
      largest.vcores = Math.max(largest.vcores, vcores);
    }
  }
  const waiting = own.attempts.filter(({ stage, readyUs, givenUs }) => stage >= 0 && givenUs > readyUs);
  cluster.nodes.forEach(({ memory, vcores, heartbeatUs }, node) => {
    const ran = own.attempts.filter((one) => one.node === node);
    const changes = [...new Set([0, ...ran.flatMap(({ givenUs, endUs }) => [givenUs, endUs < 0 ? Infinity : endUs])])]
      .filter((us) => us < Infinity)
      .sort((a, b) => a - b);
    changes.forEach((us, place) => {
      // The master hears of an end with its own report or that of the node, and containers are freed then.
      const sinceUs = us + 2 * heartbeatUs + 2 * runtime.masterHeartbeatUs;
      const nextUs = Math.min(changes[place + 1] ?? Infinity, own.endedUs);
      if (sinceUs + heartbeatUs >= nextUs) return;
      const held = ran.filter(({ givenUs, endUs }) => givenUs <= us && (endUs < 0 || endUs > us)).map(sizes);
      const free = (resource, all) => all - held.reduce((sum, size) => sum + size[resource], 0);
      if (free("memory", memory) < largest.memory || free("vcores", vcores) < largest.vcores) return;
      const one = waiting.find(
        ({ readyUs, givenUs }) => Math.max(readyUs + UPDATE_US, sinceUs) + heartbeatUs < Math.min(givenUs, nextUs),
      );
      hold(
        one === undefined,
        "idle",
        () =>
          `node ${node} has room from ${us} to ${nextUs} us, and ${nameOf(one)} waits from ${one.readyUs} to ${one.givenUs} us`,
      );
    });
  });
}

/** No queue is ever above its limits. */
function checkQueues({ cluster, scheduler }, own, applications, use) {
  const total = (resource) => cluster.nodes.reduce((sum, node) => sum + node[resource], 0);
  const maximumOf = new Map([["root", 1]]);
  for (const { name, spec } of scheduler.queues) {
    const isBelow = (queue) => queue === name || queue.startsWith(`${name}.`);
    const ran = own.attempts.filter(({ job }) => isBelow(applications[job].queue));
    if (scheduler.kind === "yarn-fair") {
      for (const resource of ["memory", "vcores"]) {
        // A maximum is at least the minimum.
        const of = (limit) => (limit.isOfCluster ? Math.floor(limit[resource] * total(resource)) : limit[resource]);
        const { maxResources, minResources } = spec;
        const least = minResources === undefined ? 0 : of(minResources);
        const most = maxResources === undefined ? Infinity : Math.max(of(maxResources), least);
        neverMoreThan(most, ran.map(use(resource)), `${resource} of queue ${name}`);
      }
      const masters = ran.filter(({ stage }) => stage < 0).map((one) => ({ ...use("memory")(one), amount: 1 }));
      neverMoreThan(spec.maxRunningApps ?? Infinity, masters, `masters of queue ${name}`);
    } else {
      const parent = name.slice(0, Math.max(0, name.lastIndexOf(".")));
      const part = (maximumOf.get(parent) ?? 1) * (spec.maximumCapacity ?? 1);
      maximumOf.set(name, part);
      const resources = scheduler.settings.countsVcores ? ["memory", "vcores"] : ["memory"];
      for (const resource of resources) {
        neverMoreThan(part * total(resource), ran.map(use(resource)), `${resource} of queue ${name}`);
      }
    }
  }
}

/** What the tables of a run come to is what its summary says. */
function checkRecord({ summary, record }, scenario) {
  const { words, jobs, tasks, samples } = record;
  const sum = (column) => column.reduce((total, value) => total + value, 0);
  const done = words.taskTypes.map(() => new Set());
  for (let row = 0; row < tasks.rows; row++) {
    hold(tasks.finishAtUs[row] >= tasks.launchAtUs[row], "sums", `row ${row} of the tasks ends before it is launched`);
    hold(
      row === 0 || tasks.finishAtUs[row] >= tasks.finishAtUs[row - 1],
      "sums",
      `row ${row} of the tasks is out of order`,
    );
    if (tasks.outcome[row] === 0 && tasks.type[row] < done.length)
      done[tasks.type[row]].add(`${tasks.job[row]}/${tasks.index[row]}`);
  }
  words.taskTypes.forEach(({ key }, type) => {
    const { submitted, ended } = summary.tasks[key];
    hold(ended === done[type].size, "sums", `${ended} ${key} tasks have ended, and the table has ${done[type].size}`);
    hold(
      submitted === sum(jobs.tasks[type]),
      "sums",
      `${submitted} ${key} tasks were submitted, and jobs have ${sum(jobs.tasks[type])}`,
    );
  });
  hold(
    summary.jobs.submitted === jobs.rows,
    "sums",
    `${summary.jobs.submitted} jobs were submitted, and the table has ${jobs.rows}`,
  );
  hold(summary.jobs.ended === jobs.endAtUs.filter((us) => us >= 0).length, "sums", "jobs that ended");
  for (let job = 0; job < jobs.rows; job++) {
    const atLevels = sum(jobs.launchedAt.map((column) => column[job]));
    hold(
      atLevels <= jobs.launched[job],
      "sums",
      `job ${job} launched ${jobs.launched[job]}, and ${atLevels} at some level`,
    );
  }
  words.resources.forEach(({ key }, resource) => {
    const heldOf = sum(jobs.heldUs[resource]) / 1e6;
    const ofGroups = summary.groups.reduce((total, { resourceSeconds }) => total + resourceSeconds[key], 0);
    hold(
      Math.abs(heldOf - ofGroups) <= 1e-6 * Math.max(1, heldOf),
      "sums",
      `${key}: jobs held ${heldOf} s, groups ${ofGroups} s`,
    );
    const { busy } = summary.utilisation[key];
    // The default calculator of YARN's Capacity Scheduler gives out vcores that no node has.
    const isCounted =
      scenario.scheduler.kind !== "yarn-capacity" || scenario.scheduler.settings.countsVcores || key !== "vcores";
    hold(busy >= 0 && (!isCounted || busy <= 1 + 1e-9), "sums", `${key} is ${busy} busy`);
  });
  for (let row = 0; row < samples.rows; row++) {
    hold(samples.activeJobs[row] >= 0, "sums", "a sample has less than no job");
    for (const column of [...samples.running, ...samples.pending])
      hold(column[row] >= 0, "sums", `a sample at ${samples.atUs[row]} us is below zero`);
  }
}
