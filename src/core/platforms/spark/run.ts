import { maxOver, counted, printable, US_PER_SECOND } from "../../kernel/index.js";
import {
  Attempts,
  finishedRun,
  type FinishedSimulation,
  type FinishOptions,
  type JobToRun,
  type LoggedGroup,
  type LoggedJob,
  OUTCOME,
  patienceFor,
  type Simulation,
  type StageWaits,
} from "../../record/index.js";
import type { SparkApplication, SparkJob, SparkRecord, SparkStop } from "./application.js";
import type { JobFailure } from "./task-set.js";
import { DEFAULT_POOL_NAME } from "./pools.js";
import { largestFactor } from "./away.js";
import type { SparkScenario } from "./scenario.js";
import { SparkSimulation } from "./simulation.js";
import { SPARK_WORDS } from "./words.js";

/** An application of a run. */
interface RunApplication {
  /** Empty: it is alone. */
  readonly name: string;
  readonly application: SparkApplication;
}

/** The record of one application, and the number of its first job among those of all. */
interface Part extends RunApplication {
  readonly record: SparkRecord;
  readonly firstJob: number;
}

/** The applications of a scenario, run to their ends. */
export class SparkRun extends SparkSimulation implements Simulation {
  private waits: StageWaits[] | null = null;
  readonly patienceUs: number;

  constructor(
    private readonly scenario: SparkScenario,
    private readonly applications: readonly RunApplication[],
  ) {
    const apps = applications.map(({ application }) => application);
    const cores = scenario.cluster.hosts.map((host) => host.cores ?? Infinity);
    super(apps, scenario.run.seed, cores.some((hostCores) => hostCores < Infinity) ? cores : undefined);
    this.patienceUs = apps.reduce((longest, app) => Math.max(longest, patienceUs(app)), 0);
  }

  logDecisions(): void {
    this.waits = this.logWaits();
  }

  workload(): JobToRun[] {
    return this.applications.flatMap(({ name, application: { jobs } }) =>
      jobs.map((job) => ({
        job: idOf(name, job),
        stages: job.stages.map((stage) => ({ stage: stage.name, tasks: stage.tasks.length })),
      })),
    );
  }

  finish(options: FinishOptions): FinishedSimulation {
    const parts = this.parts();
    const { hosts } = this.scenario.cluster;
    const racks = new Set(hosts.map(({ rack }) => rack).filter((rack) => rack !== "")).size;
    const capacity = coresOverTime(parts);
    const groups = groupsOf(parts);
    const groupOf = new Map(groups.map(({ name }, place) => [name, place]));
    const log = {
      words: SPARK_WORDS,
      stoppedUs: maxOver(parts, ({ record }) => record.endedUs, 0),
      jobs: parts.flatMap((part) => this.loggedJobs(part, groupOf)),
      stages: parts.flatMap(({ record, firstJob }) =>
        record.stages.map((row) => ({ ...row, job: firstJob + row.job })),
      ),
      attempts: attemptsOf(parts),
      groups,
      capacity: [capacity],
      waits: this.waits,
    };
    return finishedRun(log, options, {
      stopped: stoppedOf(parts.map(({ record }) => record.stopped)),
      fingerprint: parts[0].record.fingerprint,
      cluster: {
        ...(racks > 0 ? { racks } : {}),
        nodes: hosts.length,
        // Executors come and go: the most that were there at one time.
        resources: { cores: capacity.reduce((largest, { amount }) => Math.max(largest, amount), 0) },
      },
      notes: parts.flatMap(({ name, record, application }) =>
        [...failureNotes(record, application), ...effectNotes(record, application)].map((note) =>
          name === "" ? note : `application ${printable(name)}: ${note}`,
        ),
      ),
      sections: sectionsOf(parts),
    });
  }

  private parts(): Part[] {
    let firstJob = 0;
    return this.applications.map((application, number) => {
      const part = { ...application, record: this.record(number), firstJob };
      firstJob += application.application.jobs.length;
      return part;
    });
  }

  private loggedJobs(part: Part, groupOf: ReadonlyMap<string, number>): LoggedJob[] {
    const { name: appName, record, application } = part;
    return application.jobs.map((job, number) => ({
      id: idOf(appName, job),
      name: job.name,
      user: appName === "" ? this.scenario.name : appName,
      group: groupOf.get(groupName(part, job.pool)) ?? 0,
      submittedUs: record.jobs[number].submittedUs,
      endedUs: record.jobs[number].endedUs,
      stoppedUs: record.endedUs,
      hasFailed: record.jobs[number].failure !== null,
      stages: job.stages.map(({ name, tasks }, stage) => {
        return { name, type: 0, tasks: tasks.length, held: [coresOf(application, number, stage)] };
      }),
    }));
  }
}

/** Returns the end of what an application holds, where others go on; -1: the end of the run. */
function endOf(parts: readonly Part[], part: number): number {
  const { stopped, endedUs } = parts[part].record;
  return parts.length === 1 || stopped === "until" ? -1 : endedUs;
}

