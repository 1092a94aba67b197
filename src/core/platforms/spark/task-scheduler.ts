import { Executors } from "./executors.js";
import { type PoolSpec, PoolTree } from "./pools.js";
import type { SparkRules, SparkSettings } from "./rules.js";
import { ANY, type Attempt, type SparkLevel, TaskSet, type TaskSetSpec } from "./task-set.js";

/** What an executor has free. */
export interface Offer {
  readonly executor: number;
  readonly host: number;
  readonly cores: number;
}

export interface SchedulerParts {
  readonly rules: SparkRules;
  readonly settings: SparkSettings;
  /** Of FAIR mode. */
  readonly pools: readonly PoolSpec[];
  /** Rack of a host, or NOWHERE. */
  readonly rackOf: (host: number) => number;
}

export interface Launch {
  readonly set: TaskSet;
  readonly attempt: Attempt;
}

/** Matches offers with the tasks of one application (`TaskSchedulerImpl`). */
export class TaskScheduler {
  readonly executors: Executors;
  readonly pools: PoolTree<TaskSet>;
  private readonly sets: TaskSet[] = [];
  private aborted: TaskSet[] = [];
  private readonly rules: SparkRules;
  private readonly settings: SparkSettings;

  constructor({ rules, settings, pools, rackOf }: SchedulerParts) {
    this.rules = rules;
    this.settings = settings;
    this.executors = new Executors(rackOf, rules.knowsDecommissioning);
    this.pools = new PoolTree(settings.mode, pools);
  }

  /** Earlier attempts of its stage start nothing more. */
  submit(spec: TaskSetSpec, poolName: string | undefined, nowUs: number): TaskSet {
    for (const earlier of this.sets) if (earlier.stage === spec.stage) earlier.isZombie = true;
    const pool = this.pools.poolFor(poolName);
    const set = new TaskSet(spec, this.rules, this.settings, this.executors, pool, nowUs);
    this.sets.push(set);
    pool.add(set);
    return set;
  }

  /** It has ended, and nothing of it runs. */
  forget(set: TaskSet): void {
    this.sets.splice(this.sets.indexOf(set), 1);
    set.pool.remove(set);
  }

  /** Task sets that rounds have aborted since this was asked last. */
  takeAborted(): TaskSet[] {
    const { aborted } = this;
    if (aborted.length > 0) this.aborted = [];
    return aborted;
  }

  /** All that have ended, and of which nothing runs. */
  forgetFinished(): void {
    for (const set of this.sets.filter(({ isFinished }) => isFinished)) this.forget(set);
  }

  /**
   * One round of offers, in the order given: the caller shuffles them. Task sets are sorted once; each takes what it may before the next is
   * looked at, its best levels first, and at each level one task an executor in turn.
   * @param isAllFree everything that is free is offered.
   */
  offer(offers: readonly Offer[], isAllFree: boolean, nowUs: number): Launch[] {
    const isNew = offers.filter(({ executor }) => !this.executors.isKnown(executor));
    for (const { executor, host } of isNew) this.executors.add(executor, host);
    if (isNew.length > 0) for (const set of this.pools.sorted()) if (set.isAsked()) set.recomputeLevels();
    const round: Round = { offers, free: offers.map(({ cores }) => cores), nowUs, launches: [] };
    for (const set of this.pools.sorted()) {
      // Without room nobody is asked, and nothing changes.
      if (!round.free.some((cores) => cores >= this.settings.coresPerTask)) break;
      if (set.isAsked()) this.serve(set, round, isAllFree);
    }
    return round.launches;
  }

  executorLost(executor: number, nowUs: number, counts = true): void {
    this.executors.remove(executor);
    for (const set of this.sets) {
      set.executorLost(executor, nowUs, counts);
      set.recomputeLevels();
    }
  }

  private serve(set: TaskSet, round: Round, isAllFree: boolean): void {
    const { coresPerTask } = this.settings;
    if (set.spec.isBarrier) {
      const room = round.free.reduce((sum, cores) => sum + Math.floor(cores / coresPerTask), 0);
      if (room < set.tasks) return;
    }
    const before = { launched: round.launches.length, free: set.spec.isBarrier ? [...round.free] : round.free };
    let best: SparkLevel | null = null;
    let hasRejects = false;
    // Its levels as they were at the start of its turn.
    for (const most of set.levels) {
      for (let hasLaunched = true; hasLaunched;) {
        hasLaunched = false;
        round.offers.forEach(({ executor, host }, at) => {
          if (round.free[at] < coresPerTask) return;
          const { attempt, isDelayReject } = set.offer(executor, host, most, round.nowUs);
          if (isDelayReject) hasRejects = true;
          if (attempt === null) return;
          hasLaunched = true;
          round.free[at] -= coresPerTask;
          round.launches.push({ set, attempt });
          best = Math.min(best ?? ANY, attempt.level) as SparkLevel;
        });
      }
    }
    if (!this.settings.resetsOnLaunch) {
      if (hasRejects) set.hasNoRejects = false;
      else if (best !== null && (isAllFree || set.hasNoRejects)) {
        set.restartWait(best, round.nowUs);
        set.hasNoRejects = true;
      }
    }
    if (set.spec.isBarrier && best !== null) this.endBarrierTurn(set, round, before);
  }

  /** A barrier stage of which only some tasks could start gives all back, or fails. */
  private endBarrierTurn(set: TaskSet, round: Round, before: { launched: number; free: number[] }): void {
    const launches = round.launches.splice(before.launched);
    if (launches.length === set.tasks) {
      round.launches.push(...launches);
      return;
    }
    for (const { attempt } of launches.reverse()) set.undo(attempt);
    round.free.splice(0, round.free.length, ...before.free);
    if (this.rules.partialBarrier === "undo" && !this.settings.resetsOnLaunch) return;
    set.abort();
    this.aborted.push(set);
  }
}

interface Round {
  readonly offers: readonly Offer[];
  readonly free: number[];
  readonly nowUs: number;
  readonly launches: Launch[];
}
