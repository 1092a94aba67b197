import { mix32, type SliceGrid } from "../core/kernel/index.js";
import { REPORT_AT_US, REPORT_NODE, REPORT_PLACE, REPORT_WORDS } from "../messages/index.js";
import type { RackFailure, RackHost } from "./rack-host.js";

const FIRST_BYTES = 1 << 14;
const CHUNK_BYTES = 1 << 20;
/** Before each frame: the slice in which it was sent, and its length. */
const HEADER_WORDS = 2;

/** A log as another thread may read it: chunks of shared memory, and how many bytes of each are written. */
export interface LoggedCommands {
  readonly chunks: readonly SharedArrayBuffer[];
  readonly written: readonly number[];
}

/**
 * Every frame of commands that a host was sent, in order: enough to compute its racks again. The log grows by chunks of
 * shared memory, so that a thread gets it without a copy; frames are copied in.
 */
export class CommandLog {
  private readonly chunks: SharedArrayBuffer[] = [];
  private readonly written: number[] = [];
  private words: Int32Array<ArrayBufferLike> = new Int32Array(0);
  private offset = 0;
  private payload = 0;

  /** Bytes of the frames that were added. */
  get bytes(): number {
    return this.payload;
  }

  /** Adds the frame that is sent in a slice, after those sent before. */
  add(frame: Uint8Array, slice: number): void {
    const needWords = HEADER_WORDS + ((frame.length + 3) >> 2);
    if (this.offset + needWords > this.words.length) this.grow(4 * needWords);
    this.words[this.offset] = slice;
    this.words[this.offset + 1] = frame.length;
    new Uint8Array(this.words.buffer, 4 * (this.offset + HEADER_WORDS), frame.length).set(frame);
    this.offset += needWords;
    this.written[this.written.length - 1] = 4 * this.offset;
    this.payload += frame.length;
  }

  /** Returns the commands added so far; later ones do not show in it. */
  logged(): LoggedCommands {
    return { chunks: [...this.chunks], written: [...this.written] };
  }

  private grow(needBytes: number): void {
    const next = this.words.length === 0 ? FIRST_BYTES : Math.min(CHUNK_BYTES, 8 * this.words.length);
    const chunk = new SharedArrayBuffer(Math.max(next, needBytes));
    this.chunks.push(chunk);
    this.written.push(0);
    this.words = new Int32Array(chunk);
    this.offset = 0;
  }
}

/** Calls `take` with each frame of a log and the slice in which it was sent, in order, as long as that returns true. */
export function readLog(
  { chunks, written }: LoggedCommands,
  take: (frame: Uint8Array, slice: number) => boolean,
): void {
  for (const [index, chunk] of chunks.entries()) {
    const words = new Int32Array(chunk, 0, written[index] / 4);
    for (let offset = 0; offset < words.length; offset += HEADER_WORDS + ((words[offset + 1] + 3) >> 2)) {
      if (!take(new Uint8Array(chunk, 4 * (offset + HEADER_WORDS), words[offset + 1]), words[offset])) return;
    }
  }
}

/** The reports of a host, digested into two numbers. */
interface TallyDigest {
  readonly count: number;
  readonly sum: number;
}

/**
 * Running count and hash of a host's reports, to compare a replay with the original reports. Times count from the
 * start of the run, and the sum has no order, so the result does not depend on how reports were cut into frames.
 */
export class ReportTally implements TallyDigest {
  count = 0;
  sum = 0;

  /** Adds the report at `i`, whose heartbeat time counts from `sinceUs`. */
  addOne(words: Int32Array, i: number, sinceUs: number): void {
    const atUs = sinceUs + words[i + REPORT_AT_US];
    let hash = mix32(words[i + REPORT_NODE]);
    hash = mix32(hash ^ (atUs | 0));
    hash = mix32(hash ^ ((atUs / 4294967296) | 0));
    for (let field = REPORT_PLACE; field < REPORT_WORDS; field++) hash = mix32(hash ^ words[i + field]);
    this.sum = (this.sum + hash) | 0;
    this.count++;
  }

  /** Adds all reports of the words. */
  add(words: Int32Array, length: number, sinceUs: number): void {
    for (let i = 0; i < length; i += REPORT_WORDS) this.addOne(words, i, sinceUs);
  }
}

