import { MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { AllocationsSpec } from "../scenario/scenario.js";
import { Demands } from "./demands.js";
import { EnteredJobs } from "./entered-jobs.js";
import { JobWeights } from "./job-weights.js";
import { NO_POOL, type PoolSchedulerParts } from "./parts.js";
import { PoolLists } from "./pool-lists.js";
import type { JobRank } from "./pool-order.js";
import { hasFairShareTimeout, hasMinShareTimeout } from "./pools.js";
import { Preemption } from "./preemption.js";
import { Runnability, type RunnabilityWatcher } from "./runnability.js";
import { Shares } from "./shares.js";
import { Starvation } from "./starvation.js";

/**
 * What a pool scheduler knows between heartbeats, kept consistent under every change: orders, demands, weights, runnable
 * jobs, shares, starvation.
 */
export class PoolState implements RunnabilityWatcher {
  readonly entered: EnteredJobs;
  readonly demands: Demands;
  readonly shares: Shares;
  readonly runnability: Runnability;
  readonly starvation: Starvation;
  readonly preemption: Preemption;
  /** Of the cluster, per type, as of the last update; and as they are. */
  readonly slots: [number, number];
  slotsNow: readonly [number, number];
  /** Starvation depends on every launch. */
  readonly watches: boolean;
  /** Which pools a search asks is of interest. */
  notesAsked: boolean;
  /** The order of jobs inside pools is kept as Hadoop keeps it, for the demands of pools at their max. */
  private readonly sortsLists: boolean;
  private readonly weights: JobWeights;
  private readonly lists: PoolLists;
  /** OVER, to be forgotten by the next update. */
  private readonly over: number[] = [];
  /** Weights from before a change that no update and no search has come to see, by job and type. */
  private readonly oldWeights = new Map<number, readonly [number, number]>();

  constructor(private readonly parts: PoolSchedulerParts) {
    const { jobs, pools, users, rules, wait, preemption: spec, launcher, updateIntervalUs } = parts;
    const { allAllocations } = parts;
    this.slotsNow = parts.slots;
    const slots: [number, number] = [...parts.slots];
    this.slots = slots;
    const weightOf = this.weightOf.bind(this);
    const rankOf = rankBy(parts);
    // Entered jobs are runnable.
    const ownWeightOf = (job: number, type: SlotType): number => this.weights.of(job, type);
    const { zeroWeightTies } = rules;
    this.entered = new EnteredJobs({ jobs, pools, wait, launcher, weightOf: ownWeightOf, rankOf, zeroWeightTies });
    const { order } = this.entered;
    this.lists = new PoolLists(jobs, pools, weightOf, rankOf);
    const jobsOf = (pool: number, type: SlotType): readonly number[] => this.lists.of(pool, type);
    const counts = this.countsAsDemand.bind(this);
    // Demands that are always fresh are all fresh.
    const walkStops = rules.demandWalkStops && updateIntervalUs > 0;
    this.sortsLists = walkStops && parts.mayHaveMax !== NO_POOL;
    this.notesAsked = this.sortsLists;
    const demands = new Demands(jobs, pools, counts, walkStops, jobsOf);
    this.demands = demands;
    this.weights = new JobWeights(jobs, parts.weights, demands.ofJob);
    this.runnability = new Runnability(jobs, pools, users, rules.eagerInit, this);
    const { scalesMinShares, lowersVictimCounts, alwaysWatches } = rules;
    const shares = new Shares({ pools, demands, slots, scalesMinShares, jobsOf, weightOf });
    this.shares = shares;
    const watchesShares = updateIntervalUs === Infinity || allAllocations.some(hasFairShareTimeout);
    // Without updates clocks that should run would stand.
    const hasUpdates = updateIntervalUs > 0 || !alwaysWatches;
    const hasTimeouts = hasUpdates && (watchesShares || allAllocations.some(hasMinShareTimeout));
    const watches = hasTimeouts && (spec.mode !== "off" || alwaysWatches);
    this.watches = watches;
    const clocks = { pools, order, demands, shares, rules, watches, hasTimeouts, watchesShares, updateIntervalUs };
    const starvation = new Starvation(clocks);
    this.starvation = starvation;
    const isKnown = (job: number): boolean => this.lists.has(job);
    const rule = { lowersVictimCounts, updateIntervalUs, isKnown };
    const taking = { spec, jobs, pools, order, shares, starvation, launcher, ...rule };
    this.preemption = new Preemption(taking);
    this.adoptPools();
  }

  /** 1 while the job is not runnable (semantics section 5.4). */
  weightOf(job: number, type: SlotType): number {
    return this.runnability.isRunnable[job] ? this.weights.of(job, type) : 1;
  }

  addJob(job: number, nowUs: number): void {
    if (this.parts.pools.size > this.entered.order[MAP].runningOf.length) this.adoptPools();
    this.entered.add(job);
    this.demands.addJob(job);
    this.weights.add(job, nowUs);
    this.lists.add(job);
    this.runnability.add(job);
    this.parts.wait.add(job, this.parts.jobs.firstBlock[job] < 0);
  }

  /** The job is no longer asked; what it runs and demands counts until it is forgotten. */
  endJob(job: number): void {
    this.entered.leaveAll(job);
    this.demands.jobChanged(job);
    this.over.push(job);
  }

  removeJob(job: number): void {
    this.oldWeights.delete(job);
    this.entered.leaveAll(job);
    this.entered.dropRunning(job);
    this.runnability.remove(job);
    this.demands.takeOut(job);
    this.lists.remove(job);
    this.weights.remove(job);
    this.parts.wait.drop(job);
  }

  /** An attempt left its slot; `returned`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, returned: boolean): void {
    if (!this.lists.has(job)) return;
    this.entered.attemptLeft(job, type, returned);
    this.reconsider(job);
  }

  /** `change` more tasks of the job are pending, less if negative; fewer maps may be done. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (!this.lists.has(job)) return;
    this.entered.pendingChanged(job, type, change);
    this.reconsider(job);
  }

  /** The slots of the cluster are what they are now. */
  takeSlots(): void {
    const { slots, slotsNow } = this;
    if (slots[MAP] === slotsNow[MAP] && slots[REDUCE] === slotsNow[REDUCE]) return;
    for (const type of SLOT_TYPES) slots[type] = slotsNow[type];
    this.parts.pools.shareOut(slots);
    for (const type of SLOT_TYPES) this.entered.order[type].configChanged();
    this.shares.expire();
  }

  /** The weight as it is seen: the rules may keep an old one. */
  seenWeightOf(job: number, type: SlotType): number {
    return this.oldWeights.get(job)?.[type] ?? this.weightOf(job, type);
  }

  setPriority(job: number, priority: number): void {
    this.shares.settle();
    if (this.parts.rules.cachesWeights && !this.oldWeights.has(job)) {
      this.oldWeights.set(job, [this.weightOf(job, MAP), this.weightOf(job, REDUCE)]);
      this.notesAsked = true;
    }
    this.parts.jobs.priority[job] = priority;
    this.runnability.priorityChanged(job);
    this.reweigh(job);
  }

  setPool(job: number, pool: number): void {
    this.shares.settle();
    this.adoptPools();
    this.demands.takeOut(job);
    this.lists.remove(job);
    this.entered.move(job, pool);
    this.lists.add(job);
    this.demands.jobChanged(job);
    this.demands.poolChanged(pool);
    this.runnability.changed();
  }

  /** In the order of semantics section 3. `isExtra`: besides the regular updates, inside a submission. */
  update(nowUs: number, isExtra: boolean): void {
    if (this.oldWeights.size > 0) this.oldWeights.clear();
    this.notesAsked = this.sortsLists;
    this.takeSlots();
    if (this.over.length > 0) for (const job of this.over.splice(0)) this.removeJob(job);
    this.runnability.decide();
    this.refreshDemands();
    this.shares.expire();
    this.starvation.update(nowUs, isExtra);
  }

  /** Takes demands anew; shares remain those of the last update. */
  takeDemands(): void {
    this.shares.settle();
    this.refreshDemands();
  }

  private refreshDemands(): void {
    this.demands.update(this.entered.order);
    if (this.parts.weights.bySize) for (const job of this.demands.changedJobs) this.reweigh(job);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    const { pools, users } = this.parts;
    this.shares.settle();
    pools.load(allocations, nowUs);
    users.limit(allocations.users, allocations.userMaxJobs);
    this.adoptPools();
    for (const type of SLOT_TYPES) this.entered.order[type].configChanged();
    for (let pool = 0; pool < pools.size; pool++) {
      this.demands.poolChanged(pool);
      for (const job of this.lists.of(pool, MAP)) {
        this.entered.rekey(job);
        this.demands.jobChanged(job);
      }
    }
    this.runnability.changed();
  }

  /** Jobs whose boost is over weigh less from now on. */
  endBoosts(nowUs: number): void {
    for (let job = this.weights.nextUnboosted(nowUs); job >= 0; job = this.weights.nextUnboosted(nowUs)) {
      this.entered.rekey(job);
    }
  }

  /** A search for `type` has asked the pools in order, up to that of `job` (-1: all); called before the launch. */
  noteAsked(type: SlotType, job: number): void {
    const order = this.entered.order[type];
    const { pools, jobs } = this.parts;
    for (let pool = 0; this.sortsLists && pool < pools.size; pool++) {
      if (!this.parts.mayHaveMax(pools.names[pool]) || !this.lists.wasAsked(pool, job, order)) continue;
      this.lists.sort(pool, type);
      // The next walk may stop at another job.
      this.demands.poolChanged(pool);
    }
    for (const old of this.oldWeights.keys()) {
      if (this.lists.wasAsked(jobs.pool[old], job, order)) this.oldWeights.delete(old);
    }
  }

  becameRunnable(job: number): void {
    this.weights.weigh(job);
    this.reconsider(job);
  }

  becameIdle(job: number): void {
    this.demands.jobChanged(job);
    this.entered.leaveAll(job);
  }

  private reweigh(job: number): void {
    this.weights.weigh(job);
    this.entered.rekey(job);
  }

  /** Counts of the job changed, or it turned runnable: it is entered where it now belongs. */
  private reconsider(job: number): void {
    this.demands.jobChanged(job);
    if (this.runnability.isRunnable[job] && this.parts.jobs.state[job] === RUNNING) this.entered.enterWhereDue(job);
  }

  private countsAsDemand(job: number, type: SlotType): boolean {
    return this.runnability.isRunnable[job] && (type === MAP || this.parts.jobs.reducesMayStart(job));
  }

  private adoptPools(): void {
    this.demands.adoptPools();
    this.entered.adoptPools();
    this.starvation.adoptPools();
  }
}

/** Jobs that tie otherwise go by number, or by name as text: `job_x_9999` comes after `job_x_10000`. */
function rankBy({ jobs, rules }: PoolSchedulerParts): JobRank {
  return rules.namesAsText ? (job) => textRank(jobs.id[job] + 1) : (job) => jobs.id[job];
}

/** Orders numbers as their digits, padded to at least four, order as text. */
function textRank(number: number): number {
  const digits = String(number).padStart(4, "0");
  return Number(digits.padEnd(10, "0")) * 16 + digits.length;
}
