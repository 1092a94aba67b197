import { ln } from "../../dist/core/kernel/index.js";
import type { SchedulerSpec } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import { compareFair } from "./fair-order.mjs";
import type { NaiveJob, TaskType } from "./naive-job.js";
import type { NaivePool, NaivePools } from "./naive-pools.js";

/** "very-high" first. */
const PRIORITY_WEIGHTS = [4, 2, 1, 0.5, 0.25];

/** Who is asked before whom (semantics section 7), and the weights that takes (section 5.4). */
export class NaiveOrder {
  constructor(
    private readonly spec: SchedulerSpec,
    private readonly pools: NaivePools,
  ) {}

  /** The pools in `parent`, at the top if null, by the fair order: needy first (semantics section 7.1). */
  poolsIn(parent: NaivePool | null, type: TaskType): NaivePool[] {
    const keyed = this.pools.childrenOf(parent).map((pool) => {
      const { name, demand } = pool;
      const { weight } = this.pools.specOf(pool);
      const [minShare, running] = [this.pools.promiseTo(pool, type), this.pools.running(pool, type)];
      return { pool, name, minShare, demand: demand[type], running, weight, startUs: 0 };
    });
    const rules = RULES[this.spec.rules];
    return keyed.sort((a, b) => compareFair(a, b, rules)).map(({ pool }) => pool);
  }

  /** Sorts the job list of a pool, of that type, for good. */
  sortJobs(pool: NaivePool, type: TaskType, nowUs: number): NaiveJob[] {
    const keyed = pool.jobs[type].map((job) => ({ job, ratio: this.ratioOf(job, type, nowUs) }));
    keyed.sort((a, b) => {
      const byAge = a.job.spec.submitAtUs - b.job.spec.submitAtUs || this.byName(a.job, b.job);
      if (pool.mode === "fifo") return a.job.spec.priority - b.job.spec.priority || byAge;
      return signOf(a.ratio - b.ratio) || byAge;
    });
    pool.jobs[type] = keyed.map(({ job }) => job);
    return pool.jobs[type];
  }

  /** Of a job that is weighed by a demand of 0 and runs nothing: Infinity, so that it comes last. */
  private ratioOf(job: NaiveJob, type: TaskType, nowUs: number): number {
    const ratio = job.count(type, "running") / this.weightOf(job, type, nowUs);
    return Number.isNaN(ratio) ? Infinity : ratio;
  }

  private weightOf(job: NaiveJob, type: TaskType, nowUs: number): number {
    if (this.spec.kind !== "hfs" || !job.runnable) return 1;
    const { sizeBasedWeight, weightBooster } = this.spec;
    const size = sizeBasedWeight ? ln(1 + job.demand[type]) / ln(2) : 1;
    const weight = size * PRIORITY_WEIGHTS[job.spec.priority];
    const isNew = weightBooster !== null && nowUs - job.spec.submitAtUs < weightBooster.durationUs;
    return isNew ? weight * weightBooster.factor : weight;
  }

  private byName(a: NaiveJob, b: NaiveJob): number {
    if (!RULES[this.spec.rules].namesAsText) return a.rank - b.rank;
    const [nameA, nameB] = [a, b].map((job) => `job_${String(job.rank + 1).padStart(4, "0")}`);
    return nameA < nameB ? -1 : 1;
  }
}

/** As Java casts it: NaN, of infinities that are equal, is a tie. */
function signOf(difference: number): number {
  return Number.isNaN(difference) ? 0 : Math.sign(difference);
}