/** The parameters that bring a new host to the state of a dead thread's host. */
export interface Replay {
  readonly log: LoggedCommands;
  /** The master needs no reports of slices below this: it has them. */
  readonly untilSlice: number;
  /** Digest of all reports that the master has. */
  readonly reported: TallyDigest;
}

/**
 * Brings a new host to the slice where the master is, from the commands that its predecessor was sent. A frame sent in
 * slice c comes after the reports of slice c and before those of c + 1, as with racks on the master's own thread; so
 * light racks tell nothing ahead, and each report comes once, in its slice. `before` is called with each slice that is
 * computed.
 *
 * Returns false if the reports are not those that the master has. Stops early when `isStopped` says so, and then
 * returns true.
 */
export function replay(
  host: RackHost,
  grid: SliceGrid,
  { log, untilSlice, reported }: Replay,
  isStopped: () => boolean,
  before: (slice: number) => void,
): boolean {
  const tally = new ReportTally();
  const computeBelow = (end: number) => {
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

/** A rack that dies so often without the master getting on meanwhile would for ever. */
const MOST_DEATHS_THERE = 3;
/** Threads that a run replaces before it gives up. */
const MOST_RECOVERIES = 10;

/** A thread that died, and whose work another one has taken over. */
export interface Recovery {
  /** Names of the racks of the thread. */
  readonly racks: string;
  /** Virtual time at which it died, or of the master then, where the thread could not say. */
  readonly virtualUs: number;
  readonly cause: unknown;
  /** From the master's notice of the death until the new thread had caught up. */
  readonly wallSeconds: number;
}

/** The parameters of recovery from its caller. */
export interface RecoverParts {
  /** By host: what the master has had reported; see `MasterActorParts.tallies`. */
  readonly tallies: readonly ReportTally[];
  readonly onRecovery: (recovery: Recovery) => void;
}

interface HostDeaths {
  count: number;
  /** Number of deaths at about the same slice, and that slice. */
  repeats: number;
  slice: number;
  /** Deaths whose work has not been taken over yet: more than one if the next died while it replayed. */
  readonly pending: { readonly failure: RackFailure; readonly sinceMs: number }[];
}

/** The number of deaths of each host, and the decision whether another thread is worth it. */
export class Recoveries {
  private readonly hosts = new Map<number, HostDeaths>();
  private begun = 0;

  constructor(
    private readonly parts: RecoverParts,
    private readonly slicesPerLookahead: number,
  ) {}

  /** Returns the number of threads of the host that have died and been replaced. */
  deathCount(host: number): number {
    return this.hosts.get(host)?.count ?? 0;
  }

  /** Whether one that died while the master was at the slice is to be replaced. */
  allows(host: number, slice: number): boolean {
    const deaths = this.hosts.get(host);
    const repeats = deaths !== undefined && this.isThere(deaths, slice) ? deaths.repeats : 0;
    return repeats + 1 < MOST_DEATHS_THERE && this.begun < MOST_RECOVERIES;
  }

  hasBegun(host: number, failure: RackFailure, slice: number): void {
    this.begun++;
    const deaths = this.hosts.get(host);
    const repeats = deaths !== undefined && this.isThere(deaths, slice) ? deaths.repeats : 0;
    const pending = [...(deaths?.pending ?? []), { failure, sinceMs: performance.now() }];
    this.hosts.set(host, { count: this.deathCount(host) + 1, repeats: repeats + 1, slice, pending });
  }

  hasEnded(host: number): void {
    for (const { failure, sinceMs } of this.hosts.get(host)?.pending.splice(0) ?? []) {
      const { rack, virtualUs, cause } = failure;
      this.parts.onRecovery({ racks: rack, virtualUs, cause, wallSeconds: (performance.now() - sinceMs) / 1000 });
    }
  }

  reportedBy(host: number): TallyDigest {
    const { count, sum } = this.parts.tallies[host];
    return { count, sum };
  }

  /** A rack is at most about a lookahead ahead of the master: what kills it twice shows within one. */
  private isThere(deaths: HostDeaths, slice: number): boolean {
    return slice - deaths.slice <= this.slicesPerLookahead;
  }
}
