import type { LaunchDetail } from "../commands.js";

/** Stages of an attempt, in the order in which a map, or a reduce, goes through them. */
export const FREE = 0;
export const START = 1;
export const READ = 2;
export const FETCH = 3;
/** A reduce has fetched everything and waits until it may compute: see compute-gate.ts. */
export const PARKED = 4;
export const COMPUTE = 5;
/** A map writes its output to its own disk, a reduce to the file system. */
export const WRITE = 6;
/** Ended; the next heartbeat says how. */
export const ENDED = 7;
/** Its work is done, the master knows, and it waits for leave to commit. */
export const ASKING = 8;
export const COMMITTING = 9;

/**
 * The attempts of one rack by their places: its slots, then once more as many for those that commit while their slot has
 * been given away. Bytes and times are what is left to be done, or was set out to be.
 */
export class AttemptTable {
  readonly stage: Uint8Array;
  readonly isMap: Uint8Array;
  readonly commits: Uint8Array;
  /** It has been killed, and will be reported so, but its process is not dead yet. */
  readonly dies: Uint8Array;
  readonly launchUs: Float64Array;
  readonly failsAt: Int32Array;
  /** The node it reads from, by its number in the cluster; -1: none. */
  readonly source: Int32Array;
  /** A map's input; for a reduce all the map output that it fetches. */
  readonly inputBytes: Float64Array;
  /** Of a reduce: how much of that it has been let fetch so far. */
  readonly givenBytes: Float64Array;
  /** Which of its two flows run: bits 1 and 2. */
  readonly flowing: Uint8Array;
  readonly outputBytes: Float64Array;
  /** Millionths of the map output that it may fetch, and whether that is all. */
  readonly available: Int32Array;
  readonly mapsDone: Uint8Array;
  /** When the stage that goes by time began, or it asked for leave. */
  readonly sinceUs: Float64Array;
  /** Time that it computes, on a node of speed 1. */
  readonly computeUs: Float64Array;
  /** Light model, a reduce: when its copies end, but for the last map's. */
  readonly copiedUs: Float64Array;
  readonly tailUs: Float64Array;
  readonly endUs: Float64Array;
  /** What the report will say: see outcomes.ts. */
  readonly outcome: Uint8Array;

  constructor(readonly slots: number) {
    const places = 2 * slots;
    this.stage = new Uint8Array(places);
    this.isMap = new Uint8Array(places);
    this.commits = new Uint8Array(places);
    this.dies = new Uint8Array(places);
    this.launchUs = new Float64Array(places);
    this.failsAt = new Int32Array(places);
    this.source = new Int32Array(places);
    this.inputBytes = new Float64Array(places);
    this.givenBytes = new Float64Array(places);
    this.flowing = new Uint8Array(places);
    this.outputBytes = new Float64Array(places);
    this.available = new Int32Array(places);
    this.mapsDone = new Uint8Array(places);
    this.sinceUs = new Float64Array(places);
    this.computeUs = new Float64Array(places);
    this.copiedUs = new Float64Array(places);
    this.tailUs = new Float64Array(places);
    this.endUs = new Float64Array(places);
    this.outcome = new Uint8Array(places);
  }

  begin(place: number, atUs: number, isMap: boolean, detail: LaunchDetail): void {
    this.stage[place] = START;
    this.isMap[place] = isMap ? 1 : 0;
    this.launchUs[place] = atUs;
    this.commits[place] = detail.commits ? 1 : 0;
    this.failsAt[place] = detail.failsAt;
    this.dies[place] = 0;
    this.source[place] = -1;
    this.inputBytes[place] = 0;
    this.givenBytes[place] = 0;
    this.flowing[place] = 0;
    this.outputBytes[place] = 0;
    this.available[place] = 0;
    this.mapsDone[place] = 0;
  }

  /** The attempt leaves its slot and goes on asking for leave to commit; its new place. */
  stepAside(place: number, atUs: number): number {
    const aside = place + this.slots;
    this.stage[aside] = ASKING;
    this.sinceUs[aside] = atUs;
    this.isMap[aside] = this.isMap[place];
    this.launchUs[aside] = this.launchUs[place];
    this.commits[aside] = 0;
    this.dies[aside] = 0;
    this.stage[place] = FREE;
    return aside;
  }
}
