// JSON objects that stand one after the other in a file, on lines of their own or not, as Rumen and SLS write them.

/** Longest text of one object that is held: a job of Rumen with a hundred thousand tasks. */
const MAX_VALUE_BYTES = 1 << 28;

interface ValueTaker {
  /** The text of an object, from brace to brace. @param line where it begins. */
  readonly take: (text: string, line: number) => void;
  /** One is longer than MAX_VALUE_BYTES, and is passed over. */
  readonly tooLong: (line: number) => void;
  /** Called for text between objects other than blanks, brackets and commas, once for each place. */
  readonly stray: (text: string, line: number) => void;
}

const [LF, QUOTE, BACKSLASH, OPEN, CLOSE] = [0x0a, 0x22, 0x5c, 0x7b, 0x7d];
/** A list of objects does as well. */
const BETWEEN = new Set([0x20, 0x09, 0x0d, LF, 0x2c, 0x5b, 0x5d]);

const STRAY_BYTES = 40;

/** Cuts bytes into objects; holds at most one. */
export class JsonValues {
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  private line = 1;
  private fromLine = 1;
  private pieces: Buffer[] = [];
  private bytes = 0;
  private stray = "";

  constructor(private readonly taker: ValueTaker) {}

  take(piece: Buffer): void {
    let from = 0;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index];
      if (byte === LF) this.line++;
      if (this.depth === 0) {
        if (byte === OPEN) {
          this.endStray();
          this.depth = 1;
          from = index;
          this.fromLine = this.line;
        } else if (!BETWEEN.has(byte)) {
          if (this.stray === "") this.fromLine = this.line;
          if (this.stray.length < STRAY_BYTES) this.stray += String.fromCharCode(byte);
        }
      } else if (this.isText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isText = false;
      } else if (byte === QUOTE) this.isText = true;
      else if (byte === OPEN) this.depth++;
      else if (byte === CLOSE && --this.depth === 0) {
        this.hold(piece.subarray(from, index + 1));
        this.emit();
      }
    }
    // The piece may be written over.
    if (this.depth > 0) this.hold(Buffer.from(piece.subarray(from)));
  }

  /** @returns whether the last object is whole. */
  end(): boolean {
    this.endStray();
    return this.depth === 0;
  }

  private hold(bytes: Buffer): void {
    this.bytes += bytes.length;
    if (this.bytes > MAX_VALUE_BYTES) this.pieces = [];
    else this.pieces.push(bytes);
  }

  private emit(): void {
    const { pieces, bytes } = this;
    this.pieces = [];
    this.bytes = 0;
    if (bytes > MAX_VALUE_BYTES) this.taker.tooLong(this.fromLine);
    else this.taker.take(Buffer.concat(pieces).toString("utf8"), this.fromLine);
  }

  private endStray(): void {
    if (this.stray !== "") this.taker.stray(this.stray, this.fromLine);
    this.stray = "";
  }
}
