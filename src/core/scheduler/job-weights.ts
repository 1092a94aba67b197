import { MAP, REDUCE, SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import { widened } from "../kernel/widened.js";
import { ln } from "../kernel/transcendental.js";
import type { WeightBoosterSpec } from "../scenario/scenario.js";

/** By priority, most urgent first (semantics section 5.4; paper section 4.1). */
const PRIORITY_WEIGHT = [4, 2, 1, 0.5, 0.25];
const LN_2 = ln(2);

export interface JobWeightRules {
  readonly byPriority: boolean;
  /** ln(1 + demand) / ln 2 of the type's demand as of the last update. */
  readonly bySize: boolean;
  readonly booster: WeightBoosterSpec | null;
}

/** What a runnable job's claim is worth, per type (semantics section 5.4). A job that is not runnable weighs 1. */
export class JobWeights {
  private readonly weights: [Float64Array, Float64Array] = [new Float64Array(64), new Float64Array(64)];
  private boosted: boolean[] = [];
  /** Boosted jobs in order of submission; those before `firstBoosted` are no longer. */
  private inOrder: number[] = [];
  private firstBoosted = 0;

  constructor(
    private readonly jobs: JobTable,
    private readonly rules: JobWeightRules,
    private readonly demandOf: readonly [Int32Array, Int32Array],
  ) {}

  of(job: number, type: SlotType): number {
    return this.weights[type][job];
  }

  add(job: number, nowUs: number): void {
    while (job >= this.weights[MAP].length) {
      this.weights[MAP] = widened(this.weights[MAP]);
      this.weights[REDUCE] = widened(this.weights[REDUCE]);
    }
    this.boosted[job] = this.rules.booster !== null && nowUs < this.boostEndUs(job);
    if (this.boosted[job]) this.inOrder.push(job);
    this.weigh(job);
  }

  remove(job: number): void {
    if (!this.boosted[job]) return;
    this.boosted[job] = false;
    this.inOrder = this.inOrder.slice(this.firstBoosted).filter((other) => other !== job);
    this.firstBoosted = 0;
  }

  /** Takes priority and demand anew. */
  weigh(job: number): void {
    const { byPriority, bySize, booster } = this.rules;
    const factor = this.boosted[job] && booster !== null ? booster.factor : 1;
    for (const type of SLOT_TYPES) {
      const size = bySize ? ln(1 + this.demandOf[type][job]) / LN_2 : 1;
      this.weights[type][job] = size * (byPriority ? PRIORITY_WEIGHT[this.jobs.priority[job]] : 1) * factor;
    }
  }

  /** The next job whose boost is over at `nowUs`, reweighed; -1 when there is none. */
  nextUnboosted(nowUs: number): number {
    if (this.firstBoosted >= this.inOrder.length) return -1;
    const job = this.inOrder[this.firstBoosted];
    if (nowUs < this.boostEndUs(job)) return -1;
    this.firstBoosted++;
    this.boosted[job] = false;
    this.weigh(job);
    return job;
  }

  private boostEndUs(job: number): number {
    return this.jobs.startUs[job] + (this.rules.booster?.durationUs ?? 0);
  }
}
