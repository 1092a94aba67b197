import { REDUCE, type SlotType, TOP } from "../../dist/core/platforms/hadoop/index.js";
import { poolsAround } from "./naive-limits.js";
import type { HistoryRun } from "./random-history-run.js";

/** Demands, promises and needs of pools for one slot type, counted afresh from the jobs. */
export class NaiveNeeds {
  constructor(
    private readonly run: HistoryRun,
    private readonly runnable: ReadonlySet<number>,
    private readonly type: SlotType,
  ) {}

  /** Tasks that the job could launch now, were it asked. */
  launchable(job: number): number {
    const { jobs } = this.run;
    if (!this.runnable.has(job) || (this.type === REDUCE && !jobs.reducesMayStart(job))) return 0;
    return jobs.pending[this.type][job];
  }

  running(pool: number): number {
    return this.jobsIn(pool).reduce((sum, job) => sum + this.run.jobs.running[this.type][job], 0);
  }

  get runningInAll(): number {
    return this.run.present.reduce((sum, job) => sum + this.run.jobs.running[this.type][job], 0);
  }

  /** Of the pools at the top together. */
  get demandInAll(): number {
    return this.childrenOf(TOP).reduce((sum, pool) => sum + this.demand(pool), 0);
  }

  isFull(pool: number): boolean {
    return this.running(pool) >= this.run.built.pools.maxSlots[this.type][pool];
  }

  /** What it runs and could launch, with all in it, every pool cut at its max. */
  demand(pool: number): number {
    const { jobs, built } = this.run;
    const inside = this.childrenOf(pool).reduce((sum, child) => sum + this.demand(child), 0);
    const own = this.run.present
      .filter((job) => jobs.pool[job] === pool && this.runnable.has(job))
      .filter((job) => this.type !== REDUCE || jobs.reducesMayStart(job))
      .reduce((sum, job) => sum + jobs.running[this.type][job] + jobs.pending[this.type][job], 0);
    return Math.min(inside + own, built.pools.maxSlots[this.type][pool]);
  }

  /** Min share as the rules count it: scaled down with those beside it to what the pool around them can have. */
  promise(pool: number): number {
    const { pools } = this.run.built;
    const own = pools.minShare[this.type][pool];
    if (!this.run.rules.scalesMinShares) return own;
    const around = poolsAround(this.run, pool).slice(1);
    const room = Math.min(this.run.cluster.slots[this.type], ...around.map((p) => pools.maxSlots[this.type][p]));
    const promised = this.childrenOf(pools.parent[pool]).reduce((sum, p) => sum + pools.minShare[this.type][p], 0);
    return promised > room ? (own * room) / promised : own;
  }

  /** Running tasks per slot promised and demanded while below that; Infinity from it on: smaller goes first. */
  need(pool: number): number {
    const share = Math.min(this.promise(pool), this.demand(pool));
    const running = this.running(pool);
    return running < share ? running / Math.max(share, 1) : Infinity;
  }

  /** Some job in it could launch something, with no pool at its max around it, up to this one. */
  couldUse(pool: number): boolean {
    return this.jobsIn(pool).some((job) => {
      const path = poolsAround(this.run, this.run.jobs.pool[job]);
      const inside = path.slice(0, path.indexOf(pool) + 1);
      return this.launchable(job) > 0 && !inside.some((p) => this.isFull(p));
    });
  }

  /** Another pool beside the job's, or beside one around it, that should have had the slot; -1 if none. */
  neederThan(job: number): number {
    for (const own of poolsAround(this.run, this.run.jobs.pool[job])) {
      const need = this.need(own);
      const beside = this.childrenOf(this.run.built.pools.parent[own]).filter((pool) => pool !== own);
      // Promises that were scaled are not whole: a last bit decides nothing.
      const rival = beside.find((pool) => this.need(pool) < need - 1e-9 && this.couldUse(pool));
      if (rival !== undefined) return rival;
    }
    return -1;
  }

  private childrenOf(pool: number): readonly number[] {
    return this.run.built.pools.childrenOf[pool + 1];
  }

  private jobsIn(pool: number): number[] {
    return this.run.present.filter((job) => poolsAround(this.run, this.run.jobs.pool[job]).includes(pool));
  }
}
