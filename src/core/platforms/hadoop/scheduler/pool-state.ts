import { type JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import { ln, JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import type { AllocationsSpec } from "../../../scenario/index.js";
import { Demands } from "./demands.js";
import { type JobRank, type JobWeight, PoolOrder } from "./pool-order.js";
import { hasFairShareTimeout, hasMinShareTimeout, type Pools, TOP } from "./pools.js";
import { Preemption, Starvation } from "./preemption.js";
import { Runnability, type RunnabilityWatcher } from "./runnability.js";
import type { JobWeightRules, PoolSchedulerParts } from "./scheduler.js";
import { Shares } from "./shares.js";

/** No pool ever has a max. */
export const NEVER_MAX = (): boolean => false;

/**
 * The state of a pool scheduler between heartbeats, kept consistent under every change: orders, demands, weights,
 * runnable jobs, shares, starvation.
 */
export class PoolState implements RunnabilityWatcher {
  readonly candidates: CandidateJobs;
  readonly demands: Demands;
  readonly shares: Shares;
  readonly runnability: Runnability;
  readonly starvation: Starvation;
  readonly preemption: Preemption;
  /** Slots of the cluster, per type, as of the last update; and as they are. */
  readonly slots: [number, number];
  slotsNow: readonly [number, number];
  /** Starvation depends on every launch. */
  readonly watches: boolean;
  private readonly demandsAreFresh: boolean;
  /**
   * Visits of searches to pools must be noted: the order of jobs inside pools is kept as Hadoop keeps it, for the
   * demands of pools at their max.
   */
  readonly notesVisits: boolean;
  private readonly weights: JobWeights;
  private readonly lists: PoolLists;

  constructor(private readonly parts: PoolSchedulerParts) {
    const { jobs, pools, users, rules, preemption: spec, updateIntervalUs, allAllocations } = parts;
    this.slotsNow = parts.slots;
    this.demandsAreFresh = updateIntervalUs === 0;
    const slots: [number, number] = [...parts.slots];
    this.slots = slots;
    const weightOf = this.weightOf.bind(this);
    const rankOf = rankBy(parts);
    // Candidates are runnable.
    const ownWeightOf = (job: number, type: SlotType) => this.weights.weightOf(job, type);
    this.candidates = new CandidateJobs({ ...parts, weightOf: ownWeightOf, rankOf });
    const { order } = this.candidates;
    this.lists = new PoolLists(jobs, pools, weightOf, rankOf);
    const jobsOf = (pool: number, type: SlotType) => this.lists.jobsIn(pool, type);
    const counts = this.countsAsDemand.bind(this);
    // Demands that are always fresh are all fresh.
    const walkStops = rules.demandWalkStops && updateIntervalUs > 0;
    this.notesVisits = walkStops && parts.mayHaveMax !== NEVER_MAX;
    const demands = new Demands(jobs, pools, counts, walkStops, jobsOf);
    this.demands = demands;
    this.weights = new JobWeights(jobs, parts.weights, demands.ofJob);
    this.runnability = new Runnability(jobs, pools, users, rules.eagerInit, this);
    const { scalesMinShares, alwaysWatches } = rules;
    const shares = new Shares(pools, demands, slots, scalesMinShares);
    this.shares = shares;
    const watchesShares = updateIntervalUs === Infinity || allAllocations.some(hasFairShareTimeout);
    // Without updates clocks that should run would stand.
    const hasUpdates = updateIntervalUs > 0 || !alwaysWatches;
    const hasTimeouts = hasUpdates && (watchesShares || allAllocations.some(hasMinShareTimeout));
    this.watches = hasTimeouts && (spec.mode !== "off" || alwaysWatches);
    const known = { ...parts, order, demands, shares };
    const starvation = new Starvation({ ...known, watches: this.watches, hasTimeouts, watchesShares });
    this.starvation = starvation;
    this.preemption = new Preemption({ ...known, starvation, isKnown: (job) => this.lists.has(job) });
    this.adoptPools();
  }

  /**
   * Tasks of the type may be handed out. With cached demands this is Hadoop's test that running and demand differ,
   * which may be stale; with fresh ones it is whether anything is pending.
   */
  isOpen(type: SlotType): boolean {
    const { candidates, demands, demandsAreFresh } = this;
    return demandsAreFresh ? candidates.pending[type] > 0 : candidates.runningTotal[type] !== demands.total[type];
  }

  /** 1 while the job is not runnable (semantics section 5.4). */
  weightOf(job: number, type: SlotType): number {
    return this.runnability.isRunnable[job] ? this.weights.weightOf(job, type) : 1;
  }

  addJob(job: number, nowUs: number): void {
    if (this.parts.pools.size > this.candidates.order[MAP].runningOf.length) this.adoptPools();
    this.candidates.add(job);
    this.demands.addJob(job);
    this.weights.add(job, nowUs);
    this.lists.add(job);
    this.runnability.add(job);
    this.parts.wait.add(job, this.parts.jobs.firstBlock[job] < 0);
  }

  removeJob(job: number): void {
    this.candidates.leaveAll(job);
    this.candidates.dropRunning(job);
    this.runnability.remove(job);
    this.demands.takeOut(job);
    this.lists.remove(job);
    this.weights.remove(job);
    this.parts.wait.drop(job);
  }

  /** An attempt left its slot; `requeued`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, requeued: boolean): void {
    if (!this.lists.has(job)) return;
    this.candidates.attemptLeft(job, type, requeued);
    this.reconsider(job);
  }

  /** `change` more tasks of the job are pending, less if negative; fewer maps may be done. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (!this.lists.has(job)) return;
    this.candidates.pendingChanged(job, type, change);
    this.reconsider(job);
  }

  /** The slots of the cluster are what they are now. */
  takeSlots(): void {
    const { slots, slotsNow } = this;
    if (slots[MAP] === slotsNow[MAP] && slots[REDUCE] === slotsNow[REDUCE]) return;
    for (const type of SLOT_TYPES) slots[type] = slotsNow[type];
    this.parts.pools.shareOut(slots);
    for (const type of SLOT_TYPES) this.candidates.order[type].configChanged();
    this.shares.expire();
  }

  /** Performs an update, in the order of semantics section 3. `isExtra`: inside a submission, not a regular one. */
  update(nowUs: number, isExtra: boolean): void {
    this.takeSlots();
    this.runnability.decide();
    this.demands.update(this.candidates.order);
    if (this.parts.weights.bySize) for (const job of this.demands.changedJobs) this.reweigh(job);
    this.shares.expire();
    this.starvation.update(nowUs, isExtra);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    const { pools, users } = this.parts;
    this.shares.settle();
    pools.load(allocations, nowUs);
    users.limit(allocations.users, allocations.userMaxJobs);
    this.adoptPools();
    for (const type of SLOT_TYPES) this.candidates.order[type].configChanged();
    for (let pool = 0; pool < pools.size; pool++) {
      this.demands.poolChanged(pool);
      for (const job of this.lists.jobsIn(pool, MAP)) {
        this.candidates.rekey(job);
        this.demands.jobChanged(job);
      }
    }
    this.runnability.changed();
  }

  /** Jobs whose boost is over weigh less from now on. */
  endBoosts(nowUs: number): void {
    for (let job = this.weights.nextUnboosted(nowUs); job >= 0; job = this.weights.nextUnboosted(nowUs)) {
      this.candidates.rekey(job);
    }
  }

  /** A search for `type` has visited the pools in order, up to that of `job` (-1: all); called before the launch. */
  noteVisits(type: SlotType, job: number): void {
    const order = this.candidates.order[type];
    const { pools } = this.parts;
    for (let pool = 0; pool < pools.size; pool++) {
      if (!this.parts.mayHaveMax(pools.names[pool]) || !this.lists.wasVisited(pool, job, order)) continue;
      this.lists.sort(pool, type);
      // The next walk may stop at another job.
      this.demands.poolChanged(pool);
    }
  }

  becameRunnable(job: number): void {
    this.weights.weigh(job);
    this.reconsider(job);
  }

  becameIdle(job: number): void {
    this.demands.jobChanged(job);
    this.candidates.leaveAll(job);
  }

  private reweigh(job: number): void {
    this.weights.weigh(job);
    this.candidates.rekey(job);
  }

  /** Counts of the job changed, or it turned runnable: it becomes a candidate where it now belongs. */
  private reconsider(job: number): void {
    this.demands.jobChanged(job);
    if (this.runnability.isRunnable[job] && this.parts.jobs.state[job] === RUNNING) this.candidates.addWhereDue(job);
  }

  private countsAsDemand(job: number, type: SlotType): boolean {
    return this.runnability.isRunnable[job] && (type === MAP || this.parts.jobs.reducesMayStart(job));
  }

  private adoptPools(): void {
    this.demands.adoptPools();
    this.candidates.adoptPools();
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

interface CandidateJobsParts extends PoolSchedulerParts {
  readonly weightOf: JobWeight;
  readonly rankOf: JobRank;
}

/**
 * The jobs that searches visit, in order: runnable ones with pending tasks of the type, and those without where a wait
 * wants to know of them. A job enters when it turns runnable, its reduces once they may start.
 */
class CandidateJobs {
  readonly order: readonly [PoolOrder, PoolOrder];
  /** Running in all, and pending of the candidate jobs, per type. */
  readonly runningTotal = [0, 0];
  readonly pending = [0, 0];
  private readonly isCandidate: [boolean[], boolean[]] = [[], []];

  constructor(private readonly parts: CandidateJobsParts) {
    this.order = [new PoolOrder({ ...parts, type: MAP }), new PoolOrder({ ...parts, type: REDUCE })];
  }

  add(job: number): void {
    this.isCandidate[MAP][job] = false;
    this.isCandidate[REDUCE][job] = false;
  }

  /**
   * Enters a runnable job where it now belongs; its reduces leave when outputs of maps were lost that they need to
   * start.
   */
  addWhereDue(job: number): void {
    const { jobs, wait } = this.parts;
    if (!this.isCandidate[MAP][job] && (wait.coversIdleJobs || jobs.pending[MAP][job] > 0)) this.enter(job, MAP);
    const reducesAreDue = jobs.pending[REDUCE][job] > 0 && jobs.reducesMayStart(job);
    if (reducesAreDue === this.isCandidate[REDUCE][job]) return;
    if (reducesAreDue) this.enter(job, REDUCE);
    else this.leave(job, REDUCE);
  }

  leaveAll(job: number): void {
    for (const type of SLOT_TYPES) if (this.isCandidate[type][job]) this.leave(job, type);
  }

  /** An attempt left its slot; counts have been changed. `requeued`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, requeued: boolean): void {
    this.runningTotal[type]--;
    this.order[type].runningChanged(job, -1, this.isCandidate[type][job]);
    if (requeued) this.pendingChanged(job, type, 1);
  }

  /** `change` more of its tasks are pending, less if negative; counts have been changed. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (!this.isCandidate[type][job]) return;
    const pending = this.parts.jobs.pending[type][job];
    this.pending[type] += change;
    if (pending === 0) this.settle(job, type);
    // A job that is visited has a pending task again.
    else if (pending === change && type === MAP) this.parts.wait.resume(job);
  }

  launched(job: number, type: SlotType): void {
    this.runningTotal[type]++;
    this.pending[type]--;
    this.order[type].runningChanged(job, 1, true);
  }

  /** A job that may have lost its last pending task: without any it waits no longer. */
  settle(job: number, type: SlotType): void {
    if (this.parts.jobs.pending[type][job] > 0 || (type === MAP && this.parts.wait.coversIdleJobs)) return;
    this.leave(job, type);
  }

  /** Weights of the job, or the mode of its pool, may have changed. */
  rekey(job: number): void {
    for (const type of SLOT_TYPES) {
      if (this.isCandidate[type][job]) this.order[type].rekeyJob(job);
    }
  }

  /** The job has gone with what it runs. */
  dropRunning(job: number): void {
    for (const type of SLOT_TYPES) {
      const running = this.parts.jobs.running[type][job];
      if (running === 0) continue;
      this.runningTotal[type] -= running;
      this.order[type].addRunning(this.parts.jobs.pool[job], -running);
    }
  }

  /** The job that comes first for a reduce slot of the node, -1 if none may have it. */
  firstReducer(node: number): number {
    const { ranked } = this.order[REDUCE];
    const { isSelective } = this.parts.launcher;
    let first = -1;
    this.order[REDUCE].visit(TOP, (pool) => {
      first = isSelective ? this.firstAccepted(pool, node) : ranked.firstJobOf[pool];
      return first >= 0;
    });
    return first;
  }

  /** Makes room for pools that were created since. */
  adoptPools(): void {
    for (const type of SLOT_TYPES) this.order[type].adoptPools();
  }

  /** Returns the first job of a pool with reduces to launch that the node may serve, or -1. */
  private firstAccepted(pool: number, node: number): number {
    const { items, size } = this.order[REDUCE].ranked.jobsOf[pool];
    for (let i = 0; i < size; i++) if (this.parts.launcher.accepts(items[i], REDUCE, node)) return items[i];
    return -1;
  }

  private enter(job: number, type: SlotType): void {
    this.isCandidate[type][job] = true;
    this.pending[type] += this.parts.jobs.pending[type][job];
    this.order[type].enter(job);
    if (type === MAP) this.parts.wait.enter(job);
  }

  private leave(job: number, type: SlotType): void {
    this.pending[type] -= this.parts.jobs.pending[type][job];
    this.order[type].leave(job);
    this.isCandidate[type][job] = false;
    if (type === MAP) this.parts.wait.leave(job);
  }
}

/** By priority, most urgent first (semantics section 5.4; paper section 4.1). */
const PRIORITY_WEIGHT = [4, 2, 1, 0.5, 0.25];

const LN_2 = ln(2);

/** The weights of jobs, per type (semantics section 5.4). A job that is not runnable weighs 1. */
class JobWeights {
  private readonly weights: [Float64Array, Float64Array] = [
    new Float64Array(2 * JOBS_AT_FIRST),
    new Float64Array(2 * JOBS_AT_FIRST),
  ];
  private boosted: boolean[] = [];
  /** Boosted jobs in order of submission; those before `firstBoosted` are no longer. */
  private inOrder: number[] = [];
  private firstBoosted = 0;

  constructor(
    private readonly jobs: JobTable,
    private readonly rules: JobWeightRules,
    private readonly demandOf: readonly [Int32Array, Int32Array],
  ) {}

  weightOf(job: number, type: SlotType): number {
    return this.weights[type][job];
  }

  add(job: number, nowUs: number): void {
    while (job >= this.weights[MAP].length) {
      this.weights[MAP] = widened(this.weights[MAP]);
      this.weights[REDUCE] = widened(this.weights[REDUCE]);
    }
    this.boosted[job] = this.rules.booster !== null && nowUs < this.boostEndUs(job);
    if (this.boosted[job]) this.inOrder.push(job);
    this.weigh(job);
  }

  remove(job: number): void {
    if (!this.boosted[job]) return;
    this.boosted[job] = false;
    this.inOrder = this.inOrder.slice(this.firstBoosted).filter((candidate) => candidate !== job);
    this.firstBoosted = 0;
  }

  /** Takes priority and demand anew. */
  weigh(job: number): void {
    const { byPriority, bySize, booster } = this.rules;
    const factor = this.boosted[job] && booster !== null ? booster.factor : 1;
    for (const type of SLOT_TYPES) {
      const size = bySize ? ln(1 + this.demandOf[type][job]) / LN_2 : 1;
      this.weights[type][job] = size * (byPriority ? PRIORITY_WEIGHT[this.jobs.priority[job]] : 1) * factor;
    }
  }

  /** The next job whose boost is over at `nowUs`, reweighed; -1 when there is none. */
  nextUnboosted(nowUs: number): number {
    if (this.firstBoosted >= this.inOrder.length) return -1;
    const job = this.inOrder[this.firstBoosted];
    if (nowUs < this.boostEndUs(job)) return -1;
    this.firstBoosted++;
    this.boosted[job] = false;
    this.weigh(job);
    return job;
  }

  private boostEndUs(job: number): number {
    return this.jobs.startUs[job] + (this.rules.booster?.durationUs ?? 0);
  }
}

/**
 * The jobs of every pool, runnable or not. Hadoop keeps them, per type, in the order in which the pool last sorted
 * them, which shows only in the demands of a pool at its max (semantics sections 5.1, 7.3); elsewhere they stay in
 * order of arrival.
 */
class PoolLists {
  private readonly jobsOf: [number[][], number[][]] = [[], []];
  private readonly isIn: boolean[] = [];

  constructor(
    private readonly table: JobTable,
    private readonly pools: Pools,
    private readonly weightOf: JobWeight,
    private readonly rankOf: JobRank,
  ) {}

  jobsIn(pool: number, type: SlotType): readonly number[] {
    return (this.jobsOf[type][pool] ??= []);
  }

  /** The job is in some pool: it has been added and not removed since. */
  has(job: number): boolean {
    return this.isIn[job];
  }

  add(job: number): void {
    this.isIn[job] = true;
    for (const type of SLOT_TYPES) (this.jobsOf[type][this.table.pool[job]] ??= []).push(job);
  }

  remove(job: number): void {
    this.isIn[job] = false;
    for (const type of SLOT_TYPES) {
      const jobs = this.jobsOf[type][this.table.pool[job]];
      jobs.splice(jobs.indexOf(job), 1);
    }
  }

  /** Sorts the jobs of a pool as a search for `type` does that asks it. */
  sort(pool: number, type: SlotType): void {
    this.jobsOf[type][pool]?.sort((a, b) => this.compare(a, b, type));
  }

  /** A search for `type` that gave a task to `job` (-1: to none) visited the pool; nothing has been launched yet. */
  wasVisited(pool: number, job: number, order: PoolOrder): boolean {
    for (let p = pool; p !== TOP; p = this.pools.parent[p]) if (order.isFull(p)) return false;
    return job < 0 || !order.comesAfter(pool, this.table.pool[job]);
  }

  private compare(a: number, b: number, type: SlotType): number {
    const { table } = this;
    const isFifo = this.pools.mode[table.pool[a]] === "fifo";
    const first = isFifo
      ? table.priority[a] - table.priority[b]
      : ascending(table.running[type][a] / this.weightOf(a, type), table.running[type][b] / this.weightOf(b, type));
    return first || table.startUs[a] - table.startUs[b] || this.rankOf(a) - this.rankOf(b);
  }
}

/** Compares numbers; NaN comes last. */
function ascending(a: number, b: number): number {
  const x = Number.isNaN(a) ? Infinity : a;
  const y = Number.isNaN(b) ? Infinity : b;
  return x < y ? -1 : x > y ? 1 : 0;
}

/**
 * The times at which updates are due: at multiples of their interval, where something has changed since the last one.
 */
export class UpdateTimes {
  /** Virtual time of the next update; Infinity for none. */
  dueUs = Infinity;

  /** @param intervalUs 0 or Infinity: updates are never due. */
  constructor(private readonly intervalUs: number) {}

  /** Something changed that the next update should see. */
  want(nowUs: number): void {
    const { intervalUs } = this;
    // One is due at the next multiple already, most of the time.
    if (this.dueUs - nowUs <= intervalUs || intervalUs === 0 || intervalUs === Infinity) return;
    const dueUs = nowUs - (nowUs % intervalUs) + intervalUs;
    if (dueUs < this.dueUs) this.dueUs = dueUs;
  }
}
