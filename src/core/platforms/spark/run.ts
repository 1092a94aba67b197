import { counted, printable, US_PER_SECOND } from "../../kernel/index.js";
import {
  attemptColumns,
  type AttemptLog,
  type FinishedSimulation,
  type FinishOptions,
  type JobToRun,
  LaunchedTasks,
  neverLaunched,
  patienceFor,
  recordOfAttempts,
  type Simulation,
  type SimulationProgress,
  type StageTimes,
  type StageWaits,
  submissionOrder,
} from "../../record/index.js";
import type { SparkApplication, SparkJob, SparkRecord } from "./application.js";
import type { JobFailure } from "./task-set.js";
import { DEFAULT_POOL_NAME } from "./pools.js";
import { ATTEMPT_OUTCOMES, OUTCOME } from "./attempts.js";
import type { SparkScenario } from "./scenario.js";
import { SparkSimulation } from "./simulation.js";
import { SPARK_WORDS } from "./words.js";

/** One application of a scenario, run to its end. */
export class SparkRun implements Simulation {
  private readonly simulation: SparkSimulation;
  private readonly lastSubmitUs: number;
  private waits: StageWaits | null = null;
  readonly patienceUs: number;

  constructor(
    private readonly scenario: SparkScenario,
    private readonly application: SparkApplication,
  ) {
    this.simulation = new SparkSimulation(application, scenario.run.seed);
    this.lastSubmitUs = application.jobs.reduce((latest, { submitAtUs }) => Math.max(latest, submitAtUs), 0);
    this.patienceUs = patienceUs(application);
  }

  nextUs(): number {
    return this.simulation.nextUs();
  }

  advance(untilUs: number): void {
    this.simulation.advance(untilUs);
  }

  progress(): SimulationProgress {
    const { jobsEnded, jobs, tasksEnded, lastEndUs } = this.simulation.progress();
    return { jobsEnded, jobsTotal: jobs, lastSubmitUs: this.lastSubmitUs, tasksEnded, lastEndUs };
  }

  logDecisions(): void {
    this.waits = this.simulation.logWaits();
  }

  workload(): JobToRun[] {
    return this.application.jobs.map((job) => ({
      job: idOf(job),
      stages: job.stages.map(({ name, tasks }) => ({ stage: name, tasks: tasks.length })),
    }));
  }

  /** What Spark itself would log: by job, stage and attempt. */
  own(): SparkRecord {
    return this.simulation.record();
  }

  finish({ sampleUs, recordTasks, recordStages = false }: FinishOptions): FinishedSimulation {
    const own = this.own();
    const { record, facts } = recordOfAttempts(this.logOf(own, sampleUs, recordTasks));
    const { cluster, executors, allocation } = this.scenario;
    const racks = new Set(cluster.hosts.map(({ rack }) => rack).filter((rack) => rack !== "")).size;
    const { rowOf } = submissionOrder(own.jobs);
    const nameOf = (job: number, stage: number): string => this.application.jobs[job].stages[stage].name;
    const decisions = this.waits?.columns(own.endedUs, rowOf, nameOf);
    return {
      record: decisions === undefined ? record : { ...record, decisions },
      ...(recordStages ? timesOf(own, this.application) : {}),
      facts: {
        ...facts,
        stopped: own.stopped === "no-executors-left" ? "no-nodes-left" : own.stopped,
        fingerprint: own.fingerprint,
        cluster: {
          ...(racks > 0 ? { racks } : {}),
          nodes: cluster.hosts.length,
          // Of executors that come and go as they are needed, the most that were there at one time.
          resources: {
            cores:
              allocation === undefined
                ? executors.reduce((sum, { cores }) => sum + cores, 0)
                : coresOverTime(own).reduce((most, { amount }) => Math.max(most, amount), 0),
          },
        },
        notes: failureNotes(own, this.application),
        sections: sectionsOf(own, this.application.settings.coresPerTask),
      },
    };
  }

  private logOf(own: SparkRecord, sampleUs: number | undefined, recordTasks: boolean): AttemptLog {
    const { jobs, settings } = this.application;
    const { attempts } = own;
    const held = [settings.coresPerTask];
    const { submitted, rowOf } = submissionOrder(own.jobs);
    const groups = this.groups();
    const groupOf = new Map(groups.map(({ name }, place) => [name, place]));
    const user = this.scenario.name;
    // Tasks have numbers of their own in a stage; a record has them in a job.
    const firstTask = jobs.map(({ stages }) => {
      let tasks = 0;
      return stages.map((stage) => (tasks += stage.tasks.length) - stage.tasks.length);
    });
    return {
      words: SPARK_WORDS,
      stoppedUs: own.endedUs,
      sampleUs,
      recordTasks,
      groups,
      jobs: submitted.map((job) => ({
        name: jobs[job].name,
        user,
        group: groupOf.get(jobs[job].pool ?? DEFAULT_POOL_NAME) ?? 0,
        submitUs: own.jobs[job].submittedUs,
        endUs: own.jobs[job].endedUs,
        hasFailed: own.jobs[job].failure !== null,
        tasks: [jobs[job].stages.reduce((sum, { tasks }) => sum + tasks.length, 0)],
      })),
      attempts: attemptColumns(attempts.length, SPARK_WORDS.resources.length, (at) => {
        const { job, stage } = attempts.sets[attempts.set[at]];
        return {
          job: rowOf(job),
          type: 0,
          task: firstTask[job][stage] + attempts.task[at],
          number: attempts.number[at],
          node: attempts.host[at],
          level: attempts.level[at],
          readyUs: attempts.readyUs[at],
          launchUs: attempts.launchUs[at],
          endUs: attempts.endUs[at],
          outcome: ATTEMPT_OUTCOMES[attempts.outcome[at]],
          held,
        };
      }),
      waiting: neverLaunched(own, launchedOf(own, this.application), rowOf, (job, stage) => {
        return { tasks: jobs[job].stages[stage].tasks.length, type: 0, held };
      }),
      capacity: [coresOverTime(own)],
    };
  }

