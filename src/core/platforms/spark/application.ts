import {
  assert,
  EventSet,
  FAILED,
  FINISHED,
  Fingerprint,
  KILLED,
  LAUNCHED,
  LOST,
  streamFor,
} from "../../kernel/index.js";
import { NOWHERE } from "./executors.js";
import type { PreferredPlace } from "./pending-tasks.js";
import type { PoolSpec } from "./pools.js";
import type { SparkRules, SparkSettings } from "./rules.js";
import { ANY, type Attempt, NODE_LOCAL, type SparkLevel, type TaskSet } from "./task-set.js";
import { type Launch, type Offer, TaskScheduler } from "./task-scheduler.js";

/** An application on its executors, and what it runs. Hosts, racks and executors are numbers from 0 on. */
export interface SparkApplication {
  readonly rules: SparkRules;
  readonly settings: SparkSettings;
  readonly pools: readonly PoolSpec[];
  readonly timing: SparkTiming;
  readonly executors: readonly ExecutorSpec[];
  /** By host; NOWHERE: the cluster manager knows none. */
  readonly racks: readonly number[];
  /** In the order of their numbers, which is that of submission where several come at once. */
  readonly jobs: readonly SparkJob[];
}

/** What the driver's own work and its messages take. */
export interface SparkTiming {
  /** `spark.scheduler.revive.interval`. */
  readonly reviveUs: number;
  /** `spark.speculation.interval`. */
  readonly speculationUs: number;
  /** From the driver's decision until the task runs, and from its end until the driver knows. */
  readonly launchUs: number;
  readonly reportUs: number;
  /** How many times as long a task takes in the rack of its data, and farther away. */
  readonly rackFactor: number;
  readonly anyFactor: number;
}

export interface ExecutorSpec {
  readonly host: number;
  readonly cores: number;
  /** From when until when it is there; Infinity: to the end. */
  readonly fromUs: number;
  readonly untilUs: number;
}

export interface SparkJob {
  readonly name: string;
  readonly pool?: string;
  readonly submitAtUs: number;
  /** Number of an earlier job: it comes so long after that has ended, and not before `submitAtUs`. */
  readonly after?: { readonly job: number; readonly delayUs: number };
  readonly stages: readonly SparkStage[];
}

export interface SparkStage {
  readonly name: string;
  /** Numbers of earlier stages of the same job that must have ended. */
  readonly parents: readonly number[];
  readonly isBarrier: boolean;
  readonly tasks: readonly SparkTask[];
}

export interface SparkTask {
  /** Where its data is. */
  readonly runUs: number;
  readonly places: readonly PreferredPlace[];
}

/** What a run leaves. -1 in a time: has not happened. */
export interface SparkRecord {
  readonly fingerprint: string;
  readonly endedUs: number;
  readonly stopped: "all-jobs-ended" | "until" | "no-executors-left";
  /** By job. */
  readonly jobs: readonly { readonly submittedUs: number; readonly endedUs: number; readonly hasFailed: boolean }[];
  /** In the order of submission. */
  readonly stages: readonly StageRow[];
  /** In the order of launch. */
  readonly attempts: readonly AttemptRow[];
}

export interface StageRow {
  readonly job: number;
  readonly stage: number;
  readonly submittedUs: number;
  endedUs: number;
}

export interface AttemptRow {
  readonly job: number;
  readonly stage: number;
  readonly task: number;
  readonly number: number;
  readonly executor: number;
  readonly level: SparkLevel;
  readonly isSpeculative: boolean;
  readonly launchUs: number;
  /** When the driver knew. */
  endUs: number;
  outcome: "running" | "succeeded" | "killed" | "lost";
}

/** Kinds of event, in the order in which those of one instant happen. */
const EXECUTOR_COMES = 0;
const EXECUTOR_GOES = 1;
const ATTEMPT_ENDS = 2;
const JOB_COMES = 3;
const SPECULATION = 4;
const REVIVE = 5;

interface Event {
  readonly kind: number;
  /** What it happens to: an executor, a job, or the place of an attempt in the record. */
  readonly of: number;
}

interface RunningStage {
  readonly job: number;
  readonly stage: number;
  readonly row: StageRow;
  readonly set: TaskSet;
}

