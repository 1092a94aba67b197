import { US_PER_HOUR, US_PER_MINUTE, US_PER_MS, US_PER_SECOND } from "../../core/kernel/index.js";

/** Duration units, longest first; a duration names each at most once and in this order. */
const DURATION_UNITS: readonly (readonly [name: string, us: number])[] = [
  ["d", 24 * US_PER_HOUR],
  ["h", US_PER_HOUR],
  ["m", US_PER_MINUTE],
  ["s", US_PER_SECOND],
  ["ms", US_PER_MS],
  ["us", 1],
];

/** Size units; K, M, G, T are powers of 1024, as Hadoop counts a "128 MB" block. */
const SIZE_UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 2 ** 10,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
};

export const DURATION_PATTERN =
  "^(\\d+(\\.\\d+)?\\s*d\\s*)?(\\d+(\\.\\d+)?\\s*h\\s*)?(\\d+(\\.\\d+)?\\s*m\\s*)?(\\d+(\\.\\d+)?\\s*s\\s*)?(\\d+(\\.\\d+)?\\s*ms\\s*)?(\\d+(\\.\\d+)?\\s*us)?$";
export const SIZE_PATTERN = "^\\d+(\\.\\d+)?\\s*([KMGT]i?B?|[kmgt]i?b?|B)$";
export const RATE_PATTERN = "^\\d+(\\.\\d+)?\\s*([KMGT]i?)?B(/s)?$";

export const BANDWIDTH_PATTERN = `${RATE_PATTERN}|^\\d+(\\.\\d+)?\\s*[kKMGT]?(bps|bit/s)$`;

/** Units of bits; powers of 1000, as makers of networks count. */
const BIT_UNITS: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

const LONGEST_TEXT = 60;

/**
 * Microseconds of `500ms`, `10s`, `1h30m`, `2.5s`, `1d`, rounded to the nearest; undefined if the text is no duration
 * or is positive but below half a microsecond.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST_TEXT) return undefined;
  const part = /(\d+(?:\.\d+)?)\s*(d|h|ms|us|m|s)\s*/y;
  let us = 0;
  let unit = -1;
  while (part.lastIndex < trimmed.length) {
    const match = part.exec(trimmed);
    if (match === null) return undefined;
    const next = DURATION_UNITS.findIndex(([name]) => name === match[2]);
    if (next <= unit) return undefined;
    unit = next;
    us += Number(match[1]) * DURATION_UNITS[next][1];
  }
  const rounded = Math.round(us);
  return us > 0 && rounded === 0 ? undefined : rounded;
}

/**
 * Bytes of `128MB`, `1.5 GB`, `64KiB`, `4g`, `64mb`, rounded to the nearest; undefined if the text is no size. `1Gb`
 * would be bits.
 */
export function parseSize(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_TEXT) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*(?:([KMGT])i?B?|([kmgt])i?b?|B)$/.exec(trimmed);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * SIZE_UNITS[`${(match[2] ?? match[3] ?? "").toUpperCase()}B`]);
}

/** Bytes per second of `16MB` or `16MB/s`; undefined if the text is no rate. A small b would be bits. */
export function parseRate(text: string): number | undefined {
  const size = text.trim().replace(/\s*\/\s*s$/, "");
  return /B$/.test(size) && !/[kmgt]/.test(size) ? parseSize(size) : undefined;
}

/**
 * Bytes per second of `240MB/s`, `240MB`, `1Gbps` or `1 Gbit/s`, rounded to the nearest; undefined if the text is no
 * bandwidth.
 */
export function parseBandwidth(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_TEXT) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:bps|bit\/s)$/.exec(trimmed.replace(/k(?=b)/, "K"));
  return match === null ? parseRate(trimmed) : Math.round((Number(match[1]) * BIT_UNITS[match[2]]) / 8);
}

/** The shortest text that `parseDuration` reads as this many whole microseconds. */
export function formatDuration(us: number): string {
  let remainingUs = us;
  let text = "";
  for (const [name, unit] of DURATION_UNITS) {
    const whole = Math.floor(remainingUs / unit);
    if (whole > 0) text += String(whole) + name;
    remainingUs -= whole * unit;
  }
  return text === "" ? "0s" : text;
}

/** The shortest text that `parseSize` reads as this many whole bytes. */
export function formatSize(bytes: number): string {
  for (const [name, unit] of Object.entries(SIZE_UNITS).reverse()) {
    if (bytes >= unit && bytes % unit === 0) return String(bytes / unit) + name;
  }
  return `${bytes}B`;
}
