import { widened } from "../../kernel/index.js";
import { NOWHERE } from "./executors.js";

/** Locality levels, best first. */
export const PROCESS_LOCAL = 0;
export const NODE_LOCAL = 1;
export const NO_PREF = 2;
export const RACK_LOCAL = 3;
export const ANY = 4;

export type SparkLevel = typeof PROCESS_LOCAL | typeof NODE_LOCAL | typeof NO_PREF | typeof RACK_LOCAL | typeof ANY;

export const SPARK_LEVELS = ["PROCESS_LOCAL", "NODE_LOCAL", "NO_PREF", "RACK_LOCAL", "ANY"] as const;

/** Outcomes of an attempt. */
export const ATTEMPT_OUTCOMES = ["running", "succeeded", "killed", "failed", "lost"] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Places in that list. */
export const OUTCOME = { running: 0, succeeded: 1, killed: 2, failed: 3, lost: 4 } as const satisfies Record<
  AttemptOutcome,
  number
>;

/** One try at a task. -1 in a time: has not happened. */
export interface AttemptRow {
  readonly job: number;
  readonly stage: number;
  readonly stageAttempt: number;
  readonly task: number;
  /** The number of the attempt at its task, in this attempt of its stage, from 0 on. */
  readonly number: number;
  readonly executor: number;
  readonly host: number;
  readonly level: SparkLevel;
  readonly isSpeculative: boolean;
  /**
   * Since when it could have been launched: its stage came, an attempt before it failed or was lost, or a copy was
   * wanted.
   */
  readonly readyUs: number;
  readonly launchUs: number;
  /** When the driver knew. */
  readonly endUs: number;
  readonly outcome: AttemptOutcome;
}

/** The job, the stage and the attempt at it that a task set is of. */
export interface SetName {
  readonly job: number;
  readonly stage: number;
  readonly attempt: number;
}

const FIRST_ROOM = 512;

/**
 * All attempts of an application, column by column: an attempt is its place here, in the order of launch. What runs of
 * a task set is a list through them, in that order too.
 */
export class Attempts {
  length = 0;
  /** Place of its task set in `sets`. */
  set = new Int32Array(FIRST_ROOM);
  task = new Int32Array(FIRST_ROOM);
  number = new Int32Array(FIRST_ROOM);
  executor = new Int32Array(FIRST_ROOM);
  host = new Int32Array(FIRST_ROOM);
  level = new Uint8Array(FIRST_ROOM);
  isSpeculative = new Uint8Array(FIRST_ROOM);
  /** A place in ATTEMPT_OUTCOMES. */
  outcome = new Uint8Array(FIRST_ROOM);
  readyUs = new Float64Array(FIRST_ROOM);
  launchUs = new Float64Array(FIRST_ROOM);
  endUs = new Float64Array(FIRST_ROOM);
  /** The one before it of its task, or NOWHERE. */
  earlier = new Int32Array(FIRST_ROOM);
  /** Those of its task set that run and were launched before and after it, or NOWHERE. */
  before = new Int32Array(FIRST_ROOM);
  after = new Int32Array(FIRST_ROOM);
  readonly sets: SetName[] = [];

  constructor() {
    this.widen();
  }

  /** @returns the place of a task set. */
  addSet(set: SetName): number {
    return this.sets.push(set) - 1;
  }

  /** One that runs from now on; what is not given is set by the caller. @returns its place. */
  add(set: number, task: number, earlier: number, executor: number, host: number, nowUs: number): number {
    if (this.length === this.task.length) this.widen();
    const attempt = this.length++;
    this.set[attempt] = set;
    this.task[attempt] = task;
    this.number[attempt] = earlier === NOWHERE ? 0 : this.number[earlier] + 1;
    this.executor[attempt] = executor;
    this.host[attempt] = host;
    this.outcome[attempt] = OUTCOME.running;
    this.launchUs[attempt] = nowUs;
    this.endUs[attempt] = -1;
    this.earlier[attempt] = earlier;
    return attempt;
  }

  /** The last one never was. */
  removeLast(): void {
    this.length--;
  }

  isRunning(attempt: number): boolean {
    return this.endUs[attempt] < 0;
  }

  /** As objects, which takes memory: for tests, and runs that are small. */
  rows(): AttemptRow[] {
    return Array.from({ length: this.length }, (_, row) => {
      const { job, stage, attempt } = this.sets[this.set[row]];
      return {
        job,
        stage,
        stageAttempt: attempt,
        task: this.task[row],
        number: this.number[row],
        executor: this.executor[row],
        host: this.host[row],
        level: this.level[row] as SparkLevel,
        isSpeculative: this.isSpeculative[row] !== 0,
        readyUs: this.readyUs[row],
        launchUs: this.launchUs[row],
        endUs: this.endUs[row],
        outcome: ATTEMPT_OUTCOMES[this.outcome[row]],
      };
    });
  }

  private widen(): void {
    this.set = widened(this.set);
    this.task = widened(this.task);
    this.number = widened(this.number);
    this.executor = widened(this.executor);
    this.host = widened(this.host);
    this.level = widened(this.level);
    this.isSpeculative = widened(this.isSpeculative);
    this.outcome = widened(this.outcome);
    this.readyUs = widened(this.readyUs);
    this.launchUs = widened(this.launchUs);
    this.endUs = widened(this.endUs);
    this.earlier = widened(this.earlier);
    this.before = widened(this.before);
    this.after = widened(this.after);
  }
}
