import type { RunRecord } from "./run-record.js";
import { Agenda, Fingerprint, US_PER_HOUR } from "../kernel/index.js";
import type { RunFacts } from "./summarise.js";

/** A platform at work, as one sequential simulation in virtual time. */
export interface Simulation {
  /** Returns the time of the next event; Infinity: there is none, or all jobs have ended. */
  nextUs: () => number;
  /** Handles all events up to that instant, including those at it. */
  advance: (untilUs: number) => void;
  progress: () => SimulationProgress;
  /**
   * A run in which no task or job ends for this long is stuck, unless the scenario sets another limit: `patienceFor`
   * the longest task or wait.
   */
  readonly patienceUs: number;
  /** The first few jobs that have not ended, each with the reason of its wait; undefined: no reasons are known. */
  readonly waitingJobs?: () => readonly { readonly name: string; readonly waitsFor: string }[];
  /** Under a platform whose jobs have stages: all jobs that it runs. */
  readonly workload?: () => readonly JobToRun[];
  /** Starts the log of what stages wait for; called before the first event. Undefined: the platform has no log. */
  readonly logDecisions?: () => void;
  /** Returns the record of the run, after the last `advance`. */
  finish: (options: FinishOptions) => FinishedSimulation;
}

/** A simulation whose events lie on one agenda. @typeParam Left the platform's own record of a run */
export abstract class AgendaSimulation<Left> {
  protected readonly agenda = new Agenda();
  protected readonly fingerprint = new Fingerprint();

  /** Returns the record of the run so far. */
  abstract record(): Left;

  /** Nothing more happens. */
  protected abstract get isOver(): boolean;

  get nowUs(): number {
    return this.agenda.nowUs;
  }

  nextUs(): number {
    return this.isOver ? Infinity : this.agenda.nextUs();
  }

  /** After the end, virtual time stays at the last event. */
  advance(untilUs: number): void {
    let nextUs = this.nextUs();
    for (; nextUs <= untilUs && nextUs < Infinity; nextUs = this.nextUs()) this.agenda.step();
    if (nextUs < Infinity) this.agenda.nowUs = untilUs;
  }

  /** Runs until all jobs have ended, no event is left, or virtual time is up. */
  run(untilUs = Infinity): Left {
    this.advance(untilUs);
    return this.record();
  }
}

export interface SimulationProgress {
  readonly jobsEnded: number;
  readonly jobsTotal: number;
  /** The last job is submitted at or after this time. */
  readonly lastSubmitUs: number;
  readonly tasksEnded: number;
  /** Virtual time of the last end of a task or a job; 0: none has ended. */
  readonly lastEndUs: number;
}

/** Returns how long a run may go on without any end: a day, or twice the longest time that a task or a wait takes. */
export function patienceFor(longestUs: number): number {
  return Math.max(24 * US_PER_HOUR, 2 * longestUs);
}

/** A job with its stages, under the names that their times have in the result of `finish`. */
export interface JobToRun {
  readonly job: string;
  readonly stages: readonly { readonly stage: string; readonly tasks: number }[];
}

/** Submission and end of a job; -1: not yet. */
export interface JobTimes {
  /** The job's name in the workload. */
  readonly job: string;
  readonly submittedUs: number;
  readonly endedUs: number;
}

/** The times at which a stage came and went, and the launches of its tasks; by name, as its workload has them. */
export interface StageTimes {
  readonly job: string;
  readonly stage: string;
  readonly submittedUs: number;
  /** -1: it has not ended. */
  readonly endedUs: number;
  /** First launches of its tasks, in order of time. */
  readonly launches: readonly { readonly task: number; readonly level: number; readonly launchUs: number }[];
}

export interface FinishOptions {
  /** Virtual time until which the run went at most; Infinity: until all jobs had ended. */
  readonly untilUs: number;
  /** Undefined: as follows from the length of the run. */
  readonly sampleUs?: number | undefined;
  readonly recordTasks: boolean;
  /** Times of stages and jobs are wanted. Default: no. */
  readonly recordStages?: boolean;
}

/** The part of a summary's facts that follows from what was recorded. */
export type AttemptFacts = Pick<RunFacts, "stoppedUs" | "tasksEnded" | "attemptMs" | "use" | "fairness">;

export interface FinishedSimulation {
  readonly record: RunRecord;
  /** On request, under a platform whose jobs have stages: each stage in order of arrival; and the jobs. */
  readonly stages?: readonly StageTimes[];
  readonly jobs?: readonly JobTimes[];
  readonly facts: AttemptFacts & Pick<RunFacts, "stopped" | "fingerprint" | "cluster" | "notes" | "sections">;
}
