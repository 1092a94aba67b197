import {
  NO_LIMITS,
  type AllocationsSpec,
  type PlacementRuleName,
  type PlacementRuleSpec,
  type PoolMode,
  type PoolSpec,
} from "../../core/scenario/index.js";
import { type Findings, onlyAttributes } from "./elements.js";
import { nothingInside, readRules, ruleOf } from "./rules.js";
import type { XmlElement } from "./xml.js";

// An allocation file of Hadoop 1 while it is read: pools, users, defaults and placement rules.

/** The settings of a pool in a file. */
export type PoolSettings = { -readonly [Key in Exclude<keyof PoolSpec, "name" | "parent">]: PoolSpec[Key] };

/** A pool of a file, and the first element that declares it. */
interface PoolEntry {
  readonly name: string;
  readonly element: XmlElement;
  readonly settings: PoolSettings;
}

/** Far more than any cluster has, and few enough to sort on every heartbeat. */
export const MAX_POOLS = 10_000;

/** The pools of a file by full name, in order of first mention. */
class PoolTable {
  private readonly entries = new Map<string, PoolEntry>();

  constructor(private readonly findings: Findings) {}

  /** The pool, made with the defaults on first mention. */
  entry(name: string, element: XmlElement): PoolEntry {
    const known = this.entries.get(name);
    if (known !== undefined) return known;
    if (this.entries.size === MAX_POOLS) {
      this.findings.problem(element, `more than ${MAX_POOLS} pools`, `at most ${MAX_POOLS}`);
    }
    const entry = { name, element, settings: defaultSettings() };
    this.entries.set(name, entry);
    return entry;
  }

  /** Notes each max that contradicts its min share or stops its pool. */
  specs(): PoolSpec[] {
    return [...this.entries.values()].map(({ name, element, settings }) => {
      for (const type of ["Maps", "Reduces"] as const) {
        const [min, max] = [settings[`min${type}`], settings[`max${type}`]];
        if (max < min) {
          const text = `pool "${name}": max${type} ${max} is below min${type} ${min}; the max counts`;
          this.findings.note(element, text);
        }
        if (max === 0)
          this.findings.note(element, `pool "${name}": max${type} 0 lets none of its ${type.toLowerCase()} run`);
      }
      if (settings.maxJobs === 0)
        this.findings.note(element, `pool "${name}": a job limit of 0 lets none of its jobs run`);
      return { name, parent: null, ...settings };
    });
  }
}

/** The settings of a pool without elements. */
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

/** An allocation file while it is read. */
export interface Draft {
  readonly pools: PoolTable;
  readonly users: Map<string, number>;
  poolMaxJobs: number;
  userMaxJobs: number;
  minShareTimeoutUs: number;
  fairShareTimeoutUs: number;
  defaultMode: PoolMode;
  placement: readonly PlacementRuleSpec[] | null;
}

/** The draft of a file without elements: everything is unlimited, nothing is preempted. */
export function emptyDraft(findings: Findings): Draft {
  return { ...NO_LIMITS, pools: new PoolTable(findings), users: new Map() };
}

export function finished({ pools, users, ...defaults }: Draft): AllocationsSpec {
  return { pools: pools.specs(), users: [...users].map(([name, maxJobs]) => ({ name, maxJobs })), ...defaults };
}

/** Says that a pool was declared before; `declared` remembers names. */
export function noteRepeated(name: string, declared: Set<string>, element: XmlElement, findings: Findings): void {
  if (declared.has(name)) {
    const text = `${element.name} "${name}" is declared again; its settings are merged, the last value of each counts`;
    findings.note(element, text);
  }
  declared.add(name);
}

const RULES: readonly PlacementRuleName[] = [
  ...(["specified", "user", "primaryGroup", "default", "reject"] as const),
  "secondaryGroupExistingPool",
];

/** The rules that choose a job's pool (semantics section 2.4); null after a problem was reported. */
export function readPlacement(policy: XmlElement, findings: Findings): readonly PlacementRuleSpec[] | null {
  return readRules(policy, findings, readRule, decides, 'create="true" with another rule than specified');
}

/** Whether a rule names a pool, or refuses, whatever the job. */
function decides({ rule, create }: PlacementRuleSpec): boolean {
  return rule === "reject" || (rule !== "specified" && create);
}

function readRule(element: XmlElement, findings: Findings): PlacementRuleSpec | null {
  onlyAttributes(["name", "create"], element, findings);
  const { rule, create } = ruleOf(element, findings, RULES) ?? {};
  if (rule === undefined) return null;
  nothingInside(element, rule, findings);
  return create === undefined ? null : { rule, create };
}
