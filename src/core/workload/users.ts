import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { cumulativeShares, indexByShare } from "../kernel/sampling.js";

/**
 * Users of unequal activity: the k-th most active submits a share proportional to 1/k (Zipf with exponent 1).
 * The user of a job depends on the root seed and the job's position alone.
 */
export class ZipfUsers {
  private readonly shares: Float64Array;
  private readonly names: readonly string[];
  private readonly seed: number;

  /** @param count how many users there are, >= 1. */
  constructor(count: number, rootSeed: string) {
    this.shares = cumulativeShares(Array.from({ length: count }, (_, k) => 1 / (k + 1)));
    const digits = String(count).length;
    this.names = Array.from({ length: count }, (_, k) => `user${String(k + 1).padStart(digits, "0")}`);
    this.seed = seedWord(rootSeed, "workload/user");
  }

  /** `user001` is the most active of 200. */
  userOf(job: number): string {
    return this.names[indexByShare(fractionOf(counterHash(this.seed, job, 0)), this.shares)];
  }
}