/** Returns the group of a pool; of several applications each is a group, or each of its pools if it has pools. */
function groupName({ name, application }: RunApplication, pool = DEFAULT_POOL_NAME): string {
  if (name === "") return pool;
  return application.pools.length === 0 ? name : `${name}/${pool}`;
}

/** Pools that are declared, and those that jobs name besides. */
function groupsOf(parts: readonly Part[]): LoggedGroup[] {
  return parts.flatMap((part) => {
    const { pools, jobs } = part.application;
    // Of pools that share a name, the one declared last gets the jobs.
    const ofName = new Map(pools.map((pool) => [pool.name, pool]));
    const declared = [...ofName.values()].map(({ name, weight, minShare }) => {
      return { name: groupName(part, name), weight, minShare };
    });
    const names = new Set(jobs.map(({ pool }) => groupName(part, pool)));
    for (const { name } of declared) names.delete(name);
    return [...declared, ...[...names].map((name) => ({ name, weight: 1, minShare: 0 }))];
  });
}

/** Attempts of all applications in the order of their launches. */
function attemptsOf(parts: readonly Part[]): Attempts {
  const merged = new Attempts();
  const next = parts.map(() => 0);
  const launchUs = (part: number) =>
    next[part] < parts[part].record.attempts.length ? parts[part].record.attempts.launchUs[next[part]] : Infinity;
  for (;;) {
    let first = 0;
    for (let part = 1; part < parts.length; part++) if (launchUs(part) < launchUs(first)) first = part;
    if (launchUs(first) === Infinity) return merged;
    const { record, firstJob } = parts[first];
    const { job, stage, task, number, node, level, outcome, readyUs, endUs } = record.attempts;
    const atUs = launchUs(first);
    const index = next[first]++;
    const row = merged.add(
      firstJob + job[index],
      stage[index],
      task[index],
      number[index],
      node[index],
      level[index],
      readyUs[index],
      atUs,
    );
    merged.outcome[row] = outcome[index];
    merged.endUs[row] = endUs[index] < 0 ? endOf(parts, first) : endUs[index];
  }
}

/** Until virtual time was up, if that stopped one; else all have ended, or some could not. */
function stoppedOf(stops: readonly SparkStop[]): FinishedSimulation["facts"]["stopped"] {
  if (stops.includes("until")) return "until";
  return stops.includes("no-executors-left") ? "no-nodes-left" : "all-jobs-ended";
}

/** By the longest time that a task, a wait or the gap before an executor or a job takes. */
function patienceUs({ jobs, executors, allocation, losses, settings, timing }: SparkApplication): number {
  let mostUs = Math.max(timing.stageStartUs, settings.waitProcessUs + settings.waitNodeUs + settings.waitRackUs);
  for (const { stages, after, endUs = 0 } of jobs) {
    mostUs = Math.max(mostUs, after?.delayUs ?? 0, endUs);
    for (const { tasks, beforeUs = 0, driverUs = 0, driverMostUs = 0 } of stages) {
      mostUs = Math.max(mostUs, beforeUs, driverUs, driverMostUs);
      for (const { runUs, delayUs = 0, resultUs = 0, failures = [] } of tasks) {
        mostUs = Math.max(mostUs, runUs + delayUs + resultUs);
        for (const { heldUs } of failures) mostUs = Math.max(mostUs, heldUs);
      }
    }
  }
  for (const { fromUs } of executors) mostUs = Math.max(mostUs, fromUs);
  if (losses !== undefined && losses.backUs < Infinity) mostUs = Math.max(mostUs, losses.backUs);
  if (allocation !== undefined) {
    const { backlogUs, sustainedUs, startUs } = allocation;
    mostUs = Math.max(mostUs, backlogUs, sustainedUs, startUs);
  }
  return patienceFor(mostUs * largestFactor(timing.away));
}

/** The number of jobs that a sentence names. */
const MOST_NAMES = 3;

/** A sentence for each reason for which jobs failed. */
function failureNotes({ jobs }: SparkRecord, { jobs: submitted, settings }: SparkApplication): string[] {
  const reasons: Readonly<Record<JobFailure, string>> = {
    task: `one of its tasks failed ${counted(settings.maxFailures, "time")}, which is scheduler.maxFailures`,
    excluded: "failures excluded every executor that could have run one of its tasks",
    barrierStart: "executors had room for some of the tasks of a barrier stage, and all must start at once",
    barrierAttempts: "a barrier stage lost a task in each of 4 attempts",
    barrierDynamic: "it has a barrier stage, and Spark runs none under dynamic allocation",
    barrierRoom: "it has a barrier stage of more tasks than the executors had room for, at 41 looks",
  };
  return Object.entries(reasons).flatMap(([failure, reason]) => {
    const failed = submitted.filter((_, job) => jobs[job].failure === failure).map(({ name }) => printable(name));
    if (failed.length === 0) return [];
    const names = failed.slice(0, MOST_NAMES).join(", ");
    const more = failed.length > MOST_NAMES ? ` and ${failed.length - MOST_NAMES} more` : "";
    return [`${counted(failed.length, "job")} failed (${names}${more}): ${reason}`];
  });
}

