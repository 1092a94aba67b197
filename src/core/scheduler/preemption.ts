import { SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { PreemptionSpec } from "../scenario/scenario.js";
import type { PoolOrder } from "./pool-order.js";
import { TOP, type Pools } from "./pools.js";
import type { Launcher } from "./scheduler.js";
import type { Shares } from "./shares.js";
import type { Starvation } from "./starvation.js";

export interface PreemptionParts {
  readonly spec: PreemptionSpec;
  readonly jobs: JobTable;
  readonly pools: Pools;
  readonly order: readonly [PoolOrder, PoolOrder];
  readonly shares: Shares;
  readonly starvation: Starvation;
  readonly launcher: Launcher;
  /** See the rules. */
  readonly lowersVictimCounts: boolean;
  readonly updateIntervalUs: number;
  /** The job has not been forgotten. */
  readonly isKnown: (job: number) => boolean;
}

interface Victim {
  readonly attempt: number;
  readonly job: number;
  readonly task: number;
  readonly launchUs: number;
  chosen: boolean;
}

/** What preemption did. */
export interface PreemptionCounts {
  /** Checks that found slots to be wanted. */
  checks: number;
  /** Slots that starved pools asked for, over all checks. */
  slotsWanted: number;
  /** Attempts chosen to be killed; with mode `log` none. */
  kills: number;
}

/**
 * The preemption check (semantics section 12.2): slots that starved pools may take are taken from pools above their fair
 * share, most recently launched attempts first. With pools inside pools a starved pool takes from those beside it, in
 * the pool they lie in, and every pool between the two and the victim must be above its share.
 */
export class Preemption {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  private lastCheckUs = 0;
  /** Checks are due on updates at multiples of it. */
  private readonly periodUs: number;

  constructor(private readonly parts: PreemptionParts) {
    const { spec, updateIntervalUs } = parts;
    const isGrid = updateIntervalUs > 0 && updateIntervalUs !== Infinity;
    this.periodUs = isGrid ? Math.max(1, Math.ceil(spec.intervalUs / updateIntervalUs)) * updateIntervalUs : 0;
  }

  /** The next instant after `nowUs` at which a check might find a starved pool; Infinity for never. */
  nextCheckUs(nowUs: number): number {
    const { spec, starvation } = this.parts;
    if (spec.mode === "off" || this.periodUs === 0) return Infinity;
    const afterUs = Math.max(nowUs, starvation.noneStarvedUntilUs);
    return afterUs === Infinity ? Infinity : (Math.floor(afterUs / this.periodUs) + 1) * this.periodUs;
  }

  check(nowUs: number): void {
    const { spec, pools } = this.parts;
    if (spec.mode === "off" || !this.isDue(nowUs)) return;
    this.lastCheckUs = nowUs;
    const wantedBefore = this.counts.slotsWanted;
    for (const type of SLOT_TYPES) {
      const levels = [TOP, ...pools.names.keys()].map((parent) => ({
        parent,
        slots: this.wanted(parent, type, nowUs),
      }));
      const starved = levels.filter(({ slots }) => slots > 0);
      if (starved.length === 0) continue;
      for (const { slots } of starved) this.counts.slotsWanted += slots;
      if (spec.mode === "kill") this.take(type, starved);
    }
    if (this.counts.slotsWanted > wantedBefore) this.counts.checks++;
  }

  private isDue(nowUs: number): boolean {
    if (this.periodUs > 0) return nowUs > 0 && nowUs % this.periodUs === 0;
    return nowUs - this.lastCheckUs >= this.parts.spec.intervalUs;
  }

  /** What the pools directly inside one may take. */
  private wanted(parent: number, type: SlotType, nowUs: number): number {
    const { pools, starvation } = this.parts;
    return pools.childrenOf[parent + 1].reduce((sum, pool) => sum + starvation.amount(pool, type, nowUs), 0);
  }

  private take(type: SlotType, starved: readonly { readonly parent: number; readonly slots: number }[]): void {
    const { pools, order, launcher, lowersVictimCounts } = this.parts;
    const left = order[type].runningOf.slice();
    const victims = this.candidates(type);
    for (const { parent, slots } of starved) {
      let killed = 0;
      for (const victim of victims) {
        if (killed >= slots) break;
        if (victim.chosen || !this.isAboveShare(victim.job, type, parent, left)) continue;
        victim.chosen = true;
        killed++;
        launcher.kill(victim.attempt);
        if (!lowersVictimCounts) continue;
        for (let p = this.parts.jobs.pool[victim.job]; p !== TOP; p = pools.parent[p]) left[p]--;
      }
      this.counts.kills += killed;
    }
  }

  /** Every pool from the one directly inside `parent` down to the job's is above its share; the job's lies in `parent`. */
  private isAboveShare(job: number, type: SlotType, parent: number, left: readonly number[]): boolean {
    const { pools, shares, jobs } = this.parts;
    let pool = jobs.pool[job];
    for (; pool !== parent; pool = pools.parent[pool]) {
      if (pool === TOP || !(left[pool] > shares.pool(pool, type))) return false;
    }
    return true;
  }

  /** Reported attempts of pools above their share, launched last first; at one instant: last job, then last task, first. */
  private candidates(type: SlotType): Victim[] {
    const { jobs, order, shares, launcher, isKnown } = this.parts;
    const victims: Victim[] = [];
    launcher.forEachReported(type, (attempt, job, task, launchUs) => {
      const pool = jobs.pool[job];
      if (!isKnown(job) || order[type].runningOf[pool] <= shares.pool(pool, type)) return;
      victims.push({ attempt, job, task, launchUs, chosen: false });
    });
    return victims.sort((a, b) => b.launchUs - a.launchUs || jobs.id[b.job] - jobs.id[a.job] || b.task - a.task);
  }
}
