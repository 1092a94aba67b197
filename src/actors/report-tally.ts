import { mix32 } from "../core/kernel/hash.js";
import { REPORT_WORDS } from "../messages/report-words.js";

/** What a host has reported, in two numbers. */
export interface TallyDigest {
  readonly count: number;
  readonly sum: number;
}

/**
 * Running count and hash of a host's reports, by which a replay is held against what came the first time. Times count from
 * the start of the run, and the sum has no order: how reports were cut into frames does not show.
 */
export class ReportTally implements TallyDigest {
  count = 0;
  sum = 0;

  /** Adds the report at `i`, whose heartbeat time counts from `sinceUs`. */
  addOne(words: Int32Array, i: number, sinceUs: number): void {
    const atUs = sinceUs + words[i + 1];
    let hash = mix32(words[i]);
    hash = mix32(hash ^ (atUs | 0));
    hash = mix32(hash ^ ((atUs / 4294967296) | 0));
    for (let field = 2; field < REPORT_WORDS; field++) hash = mix32(hash ^ words[i + field]);
    this.sum = (this.sum + hash) | 0;
    this.count++;
  }

  /** Adds all reports of the words. */
  add(words: Int32Array, length: number, sinceUs: number): void {
    for (let i = 0; i < length; i += REPORT_WORDS) this.addOne(words, i, sinceUs);
  }
}
