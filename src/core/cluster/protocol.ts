/**
 * What a launch command says beyond its times, for racks that simulate attempts in stages. Valid during the call only: the
 * next launch may fill the same record.
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

/** What a map reads and writes. */
export interface MapDetail extends LaunchDetail {
  /** The node whose disk it reads from: its own, another; -1: it has no input. */
  readonly sourceNode: number;
  readonly inputBytes: number;
  /** Map output written to the node's own disk. */
  readonly outputBytes: number;
}

/** What a reduce fetches and writes. */
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

/**
 * What the master tells a node in the reply to its heartbeat at `atUs`. Slots are the global slot numbers of the
 * topology. An attempt is known by its place: the slot it holds, or, while it commits, the slot it held plus the number
 * of slots in the cluster.
 */
export interface CommandSink {
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
  /** Millionths of the map output that are there now for the reduce in that slot. */
  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void;
  /** The last map of the job of the reduce in that slot has finished. */
  mapsFinished(node: number, atUs: number, slot: number): void;
  /** The attempt at that place ends now, its work lost. */
  kill(node: number, atUs: number, place: number): void;
  /** The attempt at that place may commit. */
  commit(node: number, atUs: number, place: number): void;
  /**
   * A node of another rack will read `bytes` from this node's disk for the attempt at `place`, which was launched there
   * at the same instant.
   */
  openRead(node: number, atUs: number, place: number, reader: number, bytes: number): void;
  /** The reader of `openRead` is being killed. */
  closeRead(node: number, atUs: number, place: number): void;
  /** What the other end of a transfer between racks offered at `atUs`, in KiB/s. `node` is the end that is told. */
  offered(node: number, atUs: number, place: number, kibPerSecond: number): void;
  /** Makes a replica: the node copies a block from the source. `transfer` tells the node's copies apart: 0 or 1. */
  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void;
}

/** Where the commands for a node go. */
export type CommandsOf = (node: number) => CommandSink;

/** What a node reports on its heartbeat at `atUs`: an attempt that has ended since the one before, or at it. */
export interface ReportSink {
  finished(node: number, atUs: number, place: number, finishUs: number): void;
  /** It was killed at `endUs`, on the heartbeat before. */
  killed(node: number, atUs: number, place: number, endUs: number): void;
  /** It failed by itself. */
  failed(node: number, atUs: number, place: number, endUs: number): void;
  /** It could not go on because the node it read from has gone: nobody's fault. */
  sourceLost(node: number, atUs: number, place: number, endUs: number): void;
  /** It has done its work at `endUs` and asks leave to commit; its slot is free, and its place another from now on. */
  commitPending(node: number, atUs: number, slot: number, endUs: number): void;
  /** Millionths of its work that it has done. */
  progressed(node: number, atUs: number, place: number, progress: number): void;
  /** The node is back after a crash: nothing that ran on it runs any more. */
  returned(node: number, atUs: number): void;
  /** The reduce in that slot has copied everything: it computes now, or is parked until it may. */
  atGate(node: number, atUs: number, slot: number, isPast: boolean): void;
  /** How many tasks compute on the node. */
  loaded(node: number, atUs: number, computing: number): void;
  /** The replica that `copyBlock` ordered is there. */
  copied(node: number, atUs: number, transfer: number, endUs: number): void;
  /** The copy that `copyBlock` ordered could not be made. */
  notCopied(node: number, atUs: number, transfer: number, endUs: number): void;
  /** For `peer`, the other end of the transfer: what this end could give at `atUs`, in KiB/s. */
  offers(peer: number, atUs: number, place: number, kibPerSecond: number): void;
}

/** How an attempt ends, as its heartbeat reports it. */
export const SUCCEEDED = 0;

export const WAS_KILLED = 1;

export const HAS_FAILED = 2;

/** The node that it read from has gone: nobody's fault. */
export const SOURCE_LOST = 3;

/** Its work is done; it asks leave to commit. */
export const WANTS_COMMIT = 4;
