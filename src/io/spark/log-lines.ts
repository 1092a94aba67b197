// Lines of an event log; most are skipped without being parsed.

/** Longest line of a wanted event: some hold a query plan, or values of thousands of accumulators. */
const MAX_EVENT_BYTES = 1 << 26;

/** Bytes after which the name of the event is known, if it comes first in the line, as Spark writes it. */
const HEAD_BYTES = 256;

/** The beginning of a line of Spark's event logs. */
export const SPARK_EVENT = /^\s*\{\s*"Event"\s*:\s*"([^"\\]{1,200})"/;

const LF = 0x0a;

interface LineTaker {
  /** Whether an event is wanted. @param name null: it does not stand first in the line. */
  readonly wants: (name: string | null) => boolean;
  /** Called for each line of a wanted event, blank lines excepted. */
  readonly take: (text: string, line: number) => void;
  /** Called for each line that is longer than MAX_EVENT_BYTES and belongs to a wanted event. */
  readonly tooLong: (line: number) => void;
}

/** Cuts bytes into lines. Holds at most one line, and drops an unwanted one as soon as its event is known. */
export class EventLines {
  /** The line of the file, from 1. */
  private number = 1;
  private buffer = Buffer.allocUnsafe(1 << 16);
  private heldBytes = 0;
  private state: "open" | "wanted" | "passed" | "long" = "open";
  linesSoFar = 0;

  /** @param event matches the name of an event at the beginning of its line. */
  constructor(
    private readonly taker: LineTaker,
    private readonly event: RegExp,
  ) {}

  take(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(LF, from);
      if (end < 0) break;
      if (this.heldBytes === 0 && this.state === "open") this.line(bytes.subarray(from, end));
      else {
        this.hold(bytes.subarray(from, end));
        this.endLine();
      }
      from = end + 1;
    }
    if (from < bytes.length) this.hold(bytes.subarray(from));
  }

  /** The end of a file ends its last line. */
  end(): void {
    if (this.heldBytes > 0 || this.state !== "open") this.endLine();
    this.number = 1;
  }

  private hold(bytes: Buffer): void {
    if (this.state === "passed" || this.state === "long") return;
    const total = this.heldBytes + bytes.length;
    if (total > MAX_EVENT_BYTES) {
      this.state = "long";
      this.heldBytes = 0;
      return;
    }
    if (total > this.buffer.length) {
      const wider = Buffer.allocUnsafe(Math.min(MAX_EVENT_BYTES, Math.max(total, 2 * this.buffer.length)));
      this.buffer.copy(wider, 0, 0, this.heldBytes);
      this.buffer = wider;
    }
    bytes.copy(this.buffer, this.heldBytes);
    this.heldBytes = total;
    if (this.state === "open" && total >= HEAD_BYTES) {
      this.state = this.isWanted(this.buffer.subarray(0, total)) ? "wanted" : "passed";
      if (this.state === "passed") this.heldBytes = 0;
    }
  }

  private endLine(): void {
    const { state, heldBytes } = this;
    this.state = "open";
    this.heldBytes = 0;
    if (state === "long") this.taker.tooLong(this.number);
    if (state === "open" || state === "wanted") this.line(this.buffer.subarray(0, heldBytes));
    else {
      this.number++;
      this.linesSoFar++;
    }
    // Release the memory of a long line.
    if (this.buffer.length > 1 << 22) this.buffer = Buffer.allocUnsafe(1 << 16);
  }

  private line(bytes: Buffer): void {
    const number = this.number++;
    this.linesSoFar++;
    if (!this.isWanted(bytes)) return;
    const text = bytes.toString("utf8");
    if (text.trim() !== "") this.taker.take(text, number);
  }

  private isWanted(bytes: Buffer): boolean {
    return this.taker.wants(this.event.exec(bytes.toString("latin1", 0, HEAD_BYTES))?.[1] ?? null);
  }
}
