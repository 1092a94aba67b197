import { US_PER_MS, US_PER_SECOND } from "../../core/kernel/time.js";
import type { SweepAxis } from "../../experiments/sweep/sweep-plan.js";
import type { Plain } from "../scenario/yaml-document.js";
import { formatDuration, formatSize, parseBandwidth, parseDuration } from "../scenario/units.js";

/** A value of a scenario that is so much of something. */
export interface Amount {
  readonly unit: SweepAxis["unit"];
  /** Whole microseconds, whole bytes (per second, of a bandwidth), or the number itself. */
  readonly value: number;
}

/** null: the value is no amount. */
export function amountOf(value: Plain): Amount | null {
  if (typeof value === "number")
    return Number.isFinite(value) ? { unit: "none", value: value === 0 ? 0 : value } : null;
  if (typeof value !== "string") return null;
  const us = parseDuration(value);
  if (us !== undefined) return Number.isSafeInteger(us) ? { unit: "seconds", value: us } : null;
  const bytes = parseBandwidth(value);
  return bytes !== undefined && Number.isSafeInteger(bytes) ? { unit: "bytes", value: bytes } : null;
}

/** The unit that all share; null: they share none. 0 goes with any, as in a scenario. */
export function sharedUnit(amounts: readonly Amount[]): Amount["unit"] | null {
  const units = new Set(amounts.filter(({ value, unit }) => value !== 0 || unit !== "none").map(({ unit }) => unit));
  if (units.size > 1) return null;
  return [...units][0] ?? "none";
}

/** In seconds, bytes or plain. */
export function quantityOf({ unit, value }: Amount): number {
  return unit === "seconds" ? value / US_PER_SECOND : value;
}

/** What a scenario is told: `90s`, `128MB`, 4. */
export function written({ unit, value }: Amount): string | number {
  if (unit === "seconds") return writtenTime(value);
  return unit === "bytes" ? formatSize(value) : value;
}

/** As people write short times: `2.5s`, not `2s500ms`. */
function writtenTime(us: number): string {
  if (us === 0 || us >= 120 * US_PER_SECOND) return formatDuration(us);
  return us < US_PER_SECOND ? `${String(us / US_PER_MS)}ms` : `${String(us / US_PER_SECOND)}s`;
}
