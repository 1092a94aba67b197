import { widenedTo } from "../kernel/index.js";

/**
 * Codes of outcomes: places in OUTCOMES. Stopped: killed again as a log recorded it, or as its job failed, which tables
 * call killed, too.
 */
export const OUTCOME = { succeeded: 0, killed: 1, failed: 2, lost: 3, stopped: 4, running: 255 } as const;
export type AttemptOutcome = keyof typeof OUTCOME;
const OUTCOME_OF = new Map<number, string>(Object.entries(OUTCOME).map(([outcome, code]) => [code, outcome]));

const FIRST_ROOM = 512;
export const ints = (): Int32Array => new Int32Array(FIRST_ROOM);
export const bytes = (): Uint8Array => new Uint8Array(FIRST_ROOM);
export const instants = (): Float64Array => new Float64Array(FIRST_ROOM);

/** An attempt as an object: the values of its columns. */
export type AttemptRow<Columns = Attempts> = {
  readonly [Name in keyof Columns as Columns[Name] extends ArrayBufferView ? Name : never]: Name extends "outcome"
    ? AttemptOutcome
    : number;
};

/**
 * All attempts of a run, column by column: an attempt is its row, in the order of launch. A platform may add columns.
 * Times are instants in microseconds; -1: it has not happened.
 */
export class Attempts {
  length = 0;
  job = ints();
  /** Number in its job; -1: it is of no stage, such as a master. */
  stage = ints();
  /** Number in its stage. */
  task = ints();
  /** Attempt of the task, from 0 on. */
  number = ints();
  node = ints();
  /** Index of the locality level. */
  level = bytes();
  outcome = bytes();
  /** Time since which it could have been launched. */
  readyUs = instants();
  launchUs = instants();
  endUs = instants();

  /** Adds one that runs from now on. Columns of the platform are set by the caller. @returns its row. */
  add(
    job: number,
    stage: number,
    task: number,
    number: number,
    node: number,
    level: number,
    readyUs: number,
    launchUs: number,
  ): number {
    const row = this.length++;
    // The first time at once, while nothing is compiled: see `widened`.
    if (this.job.length === FIRST_ROOM || row === this.job.length) this.widen();
    this.job[row] = job;
    this.stage[row] = stage;
    this.task[row] = task;
    this.number[row] = number;
    this.node[row] = node;
    this.level[row] = level;
    this.outcome[row] = OUTCOME.running;
    this.readyUs[row] = readyUs;
    this.launchUs[row] = launchUs;
    this.endUs[row] = -1;
    return row;
  }

  /** As objects, which takes memory: for runs that are small. */
  rows(): AttemptRow<this>[] {
    return Array.from({ length: this.length }, (_, row) => {
      const values = this.columns().map(([name, column]) => [name, column[row]]);
      return { ...Object.fromEntries(values), outcome: OUTCOME_OF.get(this.outcome[row]) } as AttemptRow<this>;
    });
  }

  private columns(): [string, Int32Array][] {
    return Object.entries(this).filter((entry): entry is [string, Int32Array] => ArrayBuffer.isView(entry[1]));
  }

  /** Makes room in all columns, those of the platform, too. */
  private widen(): void {
    const room = 2 * this.job.length;
    for (const [name, column] of this.columns()) Object.assign(this, { [name]: widenedTo(column, room, 0) });
  }
}
