import { assert, exp, ln } from "../../core/kernel/index.js";

/*
 * Student's t distribution: probabilities, quantiles and p-values, by own code whose last bit is
 * the same on every machine.
 */

/**
 * P(|T| <= t) for t >= 0 and whole degrees of freedom, by the finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4:
 * exact but for rounding.
 */
export function centralProbability(t: number, degreesOfFreedom: number): number {
  checkDegrees(degreesOfFreedom);
  const tangent = t / Math.sqrt(degreesOfFreedom);
  const cosineSquared = 1 / (1 + tangent * tangent);
  const sine = tangent * Math.sqrt(cosineSquared);
  if (degreesOfFreedom % 2 === 0) return sine * tail(1, 1, degreesOfFreedom - 2, cosineSquared);
  const angle = arctangent(tangent);
  if (degreesOfFreedom === 1) return (2 / Math.PI) * angle;
  const first = Math.sqrt(cosineSquared);
  return (2 / Math.PI) * (angle + sine * tail(first, 2, degreesOfFreedom - 2, cosineSquared));
}

/**
 * The t with P(|T| <= t) = `confidence`: a mean of n values has the half-width t(n - 1) * s / sqrt(n).
 * @throws RangeError unless 0 < confidence < 1 and degreesOfFreedom is a whole number >= 1.
 */
export function studentT(confidence: number, degreesOfFreedom: number): number {
  checkDegrees(degreesOfFreedom);
  return leastWith((t) => centralProbability(t, degreesOfFreedom), confidence);
}

/**
 * P(|T| >= |t|): the two-sided p-value of t. Small ones keep their digits, and degrees of freedom need not be whole.
 * @throws RangeError unless degreesOfFreedom is finite and >= 1, and t is a number.
 */
export function twoSidedP(t: number, degreesOfFreedom: number): number {
  if (!(degreesOfFreedom >= 1 && degreesOfFreedom < Infinity) || Number.isNaN(t)) {
    throw new RangeError(`no p-value of t = ${t} at ${degreesOfFreedom} degrees of freedom`);
  }
  const squareOverDegrees = (t / degreesOfFreedom) * t;
  if (squareOverDegrees === Infinity) return 0;
  const beyond = 1 / (1 + squareOverDegrees);
  return incompleteBeta(beyond, squareOverDegrees * beyond, degreesOfFreedom / 2, 0.5);
}

/**
 * The t with P(|T| <= t) = `confidence` where degrees of freedom are not whole, as Welch's are.
 * @throws RangeError unless 0 < confidence < 1 and degreesOfFreedom is finite and >= 1.
 */
export function fractionalStudentT(confidence: number, degreesOfFreedom: number): number {
  return leastWith((t) => 1 - twoSidedP(t, degreesOfFreedom), confidence);
}

/** first * (1 + k/(k+1) c + k(k+2)/((k+1)(k+3)) c^2 + ...) up to the numerator `lastNumerator`. */
function tail(first: number, numerator: number, lastFactor: number, cosineSquared: number): number {
  let term = first;
  let sum = first;
  for (let k = numerator; k < lastFactor; k += 2) {
    term *= (k / (k + 1)) * cosineSquared;
    sum += term;
  }
  return sum;
}

/** For x >= 0: halves the angle until a short series is exact. */
function arctangent(x: number): number {
  let halved = x;
  let scale = 1;
  for (; halved > 0.05; scale *= 2) halved = halved / (1 + Math.sqrt(1 + halved * halved));
  const square = halved * halved;
  let sum = 0;
  for (let k = 15; k >= 1; k -= 2) sum = 1 / k - square * sum;
  return scale * halved * sum;
}

/** The least t >= 0 at which a rising probability is `confidence`, to the last bit. */
function leastWith(probabilityOf: (t: number) => number, confidence: number): number {
  if (!(confidence > 0 && confidence < 1))
    throw new RangeError(`confidence must be between 0 and 1, got ${confidence}`);
  let low = 0;
  let high = 1;
  while (probabilityOf(high) < confidence) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (probabilityOf(middle) < confidence) low = middle;
    else high = middle;
  }
  return high;
}

function checkDegrees(degreesOfFreedom: number): void {
  if (!(Number.isSafeInteger(degreesOfFreedom) && degreesOfFreedom >= 1)) {
    throw new RangeError(`degrees of freedom must be a whole number >= 1, got ${degreesOfFreedom}`);
  }
}

/**
 * Two-sided p-value of a mean against 0, by Student's t. Without any variance it is 1 for a mean of 0, and else 0: all
 * that was seen says so, as the interval of half-width 0 does; of few values that is less than it seems. Null where
 * values are so large that their squares are not numbers.
 *
 * @param variance Of the mean itself.
 */
export function pValueOfMean(mean: number, variance: number, degreesOfFreedom: number): number | null {
  if (!Number.isFinite(variance)) return null;
  if (mean === 0) return 1;
  return variance === 0 ? 0 : twoSidedP(mean / Math.sqrt(variance), degreesOfFreedom);
}

const MOST_STEPS = 100_000;

const TINY = 1e-300;

const HALF_LN_TWO_PI = 0.9189385332046727;

/** Lanczos, g = 7: relative error of the gamma function below 1e-14. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/**
 * The regularised incomplete beta function I_x(a, b) for a, b >= 1/2, by its continued fraction (DLMF 8.17.22). `rest`
 * is 1 - x: a caller that knows it more exactly than that subtraction keeps small probabilities exact.
 */
export function incompleteBeta(x: number, complement: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  const front = exp(a * ln(x) + b * ln(complement) + lnGamma(a + b) - lnGamma(a) - lnGamma(b));
  // The fraction converges fast below this, and its mirror image above.
  if (x < (a + 1) / (a + b + 2)) return (front / a) * fraction(x, a, b);
  return 1 - (front / b) * fraction(complement, b, a);
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
