/**
 * Student's t distribution for whole degrees of freedom, by the finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4:
 * exact but for rounding.
 */

/** P(|T| <= t) for t >= 0. */
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
  if (!(confidence > 0 && confidence < 1))
    throw new RangeError(`confidence must be between 0 and 1, got ${String(confidence)}`);
  let low = 0;
  let high = 1;
  while (centralProbability(high, degreesOfFreedom) < confidence) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (centralProbability(middle, degreesOfFreedom) < confidence) low = middle;
    else high = middle;
  }
  return high;
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

function checkDegrees(degreesOfFreedom: number): void {
  if (!(Number.isSafeInteger(degreesOfFreedom) && degreesOfFreedom >= 1)) {
    throw new RangeError(`degrees of freedom must be a whole number >= 1, got ${String(degreesOfFreedom)}`);
  }
}
