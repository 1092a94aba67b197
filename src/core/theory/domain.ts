/**
 * Refuses an argument that is not a whole number from `least` to `most`. The RangeError names the argument, what was
 * found and what is allowed; `mostIs` says in words what the upper end stands for.
 */
export function requireWhole(
  name: string,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
  mostIs = "",
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const unbounded = most === Number.MAX_SAFE_INTEGER;
  const upper = unbounded ? "" : ` and at most ${most}${mostIs === "" ? "" : ` (${mostIs})`}`;
  throw refusal(name, value, `a whole number of at least ${least}${upper}`);
}

/** Refuses an argument that is not a finite number >= 0. */
export function requireNonNegative(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw refusal(name, value, "a finite number of at least 0");
}

/** Refuses an argument that is not a finite number > 0. */
export function requirePositive(name: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw refusal(name, value, "a finite number greater than 0");
}

/** Refuses an argument that is not a number in [0, 1]. */
export function requireFraction(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0 && value <= 1) return;
  throw refusal(name, value, "a number from 0 to 1");
}

/** The RangeError for `value`; text is quoted, so that the string "3" is not mistaken for the number. */
export function refusal(name: string, value: unknown, allowed: string): RangeError {
  const found = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new RangeError(`${name} is ${found}; allowed is ${allowed}`);
}
