/**
 * The protocol between master and nodes: commands in the replies to heartbeats, and reports on heartbeats. Each is
 * coded here, and nowhere else; messages/ says how they stand in frames.
 */

const MILLION = 1_000_000;

/**
 * The part of a launch command beyond its times, for racks that simulate attempts in stages. Valid during the call
 * only: the next launch may fill the same record.
 */
export interface LaunchDetail {
  /** The attempt asks leave to commit when its work is done. */
  readonly commits: boolean;
  /** Millionths of its computing after which it fails; -1: it does not. */
  readonly failsAt: number;
  /** Thousandths by which its computing takes longer than usual: 1000 is as usual. */
  readonly slowdown: number;
  /** Time before its start-up in which it waits for a file that it needs. */
  readonly prepareUs: number;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The reads and writes of a map. */
export interface MapDetail extends LaunchDetail {
  /** The node whose disk it reads from: its own, another; -1: it has no input. */
  readonly sourceNode: number;
  readonly inputBytes: number;
  /** Map output written to the node's own disk. */
  readonly outputBytes: number;
}

/**
 * Returns the available part of `bytes` of map output; `available` in millionths. Whole bytes, for master and racks
 * alike.
 */
export function bytesThere(bytes: number, available: number): number {
  return available >= MILLION ? bytes : Math.floor((bytes * available) / MILLION);
}

/** The transfers and writes of a reduce. */
export interface ReduceDetail extends LaunchDetail {
  /** Map output that it fetches, in all. */
  readonly fetchBytes: number;
  /** Written to the file system, before replication. */
  readonly outputBytes: number;
  /** Millionths of the map output that are there. */
  readonly available: number;
  /** The place of its job among all of the run, by priority, then submission. */
  readonly rank: number;
}

/** The detail of an attempt that reads and writes nothing and succeeds at normal speed. */
const NOTHING_SPECIAL: LaunchDetail = { commits: false, failsAt: -1, slowdown: 1000, prepareUs: 0 };
export const NO_MAP_DETAIL: MapDetail = { ...NOTHING_SPECIAL, sourceNode: -1, inputBytes: 0, outputBytes: 0 };
export const NO_REDUCE_DETAIL: ReduceDetail = {
  ...NOTHING_SPECIAL,
  fetchBytes: 0,
  outputBytes: 0,
  available: 0,
  rank: 0,
};

/**
 * The commands to a node in the reply to its heartbeat at `atUs`. Slots are the global slot numbers of the topology. An
 * attempt is known by its place: the slot it holds, or, while it commits, the slot it held plus the number of slots in
 * the cluster.
 */
export interface LightCommands {
  /** `level`: NODE_LOCAL, RACK_LOCAL, OFF_RACK or NO_INPUT. `detail`: null for a light rack. */
  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void;
  /** `mapsDone`: all map output is there already. `copyUs`: time to fetch all of it. */
  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
    detail: ReduceDetail | null,
  ): void;
  /** The last map of the job of the reduce in that slot has finished. */
  mapsFinished(node: number, atUs: number, slot: number): void;
  /** The attempt at that place ends now, its work lost. */
  kill(node: number, atUs: number, place: number): void;
}

/** The same to racks that simulate attempts in stages. Light racks are sent none of what is added here. */
export interface CommandSink extends LightCommands {
  /** Millionths of the map output that are there now for the reduce in that slot. */
  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void;
  /** The attempt at that place may commit. */
  commit(node: number, atUs: number, place: number): void;
  /**
   * A node will read `bytes` from the disk of `source`, in another rack, for the attempt at `place`, which was launched
   * there at the same instant. `node` is the source, or receives the command for a rack that keeps the uplink of a row
   * (read-ends.ts).
   */
  openRead(node: number, atUs: number, place: number, reader: number, source: number, bytes: number): void;
  /** The attempt that read by `openRead` or `serveOutput` is being killed. */
  closeRead(node: number, atUs: number, place: number): void;
  /**
   * An offer by another end of a read between racks at `atUs`, as detailed/offers.ts codes it. `node` is the receiving
   * end.
   */
  rateProposed(node: number, atUs: number, place: number, offer: number): void;
  /** Makes a replica: the node copies a block from the source. `transfer` tells the node's copies apart: 0 or 1. */
  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void;
  /**
   * From `fromUs` on the node sends so much of its map output to the reduce in that slot of `reader`. Ends with
   * `closeRead`.
   */
  serveOutput(node: number, atUs: number, slot: number, reader: number, fromUs: number, bytes: number): void;
  /**
   * At `atUs` the attempt in that slot, of another rack, has begun to write so much, of which the node takes a replica;
   * 0: it has given up.
   */
  replicaSent(node: number, atUs: number, slot: number, bytes: number): void;
  /** At `atUs` nodes of another rack had sent to the attempt in that slot, or taken from it, so many bytes more. */
  bytesMoved(node: number, atUs: number, slot: number, bytes: number): void;
}

/** Returns the sink of the commands for a node. */
export type CommandsOf = (node: number) => CommandSink;

/** The largest number that fits into the word for the value. */
export const LARGEST_VALUE = 2 ** 31 - 1;
/** The attempt has ended, and how. */
export const SUCCEEDED = 0;
/** It was killed on the heartbeat before. */
export const WAS_KILLED = 1;
/** It failed by itself. */
export const HAS_FAILED = 2;
/** The attempt could not go on because the node it read from has gone: no fault of its own. */
export const SOURCE_LOST = 3;
/** It has done its work and asks leave to commit; its slot is free, and its place another from now on. */
export const WANTS_COMMIT = 4;
/** Millionths of its work that the attempt has done. */
export const HAS_PROGRESSED = 5;
/** The node is back after a crash: nothing that ran on it runs any more. */
export const HAS_RETURNED = 6;
/** The number of tasks that compute on the node. */
export const IS_LOADED = 7;
/** The replica that `copyBlock` ordered is there; the value is the time since. */
export const HAS_COPIED = 8;
/** The copy that `copyBlock` ordered could not be made. */
export const HAS_NOT_COPIED = 9;
/** For the node, another end of a read between racks: `rateProposed`. */
export const PROPOSES_RATE = 10;
/** The reduce in that slot has copied everything: it computes now (1), or is parked until it may (0). */
export const AT_GATE = 11;
/** For a node of another rack: `replicaSent` and `bytesMoved`, in bytes. */
export const SENDS_REPLICA = 12;
export const HAS_MOVED = 13;

/** The report is a letter from one rack to another, which the master passes on. */
export function isLetter(kind: number): boolean {
  return kind === PROPOSES_RATE || kind >= SENDS_REPLICA;
}

/** The receiver of the reports of nodes. */
export interface ReportSink {
  /** Takes a report of the node on its heartbeat at `atUs`. An end longer ago than the largest value counts as that. */
  report(kind: number, node: number, atUs: number, place: number, value: number): void;
}
