import type { IntArena } from "../kernel/int-arena.js";

const NONE = -1;

/**
 * Per job, a small table from a key (a node, a rack) to the head of a chain. A job with few blocks gets an
 * open-addressing hash, a job with many one word for every key there is; both cost memory in proportion to the job.
 * Cells are addresses in the arena; they are invalidated when a table grows (`claim`).
 */
export class HeadTable {
  private readonly at: number[] = [];
  /** Cells - 1 of a hashed table; DIRECT when indexed by key. */
  private readonly mask: number[] = [];
  private readonly count: number[] = [];

  constructor(
    private readonly arena: IntArena,
    private readonly keys: number,
  ) {}

  /** Makes an empty table for a job that will enter about `entries` keys. */
  open(job: number, entries: number): void {
    let cells = 4;
    while (cells < 2 * entries) cells *= 2;
    this.build(job, cells);
  }

  release(job: number): void {
    this.arena.release(this.at[job], this.size(job));
  }

  /** Address of the head of key 0, those of the other keys behind it; -1 when the job's table is hashed. */
  directAt(job: number): number {
    return this.mask[job] === DIRECT ? this.at[job] : NONE;
  }

  /** Address of the key's head, or -1 when the job never had the key. */
  find(job: number, key: number): number {
    const { words } = this.arena;
    const mask = this.mask[job];
    if (mask === DIRECT) return this.at[job] + key;
    let cell = Math.imul(key, 0x9e3779b1) >>> 7;
    for (;;) {
      const address = this.at[job] + 2 * (cell & mask);
      if (words[address] === key) return address + 1;
      if (words[address] === NONE) return NONE;
      cell++;
    }
  }

  /** Address of the key's head, made if need be. */
  claim(job: number, key: number): number {
    if (this.mask[job] === DIRECT) return this.at[job] + key;
    const found = this.find(job, key);
    if (found !== NONE) return found;
    if (2 * ++this.count[job] > this.mask[job] + 1) {
      this.widen(job);
      return this.claim(job, key);
    }
    const { words } = this.arena;
    let cell = Math.imul(key, 0x9e3779b1) >>> 7;
    while (words[this.at[job] + 2 * (cell & this.mask[job])] !== NONE) cell++;
    const address = this.at[job] + 2 * (cell & this.mask[job]);
    words[address] = key;
    return address + 1;
  }

  forEachKey(job: number, visit: (key: number) => void): void {
    const { words } = this.arena;
    const mask = this.mask[job];
    if (mask === DIRECT) {
      for (let key = 0; key < this.keys; key++) visit(key);
      return;
    }
    for (let cell = 0; cell <= mask; cell++) {
      const key = words[this.at[job] + 2 * cell];
      if (key !== NONE) visit(key);
    }
  }

  private build(job: number, cells: number): void {
    const direct = 2 * cells >= this.keys;
    this.mask[job] = direct ? DIRECT : cells - 1;
    this.count[job] = 0;
    const size = this.size(job);
    const at = this.arena.allocate(size);
    this.at[job] = at;
    this.arena.words.fill(NONE, at, at + size);
  }

  private size(job: number): number {
    return this.mask[job] === DIRECT ? this.keys : 2 * (this.mask[job] + 1);
  }

  private widen(job: number): void {
    const oldAt = this.at[job];
    const oldMask = this.mask[job];
    const oldSize = this.size(job);
    this.build(job, 2 * (oldMask + 1));
    for (let cell = 0; cell <= oldMask; cell++) {
      const key = this.arena.words[oldAt + 2 * cell];
      if (key === NONE) continue;
      const head = this.arena.words[oldAt + 2 * cell + 1];
      const address = this.claim(job, key);
      this.arena.words[address] = head;
    }
    this.arena.release(oldAt, oldSize);
  }
}

const DIRECT = -1;
