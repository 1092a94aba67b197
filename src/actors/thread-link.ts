import { assert } from "../core/kernel/index.js";
import type { CommandLog } from "./recovery.js";

/**
 * The words that master and rack threads share beside their rings. Every wait is on one of them, with a time limit, so
 * that a thread that dies cannot leave another waiting for ever.
 */
const PUBLISHED = 0;
const STOP = 1;
const AWAITED = 2;
const HEADER_WORDS = 16;
/** Words of each host, a cache line apart. */
const HOST_WORDS = 16;
const DONE = 0;
const QUIET = 1;
const APPLIED = 2;
const SLEEPS = 3;
const WANTS = 4;
const IS_AWAITED = 5;
const IS_READY = 6;
/** Slice numbers beyond this are kept as this: nothing is planned so far ahead. */
export const FARTHEST = 2 ** 31 - 1;

/**
 * Looks at a word before a thread sleeps: 20 to 50 us, about as long as it takes to wake a thread whose core has gone
 * idle.
 */
const LOOKS = 4000;
/** Number of vain waits after which the pause before the next try no longer doubles. */
const MOST_DOUBLINGS = 8;

/** Protocol state of one parallel run; see `docs/parallel.md` for the rules R, M and G. */
export class ControlWords {
  private readonly words: Int32Array;
  private failures = 0;
  private sleepsLeft = 0;

  /** `spins`: there is a core for each thread, so that one may look for a while before it sleeps. */
  constructor(
    readonly memory: SharedArrayBuffer,
    private readonly spins = false,
  ) {
    this.words = new Int32Array(memory);
  }

  static allocate(hosts: number, spins = false): ControlWords {
    return new ControlWords(new SharedArrayBuffer(4 * (HEADER_WORDS + hosts * HOST_WORDS)), spins);
  }

  /** The replies of all slices below this are in the rings. */
  get published(): number {
    return Atomics.load(this.words, PUBLISHED);
  }

  publish(slice: number): void {
    Atomics.store(this.words, PUBLISHED, Math.min(slice, FARTHEST));
  }

  get stopped(): boolean {
    return Atomics.load(this.words, STOP) !== 0;
  }

  /** Ends the run: every host leaves its loop. */
  stop(hosts: number): void {
    Atomics.store(this.words, STOP, 1);
    for (let host = 0; host < hosts; host++) this.wake(host);
  }

  // The host's side ------------------------------------------------------------------------------------------------

  /** The host has its racks, and begins. */
  tellReady(host: number): void {
    this.store(host, IS_READY, 1);
  }

  /**
   * The host's frames of all slices below `done` are in its ring, and it promises no report before slice `quiet`, as
   * far as the replies of slices below `applied` go. Written in this order and read in the other, so that a promise is
   * never held for newer than it is.
   */
  tell(host: number, done: number, quiet: number, applied: number): void {
    this.store(host, DONE, Math.min(done, FARTHEST));
    this.store(host, QUIET, Math.min(quiet, FARTHEST));
    this.store(host, APPLIED, applied);
    if (this.load(host, IS_AWAITED) !== 0) this.crossOff(host);
  }

  /** Sleeps until `published` reaches `wanted`, a frame comes, or the run stops; `hasFrame` looks at the ring. */
  sleep(host: number, wanted: number, hasFrame: () => boolean, limitMs: number): void {
    if (this.comesSoon(() => this.published >= wanted || hasFrame() || this.stopped)) return;
    this.store(host, WANTS, Math.min(wanted, FARTHEST));
    this.store(host, SLEEPS, 1);
    if (this.published < wanted && !hasFrame() && !this.stopped) {
      Atomics.wait(this.words, wordIndex(host, SLEEPS), 1, limitMs);
    }
    this.store(host, SLEEPS, 0);
  }

  // The master's side ----------------------------------------------------------------------------------------------

  isReady(host: number): boolean {
    return this.load(host, IS_READY) !== 0;
  }

  /** The host has no thread yet, and reports nothing before a command. */
  isQuietAtFirst(host: number): void {
    this.store(host, QUIET, FARTHEST);
  }

  /** The host's thread is dead: its state is cleared, and a new thread begins. */
  forget(host: number): void {
    for (let word = 0; word < HOST_WORDS; word++) this.store(host, word, 0);
  }

  done(host: number): number {
    return this.load(host, DONE);
  }

  applied(host: number): number {
    return this.load(host, APPLIED);
  }

  quiet(host: number): number {
    return this.load(host, QUIET);
  }

  /** Wakes the host if it sleeps and what it waits for is there. */
  wakeIfWanted(host: number, sentFrame: boolean): void {
    if (this.load(host, SLEEPS) === 0) return;
    if (sentFrame || this.published >= this.load(host, WANTS)) this.wake(host);
  }

