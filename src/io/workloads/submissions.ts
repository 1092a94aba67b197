import { formatTime, MAX_TIME_US, US_PER_HOUR, US_PER_MS, US_PER_SECOND } from "../../core/kernel/index.js";
import { type FieldParser, fieldParser } from "./lines.js";

// Submission times of the jobs of a trace: counted from the start of the run, or Unix time (docs/formats/workloads.md).

/** 1980 as Unix time. A time of submission from here on is one of the calendar; no run idles for ten years. */
export const UNIX_FROM_US = 315_532_800 * US_PER_SECOND;

/** The longest idle time before the first submission. A run whose jobs come later begins at the first one. */
export const LONGEST_IDLE_US = 7 * 24 * US_PER_HOUR;

const DECIMAL = /^(\d{1,16})(?:\.(\d{1,6}))?$/;

/** Units of the numbers in one file. Their ranges do not overlap. */
const UNITS = [
  { us: US_PER_SECOND, decimals: 6, fromUs: 0 },
  { us: US_PER_MS, decimals: 3, fromUs: UNIX_FROM_US },
  { us: 1, decimals: 0, fromUs: UNIX_FROM_US },
] as const;

/**
 * A time of submission in whole microseconds: seconds from the start, or Unix time in seconds, milliseconds or
 * microseconds, known by its size.
 * @param decimals how many the format allows.
 */
export function submission(decimals: 0 | 6): FieldParser {
  const [number, such] =
    decimals === 0 ? ["a whole number of seconds", ""] : ["seconds", " with at most 6 decimals, such as 12 or 0.25"];
  const allowed = `${number} from 0 to ${MAX_TIME_US / US_PER_SECOND}${such}, or Unix time in s, ms or us`;
  return fieldParser(0, MAX_TIME_US, allowed, (text) => {
    const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
    for (const unit of UNITS) {
      if (fraction.length > Math.min(unit.decimals, decimals)) continue;
      const us = Number(whole) * unit.us + Number(fraction.padEnd(unit.decimals, "0"));
      if (us >= unit.fromUs && us <= MAX_TIME_US) return us;
    }
    return NaN;
  });
}

/** The submissions of one file: all by the same clock, and from the first on where that is far from 0. */
export class Submissions {
  private firstUs = Infinity;
  private clock: { readonly isUnix: boolean; readonly line: number } | null = null;

  /** @param column the column, as the file or its documentation calls it. */
  constructor(
    private readonly file: string,
    private readonly column: string,
  ) {}

  /** The problem of a time that uses another clock than earlier lines; null: none. */
  mismatch(us: number, line: number): string | null {
    const isUnix = us >= UNIX_FROM_US;
    this.clock ??= { isUnix, line };
    if (this.clock.isUnix === isUnix) return null;
    const [actual, allowed] = isUnix
      ? ["Unix time", "seconds from the start"]
      : ["seconds from the start", "Unix time"];
    return `${this.column} is ${actual}, expected ${allowed}, as in line ${this.clock.line}`;
  }

  /** Adds the submission of a job that the run will have. */
  add(us: number): void {
    this.firstUs = Math.min(this.firstUs, us);
  }

  /** The start of the run, in the file's times. */
  get originUs(): number {
    return this.firstUs >= LONGEST_IDLE_US && this.firstUs < Infinity ? this.firstUs : 0;
  }

  /** Notes on the start of the run. */
  notes(): string[] {
    const { firstUs, originUs } = this;
    if (originUs === 0) return [];
    const first =
      firstUs >= UNIX_FROM_US
        ? `${this.column} is Unix time, from ${new Date(firstUs / US_PER_MS).toISOString()} on`
        : `the first ${this.column} is ${formatTime(firstUs)} after 0`;
    return [`${this.file}: ${first}; the run begins there, and all times of the scenario count from there`];
  }
}
