import { ascending, tally } from "../../kernel/index.js";
import { AskedSets } from "./asked-sets.js";
import { ANY, SparkAttempts, type SparkLevel } from "./attempts.js";
import { Executors, NOWHERE } from "./executors.js";
import { type PoolSpec, PoolTree } from "./pools.js";
import type { SparkRules } from "./rules.js";
import type { SparkSettings } from "./settings.js";
import { type JobFailure, TaskSet, type TaskSetSpec } from "./task-set.js";

interface SchedulerParts {
  readonly rules: SparkRules;
  readonly settings: SparkSettings;
  /** Pools of FAIR mode. */
  readonly pools: readonly PoolSpec[];
  /** Rack of a host, or NOWHERE. */
  readonly rackOf: (host: number) => number;
  /** Some stage or executor has a resource profile of its own; undefined: none has. */
  readonly profiles?: Profiles;
}

/**
 * Resource profiles of an application: a task set is offered executors of its own profile alone
 * (`ResourceProfileManager.canBeScheduled`).
 */
export interface Profiles {
  /** The fewest cores that a task of any stage takes. */
  readonly leastCores: number;
  /** By executor. */
  readonly profileOf: (executor: number) => number;
}

/** Matches offers with the tasks of one application (`TaskSchedulerImpl`). */
export class TaskScheduler {
  readonly executors: Executors;
  readonly pools: PoolTree<TaskSet>;
  readonly attempts = new SparkAttempts();
  private readonly sets: TaskSet[] = [];
  private setsSoFar = 0;
  private aborted: TaskSet[] = [];
  private readonly askedSets = new AskedSets();
  private readonly round: Round = {
    count: 0,
    executors: [],
    hosts: [],
    free: [],
    passedAt: [],
    room: 0,
    nowUs: 0,
    isAllFree: false,
    isNew: false,
  };
  /** Counts up wherever an executor that found nothing might find something now. */
  private passes = 0;
  private passing: TaskSet | null = null;
  private passingAt: SparkLevel = ANY;
  private readonly rules: SparkRules;
  private readonly settings: SparkSettings;

  private readonly profiles: Profiles | null;
  /** The fewest cores that a task takes. */
  readonly leastCores: number;

  constructor({ rules, settings, pools, rackOf, profiles }: SchedulerParts) {
    this.rules = rules;
    this.settings = settings;
    this.profiles = profiles ?? null;
    this.leastCores = profiles?.leastCores ?? settings.coresPerTask;
    this.executors = new Executors(rackOf, rules.knowsDecommissioning);
    this.pools = new PoolTree(settings.mode, pools);
  }

  /** Earlier attempts of its stage start nothing more. */
  submit(spec: TaskSetSpec, poolName: string | undefined, nowUs: number): TaskSet {
    for (const earlier of this.sets) if (earlier.stage === spec.stage) earlier.isZombie = true;
    const pool = this.pools.poolFor(poolName);
    const { rules, settings, executors, attempts, askedSets } = this;
    const set = new TaskSet(spec, this.setsSoFar++, rules, settings, executors, attempts, pool, askedSets, nowUs);
    this.sets.push(set);
    pool.add(set);
    return set;
  }

  /** It has ended, and nothing of it runs. Forgotten is forgotten. */
  forget(set: TaskSet): void {
    const index = this.sets.indexOf(set);
    if (index < 0) return;
    this.sets.splice(index, 1);
    set.pool.remove(set);
    set.leave();
  }

  /** Task sets that rounds have aborted since this was asked last. */
  takeAborted(): TaskSet[] {
    const { aborted } = this;
    if (aborted.length > 0) this.aborted = [];
    return aborted;
  }

  /** Returns the running attempts of a job, in the order of launch. */
  runningOf(job: number): number[] {
    const sets = this.sets.filter(({ priority }) => priority === job);
    return sets.flatMap((set) => set.allRunning()).sort(ascending);
  }

