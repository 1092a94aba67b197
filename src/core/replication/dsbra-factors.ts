import type { AveragedBlocks, DsbraSpec } from "../scenario/replication-spec.js";
import type { DelayStatistics } from "./delay-statistics.js";

/**
 * Formulas 1 to 3 of DSBRA, block by block: X from what maps have waited since the last look, RF from X and the history Y,
 * and Y anew. Blocks that nobody ever read have 0 of all and are left out, but count in the average over all blocks.
 */
export class DsbraFactors {
  /** RF, by block. */
  readonly rf: Float64Array;
  /** Blocks that were read so far, in order. */
  readonly known: number[] = [];
  /** GAvg: what a block is compared with, and what must be above the step before anything is added. */
  average = 0;
  gate = 0;
  /** Y, by block. */
  private readonly history: Float64Array;
  private readonly isKnown: Uint8Array;
  private looks = 0;

  /** @param threshold D, in the terms of the delays; 0: no delay is a share of it, so that only their number counts. */
  constructor(
    private readonly spec: DsbraSpec,
    private readonly blocks: number,
    private readonly statistics: DelayStatistics,
    private readonly threshold: number,
  ) {
    this.rf = new Float64Array(blocks);
    this.history = new Float64Array(blocks);
    this.isKnown = new Uint8Array(blocks);
  }

  /** Takes all factors anew; delays are counted from 0 again. */
  take(): void {
    const { spec, statistics, known, rf } = this;
    this.learn();
    const sum: Record<AveragedBlocks, number> = { all: 0, read: 0, delayed: 0 };
    let delayed = 0;
    for (const block of known) {
      rf[block] = this.factorOf(block);
      sum.all += rf[block];
      if (statistics.readers[block] > 0) sum.read += rf[block];
      if (statistics.delayed[block] > 0) {
        sum.delayed += rf[block];
        delayed++;
      }
      this.history[block] = this.historyWith(block);
    }
    this.looks++;
    const count: Record<AveragedBlocks, number> = { all: this.blocks, read: statistics.read.length, delayed };
    this.average = sum[spec.average] / Math.max(1, count[spec.average]);
    this.gate = sum[spec.gate] / Math.max(1, count[spec.gate]);
    statistics.forget();
  }

  private learn(): void {
    const { isKnown, known } = this;
    const before = known.length;
    for (const block of this.statistics.read) {
      if (isKnown[block] !== 0) continue;
      isKnown[block] = 1;
      known.push(block);
    }
    if (known.length > before) known.sort((a, b) => a - b);
  }

  private factorOf(block: number): number {
    const { alpha, halved, readersFrom } = this.spec;
    const { readers, delayed, delay } = this.statistics;
    const n = Math.max(1, readers[block] + readersFrom);
    const share = this.threshold > 0 ? delay[block] / (this.threshold * n) : 0;
    const x = (delayed[block] / n + share) / 2;
    const weighted = alpha * x + (1 - alpha) * this.history[block];
    return halved ? weighted / 2 : weighted;
  }

  private historyWith(block: number): number {
    const { alpha, history } = this.spec;
    const { looks } = this;
    const [before, now] = [this.history[block], this.rf[block]];
    if (history === "exponential") return (1 - alpha) * before + alpha * now;
    return (before * looks + now) / (looks + 1);
  }
}