  /** Pools that are declared, and those that jobs name besides. */
  private groups(): AttemptLog["groups"] {
    const { pools, jobs } = this.application;
    const declared = pools.map(({ name, weight, minShare }) => ({ name, weight, minShare }));
    const others = new Set(jobs.map(({ pool }) => pool ?? DEFAULT_POOL_NAME));
    for (const { name } of declared) others.delete(name);
    return [...declared, ...[...others].map((name) => ({ name, weight: 1, minShare: 0 }))];
  }
}

/** By the longest time that a task, a wait or the gap before an executor or a job takes. */
function patienceUs({ jobs, executors, allocation, losses, settings, timing }: SparkApplication): number {
  let mostUs = Math.max(timing.stageStartUs, settings.waitProcessUs + settings.waitNodeUs + settings.waitRackUs);
  for (const { stages, after } of jobs) {
    mostUs = Math.max(mostUs, after?.delayUs ?? 0);
    for (const { tasks } of stages) for (const { runUs } of tasks) mostUs = Math.max(mostUs, runUs);
  }
  for (const { fromUs } of executors) mostUs = Math.max(mostUs, fromUs);
  if (losses !== undefined && losses.backUs < Infinity) mostUs = Math.max(mostUs, losses.backUs);
  if (allocation !== undefined) {
    const { backlogUs, sustainedUs, startUs } = allocation;
    mostUs = Math.max(mostUs, backlogUs, sustainedUs, startUs);
  }
  return patienceFor(mostUs * Math.max(1, timing.rackFactor, timing.anyFactor));
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

function idOf({ id, name }: SparkJob): string {
  return id ?? name;
}

function timesOf(own: SparkRecord, application: SparkApplication): Pick<FinishedSimulation, "stages" | "jobs"> {
  const jobs = own.jobs.map(({ submittedUs, endedUs }, job) => {
    return { job: idOf(application.jobs[job]), submittedUs, endedUs };
  });
  return { stages: stagesOf(own, application), jobs };
}

/** Attempts of one stage are told as one: it came with the first, and has ended with the last. */
function stagesOf(own: SparkRecord, { jobs }: SparkApplication): StageTimes[] {
  const keyOf = (job: number, stage: number): string => `${String(job)} ${String(stage)}`;
  const found = new Map<string, { -readonly [Key in keyof StageTimes]: StageTimes[Key] }>();
  for (const { job, stage, submittedUs, endedUs } of own.stages) {
    const key = keyOf(job, stage);
    const known = found.get(key);
    if (known !== undefined) known.endedUs = endedUs;
    else {
      const names = { job: idOf(jobs[job]), stage: jobs[job].stages[stage].name };
      found.set(key, { ...names, submittedUs, endedUs, launches: [] });
    }
  }
  const { attempts } = own;
  const seen = new LaunchedTasks((job, stage) => jobs[job].stages[stage].tasks.length);
  for (let at = 0; at < attempts.length; at++) {
    const { job, stage } = attempts.sets[attempts.set[at]];
    const task = attempts.task[at];
    if (!seen.add(job, stage, task)) continue;
    const launches = found.get(keyOf(job, stage))?.launches as { task: number; level: number; launchUs: number }[];
    launches.push({ task, level: attempts.level[at], launchUs: attempts.launchUs[at] });
  }
  return [...found.values()];
}

function launchedOf({ attempts }: SparkRecord, { jobs }: SparkApplication): LaunchedTasks {
  const launched = new LaunchedTasks((job, stage) => jobs[job].stages[stage].tasks.length);
  for (let at = 0; at < attempts.length; at++) {
    const { job, stage } = attempts.sets[attempts.set[at]];
    launched.add(job, stage, attempts.task[at]);
  }
  return launched;
}

/** Cores of all executors that are there, whenever that changes. */
function coresOverTime({ executors }: SparkRecord): { readonly fromUs: number; readonly amount: number }[] {
  const changes = executors
    .flatMap(({ cores, cameUs, wentUs }) => [
      { atUs: cameUs, by: cores },
      { atUs: wentUs, by: -cores },
    ])
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

function sectionsOf(
  { attempts, endedUs }: SparkRecord,
  cores: number,
): NonNullable<FinishedSimulation["facts"]["sections"]> {
  const { outcome, isSpeculative, launchUs, endUs } = attempts;
  const count = ATTEMPT_OUTCOMES.map(() => 0);
  const heldUs = ATTEMPT_OUTCOMES.map(() => 0);
  let [copies, won] = [0, 0];
  for (let at = 0; at < attempts.length; at++) {
    count[outcome[at]]++;
    heldUs[outcome[at]] += ((endUs[at] < 0 ? endedUs : endUs[at]) - launchUs[at]) * cores;
    if (isSpeculative[at] === 0) continue;
    copies++;
    if (outcome[at] === OUTCOME.succeeded) won++;
  }
  const seconds = (of: number): number => heldUs[of] / US_PER_SECOND;
  return {
    failures: { attempts: count[OUTCOME.failed], sourcesLost: 0, kills: 0, lostSeconds: seconds(OUTCOME.failed) },
    faults: { nodesGivenUp: 0, attemptsLost: count[OUTCOME.lost], outputsLost: 0 },
    speculation: { launched: copies, won, wastedSeconds: seconds(OUTCOME.killed) },
  };
}
