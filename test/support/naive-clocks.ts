import { MAP, REDUCE, type SlotType } from "../../dist/core/platforms/hadoop/index.js";
import type { HistoryRun } from "./random-history-run.js";
import { poolsAround } from "./naive-limits.js";

const TYPES = [MAP, REDUCE] as const;

interface Clock {
  atMinShareUs: number;
  atFairShareUs: number;
}

/**
 * The clocks of starvation by the letter of semantics section 12.1, told of every update; below what a pool is starved
 * for its fair share is a matter of the rule set. Demands and shares are those that the scheduler shows.
 */
export class NaiveClocks {
  private readonly clocks = new Map<string, Clock>();

  constructor(private readonly run: HistoryRun) {}

  afterUpdate(nowUs: number): void {
    const { run } = this;
    const { pools } = run.built;
    const ticks = run.history.scheduler.preemption.mode !== "off" || run.rules.alwaysWatches;
    for (const pool of ticks ? pools.names.keys() : []) {
      for (const type of TYPES) {
        const clock = this.clockOf(pool, type);
        const running = run.scheduler.view.poolRunning(pool, type);
        if (running >= this.promise(pool, type)) clock.atMinShareUs = nowUs;
        if (!this.isBelowFairShare(pool, type, running)) clock.atFairShareUs = nowUs;
      }
    }
  }

  /** Slots that the pool may take from others (section 12.3). */
  amount(pool: number, type: SlotType, nowUs: number): number {
    const { view } = this.run.scheduler;
    const running = view.poolRunning(pool, type);
    const { atMinShareUs, atFairShareUs } = this.clockOf(pool, type);
    const byMinShare = nowUs - atMinShareUs > this.timeout(pool, "minShareTimeoutUs");
    const byFairShare = nowUs - atFairShareUs > this.timeout(pool, "fairShareTimeoutUs");
    const share = Math.trunc(Math.min(view.poolFairShare(pool, type), view.poolDemand(pool, type)));
    return Math.max(0, byMinShare ? this.promise(pool, type) - running : 0, byFairShare ? share - running : 0);
  }

  private isBelowFairShare(pool: number, type: SlotType, running: number): boolean {
    const { view } = this.run.scheduler;
    const share = view.poolFairShare(pool, type);
    const demand = view.poolDemand(pool, type);
    switch (this.run.rules.name) {
      case "0.21":
      case "1.2":
        return running < Math.trunc(Math.min(share / 2, demand));
      case "branch-1":
        return 2 * running < Math.min(share, 2 * demand);
      case "paper":
        return running < Math.trunc(Math.min(share, demand));
    }
  }

  /** Whole slots promised and demanded; scaled down where the rules say so. */
  private promise(pool: number, type: SlotType): number {
    const { pools } = this.run.built;
    const own = pools.minShare[type][pool];
    const around = poolsAround(this.run, pool).slice(1);
    const room = Math.min(this.run.cluster.slots[type], ...around.map((p) => pools.maxSlots[type][p]));
    const beside = pools.childrenOf[pools.parent[pool] + 1];
    const promised = beside.reduce((sum, p) => sum + pools.minShare[type][p], 0);
    const scaled = this.run.rules.scalesMinShares && promised > room ? own * (room / promised) : own;
    const isShared = this.run.rules.scalesMinShares && around.length > 0;
    const most = isShared ? this.run.scheduler.view.poolFairShare(pool, type) : Infinity;
    return Math.trunc(Math.min(scaled, this.run.scheduler.view.poolDemand(pool, type), most));
  }

  /** Of the pool, or else of the nearest around it, or else of all. */
  private timeout(pool: number, key: "minShareTimeoutUs" | "fairShareTimeoutUs"): number {
    const { pools } = this.run.built;
    const { allocations } = pools;
    const specs = poolsAround(this.run, pool).map((p) => allocations.pools.find(({ name }) => name === pools.names[p]));
    return specs.map((spec) => spec?.[key] ?? null).find((timeoutUs) => timeoutUs !== null) ?? allocations[key];
  }

  private clockOf(pool: number, type: SlotType): Clock {
    const key = `${pool}/${type}`;
    const createdUs = this.run.built.pools.createdUs[pool];
    const clock = this.clocks.get(key) ?? { atMinShareUs: createdUs, atFairShareUs: createdUs };
    this.clocks.set(key, clock);
    return clock;
  }
}
