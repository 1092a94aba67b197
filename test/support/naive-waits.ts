import { MAP, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../../dist/core/platforms/hadoop/index.js";
import type { HistoryRun } from "./random-history-run.js";

/** What semantics section 9.1 keeps of a job; with skip counts, `waited` counts opportunities. */
export interface NaiveWait {
  lastLevel: number;
  waited: number;
  skipped: boolean;
}

const PRIORITY_WEIGHT = [4, 2, 1, 0.5, 0.25];

/**
 * Delay scheduling by the letter of semantics sections 8 and 9, for maps alone: pools side by side without min shares,
 * no load cap, nobody starved. It follows a run heartbeat by heartbeat and says who launches next.
 */
export class NaiveWaits {
  private readonly waits = new Map<number, NaiveWait>();
  private lastCallUs: number | null = null;
  private visited = new Set<number>();
  private launchers = new Set<number>();
  private given = 0;

  constructor(
    private readonly run: HistoryRun,
    /** Handles of the jobs that were runnable at the last update. */
    private readonly isRunnable: (job: number) => boolean,
    private readonly bounds: readonly [number, number],
    private readonly countsSkips: boolean,
  ) {}

  of(job: number): NaiveWait {
    const id = this.run.jobs.id[job];
    const wait = this.waits.get(id) ?? { lastLevel: NODE_LOCAL, waited: 0, skipped: false };
    this.waits.set(id, wait);
    return wait;
  }

  /**
   * Section 9.2: the time since the heartbeat before, to those that were skipped on it. The paper, which assigns maps
   * and reduces independently, knows only of heartbeats with a free map slot.
   */
  begin(node: number, nowUs: number): void {
    this.visited = new Set();
    this.launchers = new Set();
    this.given = 0;
    if (this.run.rules.name === "paper" && this.run.cluster.free(node, MAP) === 0) return;
    for (const wait of this.waits.values()) {
      if (wait.skipped) wait.waited += nowUs - (this.lastCallUs ?? nowUs);
      wait.skipped = false;
    }
    this.lastCallUs = nowUs;
  }

  /** The job that gets the next free slot of the node, -1 if none does. Asks the jobs, which counts. */
  next(node: number): number {
    if (this.isClosed(node)) return -1;
    const { pools } = this.run.built;
    const order = pools.childrenOf[0].filter((pool) => this.running(pool) < pools.maxSlots[MAP][pool]);
    order.sort(
      (a, b) =>
        this.running(a) / pools.weight[a] - this.running(b) / pools.weight[b] ||
        (pools.names[a] < pools.names[b] ? -1 : 1),
    );
    for (const job of order.flatMap((pool) => this.jobsInOrder(pool))) {
      this.visited.add(job);
      if (this.run.cluster.find(job, node, this.allowed(job)) >= 0) return job;
      if (this.countsSkips && this.run.jobs.pending[MAP][job] > 0) this.of(job).waited++;
    }
    return -1;
  }

  /** Section 9.3. */
  launched(job: number, level: number): void {
    const wait = this.of(job);
    wait.lastLevel = Math.min(level, OFF_RACK);
    wait.waited = 0;
    this.launchers.add(job);
    this.given++;
  }

  end(): void {
    if (this.countsSkips) return;
    for (const job of this.visited) if (!this.launchers.has(job)) this.of(job).skipped = true;
  }

  /** Section 9.4. */
  allowed(job: number): number {
    const { lastLevel, waited } = this.of(job);
    const [node, rack] = this.bounds;
    if (!this.run.cluster.hasInput(job)) return OFF_RACK;
    if (lastLevel === NODE_LOCAL) return waited >= node + rack ? OFF_RACK : waited >= node ? RACK_LOCAL : NODE_LOCAL;
    return lastLevel === RACK_LOCAL && waited < rack ? RACK_LOCAL : OFF_RACK;
  }

  /** Section 8, step 3: nothing free, the limit of a heartbeat reached, or as much runs as was demanded. */
  private isClosed(node: number): boolean {
    const { built, cluster, history, jobs, present } = this.run;
    const { view } = this.run.scheduler;
    const demand = built.pools.childrenOf[0].reduce((sum, pool) => sum + view.poolDemand(pool, MAP), 0);
    const running = present.reduce((sum, job) => sum + jobs.running[MAP][job], 0);
    return cluster.free(node, MAP) === 0 || this.given >= history.scheduler.tasksPerHeartbeat || running === demand;
  }

  private running(pool: number): number {
    const { jobs, present } = this.run;
    return present.reduce((sum, job) => sum + (jobs.pool[job] === pool ? jobs.running[MAP][job] : 0), 0);
  }

  private jobsInOrder(pool: number): number[] {
    const { jobs, present, built } = this.run;
    const ratio = (job: number): number => jobs.running[MAP][job] / PRIORITY_WEIGHT[jobs.priority[job]];
    const first =
      built.pools.mode[pool] === "fifo"
        ? (a: number, b: number): number => jobs.priority[a] - jobs.priority[b]
        : (a: number, b: number): number => ratio(a) - ratio(b);
    return present
      .filter((job) => jobs.pool[job] === pool && this.isRunnable(job))
      .sort((a, b) => first(a, b) || jobs.startUs[a] - jobs.startUs[b] || jobs.id[a] - jobs.id[b]);
  }
}