  /** All that have ended, and of which nothing runs. */
  finished(): TaskSet[] {
    return this.sets.filter(({ isFinished }) => isFinished);
  }

  /** Offers an executor with so many free cores in the round that comes; the caller shuffles them. */
  show(executor: number, host: number, cores: number): void {
    const { round, executors } = this;
    if (!executors.isKnown(executor)) {
      executors.add(executor, host);
      round.isNew = true;
    }
    // Without room for a task no task set is asked.
    if (cores < this.leastCores) return;
    const slot = round.count++;
    round.executors[slot] = executor;
    round.hosts[slot] = host;
    round.free[slot] = cores;
    round.passedAt[slot] = -1;
  }

  /**
   * One round, of what was shown since the last. Task sets are sorted once; each takes what it may before the next is
   * looked at, its best levels first, and at each level one task an executor in turn. What it launched are the last of
   * the attempts.
   * @param isAllFree everything that is free was shown.
   */
  offer(isAllFree: boolean, nowUs: number): void {
    const { round } = this;
    if (round.isNew) for (const set of this.pools.sorted()) if (set.isAsked()) set.recomputeLevels();
    round.isNew = false;
    round.room = round.count;
    round.nowUs = nowUs;
    round.isAllFree = isAllFree;
    if (round.room > 0 && this.isAnyAsked()) this.pools.visit(this.visitor);
    round.count = 0;
  }

  /** Some task sets may not take executors that have room for others. */
  get hasProfiles(): boolean {
    return this.profiles !== null;
  }

  /** Executors with room were shown since the last round. */
  get hasOffers(): boolean {
    return this.round.count > 0;
  }

  private isAnyAsked(): boolean {
    const { round, executors, askedSets } = this;
    askedSets.begin(round.nowUs);
    for (let slot = 0; slot < round.count; slot++) {
      const host = round.hosts[slot];
      askedSets.offer(host, executors.rackOfHost(host));
    }
    return askedSets.isAnyAsked;
  }

  /** Returns the job with the most running tasks, the lowest number among equals; NOWHERE: no task runs. */
  holder(): number {
    const running = new Map<number, number>();
    for (const set of this.sets) tally(running, set.priority, set.running);
    let [mostTasks, holder] = [0, NOWHERE];
    for (const [job, tasks] of running)
      if (tasks > mostTasks || (tasks === mostTasks && job < holder)) [mostTasks, holder] = [tasks, job];
    return holder;
  }

  /** @returns attempts that ran there. */
  executorLost(executor: number, nowUs: number, counts = true): number[] {
    this.executors.remove(executor);
    return this.sets.flatMap((set) => {
      const lost = set.executorLost(executor, nowUs, counts);
      set.recomputeLevels();
      return lost;
    });
  }

  /** Its turn in a round, if offers must be shown to it. */
  private readonly visitor = (set: TaskSet) => {
    if (this.askedSets.isAsked(set.askedNumber) && !set.isZombie && set.isAsked()) this.serve(set);
    return this.round.room > 0;
  };

  private serve(set: TaskSet): void {
    const { round, attempts } = this;
    const { isBarrier } = set.spec;
    if (isBarrier) {
      let slots = 0;
      for (let slot = 0; slot < round.count; slot++) {
        if (this.suits(set, round.executors[slot])) slots += Math.floor(round.free[slot] / set.coresPerTask);
      }
      set.isHeldBack = slots >= set.tasks;
      if (!set.isHeldBack) return;
    }
    const before = { launched: attempts.length, free: isBarrier ? [...round.free] : round.free };
    let best: SparkLevel | null = null;
    let hasRejects = false;
    set.reopen();
    // Its levels as they were at the start of its turn.
    for (const worst of set.levels) {
      for (let hasLaunched = true; hasLaunched && round.room > 0;) {
        const launchedBefore = attempts.length;
        if (this.walk(set, worst)) hasRejects = true;
        hasLaunched = attempts.length > launchedBefore;
        for (let attempt = launchedBefore; attempt < attempts.length; attempt++) {
          best = Math.min(best ?? ANY, attempts.level[attempt]) as SparkLevel;
        }
      }
    }
    if (hasRejects && !this.settings.resetsOnLaunch) set.hasNoRejects = false;
    // With room left, all that have some asked in vain up to ANY; with profiles the room may be of others.
    if (round.room > 0 && this.profiles === null) set.close();
    if (!this.settings.resetsOnLaunch && !hasRejects) {
      if (best !== null && (round.isAllFree || set.hasNoRejects)) {
        set.restartWait(best, round.nowUs);
        set.hasNoRejects = true;
        set.reopen();
      }
    }
    if (isBarrier && best !== null) this.endBarrierTurn(set, before);
    else if (best === null && set.isUnschedulable(round.nowUs)) this.abort(set, "excluded");
  }

