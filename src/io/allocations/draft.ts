import { NO_LIMITS } from "../../core/scenario/no-limits.js";
import type { AllocationsSpec, PlacementRuleSpec, PoolMode } from "../../core/scenario/scenario.js";
import type { Findings } from "./findings.js";
import { readKeys, type Keys } from "./keys.js";
import { PoolTable } from "./pool-table.js";
import { elementsOnly, labelOf, onlyAttributes } from "./values.js";
import type { XmlElement } from "./xml-element.js";

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

/** What a file without elements says: everything is unlimited, nothing is taken back. */
export function emptyDraft(findings: Findings): Draft {
  return { ...NO_LIMITS, pools: new PoolTable(findings), users: new Map() };
}

export function finished({ pools, users, ...rest }: Draft): AllocationsSpec {
  return { pools: pools.specs(), users: [...users].map(([name, maxJobs]) => ({ name, maxJobs })), ...rest };
}

/** What `<user>` may hold. */
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
