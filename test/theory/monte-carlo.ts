import { expect } from "vitest";
import { counterHash, fractionOf } from "../../dist/core/kernel/index.js";

/** Random numbers of one sample: the same seed and sample give the same draws. */
export class Draws {
  #counter = 0;

  constructor(
    readonly seed: number,
    readonly sample: number,
  ) {}

  /** Uniform in (0, 1). */
  fraction(): number {
    return fractionOf(counterHash(this.seed, this.sample, this.#counter++));
  }

  /** A uniform integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** Exponential with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(this.fraction());
  }

  /** `count` different integers in [0, bound), in random order. */
  distinct(count: number, bound: number): number[] {
    if (2 * count > bound) return this.shuffled(bound).slice(0, count);
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(this.below(bound));
    return [...chosen];
  }

  /** A random permutation of 0 .. bound - 1. */
  shuffled(bound: number): number[] {
    const order = Array.from({ length: bound }, (_, i) => i);
    for (let i = bound - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }
}

export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
  readonly samples: number;
}

/** Mean of `measure` over independent samples, with the standard error of that mean. */
export function estimate(seed: number, samples: number, measure: (draws: Draws) => number): Estimate {
  let mean = 0;
  let squares = 0;
  for (let sample = 0; sample < samples; sample++) {
    const value = measure(new Draws(seed, sample));
    const delta = value - mean;
    mean += delta / (sample + 1);
    squares += delta * (value - mean);
  }
  return { mean, standardError: Math.sqrt(squares / (samples - 1) / samples), samples };
}

/** Standard errors a simulation may lie away from its closed form: by chance, once in 16,000 comparisons. */
export const STANDARD_ERRORS = 4;

/** Room for the rounding of sums, for a simulation that comes out the same in every sample. */
const ROUNDING = 1e-12;

export interface Tolerance {
  /** Largest standard error with which the comparison still means something. */
  readonly resolution: number;
  /** What the closed form is known to leave out, in the unit of the value; 0 when it is exact. */
  readonly modelError?: number;
}

/** Expects the simulated mean within STANDARD_ERRORS of `closedForm`, plus a stated model error, and prints both. */
export function expectAgreement(label: string, closedForm: number, simulated: Estimate, tolerance: Tolerance): void {
  const modelError = tolerance.modelError ?? 0;
  printComparison(label, closedForm, simulated);
  expect(simulated.standardError, `${label}: too few samples`).toBeLessThanOrEqual(tolerance.resolution);
  expect(
    Math.abs(simulated.mean - closedForm),
    `${label}: simulated ${simulated.mean}, closed form ${closedForm}`,
  ).toBeLessThanOrEqual(STANDARD_ERRORS * simulated.standardError + modelError + ROUNDING);
}

/** One line: closed form, simulation, and their difference in absolute terms and in standard errors. */
export function printComparison(label: string, closedForm: number, simulated: Estimate): void {
  const difference = simulated.mean - closedForm;
  const errors = simulated.standardError === 0 ? "exact" : `${(difference / simulated.standardError).toFixed(1)} SE`;
  console.info(
    `${label}: closed form ${closedForm.toFixed(4)}, simulated ${simulated.mean.toFixed(4)} ` +
      `+- ${simulated.standardError.toFixed(4)} (n=${simulated.samples}), off by ${difference.toFixed(4)}, ${errors}`,
  );
}
