import type { AllocationsSpec, PoolSpec, Scenario } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import type { TaskType } from "./naive-job.js";
import { allocationsAt } from "./naive-placement.js";
import { specInForce } from "./naive-rules.js";
import { sum } from "./naive-shares.js";
import type { ReplayedJob, RunReplay } from "./run-replay.js";

/** The declared pools at one moment of a replay, with their slots of one type. */
export class PoolAudit {
  private readonly allocations: AllocationsSpec;
  private readonly scales: boolean;

  constructor(
    scenario: Scenario,
    private readonly replay: RunReplay,
    private readonly type: TaskType,
    private readonly nowUs: number,
  ) {
    const spec = specInForce(scenario.scheduler);
    this.allocations = allocationsAt(spec, nowUs);
    this.scales = RULES[spec.rules].scalesMinShares;
  }

  /** Name of a pool around the job that runs as many tasks as it may, or null. */
  fullPoolAround(job: ReplayedJob): string | null {
    return this.pathOf(job).find((pool) => this.isFull(pool))?.name ?? null;
  }

  /** The problem that, in some pool around the job, another one could use the slot and is needier; or null. */
  needierThan(job: ReplayedJob): string | null {
    const path: (PoolSpec | undefined)[] = this.pathOf(job);
    if (path.length === 0) path.push(undefined);
    for (const own of path) {
      const beside = this.poolsIn(own?.parent ?? null).filter((pool) => pool !== own);
      const need = own === undefined ? Infinity : this.needOf(own);
      const rival = beside.find((pool) => this.couldUse(pool) && this.needOf(pool) < need);
      if (rival !== undefined) return `a slot for pool ${String(job.pool)} while ${rival.name} is needier`;
    }
    return null;
  }

  /** The declared pools around the job, from its own up. */
  private pathOf(job: ReplayedJob): PoolSpec[] {
    const path: PoolSpec[] = [];
    let name = job.pool;
    for (;;) {
      const pool = this.allocations.pools.find((candidate) => candidate.name === name);
      if (pool === undefined) return path;
      path.push(pool);
      name = pool.parent;
    }
  }

  private poolsIn(parent: string | null): PoolSpec[] {
    return this.allocations.pools.filter((pool) => pool.parent === parent);
  }

  private jobsIn(pool: PoolSpec): ReplayedJob[] {
    return this.replay.jobs.filter((job) => this.pathOf(job).includes(pool));
  }

  private isFull(pool: PoolSpec): boolean {
    return this.runningIn(pool) >= this.maxOf(pool);
  }

  private couldUse(pool: PoolSpec): boolean {
    return this.jobsIn(pool).some((job) => {
      const path = this.pathOf(job);
      const inside = path.slice(0, path.indexOf(pool) + 1);
      return this.replay.launchable(job, this.type, this.nowUs) > 0 && !inside.some((around) => this.isFull(around));
    });
  }

  /** Running tasks over the min share while below it, Infinity from it on. */
  private needOf(pool: PoolSpec): number {
    const running = this.runningIn(pool);
    const share = Math.min(this.minShareOf(pool), this.demandOf(pool));
    return running < share ? running / Math.max(share, 1) : Infinity;
  }

  private minShareOf(pool: PoolSpec): number {
    const promised = sum(this.poolsIn(pool.parent).map((sibling) => this.minOf(sibling)));
    if (!this.scales || promised === 0) return this.minOf(pool);
    return this.minOf(pool) * Math.min(1, this.capacityIn(pool.parent) / promised);
  }

  private capacityIn(parent: string | null): number {
    const { totalMapSlots, totalReduceSlots } = this.replay.topology;
    const pool = this.allocations.pools.find(({ name }) => name === parent);
    if (pool === undefined) return this.type === "map" ? totalMapSlots : totalReduceSlots;
    return Math.min(this.capacityIn(pool.parent), this.maxOf(pool));
  }

  private demandOf(pool: PoolSpec): number {
    const inside = this.poolsIn(pool.name).map((child) => this.demandOf(child));
    const jobs = this.replay.jobs.filter((job) => job.pool === pool.name);
    const own = jobs.map(
      (job) => this.replay.launchable(job, this.type, this.nowUs) + this.replay.running(job, this.type),
    );
    return Math.min(sum([...inside, ...own]), this.maxOf(pool));
  }

  private runningIn(pool: PoolSpec): number {
    return sum(this.jobsIn(pool).map((job) => this.replay.running(job, this.type)));
  }

  private minOf(pool: PoolSpec): number {
    return this.type === "map" ? pool.minMaps : pool.minReduces;
  }

  private maxOf(pool: PoolSpec): number {
    return this.type === "map" ? pool.maxMaps : pool.maxReduces;
  }
}
