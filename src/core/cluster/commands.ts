/**
 * What the master tells a node in the reply to its heartbeat at `atUs`. Slots are the global slot numbers of the
 * topology; an attempt is known by the slot it holds.
 */
export interface CommandSink {
  /** `level`: NODE_LOCAL, RACK_LOCAL, OFF_RACK or NO_INPUT. */
  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number): void;
  /** `mapsDone`: all map output is there already. `copyUs`: time to fetch all of it. */
  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
  ): void;
  /** The last map of the job of the reduce in that slot has finished. */
  mapsFinished(node: number, atUs: number, slot: number): void;
  /** The attempt in that slot ends now, its work lost. */
  kill(node: number, atUs: number, slot: number): void;
}

/** What a node reports on its heartbeat at `atUs`: an attempt that has ended since the one before, or at it. */
export interface ReportSink {
  finished(node: number, atUs: number, slot: number, finishUs: number): void;
  /** It was killed at `endUs`, one heartbeat interval ago. */
  killed(node: number, atUs: number, slot: number, endUs: number): void;
}
