/**
 * Virtual time: integer microseconds since the start of the run, held in a double (exact to 2^53 us,
 * 285 years). Instants end in `AtUs` or are called `nowUs`; durations end in `Us`.
 */
export const US_PER_MS = 1_000;
export const US_PER_SECOND = 1_000_000;
export const US_PER_MINUTE = 60 * US_PER_SECOND;
export const US_PER_HOUR = 60 * US_PER_MINUTE;

/**
 * Zero, for fields that hold a time or a sum: as -0 they are doubles from the start. A field that starts as a small
 * integer changes its layout when virtual time passes 2^31 us, and all code compiled for it with it.
 */
export const DOUBLE_ZERO = -0;
/** The latest instant a scenario may name: 100 years. Leaves room for sums below 2^53. */
export const MAX_TIME_US = 100 * 365 * 24 * US_PER_HOUR;

/** `1h02m03.5s`-style text for people; exact to the millisecond. */
export function formatTime(us: number): string {
  if (!Number.isFinite(us)) return "end";
  const ms = Math.round(us / US_PER_MS);
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = (ms % 60_000) / 1000;
  const text = seconds.toFixed(3).replace(/\.?0+$/, "");
  const padded = text.length === 1 || text[1] === "." ? `0${text}` : text;
  if (hours > 0) return `${hours}h${pad(minutes)}m${padded}s`;
  if (minutes > 0) return `${minutes}m${padded}s`;
  return `${text}s`;
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
