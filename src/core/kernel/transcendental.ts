/**
 * Logarithm, exponential and normal quantile by +, -, * and / alone. The language leaves the last bit of Math.log and
 * its like to the engine; these give the same bits everywhere, which a fingerprint needs (relative error < 1e-15 for
 * ln and exp, < 2e-9 for the quantile).
 */

const LN2_HIGH = 0.69314718036912381649;
const LN2_LOW = 1.90821492927058770002e-10;
const SQRT2 = 1.4142135623730951;

/** Natural logarithm of a finite x > 0. */
export function ln(x: number): number {
  if (!(x > 0) || x === Infinity) throw new RangeError(`ln needs a finite number > 0, got ${x}`);
  let exponent = 0;
  let m = x;
  while (m >= 4294967296) {
    m /= 4294967296;
    exponent += 32;
  }
  while (m < 1 / 4294967296) {
    m *= 4294967296;
    exponent -= 32;
  }
  while (m >= SQRT2) {
    m /= 2;
    exponent += 1;
  }
  while (m < SQRT2 / 2) {
    m *= 2;
    exponent -= 1;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum = 0;
  for (let k = 23; k >= 3; k -= 2) sum = (sum + 1 / k) * z;
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * (s + s * sum));
}

/** e to the power x; 0 below -745, Infinity above 709.78. */
export function exp(x: number): number {
  if (Number.isNaN(x)) throw new RangeError("exp needs a number, got NaN");
  if (x > 709.78) return Infinity;
  if (x < -745.13) return 0;
  const k = Math.round(x / (LN2_HIGH + LN2_LOW));
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let i = 18; i >= 1; i--) sum = 1 + (sum * r) / i;
  return scaleByPowerOfTwo(sum, k);
}

function scaleByPowerOfTwo(value: number, power: number): number {
  let result = value;
  let exponent = power;
  for (; exponent >= 30; exponent -= 30) result *= 1073741824;
  for (; exponent <= -30; exponent += 30) result /= 1073741824;
  for (; exponent > 0; exponent--) result *= 2;
  for (; exponent < 0; exponent++) result /= 2;
  return result;
}

/** x to the power y for x > 0. */
export function power(x: number, y: number): number {
  return exp(y * ln(x));
}

const CENTRAL_NUMERATOR = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const CENTRAL_DENOMINATOR = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1,
];
const TAIL_NUMERATOR = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_DENOMINATOR = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
const TAIL_BELOW = 0.02425;

/** The standard normal quantile for p in (0, 1): Acklam's rational approximation. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`normalQuantile needs 0 < p < 1, got ${p}`);
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p < TAIL_BELOW) {
    const q = Math.sqrt(-2 * ln(p));
    return horner(TAIL_NUMERATOR, q) / horner(TAIL_DENOMINATOR, q);
  }
  const q = p - 0.5;
  const r = q * q;
  return (horner(CENTRAL_NUMERATOR, r) * q) / horner(CENTRAL_DENOMINATOR, r);
}

function horner(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const c of coefficients) sum = sum * x + c;
  return sum;
}
