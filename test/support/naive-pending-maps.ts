/** A job of the naive index: which maps wait, and which block each reads. */
interface NaiveEntry {
  /** Global number of the block of map 0; -1: no input. */
  readonly firstBlock: number;
  /** Pending maps; for each, when it was requeued, 0 for never. */
  readonly pending: Map<number, number>;
  /** How often each map was requeued. */
  readonly returns: Map<number, number>;
}

/** What the naive index knows of replicas: which nodes hold each block. */
export type Holders = readonly ReadonlySet<number>[];

/**
 * The maps that wait to be launched, found by looking at every one of them whenever somebody asks. Those requeued come
 * before all others: the one requeued last first; or, where they ignore locality, the lowest first, wherever asked for.
 */
export class NaivePendingMaps {
  readonly jobs = new Map<number, NaiveEntry>();
  private returnsSoFar = 0;

  constructor(
    private readonly holders: Holders,
    private readonly rackOf: (node: number) => number,
    private readonly requeuedIgnoreLocality: boolean,
    /** null: there are no rows. */
    private readonly rowOf: ((node: number) => number) | null = null,
    private readonly rackByRack = false,
  ) {}

  add(job: number, firstBlock: number, maps: number): void {
    const pending = new Map(Array.from({ length: maps }, (_, task) => [task, 0] as const));
    this.jobs.set(job, { firstBlock, pending, returns: new Map() });
  }

  remove(job: number): void {
    this.jobs.delete(job);
  }

  take(job: number, task: number): void {
    this.entry(job).pending.delete(task);
  }

  putBack(job: number, task: number): void {
    const { pending, returns } = this.entry(job);
    pending.set(task, ++this.returnsSoFar);
    returns.set(task, this.timesOf(job, task) + 1);
  }

  isPending(job: number, task: number): boolean {
    return this.entry(job).pending.has(task);
  }

  timesOf(job: number, task: number): number {
    return this.entry(job).returns.get(task) ?? 0;
  }

  /** The job has a requeued map that goes before all others whatever node asks. */
  hasFailedMaps(job: number): boolean {
    return this.requeuedIgnoreLocality && [...this.entry(job).pending.values()].some((requeued) => requeued > 0);
  }

  onNode(job: number, node: number): number {
    return this.first(job, (task) => this.levelOn(job, task, node) === 0);
  }

  /**
   * Some map with a replica on the node waits that is looked for there: of the requeued ones, none that ignores
   * locality.
   */
  hasToldOf(job: number, node: number): boolean {
    const isToldOf = (task: number): boolean => !this.requeuedIgnoreLocality || this.requeuedAt(job, task) === 0;
    return this.first(job, (task) => isToldOf(task) && this.holdersOf(job, task).includes(node)) >= 0;
  }

  inRack(job: number, rack: number): number {
    return this.first(job, (task) => this.holdersOf(job, task).some((holder) => this.rackOf(holder) === rack));
  }

  anywhere(job: number): number {
    if (this.rackByRack && this.entry(job).firstBlock >= 0 && !this.hasFailedMaps(job)) {
      const tasks = [...this.entry(job).pending.keys()];
      const racks = tasks.flatMap((task) => this.holdersOf(job, task).map((holder) => this.rackOf(holder)));
      return racks.length === 0 ? -1 : this.inRack(job, Math.min(...racks));
    }
    return this.first(job, () => true);
  }

  /** The map to launch on the node within the level, and how near it would run. */
  pick(job: number, node: number, allowed: number): { readonly task: number; readonly level: number } | null {
    const inRow = this.first(job, (task) => this.isInRow(job, task, node));
    const tasks = [this.onNode(job, node), this.inRack(job, this.rackOf(node)), inRow, this.anywhere(job)];
    const levels = [0, 1, 4, 2];
    const within = this.hasFailedMaps(job) ? [tasks[3]] : tasks.slice(0, levels.indexOf(allowed) + 1);
    const task = within.find((found) => found >= 0) ?? -1;
    return task < 0 ? null : { task, level: this.levelOn(job, task, node) };
  }

  /** 0 on the node, 1 in its rack, 4 in its row, 2 elsewhere, 3 no input. */
  levelOn(job: number, task: number, node: number): number {
    if (this.entry(job).firstBlock < 0) return 3;
    const holders = this.holdersOf(job, task);
    if (holders.includes(node)) return 0;
    if (holders.some((holder) => this.rackOf(holder) === this.rackOf(node))) return 1;
    return this.isInRow(job, task, node) ? 4 : 2;
  }

  private isInRow(job: number, task: number, node: number): boolean {
    const { rowOf } = this;
    return rowOf !== null && this.holdersOf(job, task).some((holder) => rowOf(holder) === rowOf(node));
  }

  private holdersOf(job: number, task: number): number[] {
    const { firstBlock } = this.entry(job);
    return firstBlock < 0 ? [] : [...this.holders[firstBlock + task]];
  }

  /** The one that goes first of those that fit, or -1. */
  private first(job: number, fits: (task: number) => boolean): number {
    const { pending } = this.entry(job);
    const fitting = [...pending.keys()].filter(fits).sort((a, b) => a - b);
    const requeued = fitting.filter((task) => this.requeuedAt(job, task) > 0);
    if (!this.requeuedIgnoreLocality) requeued.sort((a, b) => this.requeuedAt(job, b) - this.requeuedAt(job, a));
    return requeued.at(0) ?? fitting.at(0) ?? -1;
  }

  private requeuedAt(job: number, task: number): number {
    return this.entry(job).pending.get(task) ?? 0;
  }

  private entry(job: number): NaiveEntry {
    const entry = this.jobs.get(job);
    if (entry === undefined) throw new Error(`job ${job} is not in the naive index`);
    return entry;
  }
}
