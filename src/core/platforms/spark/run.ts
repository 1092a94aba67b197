import { counted, printable, US_PER_SECOND } from "../../kernel/index.js";
import {
  allDecisions,
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
import type { SparkApplication, SparkJob, SparkRecord, SparkStop } from "./application.js";
import type { JobFailure } from "./task-set.js";
import { DEFAULT_POOL_NAME } from "./pools.js";
import { ATTEMPT_OUTCOMES, OUTCOME } from "./attempts.js";
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

/** The record of one application, and the number of its first job among those of all. */
interface Part extends RunApplication {
  readonly record: SparkRecord;
  readonly firstJob: number;
}

/** The applications of a scenario, run to their ends. */
export class SparkRun implements Simulation {
  private readonly simulation: SparkSimulation;
  private readonly lastSubmitUs: number;
  private waits: StageWaits[] | null = null;
  readonly patienceUs: number;

  constructor(
    private readonly scenario: SparkScenario,
    private readonly applications: readonly RunApplication[],
  ) {
    const apps = applications.map(({ application }) => application);
    const cores = scenario.cluster.hosts.map((host) => host.cores ?? Infinity);
    const isLimited = cores.some((hostCores) => hostCores < Infinity);
    this.simulation = new SparkSimulation(apps, scenario.run.seed, isLimited ? cores : undefined);
    const submits = apps.flatMap(({ jobs }) => jobs.map(({ submitAtUs }) => submitAtUs));
    this.lastSubmitUs = submits.reduce((latest, us) => Math.max(latest, us), 0);
    this.patienceUs = apps.reduce((longest, app) => Math.max(longest, patienceUs(app)), 0);
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
    this.waits = this.applications.map((_, number) => this.simulation.logWaits(number));
  }

  workload(): JobToRun[] {
    return this.applications.flatMap(({ name, application: { jobs } }) =>
      jobs.map((job) => ({
        job: idOf(name, job),
        stages: job.stages.map((stage) => ({ stage: stage.name, tasks: stage.tasks.length })),
      })),
    );
  }

  /** Returns the record of an application as Spark would log it: by job, stage and attempt. */
  platformRecord(application = 0): SparkRecord {
    return this.simulation.record(application);
  }

  finish({ sampleUs, recordTasks, recordStages = false }: FinishOptions): FinishedSimulation {
    const parts = this.parts();
    const endedUs = parts.reduce((last, { record }) => Math.max(last, record.endedUs), 0);
    const { record, facts } = recordOfAttempts(this.logOf(parts, endedUs, sampleUs, recordTasks));
    const { hosts } = this.scenario.cluster;
    const racks = new Set(hosts.map(({ rack }) => rack).filter((rack) => rack !== "")).size;
    const { rowOf } = submissionOrder(parts.flatMap(({ record }) => record.jobs));
    const decisions = this.waits?.map((waits, number) => {
      const { firstJob, application } = parts[number];
      const nameOf = (job: number, stage: number): string => application.jobs[job].stages[stage].name;
      return waits.columns(endedUs, (job) => rowOf(firstJob + job), nameOf);
    });
    return {
      record: decisions === undefined ? record : { ...record, decisions: allDecisions(decisions) },
      ...(recordStages ? timesOf(parts) : {}),
      facts: {
        ...facts,
        stopped: stoppedOf(parts.map(({ record }) => record.stopped)),
        fingerprint: parts[0].record.fingerprint,
        cluster: {
          ...(racks > 0 ? { racks } : {}),
          nodes: hosts.length,
          // Executors come and go: the most that were there at one time.
          resources: { cores: coresOverTime(parts).reduce((largest, { amount }) => Math.max(largest, amount), 0) },
        },
        notes: parts.flatMap(({ name, record, application }) =>
          [...failureNotes(record, application), ...effectNotes(record, application)].map((note) =>
            name === "" ? note : `application ${printable(name)}: ${note}`,
          ),
        ),
        sections: sectionsOf(parts),
      },
    };
  }

  private parts(): Part[] {
    let firstJob = 0;
    return this.applications.map((app, number) => {
      const part = { ...app, record: this.platformRecord(number), firstJob };
      firstJob += app.application.jobs.length;
      return part;
    });
  }

  private logOf(
    parts: readonly Part[],
    stoppedUs: number,
    sampleUs: number | undefined,
    recordTasks: boolean,
  ): AttemptLog {
    const jobs = parts.flatMap((part) =>
      part.record.jobs.map((row, job) => ({ part, row, job: part.application.jobs[job] })),
    );
    const { submitted, rowOf } = submissionOrder(jobs.map(({ row }) => row));
    const groups = groupsOf(parts);
    const groupOf = new Map(groups.map(({ name }, place) => [name, place]));
    // Tasks have numbers of their own in a stage; a record has them in a job.
    const firstTask = jobs.map(({ job: { stages } }) => {
      let tasks = 0;
      return stages.map((stage) => (tasks += stage.tasks.length) - stage.tasks.length);
    });
    const heldBy = parts.map(({ application }) => {
      const ofCores = new Map<number, readonly number[]>();
      return (job: number, stage: number): readonly number[] => {
        const cores = coresOf(application, job, stage);
        const known = ofCores.get(cores) ?? [cores];
        ofCores.set(cores, known);
        return known;
      };
    });
    const launches = launchesOf(parts);
    return {
      words: SPARK_WORDS,
      stoppedUs,
      sampleUs,
      recordTasks,
      recordStages: this.waits !== null,
      groups,
      jobs: submitted.map((number) => {
        const { part, row, job } = jobs[number];
        return {
          name: job.name,
          user: part.name === "" ? this.scenario.name : part.name,
          group: groupOf.get(groupName(part, job.pool)) ?? 0,
          submitUs: row.submittedUs,
          endUs: row.endedUs,
          hasFailed: row.failure !== null,
          tasks: [job.stages.reduce((sum, { tasks }) => sum + tasks.length, 0)],
          stages: job.stages.map(({ name }, stage) => ({ name, firstTask: firstTask[number][stage] })),
        };
      }),
      attempts: attemptColumns(launches.length, SPARK_WORDS.resources.length, (launch) => {
        const { part, attempt } = launches.get(launch);
        const { record, firstJob } = parts[part];
        const { attempts } = record;
        const { job, stage } = attempts.sets[attempts.set[attempt]];
        return {
          job: rowOf(firstJob + job),
          stage,
          type: 0,
          task: firstTask[firstJob + job][stage] + attempts.task[attempt],
          number: attempts.number[attempt],
          node: attempts.host[attempt],
          level: attempts.level[attempt],
          readyUs: attempts.readyUs[attempt],
          launchUs: attempts.launchUs[attempt],
          endUs: attempts.endUs[attempt] < 0 ? endOf(parts, part) : attempts.endUs[attempt],
          outcome: ATTEMPT_OUTCOMES[attempts.outcome[attempt]],
          held: heldBy[part](job, stage),
        };
      }),
      waiting: parts.flatMap(({ record, application, firstJob }, part) =>
        neverLaunched(
          record,
          launchedOf(record, application),
          (job) => rowOf(firstJob + job),
          (job, stage) => ({
            tasks: application.jobs[job].stages[stage].tasks.length,
            type: 0,
            held: heldBy[part](job, stage),
          }),
        ),
      ),
      capacity: [coresOverTime(parts)],
    };
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
function groupsOf(parts: readonly Part[]): AttemptLog["groups"] {
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
function launchesOf(parts: readonly Part[]): {
  readonly length: number;
  readonly get: (launch: number) => { readonly part: number; readonly attempt: number };
} {
  if (parts.length === 1) return { length: parts[0].record.attempts.length, get: (attempt) => ({ part: 0, attempt }) };
  const launches = parts.flatMap(({ record: { attempts } }, part) =>
    Array.from({ length: attempts.length }, (_, attempt) => ({ part, attempt, launchUs: attempts.launchUs[attempt] })),
  );
  launches.sort((a, b) => a.launchUs - b.launchUs || a.part - b.part || a.attempt - b.attempt);
  return { length: launches.length, get: (launch) => launches[launch] };
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
    const more = failed.length > MOST_NAMES ? ` and ${String(failed.length - MOST_NAMES)} more` : "";
    return [`${counted(failed.length, "job")} failed (${names}${more}): ${reason}`];
  });
}

/** Notes on events that the scenario did not ask for, and on settings without effect. */
function effectNotes({ attempts }: SparkRecord, application: SparkApplication): string[] {
  const { losses, settings, pools, jobs, areOthers } = application;
  let lost = 0;
  for (let attempt = 0; attempt < attempts.length; attempt++) if (attempts.outcome[attempt] === OUTCOME.lost) lost++;
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

function timesOf(parts: readonly Part[]): Pick<FinishedSimulation, "stages" | "jobs"> {
  const jobs = parts.flatMap(({ name, record, application }) =>
    record.jobs.map(({ submittedUs, endedUs }, job) => {
      return { job: idOf(name, application.jobs[job]), submittedUs, endedUs };
    }),
  );
  return { stages: parts.flatMap(stagesOf), jobs };
}

/** Returns the times of stages; attempts of one stage are one: it came with the first, and ended with the last. */
function stagesOf({ name: application, record, application: { jobs } }: Part): StageTimes[] {
  const keyOf = (job: number, stage: number): string => `${String(job)} ${String(stage)}`;
  const times = new Map<string, { -readonly [Key in keyof StageTimes]: StageTimes[Key] }>();
  for (const { job, stage, submittedUs, endedUs } of record.stages) {
    const key = keyOf(job, stage);
    const known = times.get(key);
    if (known !== undefined) known.endedUs = endedUs;
    else {
      const names = { job: idOf(application, jobs[job]), stage: jobs[job].stages[stage].name };
      times.set(key, { ...names, submittedUs, endedUs, launches: [] });
    }
  }
  const { attempts } = record;
  const seen = new LaunchedTasks((job, stage) => jobs[job].stages[stage].tasks.length);
  for (let attempt = 0; attempt < attempts.length; attempt++) {
    const { job, stage } = attempts.sets[attempts.set[attempt]];
    const task = attempts.task[attempt];
    if (!seen.add(job, stage, task)) continue;
    const launches = times.get(keyOf(job, stage))?.launches as { task: number; level: number; launchUs: number }[];
    launches.push({ task, level: attempts.level[attempt], launchUs: attempts.launchUs[attempt] });
  }
  return [...times.values()];
}

function launchedOf({ attempts }: SparkRecord, { jobs }: SparkApplication): LaunchedTasks {
  const launched = new LaunchedTasks((job, stage) => jobs[job].stages[stage].tasks.length);
  for (let attempt = 0; attempt < attempts.length; attempt++) {
    const { job, stage } = attempts.sets[attempts.set[attempt]];
    launched.add(job, stage, attempts.task[attempt]);
  }
  return launched;
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
  const count = ATTEMPT_OUTCOMES.map(() => 0);
  const heldUs = ATTEMPT_OUTCOMES.map(() => 0);
  let [copies, won] = [0, 0];
  for (const { record, application } of parts) {
    const { outcome, isSpeculative, launchUs, endUs, length, set, sets } = record.attempts;
    for (let attempt = 0; attempt < length; attempt++) {
      count[outcome[attempt]]++;
      const { job, stage } = sets[set[attempt]];
      const cores = coresOf(application, job, stage);
      heldUs[outcome[attempt]] += ((endUs[attempt] < 0 ? record.endedUs : endUs[attempt]) - launchUs[attempt]) * cores;
      if (isSpeculative[attempt] === 0) continue;
      copies++;
      if (outcome[attempt] === OUTCOME.succeeded) won++;
    }
  }
  const seconds = (outcomeCode: number): number => heldUs[outcomeCode] / US_PER_SECOND;
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
