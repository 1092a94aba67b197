import { counted, printable, US_PER_SECOND } from "../../kernel/index.js";
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
export interface RunApplication {
  /** Empty: it is alone. */
  readonly name: string;
  readonly application: SparkApplication;
}

/** What one application has left, and where its jobs begin among those of all. */
interface Part extends RunApplication {
  readonly own: SparkRecord;
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
    const all = applications.map(({ application }) => application);
    const cores = scenario.cluster.hosts.map((host) => host.cores ?? Infinity);
    super(all, scenario.run.seed, cores.some((own) => own < Infinity) ? cores : undefined);
    this.patienceUs = all.reduce((longest, one) => Math.max(longest, patienceUs(one)), 0);
  }

  logDecisions(): void {
    this.waits = this.logWaits();
  }

  workload(): JobToRun[] {
    return this.applications.flatMap(({ name, application: { jobs } }) =>
      jobs.map((job) => ({
        job: idOf(name, job),
        stages: job.stages.map((one) => ({ stage: one.name, tasks: one.tasks.length })),
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
      stoppedUs: parts.reduce((last, { own }) => Math.max(last, own.endedUs), 0),
      jobs: parts.flatMap((part) => this.loggedJobs(part, groupOf)),
      stages: parts.flatMap(({ own, firstJob }) => own.stages.map((row) => ({ ...row, job: firstJob + row.job }))),
      attempts: attemptsOf(parts),
      groups,
      capacity: [capacity],
      waits: this.waits,
    };
    return finishedRun(log, options, {
      stopped: stoppedOf(parts.map(({ own }) => own.stopped)),
      fingerprint: parts[0].own.fingerprint,
      cluster: {
        ...(racks > 0 ? { racks } : {}),
        nodes: hosts.length,
        // Executors come and go: the most that were there at one time.
        resources: { cores: capacity.reduce((most, { amount }) => Math.max(most, amount), 0) },
      },
      notes: parts.flatMap(({ name, own, application }) =>
        [...failureNotes(own, application), ...effectNotes(own, application)].map((note) =>
          name === "" ? note : `application ${printable(name)}: ${note}`,
        ),
      ),
      sections: sectionsOf(parts),
    });
  }

  private parts(): Part[] {
    let firstJob = 0;
    return this.applications.map((one, number) => {
      const part = { ...one, own: this.record(number), firstJob };
      firstJob += one.application.jobs.length;
      return part;
    });
  }

  private loggedJobs(part: Part, groupOf: ReadonlyMap<string, number>): LoggedJob[] {
    const { name: of, own, application } = part;
    return application.jobs.map((job, number) => ({
      id: idOf(of, job),
      name: job.name,
      user: of === "" ? this.scenario.name : of,
      group: groupOf.get(groupName(part, job.pool)) ?? 0,
      submittedUs: own.jobs[number].submittedUs,
      endedUs: own.jobs[number].endedUs,
      stoppedUs: own.endedUs,
      hasFailed: own.jobs[number].failure !== null,
      stages: job.stages.map(({ name, tasks }, stage) => {
        return { name, type: 0, tasks: tasks.length, held: [coresOf(application, number, stage)] };
      }),
    }));
  }
}

/** Until when what an application holds at its end is held, where others go on; -1: to the end of the run. */
function endOf(parts: readonly Part[], of: number): number {
  const { stopped, endedUs } = parts[of].own;
  return parts.length === 1 || stopped === "until" ? -1 : endedUs;
}

/** Of several applications a group is one of them, or one of its pools if it has pools. */
function groupName({ name, application }: RunApplication, pool = DEFAULT_POOL_NAME): string {
  if (name === "") return pool;
  return application.pools.length === 0 ? name : `${name}/${pool}`;
}

/** Pools that are declared, and those that jobs name besides. */
function groupsOf(parts: readonly Part[]): LoggedGroup[] {
  return parts.flatMap((part) => {
    const { pools, jobs } = part.application;
    // Of pools that share a name, jobs go to the one that is declared last.
    const ofName = new Map(pools.map((pool) => [pool.name, pool]));
    const declared = [...ofName.values()].map(({ name, weight, minShare }) => {
      return { name: groupName(part, name), weight, minShare };
    });
    const others = new Set(jobs.map(({ pool }) => groupName(part, pool)));
    for (const { name } of declared) others.delete(name);
    return [...declared, ...[...others].map((name) => ({ name, weight: 1, minShare: 0 }))];
  });
}

/** Attempts of all applications in the order of their launches. */
function attemptsOf(parts: readonly Part[]): Attempts {
  const all = new Attempts();
  const next = parts.map(() => 0);
  const launchUs = (of: number): number =>
    next[of] < parts[of].own.attempts.length ? parts[of].own.attempts.launchUs[next[of]] : Infinity;
  for (;;) {
    let first = 0;
    for (let of = 1; of < parts.length; of++) if (launchUs(of) < launchUs(first)) first = of;
    if (launchUs(first) === Infinity) return all;
    const { own, firstJob } = parts[first];
    const { job, stage, task, number, node, level, outcome, readyUs, endUs } = own.attempts;
    const atUs = launchUs(first);
    const at = next[first]++;
    const row = all.add(firstJob + job[at], stage[at], task[at], number[at], node[at], level[at], readyUs[at], atUs);
    all.outcome[row] = outcome[at];
    all.endUs[row] = endUs[at] < 0 ? endOf(parts, first) : endUs[at];
  }
}

/** Until virtual time was up, if that stopped one; else all have ended, or some could not. */
function stoppedOf(all: readonly SparkStop[]): FinishedSimulation["facts"]["stopped"] {
  if (all.includes("until")) return "until";
  return all.includes("no-executors-left") ? "no-nodes-left" : "all-jobs-ended";
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

/** Of jobs that a sentence names. */
const MOST_NAMES = 3;

/** A sentence for each reason for which jobs failed. */
function failureNotes({ jobs }: SparkRecord, { jobs: given, settings }: SparkApplication): string[] {
  const reasons: Readonly<Record<JobFailure, string>> = {
    task: `one of its tasks failed ${counted(settings.maxFailures, "time")}, which is scheduler.maxFailures`,
    excluded: "failures excluded every executor that could have run one of its tasks",
    barrierStart: "executors had room for some of the tasks of a barrier stage, and all must start at once",
    barrierAttempts: "a barrier stage lost a task in each of 4 attempts",
    barrierDynamic: "it has a barrier stage, and Spark runs none under dynamic allocation",
    barrierRoom: "it has a barrier stage of more tasks than the executors had room for, at 41 looks",
  };
  return Object.entries(reasons).flatMap(([failure, reason]) => {
    const failed = given.filter((_, job) => jobs[job].failure === failure).map(({ name }) => printable(name));
    if (failed.length === 0) return [];
    const names = failed.slice(0, MOST_NAMES).join(", ");
    const more = failed.length > MOST_NAMES ? ` and ${String(failed.length - MOST_NAMES)} more` : "";
    return [`${counted(failed.length, "job")} failed (${names}${more}): ${reason}`];
  });
}

/** What happened without being asked for, and what was asked for without effect. */
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
    .flatMap(({ own: { executors } }, of) => {
      const endUs = endOf(parts, of);
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
  for (const { own, application } of parts) {
    const { outcome, isSpeculative, launchUs, endUs, length, job, stage } = own.attempts;
    for (let at = 0; at < length; at++) {
      count[outcome[at]]++;
      const cores = coresOf(application, job[at], stage[at]);
      heldUs[outcome[at]] += ((endUs[at] < 0 ? own.endedUs : endUs[at]) - launchUs[at]) * cores;
      if (isSpeculative[at] === 0) continue;
      copies++;
      if (outcome[at] === OUTCOME.succeeded) won++;
    }
  }
  const seconds = (of: number): number => heldUs[of] / US_PER_SECOND;
  const jobs = parts.flatMap(({ own }) => own.jobs.filter(({ submittedUs }) => submittedUs >= 0));
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
