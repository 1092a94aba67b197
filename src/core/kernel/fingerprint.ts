/**
 * Kinds of events, as the fingerprint counts them. The kind of a record is that plus 16 times the kind of its entity: 0
 * a map, 1 a reduce, 2 the set-up of a job, 3 its clean-up.
 */
export const LAUNCHED = 1;
export const FINISHED = 2;
export const KILLED = 3;
/** By itself. */
export const FAILED = 4;
/** The node that it read from went away. */
export const SOURCE_GONE = 7;
/** Its node was given up, or crashed. */
export const LOST = 5;
/** The output of a finished map went with its node. */
export const OUTPUT_LOST = 6;

/**
 * A running 128-bit hash over the ordered decisions and completions of a run: the proof that two runs were the same.
 * Four 32-bit lanes in the manner of MurmurHash3 x86-128 (public domain), fed with decoded fields, never with bytes
 * of frames, so that codec, batching and placement cannot show.
 */
export class Fingerprint {
  private a = 0x239b961b;
  private b = 0xab0e9789 | 0;
  private c = 0x38b34ae5;
  private d = 0xa1e38b93 | 0;
  private records = 0;

  add(atUs: number, kind: number, job: number, task: number, attempt: number, node: number, level: number): void {
    this.mix(atUs | 0, (atUs / 4294967296) | 0, (kind << 8) | level, attempt);
    this.mix(job, task, node, this.records++);
  }

  /** 32 hex digits. Adding more afterwards is allowed; the digits say what was added so far. */
  hex(): string {
    let { a, b, c, d } = this;
    a ^= this.records;
    b ^= this.records;
    c ^= this.records;
    d ^= this.records;
    a = (a + b + c + d) | 0;
    b = (b + a) | 0;
    c = (c + a) | 0;
    d = (d + a) | 0;
    a = finish(a);
    b = finish(b);
    c = finish(c);
    d = finish(d);
    a = (a + b + c + d) | 0;
    b = (b + a) | 0;
    c = (c + a) | 0;
    d = (d + a) | 0;
    return [a, b, c, d].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }

  /** One block. Only whole numbers of 32 bits are passed on: a time would be boxed. */
  private mix(first: number, second: number, third: number, fourth: number): void {
    let { a, b, c, d } = this;
    a ^= scrambledA(first);
    a = (Math.imul((((a << 19) | (a >>> 13)) + b) | 0, 5) + 0x561ccd1b) | 0;
    b ^= scrambledB(second);
    b = (Math.imul((((b << 17) | (b >>> 15)) + c) | 0, 5) + 0x0bcaa747) | 0;
    c ^= scrambledC(third);
    c = (Math.imul((((c << 15) | (c >>> 17)) + d) | 0, 5) + 0x96cd1c35) | 0;
    d ^= scrambledD(fourth);
    d = (Math.imul((((d << 13) | (d >>> 19)) + a) | 0, 5) + 0x32ac3b17) | 0;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }
}

function scrambledA(word: number): number {
  const k = Math.imul(word, 0x239b961b);
  return Math.imul((k << 15) | (k >>> 17), 0xab0e9789);
}

function scrambledB(word: number): number {
  const k = Math.imul(word, 0xab0e9789);
  return Math.imul((k << 16) | (k >>> 16), 0x38b34ae5);
}

function scrambledC(word: number): number {
  const k = Math.imul(word, 0x38b34ae5);
  return Math.imul((k << 17) | (k >>> 15), 0xa1e38b93);
}

function scrambledD(word: number): number {
  const k = Math.imul(word, 0xa1e38b93);
  return Math.imul((k << 18) | (k >>> 14), 0x239b961b);
}

function finish(lane: number): number {
  let h = lane ^ (lane >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