  /**
   * Wakes these hosts, and sleeps until each has reported something or `hasReached`, which reads their reports; at most
   * `limitMs`. The last of them wakes the master.
   */
  awaitHosts(hosts: readonly number[], hasReached: (host: number) => boolean, limitMs: number): void {
    Atomics.store(this.words, AWAITED, hosts.length);
    for (const host of hosts) this.store(host, IS_AWAITED, 1);
    for (const host of hosts) {
      if (hasReached(host)) this.crossOff(host);
      else if (this.load(host, SLEEPS) !== 0) this.wake(host);
    }
    this.comesSoon(() => Atomics.load(this.words, AWAITED) <= 0);
    for (;;) {
      const awaited = Atomics.load(this.words, AWAITED);
      if (awaited <= 0 || Atomics.wait(this.words, AWAITED, awaited, limitMs) === "timed-out") break;
    }
    for (const host of hosts) this.store(host, IS_AWAITED, 0);
  }

  /**
   * Crosses a host off those that are awaited, if it still is one. That may come late and wake the master for nothing.
   */
  private crossOff(host: number): void {
    if (Atomics.exchange(this.words, wordIndex(host, IS_AWAITED), 0) === 0) return;
    if (Atomics.sub(this.words, AWAITED, 1) === 1) Atomics.notify(this.words, AWAITED);
  }

  /** Looks for a while, but seldom where that did no good: then the other thread has work, or no core. */
  private comesSoon(isThere: () => boolean): boolean {
    if (!this.spins || this.sleepsLeft-- > 0) return false;
    for (let look = 0; look < LOOKS; look++) {
      if (!isThere()) continue;
      this.failures = this.sleepsLeft = 0;
      return true;
    }
    this.failures = Math.min(this.failures + 1, MOST_DOUBLINGS);
    this.sleepsLeft = 2 ** this.failures;
    return false;
  }

  private load(host: number, word: number): number {
    return Atomics.load(this.words, wordIndex(host, word));
  }

  private store(host: number, word: number, value: number): void {
    Atomics.store(this.words, wordIndex(host, word), value);
  }

  private wake(host: number): void {
    this.store(host, SLEEPS, 0);
    Atomics.notify(this.words, wordIndex(host, SLEEPS));
  }
}

function wordIndex(host: number, word: number): number {
  return HEADER_WORDS + host * HOST_WORDS + word;
}

const HEAD = 0;
const TAIL = 1;
const WRITER_SLEEPS = 2;
const CONTROL_BYTES = 64;
const WRAP = -1;
const FRAME_HEADER_BYTES = 8;
const WAIT_MS = 100;

/**
 * A one-way byte channel between two threads in shared memory: one writer, one reader, frames in order. Each frame is
 * preceded by two words, its length and the slice it belongs to; a length of -1 sends the reader back to the start.
 * Head and tail are running byte counts; the capacity is a power of two, so that they may wrap.
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
    const offset = head & (this.capacity - 1);
    this.words[offset >> 2] = frame.length;
    this.words[(offset >> 2) + 1] = slice;
    this.bytes.set(frame, offset + FRAME_HEADER_BYTES);
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
    const offset = this.front();
    this.readLength = this.words[offset >> 2];
    return this.bytes.subarray(offset + FRAME_HEADER_BYTES, offset + FRAME_HEADER_BYTES + this.readLength);
  }

  /** Gives the room of the frame read last back to the writer. */
  release(): void {
    this.advance(spaceOf(this.readLength));
  }

  /** Returns the offset of the next frame. */
  private front(): number {
    const offset = this.control[TAIL] & (this.capacity - 1);
    if (this.words[offset >> 2] !== WRAP) return offset;
    this.advance(this.capacity - offset);
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

/** Number of frames that may wait for a host that has no need to be awake: beyond that it is awaited. */
export const MOST_WAITING = 16;

/** The master's end of the connection to one rack thread. */
export class ThreadLink {
  /** Commands that the host may not have seen yet: slices in which they were sent, ascending, and can show at first. */
  private readonly unapplied: number[] = [];
  private readonly shows: number[] = [];
  private sentFrame = false;
  /** Slice of the last frame that was taken. */
  private takenSlice = -1;

  constructor(
    readonly host: number,
    private readonly control: ControlWords,
    readonly reports: Ring,
    readonly commands: Ring,
    /** Keeps the frames that are sent; null: no log is needed. */
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
    assert(front >= slice, "a rack reported after a promise of silence");
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
  send(frame: Uint8Array, slice: number, showsFrom: number): void {
    this.sentFrame = true;
    this.log?.add(frame, slice);
    this.commands.write(frame, slice, () => this.control.stopped);
    this.unapplied.push(slice);
    this.shows.push(showsFrom);
  }

  /** After publishing: wakes the host if there is something for it to do. */
  wakeIfWanted(): void {
    this.control.wakeIfWanted(this.host, this.sentFrame);
    this.sentFrame = false;
  }
}