interface JobState {
  submittedUs: number;
  endedUs: number;
  hasFailed: boolean;
  /** By stage: submitted, and ended. */
  readonly isSubmitted: boolean[];
  readonly hasEnded: boolean[];
}

/** Ties of events of one kind go by the order in which they were planned. */
const MOST_PLANNED = 2 ** 40;

/**
 * Runs one application in virtual time. Offers are made when a task set comes, when a task ends (of its executor alone), when executors come
 * or go, when the check for speculation marks something, and at each revive interval.
 */
export class SparkSimulation {
  private readonly scheduler: TaskScheduler;
  private readonly events = new EventSet(64);
  private readonly planned: (Event | undefined)[] = [];
  private readonly freeIds: number[] = [];
  private plannedSoFar = 0;
  private readonly fingerprint = new Fingerprint();
  private readonly shuffles;
  private nowUs = 0;
  private readonly isUp: boolean[];
  private readonly freeCores: number[];
  private readonly jobs: JobState[];
  private readonly dependants: number[][];
  private readonly stages: StageRow[] = [];
  private readonly running = new Map<TaskSet, RunningStage>();
  private readonly attempts: AttemptRow[] = [];
  private readonly attemptOf: Attempt[] = [];
  private readonly setOf: TaskSet[] = [];
  private stagesSoFar = 0;
  private jobsEnded = 0;
  private executorsToCome: number;
  private revivesAtUs = Infinity;
  private checksAtUs = Infinity;

  constructor(
    private readonly application: SparkApplication,
    seed: string,
  ) {
    const { rules, settings, pools, executors, racks, jobs } = application;
    const rackOf = (host: number): number => racks[host] ?? NOWHERE;
    this.scheduler = new TaskScheduler({ rules, settings, pools, rackOf });
    this.shuffles = streamFor(seed, "spark/offers");
    this.isUp = executors.map(() => false);
    this.freeCores = executors.map(({ cores }) => cores);
    this.executorsToCome = executors.length;
    this.jobs = jobs.map(({ stages }) => ({
      ...{ submittedUs: -1, endedUs: -1, hasFailed: false },
      isSubmitted: stages.map(() => false),
      hasEnded: stages.map(() => false),
    }));
    this.dependants = jobs.map(() => []);
    executors.forEach(({ fromUs, untilUs }, executor) => {
      this.plan(EXECUTOR_COMES, executor, fromUs);
      if (untilUs < Infinity) this.plan(EXECUTOR_GOES, executor, untilUs);
    });
    jobs.forEach(({ submitAtUs, after }, job) => {
      if (after === undefined) this.plan(JOB_COMES, job, submitAtUs);
      else this.dependants[after.job].push(job);
    });
  }

  /** Runs on until all jobs have ended, nothing can end them, or virtual time is up. */
  run(untilUs = Infinity): SparkRecord {
    let stopped: SparkRecord["stopped"] = "all-jobs-ended";
    while (this.jobsEnded < this.jobs.length) {
      const atUs = this.events.peekAtUs();
      if (atUs > untilUs || (atUs === Infinity && untilUs < Infinity)) {
        stopped = "until";
        this.nowUs = untilUs;
        break;
      }
      if (atUs === Infinity || this.nobodyIsLeft()) {
        stopped = "no-executors-left";
        break;
      }
      this.nowUs = atUs;
      this.handle(this.take());
    }
    return {
      ...{ fingerprint: this.fingerprint.hex(), endedUs: this.nowUs, stopped },
      jobs: this.jobs.map(({ submittedUs, endedUs, hasFailed }) => ({ submittedUs, endedUs, hasFailed })),
      ...{ stages: this.stages, attempts: this.attempts },
    };
  }

  /** No executor is there, and none will come: no further job can end. */
  private nobodyIsLeft(): boolean {
    return this.executorsToCome === 0 && !this.isUp.includes(true);
  }

  private handle({ kind, of }: Event): void {
    switch (kind) {
      case EXECUTOR_COMES:
        this.executorsToCome--;
        this.isUp[of] = true;
        return this.offer([of], false);
      case EXECUTOR_GOES:
        return this.loseExecutor(of);
      case ATTEMPT_ENDS:
        return this.endAttempt(of);
      case JOB_COMES:
        return this.submitJob(of);
      case SPECULATION:
        return this.checkSpeculation();
      case REVIVE:
        this.revivesAtUs = Infinity;
        this.offerAll();
        return this.keepTimers();
    }
  }

