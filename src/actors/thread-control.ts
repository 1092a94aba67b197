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

/** Protocol state of one parallel run; see `docs/parallel.md` for the rules R, M and G. */
export class ControlWords {
  private readonly words: Int32Array;

  constructor(readonly memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  static allocate(hosts: number): ControlWords {
    return new ControlWords(new SharedArrayBuffer(4 * (HEADER_WORDS + hosts * HOST_WORDS)));
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
    Atomics.store(this.words, at(host, IS_READY), 1);
  }

  /**
   * The host's frames of all slices below `done` are in its ring, and it promises no report before slice `quiet`, as far as
   * the replies of slices below `applied` go. Written in this order and read in the other, so that a promise is never
   * held for newer than it is.
   */
  tell(host: number, done: number, quiet: number, applied: number): void {
    Atomics.store(this.words, at(host, DONE), Math.min(done, FARTHEST));
    Atomics.store(this.words, at(host, QUIET), Math.min(quiet, FARTHEST));
    Atomics.store(this.words, at(host, APPLIED), applied);
    if (Atomics.load(this.words, at(host, IS_AWAITED)) !== 0) this.strike(host);
  }

  /** Sleeps until `published` reaches `wanted`, a frame comes, or the run stops; `hasFrame` looks at the ring. */
  sleep(host: number, wanted: number, hasFrame: () => boolean, limitMs: number): void {
    Atomics.store(this.words, at(host, WANTS), Math.min(wanted, FARTHEST));
    Atomics.store(this.words, at(host, SLEEPS), 1);
    if (this.published < wanted && !hasFrame() && !this.stopped) {
      Atomics.wait(this.words, at(host, SLEEPS), 1, limitMs);
    }
    Atomics.store(this.words, at(host, SLEEPS), 0);
  }

  // The master's side ----------------------------------------------------------------------------------------------

  isReady(host: number): boolean {
    return Atomics.load(this.words, at(host, IS_READY)) !== 0;
  }

  /** The host's thread is dead: what it told is gone with it, and another one begins. */
  forget(host: number): void {
    for (let word = 0; word < HOST_WORDS; word++) Atomics.store(this.words, at(host, word), 0);
  }

  done(host: number): number {
    return Atomics.load(this.words, at(host, DONE));
  }

  applied(host: number): number {
    return Atomics.load(this.words, at(host, APPLIED));
  }

  quiet(host: number): number {
    return Atomics.load(this.words, at(host, QUIET));
  }

  /** Wakes the host if it sleeps and what it waits for is there. */
  wakeIfWanted(host: number, sentFrame: boolean): void {
    if (Atomics.load(this.words, at(host, SLEEPS)) === 0) return;
    if (sentFrame || this.published >= Atomics.load(this.words, at(host, WANTS))) this.wake(host);
  }

  /**
   * Wakes these hosts, and sleeps until each has told something or `hasReached`, which looks at what they told; at most
   * `limitMs`. The last of them wakes the master.
   */
  awaitHosts(hosts: readonly number[], hasReached: (host: number) => boolean, limitMs: number): void {
    Atomics.store(this.words, AWAITED, hosts.length);
    for (const host of hosts) Atomics.store(this.words, at(host, IS_AWAITED), 1);
    for (const host of hosts) {
      if (hasReached(host)) this.strike(host);
      else if (Atomics.load(this.words, at(host, SLEEPS)) !== 0) this.wake(host);
    }
    for (;;) {
      const awaited = Atomics.load(this.words, AWAITED);
      if (awaited <= 0 || Atomics.wait(this.words, AWAITED, awaited, limitMs) === "timed-out") break;
    }
    for (const host of hosts) Atomics.store(this.words, at(host, IS_AWAITED), 0);
  }

  /** Strikes a host off those that are awaited, if it still is one. A stroke may come late and wake the master for nothing. */
  private strike(host: number): void {
    if (Atomics.exchange(this.words, at(host, IS_AWAITED), 0) === 0) return;
    if (Atomics.sub(this.words, AWAITED, 1) === 1) Atomics.notify(this.words, AWAITED);
  }

  private wake(host: number): void {
    Atomics.store(this.words, at(host, SLEEPS), 0);
    Atomics.notify(this.words, at(host, SLEEPS));
  }
}

function at(host: number, word: number): number {
  return HEADER_WORDS + host * HOST_WORDS + word;
}
