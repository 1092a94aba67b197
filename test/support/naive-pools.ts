import type { AllocationsSpec, PoolMode, PoolSpec } from "../../dist/core/scenario/index.js";
import { type NaiveJob, type TaskType } from "./naive-job.js";
import { sum } from "./naive-shares.js";

/** A pool: what the allocations do not say of it. */
export interface NaivePool {
  readonly name: string;
  mode: PoolMode;
  /** The pool it was made in; null: at the top. */
  readonly parent: NaivePool | null;
  /** Per type in the order of the last sort, new ones at the end. */
  readonly jobs: Record<TaskType, NaiveJob[]>;
  /** As of the last update. */
  readonly demand: Record<TaskType, number>;
  readonly fairShare: Record<TaskType, number>;
  /** When it was last seen at its min share, and at its fair share or what the rules make of that. */
  readonly atMinShareUs: Record<TaskType, number>;
  readonly atFairShareUs: Record<TaskType, number>;
}

/** All pools ever made, and what the allocations of the moment say of them. */
export class NaivePools {
  /** In order of declaration or first use. */
  readonly all: NaivePool[] = [];

  /** `slots`: of the cluster. */
  constructor(
    private allocations: AllocationsSpec,
    private readonly slots: Record<TaskType, number>,
    readonly scalesMinShares: boolean,
  ) {
    this.load(allocations, 0);
  }

  /** New allocations replace the old as a whole (semantics section 2.1). */
  load(allocations: AllocationsSpec, nowUs: number): void {
    this.allocations = allocations;
    for (const spec of allocations.pools) {
      const pool = this.named(spec.name, nowUs, spec.parent);
      pool.mode = spec.mode ?? allocations.defaultMode;
    }
  }

  get inForce(): AllocationsSpec {
    return this.allocations;
  }

  /** The pool of that name; made with the default mode if there is none yet. A pool never moves. */
  named(name: string, nowUs: number, parent: string | null = null): NaivePool {
    const known = this.all.find((pool) => pool.name === name);
    if (known !== undefined) return known;
    const pool: NaivePool = {
      name,
      mode: this.allocations.defaultMode,
      parent: this.all.find((pool) => pool.name === parent) ?? null,
      jobs: { map: [], reduce: [] },
      demand: { map: 0, reduce: 0 },
      fairShare: { map: 0, reduce: 0 },
      atMinShareUs: { map: nowUs, reduce: nowUs },
      atFairShareUs: { map: nowUs, reduce: nowUs },
    };
    this.all.push(pool);
    return pool;
  }

  specOf(pool: NaivePool): PoolSpec {
    const declared = this.allocations.pools.find(({ name }) => name === pool.name);
    const none = { minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, maxJobs: null, mode: null };
    const never = { minShareTimeoutUs: null, fairShareTimeoutUs: null };
    return declared ?? { name: pool.name, parent: null, weight: 1, ...none, ...never };
  }

  /** In order of declaration or first use; of null: the pools at the top. */
  childrenOf(parent: NaivePool | null): NaivePool[] {
    return this.all.filter((pool) => pool.parent === parent);
  }

  /** The pool, the one around it, and so on. */
  pathOf(pool: NaivePool): NaivePool[] {
    return pool.parent === null ? [pool] : [pool, ...this.pathOf(pool.parent)];
  }

  poolOf(job: NaiveJob): NaivePool {
    const pool = this.all.find(({ jobs }) => jobs.map.includes(job));
    if (pool === undefined) throw new Error("a job without a pool");
    return pool;
  }

  running(pool: NaivePool, type: TaskType): number {
    const inside = this.childrenOf(pool).map((child) => this.running(child, type));
    return sum([...inside, ...pool.jobs[type].map((job) => job.count(type, "running"))]);
  }

  minOf(pool: NaivePool, type: TaskType): number {
    const { minMaps, minReduces } = this.specOf(pool);
    return type === "map" ? minMaps : minReduces;
  }

  /**
   * The min share as the rules count it: scaled down, if they say so, where those in one pool ask for more than it has.
   */
  promiseTo(pool: NaivePool, type: TaskType): number {
    const own = this.minOf(pool, type);
    if (own === 0 || !this.scalesMinShares) return own;
    const promised = sum(this.childrenOf(pool.parent).map((sibling) => this.minOf(sibling, type)));
    return own * Math.min(1, this.capacityIn(pool.parent, type) / promised);
  }

  private capacityIn(parent: NaivePool | null, type: TaskType): number {
    if (parent === null) return this.slots[type];
    return Math.min(this.capacityIn(parent.parent, type), this.maxOf(parent, type));
  }

  maxOf(pool: NaivePool, type: TaskType): number {
    const { maxMaps, maxReduces } = this.specOf(pool);
    return type === "map" ? maxMaps : maxReduces;
  }

  /** The general limit is one of pools that hold jobs themselves. */
  maxJobsOf(pool: NaivePool): number {
    const isInner = this.childrenOf(pool).length > 0;
    return this.specOf(pool).maxJobs ?? (isInner ? Infinity : this.allocations.poolMaxJobs);
  }

  maxJobsOfUser(user: string): number {
    return this.allocations.users.find(({ name }) => name === user)?.maxJobs ?? this.allocations.userMaxJobs;
  }

  /** Its own timeout, else that of the pool around it, and so on, else the general one. */
  timeoutOf(pool: NaivePool, which: "minShareTimeoutUs" | "fairShareTimeoutUs"): number {
    const own = this.pathOf(pool).map((around) => this.specOf(around)[which]);
    return own.find((timeoutUs) => timeoutUs !== null) ?? this.allocations[which];
  }
}
