import { type JobTable, MAP, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import { LABELS } from "../jobs/nearness.js";
import { widenedTo, DOUBLE_ZERO } from "../../../kernel/index.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { Pools, TOP } from "../scheduler/pools.js";
import { treeShares } from "../scheduler/shares.js";
import type { Workload } from "../../../workload/index.js";
import { FairnessMeter, type GroupAtInstant, GrowingColumns, sampleSchemas } from "../../../record/index.js";
import type { PoolSlotTime } from "./recorder.js";
import { HADOOP_WORDS } from "./words.js";

const SCHEMAS = sampleSchemas(HADOOP_WORDS);

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
  readonly samples = new GrowingColumns({ ...SCHEMAS.samples, extraReplicas: Int32Array });
  /** Samples of pools that have demand, or have held slots since the last sample. */
  readonly poolSamples = new GrowingColumns(SCHEMAS.groups);
  /** Over all samples so far, map slots. */
  readonly fairness = new FairnessMeter();
  private lastUs = DOUBLE_ZERO;
  /** The present sample, by pool, per type; and the slot time of each pool at the last one. */
  private running: readonly Int32Array[] = [];
  private demand: readonly Int32Array[] = [];
  private mean: readonly Float64Array[] = [];
  private lastHeldUs: readonly Float64Array[] = SLOT_TYPES.map(() => new Float64Array(0));
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
    const { row } = this;
    const { size } = this.sampled.pools;
    this.running = SLOT_TYPES.map(() => new Int32Array(size));
    this.demand = SLOT_TYPES.map(() => new Int32Array(size));
    row[0] = nowUs;
    row[1] = activeJobs;
    row.fill(0, 2, 6);
    this.countJobs();
    for (let i = 0; i < LABELS.length; i++) row[6 + i] = mapsAt[LABELS[i]];
    row[6 + LABELS.length] = extraReplicas;
    this.samples.appendAll(row);
    const shares = SLOT_TYPES.map((type) => this.judge(type));
    this.takeMeans(nowUs, slotTime);
    const columns = [this.running, shares, this.demand, this.mean].flat();
    for (let pool = 0; pool < size; pool++) {
      row[1] = pool;
      columns.forEach((values, i) => (row[2 + i] = values[pool]));
      // Demand that came and went between two samples is seen, too.
      if (row[6] + row[7] > 0 || row[8] + row[9] > 0) this.poolSamples.appendAll(row);
    }
  }

  /** Running and demand of each pool, and in the row both summed over all jobs, by type. */
  private countJobs(): void {
    const { jobs, running, demand, row } = this;
    const { poolOf, isHeldBack } = this.sampled;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      const pool = poolOf(job);
      const isHeld = isHeldBack(job);
      for (const type of SLOT_TYPES) {
        const runs = jobs.running[type][job];
        const wants = type === MAP || jobs.reducesMayStart(job) ? jobs.pending[type][job] : 0;
        running[type][pool] += runs;
        demand[type][pool] += runs + (isHeld ? 0 : wants);
        row[2 + type] += runs;
        row[4 + type] += wants;
      }
    }
  }

  /**
   * Slots that each pool held on average since the last sample; at the first instant, what it holds. Pools with pools
   * inside have the sums over those.
   */
  private takeMeans(nowUs: number, slotTime: Pick<PoolSlotTime, "heldUs">): void {
    const { pools } = this.sampled;
    const intervalUs = nowUs - this.lastUs;
    this.lastHeldUs = this.lastHeldUs.map((last) => widenedTo(last, pools.size, 0));
    this.mean = SLOT_TYPES.map((type) => {
      const mean = new Float64Array(pools.size);
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
      return mean;
    });
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
