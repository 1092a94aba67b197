import type { SchedulerSpec } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import { TYPES, type NaiveJob, type TaskType } from "./naive-job.js";
import type { NaivePool, NaivePools } from "./naive-pools.js";
import { shareOut, sum } from "./naive-shares.js";

/** What an update came upon. */
export interface UpdateResult {
  /** PREP jobs that are to be initialised now. */
  readonly handedOver: readonly NaiveJob[];
  /** Jobs that a limit kept out. */
  readonly keptOut: number;
}

/** One update: runnable jobs, demands, fair shares, starvation clocks, each from scratch (semantics section 3). */
export class NaiveUpdate {
  constructor(
    private readonly spec: SchedulerSpec,
    private readonly pools: NaivePools,
    private readonly slots: Record<TaskType, number>,
  ) {}

  run(jobs: readonly NaiveJob[], nowUs: number): UpdateResult {
    const result = this.admit(jobs);
    for (const type of TYPES) {
      for (const pool of this.pools.childrenOf(null)) this.takeDemand(pool, type);
      // Only those who watch for starvation go by fair shares.
      if (!this.watches) continue;
      this.share(null, this.slots[type], type);
      for (const pool of this.pools.all) this.wind(pool, type, nowUs);
    }
    return result;
  }

  private get watches(): boolean {
    return RULES[this.spec.rules].alwaysWatches || this.spec.preemption.mode !== "off";
  }

  /** Semantics section 4, in FIFO-job order. */
  private admit(jobs: readonly NaiveJob[]): UpdateResult {
    const { eagerInit } = RULES[this.spec.rules];
    const ofUser = new Map<string, number>();
    const inPool = new Map<NaivePool, number>();
    const handedOver: NaiveJob[] = [];
    let keptOut = 0;
    for (const job of jobs) job.runnable = false;
    const sorted = [...jobs].sort(
      (a, b) => a.spec.priority - b.spec.priority || a.spec.submitAtUs - b.spec.submitAtUs || a.rank - b.rank,
    );
    for (const job of sorted) {
      if (eagerInit && job.state !== "running") continue;
      const path = this.pools.pathOf(this.pools.poolOf(job));
      const { user } = job.spec;
      const isAdmitted =
        (ofUser.get(user) ?? 0) < this.pools.maxJobsOfUser(user) &&
        path.every((pool) => (inPool.get(pool) ?? 0) < this.pools.maxJobsOf(pool));
      if (!isAdmitted) {
        keptOut++;
        continue;
      }
      ofUser.set(user, (ofUser.get(user) ?? 0) + 1);
      for (const pool of path) inPool.set(pool, (inPool.get(pool) ?? 0) + 1);
      if (job.state === "running") job.runnable = true;
      else if (!job.handedOver) handedOver.push(job);
    }
    return { handedOver, keptOut };
  }

  /** Semantics section 5.1; of a pool with pools inside, theirs together. */
  private takeDemand(pool: NaivePool, type: TaskType): number {
    const max = this.pools.maxOf(pool, type);
    const inside = this.pools.childrenOf(pool).map((child) => this.takeDemand(child, type));
    let total = sum(inside);
    for (const job of pool.jobs[type]) {
      job.demand[type] = job.demandNow(type);
      total += job.demand[type];
      // Demands that are always fresh are all fresh.
      const stops = RULES[this.spec.rules].demandWalkStops && this.spec.updateIntervalUs > 0;
      if (total >= max && stops) break;
    }
    pool.demand[type] = Math.min(total, max);
    return pool.demand[type];
  }

  /** Fair shares of the pools in `parent`, which together have `slots`, and of those inside them. */
  private share(parent: NaivePool | null, slots: number, type: TaskType): void {
    const pools = this.pools.childrenOf(parent);
    const sharers = pools.map((pool) => ({
      weight: this.pools.specOf(pool).weight,
      minShare: this.pools.minOf(pool, type),
      demand: pool.demand[type],
    }));
    const shares = shareOut(sharers, slots, RULES[this.spec.rules].scalesMinShares);
    pools.forEach((pool, i) => {
      pool.fairShare[type] = shares[i];
      this.share(pool, shares[i], type);
    });
  }

  /** Semantics section 12.1. */
  private wind(pool: NaivePool, type: TaskType, nowUs: number): void {
    const running = this.pools.running(pool, type);
    if (running >= wholeMinShare(this.pools, pool, type)) pool.atMinShareUs[type] = nowUs;
    if (!this.isBelowFairShare(pool, type, running)) pool.atFairShareUs[type] = nowUs;
  }

  private isBelowFairShare({ fairShare, demand }: NaivePool, type: TaskType, running: number): boolean {
    switch (RULES[this.spec.rules].starvedBelow) {
      case "truncated-half":
        return running < Math.trunc(Math.min(fairShare[type] / 2, demand[type]));
      case "half":
        return 2 * running < Math.min(fairShare[type], 2 * demand[type]);
      case "share":
        return running < Math.trunc(Math.min(fairShare[type], demand[type]));
    }
  }
}

/** The whole slots that a pool is promised and could use. */
export function wholeMinShare(pools: NaivePools, pool: NaivePool, type: TaskType): number {
  const promised = Math.min(pools.promiseTo(pool, type), pool.demand[type]);
  // Inside a pool no more than its share of what that pool has.
  const isShared = pools.scalesMinShares && pool.parent !== null;
  return Math.trunc(isShared ? Math.min(promised, pool.fairShare[type]) : promised);
}

/** It has been below its min share, or its fair share, for longer than its timeout (semantics sections 9.4, 12.3). */
export function isStarved(
  pools: NaivePools,
  pool: NaivePool,
  type: TaskType,
  nowUs: number,
): { min: boolean; fair: boolean } {
  return {
    min: nowUs - pool.atMinShareUs[type] > pools.timeoutOf(pool, "minShareTimeoutUs"),
    fair: nowUs - pool.atFairShareUs[type] > pools.timeoutOf(pool, "fairShareTimeoutUs"),
  };
}
