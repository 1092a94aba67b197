import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { Demands } from "./demands.js";
import { fairShares } from "./fair-shares.js";
import type { Pools } from "./pools.js";
import { treeShares } from "./tree-shares.js";

export interface SharesParts {
  readonly pools: Pools;
  readonly demands: Demands;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  readonly scalesMinShares: boolean;
  /** The jobs of a pool, with or without demand. */
  readonly jobsOf: (pool: number, type: SlotType) => readonly number[];
  readonly weightOf: (job: number, type: SlotType) => number;
}

/**
 * Fair shares as of the last update: of the pools from the top down, then of the jobs of fair pools; a job of a FIFO pool
 * has share 0 (semantics section 6). They steer nothing but preemption, so they are computed when somebody asks.
 */
export class Shares {
  private ofPool: [number[], number[]] = [[], []];
  private readonly ofJob: [number[], number[]] = [[], []];
  private arePoolsFresh = false;
  private areJobsFresh = false;

  constructor(private readonly parts: SharesParts) {}

  /** An update has taken demands anew. */
  expire(): void {
    this.arePoolsFresh = false;
    this.areJobsFresh = false;
  }

  /** Computes everything now: what it depends on is about to change, but the shares remain until the next update. */
  settle(): void {
    this.freshenPools();
    this.freshenJobs();
  }

  pool(pool: number, type: SlotType): number {
    this.freshenPools();
    return this.ofPool[type][pool] ?? 0;
  }

  job(job: number, type: SlotType): number {
    this.settle();
    return this.ofJob[type][job] ?? 0;
  }

  private freshenPools(): void {
    if (this.arePoolsFresh) return;
    this.arePoolsFresh = true;
    const { pools, slots, demands, scalesMinShares } = this.parts;
    // The paper's shares are what they should be; Hadoop's are what Hadoop computes.
    const rule = { scalesMinShares, narrows: scalesMinShares };
    const of = (type: SlotType): number[] => treeShares(pools, type, demands.ofPool[type], slots[type], rule);
    this.ofPool = [of(MAP), of(REDUCE)];
  }

  private freshenJobs(): void {
    if (this.areJobsFresh) return;
    this.areJobsFresh = true;
    const { pools, demands, jobsOf, weightOf } = this.parts;
    for (const type of SLOT_TYPES) {
      this.ofJob[type].length = 0;
      for (let pool = 0; pool < pools.size; pool++) {
        if (pools.mode[pool] === "fifo") continue;
        const jobs = jobsOf(pool, type);
        const sharers = jobs.map((job) => ({
          weight: weightOf(job, type),
          minShare: 0,
          demand: demands.ofJob[type][job],
        }));
        fairShares(sharers, this.ofPool[type][pool]).forEach((share, i) => (this.ofJob[type][jobs[i]] = share));
      }
    }
  }
}
