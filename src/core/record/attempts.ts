import { bytes, Columns, columnsOf, floats, ints } from "../kernel/index.js";

/**
 * Codes of outcomes: places in OUTCOMES. Stopped: killed again as a log recorded it, or as its job failed, which tables
 * call killed, too.
 */
export const OUTCOME = { succeeded: 0, killed: 1, failed: 2, lost: 3, stopped: 4, running: 255 } as const;
export type AttemptOutcome = keyof typeof OUTCOME;
const OUTCOME_OF = new Map<number, string>(Object.entries(OUTCOME).map(([outcome, code]) => [code, outcome]));

/** Tables have room for so many from the start. */
const FIRST_ROOM = 1024;

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
export class Attempts extends Columns {
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
  readyUs = floats();
  launchUs = floats();
  endUs = floats();

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
    // Once at the first row, while nothing is compiled: see `widened`.
    this.makeRoom(Math.max(FIRST_ROOM, row + 1));
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
      const values = columnsOf(this).map(([name, column]) => [name, column[row]]);
      return { ...Object.fromEntries(values), outcome: OUTCOME_OF.get(this.outcome[row]) } as AttemptRow<this>;
    });
  }
}
