import { type JobTable, MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { Demands } from "./demands.js";
import type { WhyNot } from "./no-preemption-reasons.js";
import type { PoolOrder } from "./pool-order.js";
import { TOP } from "./pools.js";
import type { PoolSchedulerParts, PreemptionCounts } from "./scheduler.js";
import type { Shares } from "./shares.js";

/** The two clocks of a pool and type. */
const MIN_SHARE = 0;

const FAIR_SHARE = 1;

type Clock = typeof MIN_SHARE | typeof FAIR_SHARE;

const CLOCKS = [MIN_SHARE, FAIR_SHARE] as const;

interface PreemptionBase extends PoolSchedulerParts {
  readonly order: readonly [PoolOrder, PoolOrder];
  readonly demands: Demands;
  readonly shares: Shares;
}

interface StarvationParts extends PreemptionBase {
  /** The clocks run; otherwise they stay at the creation of their pool. */
  readonly watches: boolean;
  /** Some timeout may come to be. */
  readonly hasTimeouts: boolean;
  /** Some fair-share timeout may: shares, which cost something, are compared. */
  readonly watchesShares: boolean;
}

/**
 * The time since which pools, at every level, have been below their min share and their fair share (semantics section
 * 12.1), and what they may take from others for it (12.3). The clocks tick at updates: while a pool is not below, its
 * time is that of the last update, even of one that changed nothing and was never called.
 */
export class Starvation {
  /**
   * Per clock and type, by pool: below as of the last update that was called, and the time of the clock while below.
   */
  private readonly below: boolean[][][] = [
    [[], []],
    [[], []],
  ];
  private readonly lastUs: number[][][] = [
    [[], []],
    [[], []],
  ];
  private lastUpdateUs = 0;
  /** No pool is exempt from waiting, and none may take anything, at or before these, unless there is another update. */
  noneExemptUntilUs = Infinity;
  noneStarvedUntilUs = Infinity;

  constructor(private readonly parts: StarvationParts) {}

  /** Makes room for pools that were created since. */
  adoptPools(): void {
    const { pools } = this.parts;
    for (let pool = this.below[MIN_SHARE][MAP].length; pool < pools.size; pool++) {
      for (const clock of CLOCKS) {
        for (const type of SLOT_TYPES) {
          this.below[clock][type].push(true);
          this.lastUs[clock][type].push(pools.createdUs[pool]);
        }
      }
    }
    this.summarise();
  }

  /** @param isExtra besides the regular updates, which come before it at the same instant. */
  update(nowUs: number, isExtra: boolean): void {
    const { pools, watches, watchesShares } = this.parts;
    if (!watches) return;
    const previousUs = this.updateAtOrBefore(isExtra ? nowUs : nowUs - 1);
    for (let pool = 0; pool < pools.size; pool++) {
      for (const type of SLOT_TYPES) {
        this.tick(MIN_SHARE, type, pool, this.isBelowMinShare(pool, type), previousUs);
        this.tick(FAIR_SHARE, type, pool, watchesShares && this.isBelowFairShare(pool, type), previousUs);
      }
    }
    this.lastUpdateUs = nowUs;
    this.summarise();
  }

  /** Takes timeouts and new pools into account. */
  summarise(): void {
    if (!this.parts.hasTimeouts) return;
    const maps = this.earliestUs(MAP);
    this.noneExemptUntilUs = maps;
    this.noneStarvedUntilUs = Math.min(maps, this.earliestUs(REDUCE));
  }

  /** Whole slots that the pool may take from others at `nowUs` (semantics section 12.3). */
  amount(pool: number, type: SlotType, nowUs: number): number {
    const { shares, order, demands } = this.parts;
    const running = order[type].runningOf[pool];
    const byMinShare = this.isOver(MIN_SHARE, type, pool, nowUs) ? this.wholeMinShare(pool, type) - running : 0;
    if (!this.isOver(FAIR_SHARE, type, pool, nowUs)) return Math.max(0, byMinShare);
    const share = Math.trunc(Math.min(shares.pool(pool, type), demands.ofPool[type][pool]));
    return Math.max(0, byMinShare, share - running);
  }

  /** Jobs of the pool need not wait for locality: it, or a pool around it, is starved for maps (section 9.4). */
  isExempt(pool: number, nowUs: number): boolean {
    for (let p = pool; p !== TOP; p = this.parts.pools.parent[p]) {
      if (this.isOver(MIN_SHARE, MAP, p, nowUs) || this.isOver(FAIR_SHARE, MAP, p, nowUs)) return true;
    }
    return false;
  }

  /** For the log: why the pool may take nothing for the type, as of an update at `nowUs`. */
  whyNot(pool: number, type: SlotType, nowUs: number): WhyNot {
    const { order, demands, shares } = this.parts;
    const running = order[type].runningOf[pool];
    let [nearest, leftUs]: [WhyNot | null, number] = [null, Infinity];
    for (const clock of CLOCKS) {
      const isBelow = clock === MIN_SHARE ? this.isBelowMinShare(pool, type) : this.isBelowFairShare(pool, type);
      if (!isBelow) continue;
      if (this.isOver(clock, type, pool, nowUs)) return { reason: "small" };
      const timeoutUs = this.timeoutUs(clock, pool);
      const sinceUs = nowUs - this.lastUs[clock][type][pool];
      if (timeoutUs === Infinity) nearest ??= { reason: "never" };
      else if (timeoutUs - sinceUs < leftUs) {
        leftUs = timeoutUs - sinceUs;
        nearest = { reason: "timeout", reached: sinceUs, bound: timeoutUs };
      }
    }
    if (nearest !== null) return nearest;
    if (running >= Math.trunc(Math.min(shares.pool(pool, type), demands.ofPool[type][pool]))) return { reason: "due" };
    return { reason: "threshold", reached: running, bound: this.starvedBelow(pool, type) };
  }

  private tick(clock: Clock, type: SlotType, pool: number, below: boolean, previousUs: number): void {
    if (below && !this.below[clock][type][pool]) this.lastUs[clock][type][pool] = previousUs;
    this.below[clock][type][pool] = below;
  }

  /** The pool has been below for longer than its timeout. */
  private isOver(clock: Clock, type: SlotType, pool: number, nowUs: number): boolean {
    const timeoutUs = this.timeoutUs(clock, pool);
    if (timeoutUs === Infinity || !this.parts.hasTimeouts) return false;
    const below = this.below[clock][type][pool];
    return nowUs - (below ? this.lastUs[clock][type][pool] : this.updateAtOrBefore(nowUs)) > timeoutUs;
  }

  private earliestUs(type: SlotType): number {
    const { pools, updateIntervalUs } = this.parts;
    let earliest = Infinity;
    for (const clock of CLOCKS) {
      const below = this.below[clock][type];
      const lastUs = this.lastUs[clock][type];
      for (let pool = 0; pool < pools.size; pool++) {
        const timeoutUs = this.timeoutUs(clock, pool);
        if (timeoutUs === Infinity) continue;
        if (below[pool]) earliest = Math.min(earliest, lastUs[pool] + timeoutUs);
        // A timeout shorter than the distance of two updates passes again and again.
        else if (timeoutUs < updateIntervalUs) earliest = Math.min(earliest, this.lastUpdateUs + timeoutUs);
      }
    }
    return earliest;
  }

  private timeoutUs(clock: Clock, pool: number): number {
    const { pools } = this.parts;
    return clock === MIN_SHARE ? pools.minShareTimeoutUs(pool) : pools.fairShareTimeoutUs(pool);
  }

  private isBelowMinShare(pool: number, type: SlotType): boolean {
    return this.parts.order[type].runningOf[pool] < this.wholeMinShare(pool, type);
  }

  private wholeMinShare(pool: number, type: SlotType): number {
    const { pools, demands, shares, rules } = this.parts;
    const promised = Math.min(pools.promised[type][pool], demands.ofPool[type][pool]);
    // A promise inside a pool cannot exceed what that pool has to share: else pools in it would kill each other for it.
    const isShared = rules.scalesMinShares && promised > 0 && pools.parent[pool] !== TOP;
    return Math.trunc(isShared ? Math.min(promised, shares.pool(pool, type)) : promised);
  }

  private isBelowFairShare(pool: number, type: SlotType): boolean {
    const running = this.parts.order[type].runningOf[pool];
    // Nothing is below while it has all it wants, whatever its share.
    return running < this.parts.demands.ofPool[type][pool] && running < this.starvedBelow(pool, type);
  }

  /** Whole slots: with fewer the pool is starved for its fair share. */
  private starvedBelow(pool: number, type: SlotType): number {
    const demand = this.parts.demands.ofPool[type][pool];
    const share = this.parts.shares.pool(pool, type);
    switch (this.parts.rules.starvedBelow) {
      case "truncated-half":
        return Math.trunc(Math.min(share / 2, demand));
      case "half":
        return Math.ceil(Math.min(share / 2, demand));
      case "share":
        return Math.trunc(Math.min(share, demand));
    }
  }

  private updateAtOrBefore(nowUs: number): number {
    const { updateIntervalUs } = this.parts;
    if (updateIntervalUs === Infinity) return this.lastUpdateUs;
    return Math.max(this.lastUpdateUs, Math.floor(nowUs / updateIntervalUs) * updateIntervalUs);
  }
}

interface PreemptionParts extends PreemptionBase {
  readonly starvation: Starvation;
  /** The job has not been forgotten. */
  readonly isKnown: (job: number) => boolean;
}

/** Whole slots that a starved pool may take from the pools beside it. */
interface Claim {
  readonly pool: number;
  readonly slots: number;
}

/** A running attempt, as its scheduler knows it. */
export interface Attempt {
  readonly attempt: number;
  readonly job: number;
  readonly task: number;
  readonly launchUs: number;
}

/** Compares attempts: those launched last come first; at one instant the last job, then the last task. */
export function latestFirst({ id }: Pick<JobTable, "id">): (a: Attempt, b: Attempt) => number {
  return (a, b) => b.launchUs - a.launchUs || id[b.job] - id[a.job] || b.task - a.task;
}

interface Victim extends Attempt {
  chosen: boolean;
}

/**
 * The preemption check (semantics section 12.2): slots that starved pools may take are taken from pools above their
 * fair share, most recently launched attempts first. With pools inside pools a starved pool takes from those beside it,
 * in the pool they lie in, and every pool between the two and the victim must be above its share.
 *
 * A kill is for one pool. The claims of a level are served one after the other, in the order of the pools; the claim of
 * a pool with pools inside goes to the pool inside it that lacks most slots of its fair share, kills before this one
 * counted.
 */
export class Preemption {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  lastCheckUs = 0;
  /** Checks are due on updates at multiples of it. */
  private readonly periodUs: number;

  constructor(private readonly parts: PreemptionParts) {
    const { preemption, updateIntervalUs } = parts;
    const isGrid = updateIntervalUs > 0 && updateIntervalUs !== Infinity;
    this.periodUs = isGrid ? Math.max(1, Math.ceil(preemption.intervalUs / updateIntervalUs)) * updateIntervalUs : 0;
  }

  /** The next instant after `nowUs` at which a check might find a starved pool; Infinity for never. */
  nextCheckUs(nowUs: number): number {
    const { preemption, starvation } = this.parts;
    if (preemption.mode === "off" || this.periodUs === 0) return Infinity;
    const afterUs = Math.max(nowUs, starvation.noneStarvedUntilUs);
    return afterUs === Infinity ? Infinity : (Math.floor(afterUs / this.periodUs) + 1) * this.periodUs;
  }

  check(nowUs: number): void {
    const { preemption, pools } = this.parts;
    if (preemption.mode === "off" || !this.isDue(nowUs)) return;
    this.lastCheckUs = nowUs;
    const wantedBefore = this.counts.slotsWanted;
    for (const type of SLOT_TYPES) {
      const levels = [TOP, ...pools.names.keys()].map((parent) => ({
        parent,
        claims: this.claims(parent, type, nowUs),
      }));
      const starved = levels.filter(({ claims }) => claims.length > 0);
      if (starved.length === 0) continue;
      for (const { claims } of starved) for (const { slots } of claims) this.counts.slotsWanted += slots;
      if (preemption.mode === "kill") this.take(type, starved);
    }
    if (this.counts.slotsWanted > wantedBefore) this.counts.checks++;
  }

  /** A check at `nowUs` is one. */
  isDue(nowUs: number): boolean {
    if (this.periodUs > 0) return nowUs > 0 && nowUs % this.periodUs === 0;
    return nowUs - this.lastCheckUs >= this.parts.preemption.intervalUs;
  }

  /** Returns the claims of the pools directly inside one, in their order, without those that may take nothing. */
  private claims(parent: number, type: SlotType, nowUs: number): Claim[] {
    const { pools, starvation } = this.parts;
    return pools.childrenOf[parent + 1]
      .map((pool) => ({ pool, slots: starvation.amount(pool, type, nowUs) }))
      .filter(({ slots }) => slots > 0);
  }

  private take(
    type: SlotType,
    starved: readonly { readonly parent: number; readonly claims: readonly Claim[] }[],
  ): void {
    const { pools, order, launcher, rules } = this.parts;
    const surviving = order[type].runningOf.slice();
    const granted = pools.names.map(() => 0);
    const victims = this.candidates(type);
    for (const { parent, claims } of starved) {
      const claimants = claims.flatMap(({ pool, slots }) => new Array<number>(slots).fill(pool));
      let killed = 0;
      for (const victim of victims) {
        if (killed >= claimants.length) break;
        if (victim.chosen || !this.isAboveShare(this.parts.jobs.pool[victim.job], type, parent, surviving)) continue;
        victim.chosen = true;
        launcher.kill(victim.attempt, this.give(claimants[killed], type, granted));
        killed++;
        if (!rules.lowersVictimCounts) continue;
        for (let p = this.parts.jobs.pool[victim.job]; p !== TOP; p = pools.parent[p]) surviving[p]--;
      }
      this.counts.kills += killed;
    }
  }

  /**
   * The pool, inside the claimant or itself, that a slot goes to. @param granted by pool: slots that went to it before.
   */
  private give(claimant: number, type: SlotType, granted: number[]): number {
    const { pools, order, demands, shares } = this.parts;
    let pool = claimant;
    granted[pool]++;
    for (;;) {
      let [neediest, greatestLack] = [TOP, -Infinity];
      for (const inside of pools.childrenOf[pool + 1]) {
        const lacking = shares.pool(inside, type) - order[type].runningOf[inside] - granted[inside];
        if (demands.ofPool[type][inside] > 0 && lacking > greatestLack) [neediest, greatestLack] = [inside, lacking];
      }
      if (neediest === TOP) return pool;
      pool = neediest;
      granted[pool]++;
    }
  }

  /** Every pool from the one directly inside `parent` down to `inside`, which lies in `parent`, is above its share. */
  isAboveShare(inside: number, type: SlotType, parent: number, surviving: readonly number[]): boolean {
    const { pools, shares } = this.parts;
    for (let pool = inside; pool !== parent; pool = pools.parent[pool]) {
      if (pool === TOP || !(surviving[pool] > shares.pool(pool, type))) return false;
    }
    return true;
  }

  /**
   * Reported attempts of pools above their share, launched last first; at one instant: last job, then last task, first.
   */
  private candidates(type: SlotType): Victim[] {
    const { jobs, order, shares, launcher, isKnown } = this.parts;
    const victims: Victim[] = [];
    launcher.forEachReported(type, (attempt, job, task, launchUs) => {
      const pool = jobs.pool[job];
      if (!isKnown(job) || order[type].runningOf[pool] <= shares.pool(pool, type)) return;
      victims.push({ attempt, job, task, launchUs, chosen: false });
    });
    return victims.sort(latestFirst(jobs));
  }
}
