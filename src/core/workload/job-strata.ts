import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";

/**
 * Stratified draws of the properties of a job that few large jobs decide for a whole day.
 *
 * A day has some 220 jobs of the largest bin, and they bring more than half of its maps. Drawn independently, their sizes
 * and speeds would make one seed's day half as heavy again as another's, and no published figure could be met by more than
 * luck. So jobs come in blocks of 1010 (ten times the 101 "percent" of Table 2): inside a block every stratum of the size
 * distribution appears exactly once, in an order shuffled by the seed, and the other properties follow a lattice over strata and
 * blocks, shifted at random as a whole. Each single job still has exactly the stated distribution.
 *
 * A job's draws depend on the root seed and its position alone: another job shifts nobody else's.
 */
export const STRATA_PER_BLOCK = 1010;

/** Fractions in (0, 1), each uniform, for one job. */
export interface JobDraw {
  readonly size: number;
  readonly mapTime: number;
  readonly reduceCount: number;
  readonly reduceTime: number;
}

/**
 * Steps of the lattice from stratum to stratum: powers of the inverse of the root of x^4 = x + 1, which fill three dimensions
 * evenly (an R3 lattice); and from block to block: sqrt(5) - 2.
 */
const STRATUM_STEPS = { mapTime: 0.5497004779019703, reduceCount: 0.8191725133961645, reduceTime: 0.6710436067037893 };
const BLOCK_STEP = 0.2360679774997897;

export class JobStrata {
  private readonly shuffleSeed: number;
  private readonly jitterSeed: number;
  private readonly mapTimeShift: number;
  private readonly reduceCountShift: number;
  private readonly reduceTimeShift: number;
  private block = -1;
  private strata = new Uint16Array(STRATA_PER_BLOCK);

  constructor(rootSeed: string) {
    this.shuffleSeed = seedWord(rootSeed, "workload/strata");
    this.mapTimeShift = fractionOf(seedWord(rootSeed, "workload/map-time-shift"));
    this.reduceCountShift = fractionOf(seedWord(rootSeed, "workload/reduce-count-shift"));
    this.reduceTimeShift = fractionOf(seedWord(rootSeed, "workload/reduce-time-shift"));
    this.jitterSeed = seedWord(rootSeed, "workload/jitter");
  }

  /** Cheap when jobs are asked for in rising order. */
  drawOf(job: number): JobDraw {
    const block = Math.floor(job / STRATA_PER_BLOCK);
    if (block !== this.block) this.shuffle(block);
    const stratum = this.strata[job - block * STRATA_PER_BLOCK];
    return {
      size: (stratum + fractionOf(counterHash(this.jitterSeed, job, 0))) / STRATA_PER_BLOCK,
      mapTime: fractionalPart(this.mapTimeShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.mapTime),
      reduceCount: fractionalPart(this.reduceCountShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.reduceCount),
      reduceTime: fractionalPart(this.reduceTimeShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.reduceTime),
    };
  }

  /** Fisher-Yates, by draws of this block alone. */
  private shuffle(block: number): void {
    this.block = block;
    for (let i = 0; i < STRATA_PER_BLOCK; i++) this.strata[i] = i;
    for (let i = STRATA_PER_BLOCK - 1; i > 0; i--) {
      const j = Math.floor(fractionOf(counterHash(this.shuffleSeed, block, i)) * (i + 1));
      const held = this.strata[i];
      this.strata[i] = this.strata[j];
      this.strata[j] = held;
    }
  }
}

/** Kept off 0 and 1, where quantiles are infinite. */
function fractionalPart(x: number): number {
  return Math.min(Math.max(x - Math.floor(x), Number.EPSILON), 1 - Number.EPSILON);
}
