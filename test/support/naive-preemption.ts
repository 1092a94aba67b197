import type { SchedulerSpec } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import type { NaiveJob, NaiveTask, TaskType } from "./naive-job.js";
import type { NaivePool, NaivePools } from "./naive-pools.js";
import { sum } from "./naive-shares.js";
import { isStarved, wholeMinShare } from "./naive-update.js";

/** A running attempt that its node has reported. */
export interface Candidate {
  readonly job: NaiveJob;
  readonly task: NaiveTask;
  readonly launchUs: number;
}

/** An attempt that is killed, and the pool that its slot is for. */
export interface Victim<C extends Candidate> {
  readonly attempt: C;
  readonly forPool: NaivePool;
}

/** Which attempts are killed for starved pools, level by level from the top (semantics section 12). */
export class NaivePreemption {
  constructor(
    private readonly spec: SchedulerSpec,
    private readonly pools: NaivePools,
  ) {}

  /** Victims in the order in which they are chosen, each once; some may have been ordered to be killed before. */
  victims<C extends Candidate>(type: TaskType, candidates: readonly C[], nowUs: number): Victim<C>[] {
    const sorted = [...candidates].sort(
      (a, b) => b.launchUs - a.launchUs || b.job.rank - a.job.rank || b.task.index - a.task.index,
    );
    const left = new Map(this.pools.all.map((pool) => [pool, this.pools.running(pool, type)]));
    const victims: Victim<C>[] = [];
    for (const parent of this.levels()) {
      const others = sorted.filter((candidate) => !victims.some(({ attempt }) => attempt === candidate));
      const before = victims.map(({ forPool }) => forPool);
      const given = (pool: NaivePool): number =>
        before.filter((other) => this.pools.pathOf(other).includes(pool)).length;
      const chosen = this.victimsIn(parent, type, others, left, nowUs);
      const claimants = this.pools
        .childrenOf(parent)
        .flatMap((pool) => new Array<NaivePool>(this.amountFor(pool, type, nowUs)).fill(pool));
      for (const [at, attempt] of chosen.entries()) {
        const forPool = this.innermost(claimants[at], type, given);
        before.push(forPool);
        victims.push({ attempt, forPool });
      }
    }
    return victims;
  }

  /**
   * From a claimant inwards, each time to the pool that lacks most; to the first of several. @param given slots that
   * went to a pool before.
   */
  private innermost(claimant: NaivePool, type: TaskType, given: (pool: NaivePool) => number): NaivePool {
    const lacks = (pool: NaivePool): number => pool.fairShare[type] - this.pools.running(pool, type) - given(pool);
    const inside = this.pools.childrenOf(claimant).filter((pool) => pool.demand[type] > 0);
    const most = Math.max(...inside.map(lacks));
    const next = inside.find((pool) => lacks(pool) === most);
    return next === undefined ? claimant : this.innermost(next, type, given);
  }

  /** null for the top, then the pools with pools inside: outer ones first, then in order of declaration. */
  private levels(): (NaivePool | null)[] {
    const depthOf = (pool: NaivePool): number => this.pools.pathOf(pool).length;
    const inner = this.pools.all.filter((pool) => this.pools.childrenOf(pool).length > 0);
    return [null, ...inner.sort((a, b) => depthOf(a) - depthOf(b))];
  }

  private victimsIn<C extends Candidate>(
    parent: NaivePool | null,
    type: TaskType,
    candidates: readonly C[],
    left: Map<NaivePool, number>,
    nowUs: number,
  ): C[] {
    const needed = sum(this.pools.childrenOf(parent).map((pool) => this.amountFor(pool, type, nowUs)));
    const victims: C[] = [];
    for (const candidate of candidates) {
      if (victims.length >= needed) break;
      const path = this.pathBelow(parent, candidate.job);
      if (path === null || path.some((pool) => (left.get(pool) ?? 0) <= pool.fairShare[type])) continue;
      victims.push(candidate);
      if (!RULES[this.spec.rules].lowersVictimCounts) continue;
      for (const pool of path) left.set(pool, (left.get(pool) ?? 0) - 1);
    }
    return victims;
  }

  /** From the pool in `parent` down to that of the job, or null if the job is not in `parent`. */
  private pathBelow(parent: NaivePool | null, job: NaiveJob): NaivePool[] | null {
    const path = this.pools.pathOf(this.pools.poolOf(job));
    if (parent === null) return path;
    const end = path.indexOf(parent);
    return end < 0 ? null : path.slice(0, end);
  }

  /** Semantics section 12.3. */
  private amountFor(pool: NaivePool, type: TaskType, nowUs: number): number {
    const running = this.pools.running(pool, type);
    const demand = pool.demand[type];
    const starved = isStarved(this.pools, pool, type, nowUs);
    const toMin = starved.min ? wholeMinShare(this.pools, pool, type) - running : 0;
    const toShare = starved.fair ? Math.trunc(Math.min(pool.fairShare[type], demand)) - running : 0;
    return Math.max(0, toMin, toShare);
  }
}
