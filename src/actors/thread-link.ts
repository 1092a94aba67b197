import { FrameError } from "../messages/frame.js";
import type { ControlWords } from "./thread-control.js";
import type { Ring } from "./thread-ring.js";

/** The master's end of the connection to one rack thread. */
export class ThreadLink {
  /** Slices for which commands were sent that the host may not have seen yet, ascending. */
  private readonly unapplied: number[] = [];
  private sentFrame = false;

  constructor(
    readonly host: number,
    private readonly control: ControlWords,
    readonly reports: Ring,
    readonly commands: Ring,
  ) {}

  /** Rule M: everything that the host will report of the slice is there, or it has promised to report nothing. */
  hasReached(slice: number, perLookahead: number): boolean {
    if (this.control.done(this.host) > slice) return true;
    const applied = this.control.applied(this.host);
    const quiet = this.control.quiet(this.host);
    while (this.unapplied.length > 0 && this.unapplied[0] < applied) this.unapplied.shift();
    if (quiet <= slice) return false;
    return this.unapplied.length === 0 || this.unapplied[0] + perLookahead > slice;
  }

  /** The report frame of the slice, valid until `releaseReports`; null when the host had none. */
  takeReports(slice: number): Uint8Array | null {
    if (!this.reports.hasFrame()) return null;
    const front = this.reports.frontSlice();
    if (front < slice)
      throw new FrameError(`found reports of slice ${front} after a promise of silence up to ${slice}`);
    return front === slice ? this.reports.read() : null;
  }

  releaseReports(): void {
    this.reports.release();
  }

  send(frame: Uint8Array | null, slice: number): void {
    this.sentFrame = frame !== null;
    if (frame === null) return;
    this.commands.write(frame, slice, () => this.control.stopped);
    this.unapplied.push(slice);
  }

  /** After publishing: wakes the host if there is something for it to do. */
  wakeIfWanted(): void {
    this.control.wakeIfWanted(this.host, this.sentFrame);
  }
}
