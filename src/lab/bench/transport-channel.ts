import { ControlWords } from "../../actors/thread-control.js";
import { ThreadLink } from "../../actors/thread-link.js";
import { Ring } from "../../actors/thread-ring.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import { REPORT_WORDS, type ReportWriter } from "../../messages/report-words.js";

/** The only peer. */
export const PEER = 0;
/** Nothing here depends on how long a slice is. */
export const SLICE_US = 3 * US_PER_SECOND;
/** Frames that a ring of reports has room for. */
const ROOM = 64;
const FRAME_OVERHEAD = 64;
const SLOTS = 10;

/** What the thread at the other end is started with. */
export interface TransportTask {
  /** `stream`: it writes frames as fast as there is room. `answer`: a frame for every one that it gets. */
  readonly way: "stream" | "answer";
  readonly frames: number;
  readonly heartbeats: number;
  readonly control: SharedArrayBuffer;
  readonly reports: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
}

/** Shared memory as between the master and one rack thread, and the master's end of it. */
export interface Channel {
  readonly control: ControlWords;
  readonly link: ThreadLink;
  readonly bytes: number;
}

export function openChannel(heartbeats: number): Channel {
  const control = ControlWords.allocate(1);
  const largest = 4 * REPORT_WORDS * heartbeats + FRAME_OVERHEAD;
  const [reports, commands] = [Ring.allocate(ROOM, largest), Ring.allocate(ROOM, largest)];
  const bytes = [control.memory, reports.memory, commands.memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { control, link: new ThreadLink(PEER, control, reports, commands), bytes };
}

/** Bounds that `writeHeartbeats` keeps. */
export const BOUNDS = { nodes: 10_000, slots: SLOTS, sliceUs: SLICE_US, longestSilenceUs: SLICE_US } as const;

/** As many heartbeats as asked for, each with the end of one attempt. */
export function writeHeartbeats(writer: ReportWriter, heartbeats: number): void {
  writer.open(0);
  for (let beat = 0; beat < heartbeats; beat++) writer.finished(beat, beat, beat % SLOTS, 0);
}