  private submitJob(job: number): void {
    this.jobs[job].submittedUs = this.nowUs;
    if (this.application.jobs[job].stages.length === 0) return this.endJob(job, false);
    this.submitStages(job);
  }

  /** All stages of a job whose parents have ended, in the order of their numbers. */
  private submitStages(job: number): void {
    const { stages, pool } = this.application.jobs[job];
    const state = this.jobs[job];
    stages.forEach(({ parents, tasks, isBarrier }, stage) => {
      if (state.isSubmitted[stage] || !parents.every((parent) => state.hasEnded[parent])) return;
      state.isSubmitted[stage] = true;
      const row: StageRow = { job, stage, submittedUs: this.nowUs, endedUs: -1 };
      this.stages.push(row);
      const places = tasks.map((task) => task.places);
      const spec = { stage: this.stagesSoFar++, attempt: 0, job, places, isBarrier };
      const set = this.scheduler.submit(spec, pool, this.nowUs);
      this.running.set(set, { job, stage, row, set });
      if (tasks.length === 0) this.endStage(set);
      else this.offerAll();
    });
    this.keepTimers();
  }

  private endAttempt(place: number): void {
    const [attempt, set, row] = [this.attemptOf[place], this.setOf[place], this.attempts[place]];
    // Its executor went first.
    if (!attempt.isRunning) return;
    const { coresPerTask } = this.application.settings;
    this.freeCores[attempt.executor] += coresPerTask;
    row.endUs = this.nowUs;
    if (row.outcome === "killed") {
      set.fail(attempt, false);
      this.note(KILLED, row);
    } else {
      row.outcome = "succeeded";
      this.note(FINISHED, row);
      for (const other of set.succeed(attempt, this.nowUs)) this.kill(other);
    }
    this.offer([attempt.executor], false);
    if (set.isZombie && !set.isAborted) this.endStage(set);
    if (set.isFinished) this.scheduler.forget(set);
  }

  /** A copy is not needed any more: the order travels, and so does the answer. */
  private kill(attempt: Attempt): void {
    const place = attempt.row;
    assert(place >= 0, "an attempt is killed that was never launched");
    this.attempts[place].outcome = "killed";
    const { launchUs, reportUs } = this.application.timing;
    this.plan(ATTEMPT_ENDS, place, this.nowUs + launchUs + reportUs);
  }

  private endStage(set: TaskSet): void {
    const ended = this.running.get(set);
    if (ended === undefined) return;
    this.running.delete(set);
    if (set.tasks === 0) this.scheduler.forget(set);
    ended.row.endedUs = this.nowUs;
    const { job, stage } = ended;
    const state = this.jobs[job];
    state.hasEnded[stage] = true;
    if (state.hasEnded.every(Boolean)) this.endJob(job, false);
    else this.submitStages(job);
  }

  private endJob(job: number, hasFailed: boolean): void {
    const state = this.jobs[job];
    if (state.endedUs >= 0) return;
    state.endedUs = this.nowUs;
    state.hasFailed = hasFailed;
    this.jobsEnded++;
    for (const next of this.dependants[job]) {
      const { submitAtUs, after } = this.application.jobs[next];
      this.plan(JOB_COMES, next, Math.max(submitAtUs, this.nowUs + (after?.delayUs ?? 0)));
    }
  }

  private loseExecutor(executor: number): void {
    if (!this.isUp[executor]) return;
    this.isUp[executor] = false;
    this.attemptOf.forEach((attempt, place) => {
      if (!attempt.isRunning || attempt.executor !== executor) return;
      const row = this.attempts[place];
      row.endUs = this.nowUs;
      row.outcome = "lost";
      this.note(LOST, row);
    });
    // The application is not to blame: the losses count against no task.
    this.scheduler.executorLost(executor, false);
    this.scheduler.forgetFinished();
    this.offerAll();
  }

