import { MAP, REDUCE, RUNNING, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { Topology } from "../cluster/topology.js";
import type { PoolSpec } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";
import { GrowingColumns } from "./growing-columns.js";
import { fairnessNow, type PoolAtInstant } from "./pool-fairness.js";

const SAMPLE_COLUMNS = [
  "atUs",
  "activeJobs",
  "runningMaps",
  "runningReduces",
  "pendingMaps",
  "pendingReduces",
  "nodeLocalMaps",
  "rackLocalMaps",
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

/**
 * Samples shares, backlog and locality over virtual time. Pools here are the pools that jobs name, whether or not the
 * scheduler knows pools, with the weights the scenario gives them: so fairness means the same for every scheduler.
 */
export class Sampler {
  readonly samples = new GrowingColumns(SAMPLE_COLUMNS);
  readonly poolSamples = new GrowingColumns(POOL_COLUMNS);
  readonly poolNames: readonly string[];
  private readonly poolOfJob: Int32Array;
  private readonly specs: (PoolSpec | undefined)[];
  private jainSum = 0;
  private jainCount = 0;
  private withDemand = 0;
  private below = 0;

  constructor(
    workload: Workload,
    private readonly jobs: JobTable,
    private readonly topology: Topology,
    pools: readonly PoolSpec[],
  ) {
    const handles = new Map<string, number>();
    this.poolOfJob = Int32Array.from(workload.jobs, (job) => {
      const known = handles.get(job.pool);
      if (known !== undefined) return known;
      handles.set(job.pool, handles.size);
      return handles.size - 1;
    });
    this.poolNames = [...handles.keys()];
    this.specs = this.poolNames.map((name) => pools.find((pool) => pool.name === name));
  }

  sample(nowUs: number, mapsAt: readonly number[]): void {
    const { jobs } = this;
    const running = [new Int32Array(this.poolNames.length), new Int32Array(this.poolNames.length)];
    const demand = [new Int32Array(this.poolNames.length), new Int32Array(this.poolNames.length)];
    const totals = [0, 0, 0, 0];
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      const pool = this.poolOfJob[jobs.id[job]];
      for (const type of [MAP, REDUCE] as const) {
        const wants = type === MAP || jobs.reducesMayStart(job) ? jobs.pending[type][job] : 0;
        running[type][pool] += jobs.running[type][job];
        demand[type][pool] += jobs.running[type][job] + wants;
        totals[type] += jobs.running[type][job];
        totals[2 + type] += wants;
      }
    }
    this.samples.append(nowUs, jobs.size, ...totals, mapsAt[0], mapsAt[1], mapsAt[2]);
    const mapShares = this.judge(running[MAP], demand[MAP], MAP);
    const reduceShares = this.judge(running[REDUCE], demand[REDUCE], REDUCE);
    this.poolNames.forEach((_, pool) => {
      if (demand[MAP][pool] + demand[REDUCE][pool] === 0) return;
      const maps = [running[MAP][pool], mapShares[pool], demand[MAP][pool]];
      const reduces = [running[REDUCE][pool], reduceShares[pool], demand[REDUCE][pool]];
      this.poolSamples.append(nowUs, pool, ...maps, ...reduces);
    });
  }

  /** Over all samples so far, map slots. */
  fairness(): { jain: number | null; belowFairShare: number | null } {
    return {
      jain: this.jainCount > 0 ? this.jainSum / this.jainCount : null,
      belowFairShare: this.withDemand > 0 ? this.below / this.withDemand : null,
    };
  }

  private judge(running: Int32Array, demand: Int32Array, type: SlotType): Float64Array {
    const present = [...this.specs.keys()].filter((pool) => demand[pool] > 0);
    const pools: PoolAtInstant[] = present.map((pool) => ({
      weight: this.specs[pool]?.weight ?? 1,
      minShare: (type === MAP ? this.specs[pool]?.minMaps : this.specs[pool]?.minReduces) ?? 0,
      demand: demand[pool],
      running: running[pool],
    }));
    const slots = type === MAP ? this.topology.totalMapSlots : this.topology.totalReduceSlots;
    const now = fairnessNow(pools, slots);
    const shares = new Float64Array(this.specs.length);
    present.forEach((pool, i) => (shares[pool] = now.shares[i]));
    if (type === MAP) {
      if (now.jain !== null) {
        this.jainSum += now.jain;
        this.jainCount++;
      }
      this.withDemand += now.withDemand;
      this.below += now.below;
    }
    return shares;
  }
}
