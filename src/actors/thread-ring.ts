import { assert } from "../core/kernel/assert.js";

const HEAD = 0;
const TAIL = 1;
const WRITER_SLEEPS = 2;
const CONTROL_BYTES = 64;
const WRAP = -1;
const FRAME_HEADER_BYTES = 8;
const WAIT_MS = 100;

/**
 * A one-way byte channel between two threads in shared memory: one writer, one reader, frames in order. Each frame is
 * preceded by two words, its length and the slice it belongs to; a length of -1 sends the reader back to the start. Head and tail are running byte
 * counts; the capacity is a power of two, so that they may wrap.
 */
export class Ring {
  private readonly control: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly words: Int32Array;
  private readonly capacity: number;
  private readLength = 0;

  constructor(readonly memory: SharedArrayBuffer) {
    this.capacity = memory.byteLength - CONTROL_BYTES;
    this.control = new Int32Array(memory, 0, CONTROL_BYTES / 4);
    this.bytes = new Uint8Array(memory, CONTROL_BYTES);
    this.words = new Int32Array(memory, CONTROL_BYTES);
  }

  /** A ring that can always hold `frames` frames of `largestFrame` bytes. */
  static allocate(frames: number, largestFrame: number): Ring {
    let capacity = 1 << 16;
    while (capacity < (frames + 2) * (largestFrame + 64)) capacity *= 2;
    return new Ring(new SharedArrayBuffer(capacity + CONTROL_BYTES));
  }

  /** Appends the frame of a slice; waits for room. Returns false when `isStopped` said so while it waited. */
  write(frame: Uint8Array, slice: number, isStopped: () => boolean): boolean {
    const need = spaceOf(frame.length);
    assert(2 * need <= this.capacity, "a frame is larger than its ring was made for");
    let head = this.control[HEAD];
    const toEnd = this.capacity - (head & (this.capacity - 1));
    const skip = toEnd < need ? toEnd : 0;
    if (!this.waitForRoom(head, need + skip, isStopped)) return false;
    if (skip > 0) {
      this.words[(head & (this.capacity - 1)) >> 2] = WRAP;
      head = (head + skip) | 0;
    }
    const at = head & (this.capacity - 1);
    this.words[at >> 2] = frame.length;
    this.words[(at >> 2) + 1] = slice;
    this.bytes.set(frame, at + FRAME_HEADER_BYTES);
    Atomics.store(this.control, HEAD, (head + need) | 0);
    return true;
  }

  /** Something is there to read. */
  hasFrame(): boolean {
    return Atomics.load(this.control, HEAD) !== this.control[TAIL];
  }

  /** Slice of the next frame; only when `hasFrame`. */
  frontSlice(): number {
    return this.words[(this.front() >> 2) + 1];
  }

  /** The next frame, a view that is valid until `release`; only when `hasFrame`. */
  read(): Uint8Array {
    const at = this.front();
    this.readLength = this.words[at >> 2];
    return this.bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + this.readLength);
  }

  /** Gives the room of the frame read last back to the writer. */
  release(): void {
    this.advance(spaceOf(this.readLength));
  }

  /** Where the next frame begins. */
  private front(): number {
    const at = this.control[TAIL] & (this.capacity - 1);
    if (this.words[at >> 2] !== WRAP) return at;
    this.advance(this.capacity - at);
    return 0;
  }

  private advance(by: number): void {
    Atomics.store(this.control, TAIL, (this.control[TAIL] + by) | 0);
    if (Atomics.load(this.control, WRITER_SLEEPS) === 1) Atomics.notify(this.control, TAIL);
  }

  private waitForRoom(head: number, need: number, isStopped: () => boolean): boolean {
    for (;;) {
      const tail = Atomics.load(this.control, TAIL);
      if (this.capacity - ((head - tail) | 0) >= need) return true;
      if (isStopped()) return false;
      Atomics.store(this.control, WRITER_SLEEPS, 1);
      Atomics.wait(this.control, TAIL, tail, WAIT_MS);
      Atomics.store(this.control, WRITER_SLEEPS, 0);
    }
  }
}

/** Room for a frame of that length with its header, in whole words. */
function spaceOf(length: number): number {
  return (length + FRAME_HEADER_BYTES + 3) & ~3;
}