  private checkSpeculation(): void {
    this.checksAtUs = Infinity;
    let found = false;
    for (const { set } of this.running.values()) found = set.checkSpeculation(this.nowUs) || found;
    if (found) this.offerAll();
    this.keepTimers();
  }

  /** Timers run only while a task set is there. The revive timer keeps to its grid, so that idle time changes nothing. */
  private keepTimers(): void {
    if (this.running.size === 0) return;
    const { reviveUs, speculationUs } = this.application.timing;
    if (this.revivesAtUs === Infinity) {
      this.revivesAtUs = (Math.floor(this.nowUs / reviveUs) + 1) * reviveUs;
      this.plan(REVIVE, 0, this.revivesAtUs);
    }
    if (this.application.settings.speculation === null || this.checksAtUs < Infinity) return;
    this.checksAtUs = this.nowUs + speculationUs;
    this.plan(SPECULATION, 0, this.checksAtUs);
  }

  private offerAll(): void {
    const all = this.isUp.flatMap((isUp, executor) => (isUp ? [executor] : []));
    for (let at = all.length - 1; at > 0; at--) {
      const other = this.shuffles.below(at + 1);
      [all[at], all[other]] = [all[other], all[at]];
    }
    this.offer(all, true);
  }

  private offer(executors: readonly number[], isAllFree: boolean): void {
    const offers = executors.flatMap((executor): Offer[] => {
      const { host } = this.application.executors[executor];
      return this.isUp[executor] ? [{ executor, host, cores: this.freeCores[executor] }] : [];
    });
    for (const launch of this.scheduler.offer(offers, isAllFree, this.nowUs)) this.launch(launch);
    for (const set of this.scheduler.takeAborted()) this.failJob(set);
  }

  private launch({ set, attempt }: Launch): void {
    const stage = this.running.get(set);
    assert(stage !== undefined, "a task of no running stage was launched");
    const { task, number, executor, level, isSpeculative, launchUs } = attempt;
    const row: AttemptRow = {
      ...{ job: stage.job, stage: stage.stage, task, number, executor, level, isSpeculative, launchUs },
      ...{ endUs: -1, outcome: "running" },
    };
    const place = this.attempts.push(row) - 1;
    this.attemptOf.push(attempt);
    this.setOf.push(set);
    attempt.row = place;
    this.freeCores[executor] -= this.application.settings.coresPerTask;
    assert(this.freeCores[executor] >= 0, "an executor runs more tasks than it has cores for");
    this.note(LAUNCHED, row);
    const { timing, jobs } = this.application;
    const { runUs } = jobs[stage.job].stages[stage.stage].tasks[task];
    const endUs = this.nowUs + timing.launchUs + this.lengthUs(runUs, level) + timing.reportUs;
    this.plan(ATTEMPT_ENDS, place, endUs);
  }

  private lengthUs(runUs: number, level: SparkLevel): number {
    const { rackFactor, anyFactor } = this.application.timing;
    if (level <= NODE_LOCAL) return runUs;
    return Math.round(runUs * (level === ANY ? anyFactor : rackFactor));
  }

  private failJob(set: TaskSet): void {
    const failed = this.running.get(set);
    if (failed === undefined) return;
    const { job } = failed;
    this.running.delete(set);
    for (const other of [...this.running.values()]) {
      if (other.job !== job) continue;
      other.set.isZombie = true;
      this.running.delete(other.set);
    }
    this.scheduler.forgetFinished();
    this.fingerprint.add(this.nowUs, FAILED, job, 0, 0, 0, 0);
    this.endJob(job, true);
  }

  private note(what: number, { job, stage, task, number, executor, level }: AttemptRow): void {
    this.fingerprint.add(this.nowUs, what, job, task, (stage << 8) | number, executor, level);
  }

  private plan(kind: number, of: number, atUs: number): void {
    const id = this.freeIds.pop() ?? this.planned.length;
    this.planned[id] = { kind, of };
    this.events.add(id, atUs, kind * MOST_PLANNED + this.plannedSoFar++);
  }

  private take(): Event {
    const id = this.events.pop();
    const event = this.planned[id];
    assert(event !== undefined, "an event happens that nobody planned");
    this.planned[id] = undefined;
    this.freeIds.push(id);
    return event;
  }
}
