import {
  NO_LIMITS,
  type AllocationsSpec,
  type PlacementRuleName,
  type PlacementRuleSpec,
  type PoolMode,
  type PoolSpec,
} from "../../core/scenario/index.js";
import { allowedNames, quote } from "../scenario/show.js";
import { elementsOnly, type Findings, type Keys, labelOf, onlyAttributes, readKeys } from "./elements.js";
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
export class PoolTable {
  private readonly entries = new Map<string, PoolEntry>();

  constructor(private readonly findings: Findings) {}

  /** The pool, made with the defaults on first mention. */
  entry(name: string, element: XmlElement): PoolEntry {
    const known = this.entries.get(name);
    if (known !== undefined) return known;
    if (this.entries.size === MAX_POOLS) {
      this.findings.problem(
        element,
        `found more than ${String(MAX_POOLS)} pools, allowed at most ${String(MAX_POOLS)}`,
      );
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
          const text = `pool "${name}": max${type} ${String(max)} is below min${type} ${String(min)}; the max counts`;
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

/** The keys of `<user>`. */
export type UserKeys = Keys<{ maxJobs: number | null }>;

/** `<user name="...">` with a job limit; the last one of a user wins. */
export function readUser(keys: UserKeys, draft: Draft, element: XmlElement, findings: Findings): void {
  elementsOnly(element, findings);
  onlyAttributes(["name"], element, findings);
  const name = labelOf(element, findings);
  const user: { maxJobs: number | null } = { maxJobs: null };
  readKeys(keys, element, user, findings);
  if (name === undefined || user.maxJobs === null) return;
  if (draft.users.has(name)) findings.note(element, `user "${name}" is given again; the last limit counts`);
  draft.users.set(name, user.maxJobs);
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

/**
 * The rules that choose a job's pool (semantics section 2.4), written `<rule name="user"/>` or `<user/>`. The last rule
 * must decide in every case, and no earlier one may.
 * @returns null after a problem was reported.
 */
export function readPlacement(policy: XmlElement, findings: Findings): readonly PlacementRuleSpec[] | null {
  elementsOnly(policy, findings);
  onlyAttributes([], policy, findings);
  const rules = policy.children.map((element) => ({ element, spec: readRule(element, findings) }));
  if (rules.length === 0) {
    findings.problem(policy, `found no rule in <${policy.name}>, allowed rules of which the last one always decides`);
    return null;
  }
  const specs: PlacementRuleSpec[] = [];
  for (const [i, { element, spec }] of rules.entries()) {
    if (spec === null) continue;
    specs.push(spec);
    const isLast = i === rules.length - 1;
    if (isLast === decides(spec)) continue;
    const actual = `the rule ${spec.rule}${spec.rule === "reject" ? "" : ` with create="${String(spec.create)}"`}`;
    const message = isLast
      ? `found ${actual} as the last one, allowed one that always decides: reject, or create="true" with another rule than specified`
      : `found ${actual} before others, allowed only as the last one: those after it are never reached`;
    findings.problem(element, message);
  }
  return specs.length === rules.length ? specs : null;
}

/** Whether a rule names a pool, or refuses, whatever the job. */
function decides({ rule, create }: PlacementRuleSpec): boolean {
  return rule === "reject" || (rule !== "specified" && create);
}

function readRule(element: XmlElement, findings: Findings): PlacementRuleSpec | null {
  elementsOnly(element, findings);
  onlyAttributes(["name", "create"], element, findings);
  const name = element.name === "rule" ? element.attributes.get("name") : element.name;
  const rule = RULES.find((known) => known === name);
  if (rule === undefined) {
    const actual = name === undefined ? "no name of a rule" : `the rule ${quote(name)}`;
    findings.problem(element, `found ${actual}, allowed ${allowedNames([...RULES], name)}`);
    return null;
  }
  if (element.children.length > 0) {
    const [inner] = element.children;
    findings.problem(inner, `found <${inner.name}> inside the rule ${rule}, allowed nothing inside`);
  }
  const create = readCreate(element, findings);
  return create === undefined ? null : { rule, create };
}

function readCreate(element: XmlElement, findings: Findings): boolean | undefined {
  const text = element.attributes.get("create");
  const word = text?.trim().toLowerCase() ?? "true";
  if (word === "true" || word === "false") return word === "true";
  findings.problem(element, `found ${quote(text ?? "")} for the attribute create, allowed true, false`);
  return undefined;
}
