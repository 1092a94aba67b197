import { MAX_TIME_US, US_PER_SECOND } from "../../core/kernel/time.js";
import { quote } from "../scenario/show.js";
import { formatSize, parseSize } from "../scenario/units.js";

const DIGITS = /^\d+$/;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** A value, or what is wrong with the text. */
export type Parsed = { readonly value: number } | { readonly problem: string };

/** A whole number from `low` to `high`, in plain digits. */
export function wholeNumber(text: string, what: string, low: number, high: number): Parsed {
  const found = text.trim();
  const value = DIGITS.test(found) ? Number(found) : NaN;
  if (value >= low && value <= high) return { value };
  return {
    problem: `${what} is ${found === "" ? "missing" : quote(found)}; allowed: a whole number from ${String(low)} to ${String(high)}`,
  };
}

/** A time in seconds, with at most 6 decimals, as whole microseconds from `lowUs` to `highUs`. */
export function seconds(text: string, what: string, lowUs: number, highUs = MAX_TIME_US): Parsed {
  const found = text.trim();
  const match = DECIMAL.exec(found);
  const decimals = match?.[2] ?? "";
  if (match !== null && decimals.length <= 6 && match[1].length <= 12) {
    const value = Number(match[1]) * US_PER_SECOND + Number(decimals.padEnd(6, "0"));
    if (value >= lowUs && value <= highUs) return { value };
  }
  const low = lowUs === 0 ? "0" : String(lowUs / US_PER_SECOND);
  const high = String(Math.floor(highUs / US_PER_SECOND));
  const shown = found === "" ? "missing" : quote(found);
  return {
    problem: `${what} is ${shown}; allowed: seconds from ${low} to ${high} with at most 6 decimals, such as 12 or 0.25`,
  };
}

/** A size up to `high` bytes: whole bytes in plain digits, or with a unit. */
export function bytes(text: string, what: string, high: number): Parsed {
  const found = text.trim();
  const value = DIGITS.test(found) ? Number(found) : (parseSize(found) ?? NaN);
  if (value <= high) return { value };
  const shown = found === "" ? "missing" : quote(found);
  return { problem: `${what} is ${shown}; allowed: bytes up to ${formatSize(high)}, such as 4096, 64KB or 1.5GB` };
}

/** A share from 0 to 1, in plain digits. */
export function share(text: string, what: string): Parsed {
  const found = text.trim();
  const value = DECIMAL.test(found) ? Number(found) : NaN;
  if (value <= 1) return { value };
  return {
    problem: `${what} is ${found === "" ? "missing" : quote(found)}; allowed: a number from 0 to 1, such as 0.25`,
  };
}
