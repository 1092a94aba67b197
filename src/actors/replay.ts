import type { SliceGrid } from "../core/kernel/slices.js";
import { readLog, type LoggedCommands } from "./command-log.js";
import type { RackHost } from "./rack-host.js";
import { ReportTally, type TallyDigest } from "./report-tally.js";

/** What makes a new host the one that a dead thread has run. */
export interface Replay {
  readonly log: LoggedCommands;
  /** The master needs no reports of slices below this: it has them. */
  readonly untilSlice: number;
  /** All that it has. */
  readonly reported: TallyDigest;
}

/**
 * Brings a host that has done nothing yet to where the master is, by what the one before it was sent. A frame sent in slice
 * c comes after the reports of slice c and before those of c + 1, as with racks on the master's own thread; so light racks tell
 * nothing ahead, and each report comes once, in its slice. `before` is called with each slice that is computed.
 *
 * Returns false if the reports are not those that the master has. Leaves off where `isStopped` says so, and returns true.
 */
export function replay(
  host: RackHost,
  grid: SliceGrid,
  { log, untilSlice, reported }: Replay,
  isStopped: () => boolean,
  before: (slice: number) => void,
): boolean {
  const tally = new ReportTally();
  const computeBelow = (end: number): boolean => {
    for (let slice = host.nextReportSlice(); slice < end; slice = host.nextReportSlice()) {
      if (isStopped()) return false;
      before(slice);
      const { words, length } = host.collect(slice);
      tally.add(words, length, grid.startUs(slice));
    }
    return true;
  };
  let isWhole = true;
  readLog(log, (frame, slice) => {
    isWhole = computeBelow(slice + 1);
    if (isWhole) host.receive(frame);
    return isWhole;
  });
  if (!isWhole || !computeBelow(untilSlice)) return true;
  return tally.count === reported.count && tally.sum === reported.sum;
}
