import type { Topology } from "../cluster/topology.js";
import { type JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../jobs/nearness.js";
import type { SchedulerSpec } from "../scenario/scenario.js";
import { Pools, TOP } from "../scheduler/pools.js";
import { treeShares } from "../scheduler/shares.js";
import type { Workload } from "../workload/job.js";
import { GrowingColumns } from "./growing-columns.js";

const SAMPLE_COLUMNS = [
  "atUs",
  "activeJobs",
  "runningMaps",
  "runningReduces",
  "pendingMaps",
  "pendingReduces",
  "nodeLocalMaps",
  "rackLocalMaps",
  "rowLocalMaps",
  "offRackMaps",
] as const;

const POOL_COLUMNS = [
  "atUs",
  "pool",
  "runningMaps",
  "fairShareMaps",
  "demandMaps",
  "runningReduces",
  "fairShareReduces",
  "demandReduces",
] as const;

const SLOT_COLUMNS = ["atUs", "pool", "heldMaps", "heldReduces"] as const;

/** In the order of the columns. */
const LOCAL_LEVELS = [NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, OFF_RACK];

/** Where the pools of the run are. */
interface SampledPools {
  readonly pools: Pools;
  /** Handle of the pool of a job in the table. */
  readonly poolOf: (job: number) => number;
  /** A limit keeps the job from launching: what is pending of it is no demand of its pool. */
  readonly isHeldBack: (job: number) => boolean;
  readonly scalesMinShares: boolean;
}

/**
 * Samples shares, backlog and locality over virtual time. A scheduler without pools is judged by the pools that its jobs
 * name, with the weights that the scenario gives them: so fairness means the same for every scheduler.
 */
export class Sampler {
  readonly samples = new GrowingColumns(SAMPLE_COLUMNS);
  readonly poolSamples = new GrowingColumns(POOL_COLUMNS);
  /** Slots held on average since the last sample, of pools that held any. */
  readonly poolSlots = new GrowingColumns(SLOT_COLUMNS);
  private jainSum = 0;
  private jainCount = 0;
  private withDemand = 0;
  private below = 0;
  private lastUs = 0;
  private lastHeldUs: readonly [readonly number[], readonly number[]] = [[], []];

  constructor(
    private readonly jobs: JobTable,
    private readonly topology: Topology,
    private readonly sampled: SampledPools,
  ) {}

  /** By handle. */
  get poolNames(): readonly string[] {
    return this.sampled.pools.names;
  }

  /** By handle: map slots that the pool was promised. */
  get minShareMaps(): readonly number[] {
    return this.sampled.pools.minShare[MAP];
  }

  /**
   * `activeJobs`: submitted and not ended, those in clean-up included, which have left the table. `heldUs`: by type and pool, how long
   * its jobs have held slots since the start.
   */
  sample(
    nowUs: number,
    activeJobs: number,
    mapsAt: readonly number[],
    heldUs: readonly [readonly number[], readonly number[]],
  ): void {
    const { jobs } = this;
    const { poolOf, isHeldBack } = this.sampled;
    const size = this.sampled.pools.size;
    const running = [new Int32Array(size), new Int32Array(size)] as const;
    const demand = [new Int32Array(size), new Int32Array(size)] as const;
    const totals = [0, 0, 0, 0];
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      const pool = poolOf(job);
      for (const type of SLOT_TYPES) {
        const wants = type === MAP || jobs.reducesMayStart(job) ? jobs.pending[type][job] : 0;
        running[type][pool] += jobs.running[type][job];
        demand[type][pool] += jobs.running[type][job] + (isHeldBack(job) ? 0 : wants);
        totals[type] += jobs.running[type][job];
        totals[2 + type] += wants;
      }
    }
    this.samples.append(nowUs, activeJobs, ...totals, ...LOCAL_LEVELS.map((level) => mapsAt[level]));
    const mapShares = this.judge(running[MAP], demand[MAP], MAP);
    const reduceShares = this.judge(running[REDUCE], demand[REDUCE], REDUCE);
    const held = this.heldSince(nowUs, heldUs, running);
    for (let pool = 0; pool < size; pool++) {
      // What came and went between two samples is seen, too.
      const slots = [held[MAP][pool], held[REDUCE][pool]];
      if (slots[MAP] + slots[REDUCE] > 0) this.poolSlots.append(nowUs, pool, ...slots);
      if (demand[MAP][pool] + demand[REDUCE][pool] === 0) continue;
      const maps = [running[MAP][pool], mapShares[pool], demand[MAP][pool]];
      const reduces = [running[REDUCE][pool], reduceShares[pool], demand[REDUCE][pool]];
      this.poolSamples.append(nowUs, pool, ...maps, ...reduces);
    }
  }

  /** Over all samples so far, map slots. */
  fairness(): { jain: number | null; belowFairShare: number | null } {
    return {
      jain: this.jainCount > 0 ? this.jainSum / this.jainCount : null,
      belowFairShare: this.withDemand > 0 ? this.below / this.withDemand : null,
    };
  }

  /**
   * Slots that each pool held on average since the last sample; at the first instant, what it holds. Pools with pools inside have
   * the sums over those. @param running the same at this instant, with those sums.
   */
  private heldSince(
    nowUs: number,
    heldUs: readonly [readonly number[], readonly number[]],
    running: readonly [Int32Array, Int32Array],
  ): readonly [Float64Array, Float64Array] {
    const { pools } = this.sampled;
    const intervalUs = nowUs - this.lastUs;
    const means = SLOT_TYPES.map((type) => {
      if (intervalUs <= 0) return Float64Array.from(running[type]);
      const mean = new Float64Array(pools.size);
      for (let pool = pools.size - 1; pool >= 0; pool--) {
        mean[pool] += ((heldUs[type].at(pool) ?? 0) - (this.lastHeldUs[type].at(pool) ?? 0)) / intervalUs;
        if (pools.parent[pool] !== TOP) mean[pools.parent[pool]] += mean[pool];
      }
      return mean;
    });
    this.lastUs = nowUs;
    this.lastHeldUs = heldUs;
    return [means[MAP], means[REDUCE]];
  }

  /** Shares of all pools; pools with pools inside count what those run and demand. */
  private judge(running: Int32Array, demand: Int32Array, type: SlotType): readonly number[] {
    const { pools, scalesMinShares } = this.sampled;
    for (let pool = pools.size - 1; pool >= 0; pool--) {
      demand[pool] = Math.min(demand[pool], pools.maxSlots[type][pool]);
      const parent = pools.parent[pool];
      if (parent === TOP) continue;
      running[parent] += running[pool];
      demand[parent] += demand[pool];
    }
    const slots = type === MAP ? this.topology.totalMapSlots : this.topology.totalReduceSlots;
    const shares = treeShares(pools, type, demand, slots, { scalesMinShares, narrows: true });
    if (type === MAP) this.count(pools, running, demand, shares);
    return shares;
  }

  private count(pools: Pools, running: Int32Array, demand: Int32Array, shares: readonly number[]): void {
    const leaves: PoolAtInstant[] = [];
    for (let pool = 0; pool < shares.length; pool++) {
      if (demand[pool] === 0 || pools.isInner(pool)) continue;
      leaves.push({ share: shares[pool], demand: demand[pool], running: running[pool] });
    }
    const now = fairnessNow(leaves);
    if (now.jain !== null) {
      this.jainSum += now.jain;
      this.jainCount++;
    }
    this.withDemand += now.withDemand;
    this.below += now.below;
  }
}

