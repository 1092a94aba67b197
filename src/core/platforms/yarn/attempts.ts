import { widened } from "../../kernel/index.js";
import type { YarnAttemptRow } from "./application.js";
import type { YarnLevel } from "./asks.js";

const OUTCOMES = [
  "running",
  "succeeded",
  "killed",
  "lost",
  "failed",
  "stopped",
] as const satisfies readonly YarnAttemptRow["outcome"][];

/** Places in that list. */
export const RUNNING = 0;
export const SUCCEEDED = 1;
export const WAS_KILLED = 2;
export const WAS_LOST = 3;
export const HAS_FAILED = 4;
export const WAS_STOPPED = 5;
export type Outcome =
  typeof RUNNING | typeof SUCCEEDED | typeof WAS_KILLED | typeof WAS_LOST | typeof HAS_FAILED | typeof WAS_STOPPED;

const FIRST_ROOM = 512;

/** Containers that ran anything, column by column: one is its place here, in the order of launch. */
export class Attempts {
  length = 0;
  job = new Int32Array(FIRST_ROOM);
  /** -1, both: a master. */
  stage = new Int32Array(FIRST_ROOM);
  task = new Int32Array(FIRST_ROOM);
  number = new Int32Array(FIRST_ROOM);
  node = new Int32Array(FIRST_ROOM);
  level = new Uint8Array(FIRST_ROOM);
  /** A place in the list of outcomes. */
  outcome = new Uint8Array(FIRST_ROOM);
  readyUs = new Float64Array(FIRST_ROOM);
  givenUs = new Float64Array(FIRST_ROOM);
  launchUs = new Float64Array(FIRST_ROOM);
  endUs = new Float64Array(FIRST_ROOM);

  constructor() {
    this.widen();
  }

  /** One that runs from now on. @returns its place. */
  add(
    job: number,
    stage: number,
    task: number,
    number: number,
    node: number,
    level: YarnLevel,
    readyUs: number,
    givenUs: number,
    launchUs: number,
  ): number {
    const row = this.length++;
    if (row === this.job.length) this.widen();
    this.job[row] = job;
    this.stage[row] = stage;
    this.task[row] = task;
    this.number[row] = number;
    this.node[row] = node;
    this.level[row] = level;
    this.outcome[row] = RUNNING;
    this.readyUs[row] = readyUs;
    this.givenUs[row] = givenUs;
    this.launchUs[row] = launchUs;
    this.endUs[row] = -1;
    return row;
  }

  /** As others read them. */
  rows(): YarnAttemptRow[] {
    return Array.from({ length: this.length }, (_, row) => ({
      job: this.job[row],
      stage: this.stage[row],
      task: this.task[row],
      number: this.number[row],
      node: this.node[row],
      level: this.level[row] as YarnLevel,
      readyUs: this.readyUs[row],
      givenUs: this.givenUs[row],
      launchUs: this.launchUs[row],
      endUs: this.endUs[row],
      outcome: OUTCOMES[this.outcome[row]],
    }));
  }

  private widen(): void {
    this.job = widened(this.job);
    this.stage = widened(this.stage);
    this.task = widened(this.task);
    this.number = widened(this.number);
    this.node = widened(this.node);
    this.level = widened(this.level);
    this.outcome = widened(this.outcome);
    this.readyUs = widened(this.readyUs);
    this.givenUs = widened(this.givenUs);
    this.launchUs = widened(this.launchUs);
    this.endUs = widened(this.endUs);
  }
}
