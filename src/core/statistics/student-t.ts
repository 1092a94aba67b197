import { incompleteBeta } from "./incomplete-beta.js";

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
    throw new RangeError(`no p-value of t = ${String(t)} at ${String(degreesOfFreedom)} degrees of freedom`);
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
    throw new RangeError(`confidence must be between 0 and 1, got ${String(confidence)}`);
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
    throw new RangeError(`degrees of freedom must be a whole number >= 1, got ${String(degreesOfFreedom)}`);
  }
}