/** The pools that jobs name, for a scheduler that has none itself. */
export function namedPools(
  scheduler: SchedulerSpec,
  workload: Workload,
  jobs: JobTable,
  slots: [number, number],
): SampledPools & { readonly poolOfRank: (rank: number) => number } {
  const pools = new Pools(scheduler.allocations, slots, false);
  const handleOf = new Map<string, number>();
  for (const { pool } of workload.jobs) handleOf.set(pool, pools.named(pool, 0));
  const poolOfRank = (rank: number): number => handleOf.get(workload.jobs[rank].pool) ?? TOP;
  const poolOf = (job: number): number => poolOfRank(jobs.id[job]);
  return { pools, poolOf, poolOfRank, isHeldBack: () => false, scalesMinShares: false };
}

/** One pool at one instant, for one slot type. */
interface PoolAtInstant {
  /** Its fair share, in slots. */
  readonly share: number;
  readonly demand: number;
  readonly running: number;
}

/** How fairly the slots are held. */
interface FairnessAtInstant {
  /** Jain's index of running / share over pools with demand: (sum x)^2 / (n * sum x^2); null when there are none. */
  readonly jain: number | null;
  /** Pools with demand, and those among them that hold less than their share minus one slot. */
  readonly withDemand: number;
  readonly below: number;
}

/**
 * Fairness against the instantaneous weighted max-min shares, the same yardstick for every scheduler
 * (Jain, Chiu and Hawe 1984 for the index).
 */
export function fairnessNow(pools: readonly PoolAtInstant[]): FairnessAtInstant {
  let sum = 0;
  let squares = 0;
  let withDemand = 0;
  let below = 0;
  for (const { share, demand, running } of pools) {
    if (demand === 0 || share <= 0) continue;
    withDemand++;
    if (running < share - 1) below++;
    const ratio = running / share;
    sum += ratio;
    squares += ratio * ratio;
  }
  const jain = squares > 0 ? (sum * sum) / (withDemand * squares) : null;
  return { jain, withDemand, below };
}
