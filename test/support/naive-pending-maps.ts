/** A job of the naive index: which maps wait, and which block each reads. */
interface NaiveEntry {
  /** Global number of the block of map 0; -1: no input. */
  readonly firstBlock: number;
  readonly pending: Set<number>;
}

/** What the naive index knows of replicas: which nodes hold each block. */
export type Holders = readonly ReadonlySet<number>[];

/** The maps that wait to be launched, found by looking at every one of them whenever somebody asks. */
export class NaivePendingMaps {
  readonly jobs = new Map<number, NaiveEntry>();

  constructor(
    private readonly holders: Holders,
    private readonly rackOf: (node: number) => number,
  ) {}

  add(job: number, firstBlock: number, maps: number): void {
    this.jobs.set(job, { firstBlock, pending: new Set(Array.from({ length: maps }, (_, task) => task)) });
  }

  remove(job: number): void {
    this.jobs.delete(job);
  }

  take(job: number, task: number): void {
    this.entry(job).pending.delete(task);
  }

  putBack(job: number, task: number): void {
    this.entry(job).pending.add(task);
  }

  isPending(job: number, task: number): boolean {
    return this.entry(job).pending.has(task);
  }

  onNode(job: number, node: number): number {
    return this.lowest(job, (task) => this.levelOn(job, task, node) === 0);
  }

  inRack(job: number, rack: number): number {
    return this.lowest(job, (task) => this.holdersOf(job, task).some((holder) => this.rackOf(holder) === rack));
  }

  anywhere(job: number): number {
    return this.lowest(job, () => true);
  }

  /** 0 on the node, 1 in its rack, 2 elsewhere, 3 no input. */
  levelOn(job: number, task: number, node: number): number {
    if (this.entry(job).firstBlock < 0) return 3;
    const holders = this.holdersOf(job, task);
    if (holders.includes(node)) return 0;
    return holders.some((holder) => this.rackOf(holder) === this.rackOf(node)) ? 1 : 2;
  }

  private holdersOf(job: number, task: number): number[] {
    const { firstBlock } = this.entry(job);
    return firstBlock < 0 ? [] : [...this.holders[firstBlock + task]];
  }

  private lowest(job: number, fits: (task: number) => boolean): number {
    return Math.min(Infinity, ...[...this.entry(job).pending].filter(fits));
  }

  private entry(job: number): NaiveEntry {
    const entry = this.jobs.get(job);
    if (entry === undefined) throw new Error(`job ${String(job)} is not in the naive index`);
    return entry;
  }
}
