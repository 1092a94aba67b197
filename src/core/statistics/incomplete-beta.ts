import { assert } from "../kernel/assert.js";
import { exp, ln } from "../kernel/transcendental.js";

const MOST_STEPS = 100_000;
const TINY = 1e-300;
const HALF_LN_TWO_PI = 0.9189385332046727;

/** Lanczos, g = 7: relative error of the gamma function below 1e-14. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/**
 * The regularised incomplete beta function I_x(a, b) for a, b >= 1/2, by its continued fraction (DLMF 8.17.22). `rest` is
 * 1 - x: whoever knows it more exactly than that subtraction keeps small probabilities exact.
 */
export function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const front = exp(a * ln(x) + b * ln(rest) + lnGamma(a + b) - lnGamma(a) - lnGamma(b));
  // The fraction converges fast below this, and its mirror image above.
  if (x < (a + 1) / (a + b + 2)) return (front / a) * fraction(x, a, b);
  return 1 - (front / b) * fraction(rest, b, a);
}

/** 1 / (1 + d1 / (1 + d2 / ...)) from the front, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = denominator;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      denominator = 1 / awayFromZero(1 + term * denominator);
      numerator = awayFromZero(1 + term / numerator);
      change = denominator * numerator;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-15) return value;
  }
  assert(false, "the continued fraction of the incomplete beta function did not converge");
}

function awayFromZero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x;
}

/** Logarithm of the gamma function for z >= 1/2. */
function lnGamma(z: number): number {
  const t = z + 6.5;
  let sum = LANCZOS[0];
  for (let k = 1; k < LANCZOS.length; k++) sum += LANCZOS[k] / (z - 1 + k);
  return HALF_LN_TWO_PI + (z - 0.5) * ln(t) - t + ln(sum);
}
