import { MOST, type Resources } from "../../core/platforms/yarn/index.js";

// Amounts of YARN's Capacity Scheduler, `[memory=10240,vcores=12]`
// (`CapacitySchedulerConfiguration.getMinimumResourceRequirement`).

export const ABSOLUTE_ALLOWED =
  "an amount such as [memory=10240,vcores=12], memory in MB or with a unit of YARN's (10Gi, 10G)";

/** Bytes of YARN's units (`UnitsConversionUtil`): with an i powers of 1024, without powers of 1000. */
const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

const PART = /^(memory|memory-mb|vcores)\s*=\s*(\d{1,15})([kMGTP]|[KMGTP]i)?$/;

/** An absolute amount. A resource that it does not name is 0, as in YARN; undefined: the text is no such amount. */
export function absoluteResource(text: string): Resources | undefined {
  const inside = /^\[(.*)\]$/.exec(text.trim())?.[1];
  if (inside === undefined) return undefined;
  const amount: Resources = { memory: 0, vcores: 0 };
  for (const part of inside.split(",")) {
    const [, name, digits, unit] = PART.exec(part.trim()) ?? [];
    if (name === undefined || (name === "vcores" && unit !== undefined)) return undefined;
    const value = unit === undefined ? Number(digits) : Math.floor((Number(digits) * UNITS[unit]) / 2 ** 20);
    amount[name === "vcores" ? "vcores" : "memory"] = Math.min(value, MOST);
  }
  return amount;
}