/** Notes on events that the scenario did not ask for, and on settings without effect. */
function effectNotes({ attempts }: SparkRecord, application: SparkApplication): string[] {
  const { losses, settings, pools, jobs, areOthers } = application;
  const lost = attempts.outcome.subarray(0, attempts.length).filter((outcome) => outcome === OUTCOME.lost).length;
  const used = [...new Set(jobs.map(({ pool }) => pool ?? DEFAULT_POOL_NAME))];
  const isFifo = pools.find(({ name }) => name === used[0])?.mode !== "FAIR";
  return [
    ...(lost > 0 && losses === undefined
      ? [
          `${counted(lost, "attempt")} ${lost === 1 ? "was" : "were"} lost with executors that went by their schedule; the tasks ran again. Spark lets only idle executors go: executors.dynamic does so`,
        ]
      : []),
    ...(areOthers === true && hasFailures(jobs)
      ? [
          "attempts fail as often, and after as long, as the table says: whether they would with other executors, of other cores or memory, cannot be predicted",
        ]
      : []),
    ...(settings.mode === "FAIR" && used.length === 1 && isFifo
      ? [
          `scheduler.mode FAIR decides as FIFO does: all jobs are in the pool ${printable(used[0])}, whose own mode is FIFO`,
        ]
      : []),
  ];
}

function hasFailures(jobs: readonly SparkJob[]): boolean {
  return jobs.some(({ stages }) => stages.some(({ tasks }) => tasks.some(({ failures }) => failures !== undefined)));
}

/** Cores that a task of a stage takes. */
function coresOf({ jobs, settings }: SparkApplication, job: number, stage: number): number {
  return jobs[job].stages[stage].taskCores ?? settings.coresPerTask;
}

function idOf(application: string, { id, name }: SparkJob): string {
  return application === "" ? (id ?? name) : `${application}/${id ?? name}`;
}

/**
 * Cores of all executors that are there, whenever that changes. Those of several applications are there no longer than
 * their application.
 */
function coresOverTime(parts: readonly Part[]): { readonly fromUs: number; readonly amount: number }[] {
  const changes = parts
    .flatMap(({ record: { executors } }, part) => {
      const endUs = endOf(parts, part);
      return executors.flatMap(({ cores, cameUs, wentUs }) => [
        { atUs: cameUs, by: cores },
        { atUs: cameUs < 0 ? -1 : wentUs < 0 ? endUs : wentUs, by: -cores },
      ]);
    })
    .filter(({ atUs }) => atUs >= 0)
    .sort((a, b) => a.atUs - b.atUs);
  const steps: { fromUs: number; amount: number }[] = [];
  let amount = 0;
  for (const { atUs, by } of changes) {
    amount += by;
    if (steps.at(-1)?.fromUs === atUs) steps.pop();
    steps.push({ fromUs: atUs, amount });
  }
  return steps;
}

function sectionsOf(parts: readonly Part[]): NonNullable<FinishedSimulation["facts"]["sections"]> {
  const count = new Float64Array(1 + OUTCOME.running);
  const heldUs = new Float64Array(1 + OUTCOME.running);
  let [copies, won] = [0, 0];
  for (const { record, application } of parts) {
    const { outcome, isSpeculative, launchUs, endUs, length, job, stage } = record.attempts;
    for (let attempt = 0; attempt < length; attempt++) {
      count[outcome[attempt]]++;
      const cores = coresOf(application, job[attempt], stage[attempt]);
      heldUs[outcome[attempt]] += ((endUs[attempt] < 0 ? record.endedUs : endUs[attempt]) - launchUs[attempt]) * cores;
      if (isSpeculative[attempt] === 0) continue;
      copies++;
      if (outcome[attempt] === OUTCOME.succeeded) won++;
    }
  }
  const seconds = (outcomeCode: number) => heldUs[outcomeCode] / US_PER_SECOND;
  const jobs = parts.flatMap(({ record }) => record.jobs.filter(({ submittedUs }) => submittedUs >= 0));
  const haveEnded = jobs.length > 0 && jobs.every(({ endedUs }) => endedUs >= 0);
  const firstUs = jobs.reduce((first, { submittedUs }) => Math.min(first, submittedUs), Infinity);
  const lastUs = jobs.reduce((last, { endedUs }) => Math.max(last, endedUs), 0);
  return {
    makespan: { seconds: haveEnded ? (lastUs - firstUs) / US_PER_SECOND : null },
    failures: { attempts: count[OUTCOME.failed], sourcesLost: 0, kills: 0, lostSeconds: seconds(OUTCOME.failed) },
    faults: { nodesGivenUp: 0, attemptsLost: count[OUTCOME.lost], outputsLost: 0 },
    speculation: { launched: copies, won, wastedSeconds: seconds(OUTCOME.killed) },
  };
}
