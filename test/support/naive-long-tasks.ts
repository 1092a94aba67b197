import type { LongTaskBalanceSpec } from "../../dist/core/scenario/index.js";
import type { NaiveAttempt } from "./naive-attempt.js";
import type { NaiveJob } from "./naive-job.js";
import { sum } from "./naive-shares.js";

/** Long-task balancing by the letter of section 3.5.1: long maps are counted afresh for every question. */
export class NaiveLongTasks {
  private readonly finishedUs: { readonly job: NaiveJob; readonly ranUs: number }[] = [];
  private readonly verdicts = new Map<NaiveJob, boolean>();

  constructor(
    private readonly spec: LongTaskBalanceSpec | undefined,
    private readonly mapSlots: readonly number[],
  ) {}

  /** A map of the job was reported finished. */
  finished(job: NaiveJob, ranUs: number): void {
    if (this.spec === undefined) return;
    this.finishedUs.push({ job, ranUs });
    const { overUs, overMean } = this.spec;
    const all = this.finishedUs.map((map) => map.ranUs);
    const own = this.finishedUs.filter((map) => map.job === job).map((map) => map.ranUs);
    // Means are compared without dividing: rounding must not decide between equal ones.
    const isOver =
      overUs === null ? sum(own) * all.length > overMean * sum(all) * own.length : sum(own) > overUs * own.length;
    this.verdicts.set(job, isOver);
  }

  /** The node, which runs those of the maps, may take one of the job. */
  accepts(job: NaiveJob, node: number, running: readonly NaiveAttempt[]): boolean {
    if (this.spec === undefined || !this.isLong(job)) return true;
    const long = running.filter((map) => map.type === "map" && !map.aside && this.isLong(map.job));
    const here = long.filter((map) => map.node === node).length;
    const average = (long.length * this.mapSlots[node]) / sum(this.mapSlots);
    return here - this.spec.slack <= average;
  }

  private isLong(job: NaiveJob): boolean {
    return this.verdicts.get(job) ?? this.spec?.newJobs === "long";
  }
}
