import { type JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import { LABELS } from "../jobs/nearness.js";
import { widenedTo, DOUBLE_ZERO } from "../../../kernel/index.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { Pools, TOP } from "../scheduler/pools.js";
import { treeShares } from "../scheduler/shares.js";
import type { Workload } from "../../../workload/index.js";
import { FairnessMeter, type GroupAtInstant, GrowingColumns } from "../../../record/index.js";
import type { PoolSlotTime } from "./recorder.js";

const INTS = [Int32Array, Int32Array];
const FLOATS = [Float64Array, Float64Array];

/** Lists have maps, then reduces. */
const SAMPLE_COLUMNS = {
  atUs: Float64Array,
  activeJobs: Int32Array,
  running: INTS,
  pending: INTS,
  launchedAt: LABELS.map(() => Float64Array),
  extraReplicas: Int32Array,
};

const POOL_COLUMNS = {
  atUs: Float64Array,
  group: Int32Array,
  running: INTS,
  fairShare: FLOATS,
  demand: INTS,
  held: FLOATS,
};

/** The source of the pools of the run. */
interface SampledPools {
  readonly pools: Pools;
  /** Handle of the pool of a job in the table. */
  readonly poolOf: (job: number) => number;
  /** A limit keeps the job from launching: what is pending of it is no demand of its pool. */
  readonly isHeldBack: (job: number) => boolean;
  readonly scalesMinShares: boolean;
}

/**
 * Samples shares, backlog and locality over virtual time. A scheduler without pools is judged by the pools that its
 * jobs name, with the weights that the scenario gives them: so fairness means the same for every scheduler.
 */
export class Sampler {
  readonly samples = new GrowingColumns(SAMPLE_COLUMNS);
  /** Samples of pools that have demand, or have held slots since the last sample. */
  readonly poolSamples = new GrowingColumns(POOL_COLUMNS);
  /** Over all samples so far, map slots. */
  readonly fairness = new FairnessMeter();
  private lastUs = DOUBLE_ZERO;
  /** The present sample, by pool, per type; and the slot time of each pool at the last one. */
  private running: [Int32Array, Int32Array] = [new Int32Array(0), new Int32Array(0)];
  private demand: [Int32Array, Int32Array] = [new Int32Array(0), new Int32Array(0)];
  private mean: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  private lastHeldUs: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  /** The values of the next row. */
  private readonly row = new Float64Array(7 + LABELS.length);

  /** @param slots per type, kept up to date: of the nodes that have not been given up. */
  constructor(
    private readonly jobs: JobTable,
    private readonly slots: readonly [number, number],
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
   * `activeJobs`: submitted and not ended, those in clean-up included, which have left the table. `slotTime`: how long
   * jobs have held slots since the start. `extraReplicas`: those beyond the fixed number, 0 where replication is fixed.
   */
  sample(
    nowUs: number,
    activeJobs: number,
    mapsAt: readonly number[],
    slotTime: Pick<PoolSlotTime, "heldUs">,
    extraReplicas = 0,
  ): void {
    const { row, running, demand, mean } = this;
    const size = this.sampled.pools.size;
    this.clear(size);
    row[0] = nowUs;
    row[1] = activeJobs;
    row.fill(0, 2, 6);
    this.countJobs();
    for (let i = 0; i < LABELS.length; i++) row[6 + i] = mapsAt[LABELS[i]];
    row[6 + LABELS.length] = extraReplicas;
    this.samples.appendAll(row);
    const mapShares = this.judge(MAP);
    const reduceShares = this.judge(REDUCE);
    this.takeMeans(nowUs, slotTime);
    row[0] = nowUs;
    for (let pool = 0; pool < size; pool++) {
      // Demand that came and went between two samples is seen, too.
      const isSeen = demand[MAP][pool] + demand[REDUCE][pool] > 0 || mean[MAP][pool] + mean[REDUCE][pool] > 0;
      if (!isSeen) continue;
      row[1] = pool;
      row[2] = running[MAP][pool];
      row[3] = running[REDUCE][pool];
      row[4] = mapShares[pool];
      row[5] = reduceShares[pool];
      row[6] = demand[MAP][pool];
      row[7] = demand[REDUCE][pool];
      row[8] = mean[MAP][pool];
      row[9] = mean[REDUCE][pool];
      this.poolSamples.appendAll(row);
    }
  }

  /** Empties what is counted anew at every sample. */
  private clear(size: number): void {
    for (const type of SLOT_TYPES) {
      if (this.running[type].length < size) {
        this.running[type] = new Int32Array(2 * size);
        this.demand[type] = new Int32Array(2 * size);
        this.mean[type] = new Float64Array(2 * size);
        this.lastHeldUs[type] = widenedTo(this.lastHeldUs[type], 2 * size, 0);
      }
      this.running[type].fill(0);
      this.demand[type].fill(0);
      this.mean[type].fill(0);
    }
  }

  /** Running and demand of each pool, and in the row both summed over all jobs, by type. */
  private countJobs(): void {
    const { jobs, running, demand, row } = this;
    const { poolOf, isHeldBack } = this.sampled;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      const pool = poolOf(job);
      const wantsMaps = jobs.pending[MAP][job];
      const wantsReduces = jobs.reducesMayStart(job) ? jobs.pending[REDUCE][job] : 0;
      const runningMaps = jobs.running[MAP][job];
      const runningReduces = jobs.running[REDUCE][job];
      const isHeld = isHeldBack(job);
      running[MAP][pool] += runningMaps;
      running[REDUCE][pool] += runningReduces;
      demand[MAP][pool] += runningMaps + (isHeld ? 0 : wantsMaps);
      demand[REDUCE][pool] += runningReduces + (isHeld ? 0 : wantsReduces);
      row[2] += runningMaps;
      row[3] += runningReduces;
      row[4] += wantsMaps;
      row[5] += wantsReduces;
    }
  }

  /**
   * Slots that each pool held on average since the last sample; at the first instant, what it holds. Pools with pools
   * inside have the sums over those.
   */
  private takeMeans(nowUs: number, slotTime: Pick<PoolSlotTime, "heldUs">): void {
    const { pools } = this.sampled;
    const intervalUs = nowUs - this.lastUs;
    for (const type of SLOT_TYPES) {
      const mean = this.mean[type];
      const last = this.lastHeldUs[type];
      for (let pool = pools.size - 1; pool >= 0; pool--) {
        const heldUs = slotTime.heldUs(pool, type, nowUs);
        if (intervalUs <= 0) mean[pool] = this.running[type][pool];
        else {
          mean[pool] += (heldUs - last[pool]) / intervalUs;
          if (pools.parent[pool] !== TOP) mean[pools.parent[pool]] += mean[pool];
        }
        last[pool] = heldUs;
      }
    }
    this.lastUs = nowUs;
  }

  /** Shares of all pools; pools with pools inside count what those run and demand. */
  private judge(type: SlotType): Float64Array {
    const { pools, scalesMinShares } = this.sampled;
    const running = this.running[type];
    const demand = this.demand[type];
    for (let pool = pools.size - 1; pool >= 0; pool--) {
      demand[pool] = Math.min(demand[pool], pools.maxSlots[type][pool]);
      const parent = pools.parent[pool];
      if (parent === TOP) continue;
      running[parent] += running[pool];
      demand[parent] += demand[pool];
    }
    const shares = treeShares(pools, type, demand, this.slots[type], { scalesMinShares, narrows: true });
    if (type === MAP) this.count(pools, running, demand, shares);
    return shares;
  }

  private count(pools: Pools, running: Int32Array, demand: Int32Array, shares: Float64Array): void {
    const leaves: GroupAtInstant[] = [];
    for (let pool = 0; pool < shares.length; pool++) {
      if (demand[pool] === 0 || pools.isInner(pool)) continue;
      leaves.push({ share: shares[pool], demand: demand[pool], held: running[pool] });
    }
    this.fairness.sample(leaves);
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
  const poolOfRank = (rank: number) => handleOf.get(workload.jobs[rank].pool) ?? TOP;
  const poolOf = (job: number) => poolOfRank(jobs.id[job]);
  return { pools, poolOf, poolOfRank, isHeldBack: () => false, scalesMinShares: false };
}
