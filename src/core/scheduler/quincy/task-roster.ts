import { MAP, type JobTable } from "../../jobs/job-table.js";
import type { PendingMaps } from "../../jobs/pending-maps.js";
import { assert } from "../../kernel/assert.js";

const NONE = -1;

/** What is known of a map. Those that wait, run loose or are dying are in the graph. */
export const ABSENT = 0;
export const WAITING = 1;
/** It runs and cannot be moved. */
export const PINNED = 2;
/** It runs and may be moved. */
export const LOOSE = 3;
/** It runs and has been ordered to be killed; then it waits. */
export const DYING = 4;
/** It waits, and a node that it was planned for refused it: it goes to the first one that does not. */
export const REFUSED = 5;

/** The maps of one job, by their numbers. */
export interface JobMaps {
  readonly state: Uint8Array;
  /** Its number in the graph, -1: it is not there. */
  readonly taskOf: Int32Array;
  /** The slot where it is known to run, -1: none. */
  readonly placeOf: Int32Array;
  readonly launchUs: Float64Array;
  /** A node has refused it once: where it runs at last, there it stays. */
  readonly wasRefused: Uint8Array;
  /** How long it waited, up to the present spell of waiting; and since when that goes on. */
  readonly waitedUs: Float64Array;
  readonly sinceUs: Float64Array;
  /** How many are in the graph, and how many of these held a slot when the graph was priced. */
  inGraph: number;
  held: number;
}

/** The maps of the jobs that are set up: which wait, which run and where, and how long they waited. */
export class TaskRoster {
  /** By job. */
  private readonly maps: (JobMaps | undefined)[] = [];
  /** By number in the graph. */
  readonly jobOf: number[] = [];
  readonly mapOf: number[] = [];
  /** Those in the graph, in no special order, and where each is there. */
  readonly listed: number[] = [];
  private readonly listedAt: number[] = [];

  constructor(
    private readonly jobs: JobTable,
    private readonly pending: PendingMaps,
  ) {}

  open(job: number): JobMaps {
    const maps = this.jobs.total[MAP][job];
    const opened: JobMaps = {
      state: new Uint8Array(maps),
      taskOf: new Int32Array(maps).fill(NONE),
      placeOf: new Int32Array(maps).fill(NONE),
      launchUs: new Float64Array(maps),
      wasRefused: new Uint8Array(maps),
      waitedUs: new Float64Array(maps),
      sinceUs: new Float64Array(maps),
      inGraph: 0,
      held: 0,
    };
    this.maps[job] = opened;
    return opened;
  }

  close(job: number): void {
    this.maps[job] = undefined;
  }

  /** What `held` counts is about to be counted. */
  forgetHeld(): void {
    for (const maps of this.maps) if (maps !== undefined) maps.held = 0;
  }

  has(job: number): boolean {
    return this.maps[job] !== undefined;
  }

  of(job: number): JobMaps {
    const maps = this.maps[job];
    assert(maps !== undefined, "the job has no roster");
    return maps;
  }

  /** It runs and is held there. One that was refused stays: it would go back to where it is refused, and be killed for nothing. */
  mayMove(job: number, map: number): boolean {
    const { state, wasRefused } = this.of(job);
    return state[map] === PINNED && wasRefused[map] === 0;
  }

  isPending(job: number, map: number): boolean {
    return this.pending.isPending(job, map);
  }

  list(task: number, job: number, map: number): void {
    const maps = this.of(job);
    maps.taskOf[map] = task;
    maps.inGraph++;
    this.jobOf[task] = job;
    this.mapOf[task] = map;
    this.listedAt[task] = this.listed.push(task) - 1;
  }

  unlist(task: number): void {
    const maps = this.of(this.jobOf[task]);
    maps.taskOf[this.mapOf[task]] = NONE;
    maps.inGraph--;
    const last = this.listed.pop();
    assert(last !== undefined, "no task is in the graph");
    if (last === task) return;
    this.listed[this.listedAt[task]] = last;
    this.listedAt[last] = this.listedAt[task];
  }
}
