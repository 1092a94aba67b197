import type { PoolSpec } from "../../core/scenario/scenario.js";
import type { Findings } from "./findings.js";
import type { XmlElement } from "./xml-element.js";

/** What a file says of a pool. */
export type PoolSettings = { -readonly [Key in Exclude<keyof PoolSpec, "name" | "parent">]: PoolSpec[Key] };

/** A pool of a file, and the first element that declares it or needs it. */
export interface PoolEntry {
  readonly name: string;
  readonly parent: string | null;
  readonly element: XmlElement;
  readonly settings: PoolSettings;
}

/** Far more than any cluster has, and few enough to sort on every heartbeat. */
export const MAX_POOLS = 10_000;

/** The pools of a file by full name, in order of first mention. */
export class PoolTable {
  private readonly entries = new Map<string, PoolEntry>();

  constructor(private readonly findings: Findings) {}

  get(name: string): PoolEntry | undefined {
    return this.entries.get(name);
  }

  /** The pool, made with the defaults on first mention. */
  entry(name: string, parent: string | null, element: XmlElement): PoolEntry {
    const known = this.entries.get(name);
    if (known !== undefined) return known;
    if (this.entries.size === MAX_POOLS) {
      this.findings.problem(
        element,
        `found more than ${String(MAX_POOLS)} pools, allowed at most ${String(MAX_POOLS)}`,
      );
    }
    const entry = { name, parent, element, settings: defaultSettings() };
    this.entries.set(name, entry);
    return entry;
  }

  all(): readonly PoolEntry[] {
    return [...this.entries.values()];
  }

  /** Every pool after the one it lies in. Notes each max that contradicts its min share or stops its pool. */
  specs(): PoolSpec[] {
    return this.all().map(({ name, parent, element, settings }) => {
      for (const type of ["Maps", "Reduces"] as const) {
        const [min, max] = [settings[`min${type}`], settings[`max${type}`]];
        if (max < min) {
          const text = `pool "${name}": max${type} ${String(max)} is below min${type} ${String(min)}; the max counts`;
          this.findings.note(element, text);
        }
        if (max === 0)
          this.findings.note(element, `pool "${name}": max${type} 0 lets none of its ${type.toLowerCase()} run`);
      }
      if (settings.maxJobs === 0)
        this.findings.note(element, `pool "${name}": a job limit of 0 lets none of its jobs run`);
      return { name, parent, ...settings };
    });
  }
}

/** What a pool is of which nothing is said. */
export function defaultSettings(): PoolSettings {
  return {
    weight: 1,
    minMaps: 0,
    minReduces: 0,
    maxMaps: Infinity,
    maxReduces: Infinity,
    maxJobs: null,
    minShareTimeoutUs: null,
    fairShareTimeoutUs: null,
    mode: null,
  };
}