  /**
   * One task for each executor that has room, at no worse a level. Whoever found nothing is passed over until the set's
   * own level changes.
   * @returns whether an offer was refused for locality.
   */
  private walk(set: TaskSet, worst: SparkLevel): boolean {
    const { round } = this;
    const { executors, hosts, free, passedAt, nowUs } = round;
    const { coresPerTask } = set;
    const mayExclude = !set.hasNoExclusions;
    let allowed: SparkLevel | null = null;
    let hasRejects = false;
    for (let slot = 0; slot < round.count; slot++) {
      if (free[slot] < coresPerTask) continue;
      const executor = executors[slot];
      const host = hosts[slot];
      if (!this.suits(set, executor)) continue;
      if (mayExclude && set.excludes(executor, host)) continue;
      if (allowed === null) {
        const levelBefore = set.levelIndex;
        allowed = set.allowedUpTo(worst, nowUs);
        if (set.levelIndex !== levelBefore || set !== this.passing || worst !== this.passingAt) this.passes++;
        this.passing = set;
        this.passingAt = worst;
      }
      if (passedAt[slot] === this.passes) continue;
      const attempt = set.mayStart(host, allowed) ? set.start(executor, host, allowed, worst, nowUs) : NOWHERE;
      if (attempt === NOWHERE) {
        passedAt[slot] = this.passes;
        if (worst === ANY && set.hasPending) hasRejects = true;
        continue;
      }
      free[slot] -= coresPerTask;
      if (free[slot] < this.leastCores && --round.room === 0) break;
      // The launched task may have been the last at its level, or have restarted the wait.
      allowed = null;
    }
    return hasRejects;
  }

  /** A barrier stage of which only some tasks could start gives all back, or fails. */
  private endBarrierTurn(set: TaskSet, before: { launched: number; free: number[] }): void {
    const { round, attempts } = this;
    if (attempts.length - before.launched === set.tasks) return;
    while (attempts.length > before.launched) set.undo(attempts.length - 1);
    round.free.splice(0, round.free.length, ...before.free);
    round.room = round.free.slice(0, round.count).filter((cores) => cores >= this.leastCores).length;
    if (this.rules.partialBarrier === "undo" && !this.settings.resetsOnLaunch) return;
    this.abort(set, "barrierStart");
  }

  /** Whether an executor has the resource profile of a task set. */
  private suits(set: TaskSet, executor: number): boolean {
    return this.profiles === null || this.profiles.profileOf(executor) === set.profile;
  }

  private abort(set: TaskSet, failure: JobFailure): void {
    set.abort(failure);
    this.aborted.push(set);
  }
}

/** Executors with room, and what is free on each. */
interface Round {
  /** The number of executors; entries beyond it in the arrays are of earlier rounds. */
  count: number;
  readonly executors: number[];
  readonly hosts: number[];
  readonly free: number[];
  /** At which of the passes each found nothing last. */
  readonly passedAt: number[];
  /** The number of executors that still have room. */
  room: number;
  nowUs: number;
  isAllFree: boolean;
  /** An executor was shown for the first time. */
  isNew: boolean;
}
