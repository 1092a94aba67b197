import { FrameError } from "../messages/frame.js";
import type { CommandLog } from "./command-log.js";
import type { ControlWords } from "./thread-control.js";
import type { Ring } from "./thread-ring.js";

/** So many frames may wait for a host that has no need to be awake: then it is awaited. */
export const MOST_WAITING = 16;

/** The master's end of the connection to one rack thread. */
export class ThreadLink {
  /** Of commands that the host may not have seen yet: slices in which they were sent, ascending, and can show at first. */
  private readonly unapplied: number[] = [];
  private readonly shows: number[] = [];
  private sentFrame = false;
  /** Of the last frame that was taken. */
  private takenSlice = -1;

  constructor(
    readonly host: number,
    private readonly control: ControlWords,
    readonly reports: Ring,
    readonly commands: Ring,
    /** Keeps what is sent; null: nobody will ask for it. */
    readonly log: CommandLog | null = null,
  ) {}

  /** Rule M: everything that the host will report of the slice is there, or it has promised to report nothing. */
  hasReached(slice: number): boolean {
    if (this.control.done(this.host) > slice) return true;
    const applied = this.control.applied(this.host);
    const quiet = this.control.quiet(this.host);
    const { unapplied, shows } = this;
    while (unapplied.length > 0 && unapplied[0] < applied) {
      unapplied.shift();
      shows.shift();
    }
    if (quiet <= slice || unapplied.length >= MOST_WAITING) return false;
    for (const from of shows) if (from <= slice) return false;
    return true;
  }

  /**
   * The next frame of reports, if it is of the slice, or `orLater`; valid until `releaseReports`. Null: there is no
   * such frame.
   */
  takeReports(slice: number, orLater = false): Uint8Array | null {
    if (!this.reports.hasFrame()) return null;
    const front = this.reports.frontSlice();
    if (front < slice)
      throw new FrameError(`found reports of slice ${front} after a promise of silence up to ${slice}`);
    if (front !== slice && !orLater) return null;
    this.takenSlice = front;
    return this.reports.read();
  }

  /** The reports of the slice were in a frame that was taken; only where frames of later slices are not. */
  hasTaken(slice: number): boolean {
    return this.takenSlice === slice;
  }

  releaseReports(): void {
    this.reports.release();
  }

  /** Sends the commands of a slice, which show in no slice before `showsFrom`. */
  send(frame: Uint8Array | null, slice: number, showsFrom: number): void {
    this.sentFrame = frame !== null;
    if (frame === null) return;
    this.log?.add(frame, slice);
    this.commands.write(frame, slice, () => this.control.stopped);
    this.unapplied.push(slice);
    this.shows.push(showsFrom);
  }

  /** After publishing: wakes the host if there is something for it to do. */
  wakeIfWanted(): void {
    this.control.wakeIfWanted(this.host, this.sentFrame);
  }
}
