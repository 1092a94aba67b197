import { closeSync, openSync, readSync } from "node:fs";

const FILE = "/proc/thread-self/schedstat";
const NS_PER_MS = 1_000_000;
const ZERO = 48;

/**
 * How long this thread stood ready while others had its processor, as Linux counts it: what a timed call did not use although
 * the clock went on. Reading it costs a few microseconds.
 */
export class RunDelay {
  private readonly text = new Uint8Array(80);
  private lastMs: number;

  private constructor(private readonly file: number) {
    this.lastMs = this.readMs();
  }

  /** null: this system does not tell. */
  static open(): RunDelay | null {
    try {
      return new RunDelay(openSync(FILE, "r"));
    } catch {
      return null;
    }
  }

  /** Milliseconds since the last time this was asked. */
  takeMs(): number {
    const nowMs = this.readMs();
    const sinceMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    return sinceMs;
  }

  close(): void {
    closeSync(this.file);
  }

  /** The second number of the line, in nanoseconds there. */
  private readMs(): number {
    const { text } = this;
    readSync(this.file, text, 0, text.length, 0);
    let at = 0;
    while (text[at] >= ZERO) at++;
    let ns = 0;
    for (at++; text[at] >= ZERO; at++) ns = ns * 10 + text[at] - ZERO;
    return ns / NS_PER_MS;
  }
}
