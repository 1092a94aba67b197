import { fixed, grouped } from "../core/kernel/words.js";

export { counted, fixed, grouped } from "../core/kernel/words.js";

/** What a table shows where there is no value. */
export const NOTHING = "-";

/** `12.3`, `1,234`: one decimal below 1000. */
export function plain(value: number | null): string {
  if (value === null) return NOTHING;
  return Math.abs(value) < 999.95 ? value.toFixed(1) : grouped(value);
}

/** Three significant digits, never in powers of ten: `0.0123`, `27.1`, `1,230`. */
export function significant(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return grouped(value);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  return value.toFixed(size >= 0.09995 ? 3 : 4);
}

/** A share as a number of per cents: `98.2`. */
export function percent(share: number | null): string {
  return share === null ? NOTHING : fixed(share * 100, 1);
}

/** `80.1 MB`. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = 0;
  for (; scaled >= 999.5 && unit < units.length - 1; unit++) scaled /= 1000;
  return `${unit === 0 ? String(scaled) : significant(scaled)} ${units[unit]}`;
}
