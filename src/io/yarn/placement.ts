import { type Findings, onlyAttributes } from "../allocations/elements.js";
import { nothingInside, readRules, ruleOf } from "../allocations/rules.js";
import type { XmlElement } from "../allocations/xml.js";

// Placement rules of the Fair Scheduler: which queue an application goes to (`QueuePlacementPolicy`).

const ROOT = "root";

const NAMES = [
  ...(["specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue"] as const),
  ...(["default", "reject"] as const),
];

/** A rule; of `nestedUserQueue`, `inside` says where the user's queue is. */
export interface PlacementRule {
  readonly rule: (typeof NAMES)[number];
  /** Its queue counts even where it is not declared. */
  readonly create: boolean;
  readonly inside: PlacementRule | null;
  /** The full name of the queue of `default`. */
  readonly queue: string;
}

/** The rules of a file that has none. @param create `allow-undeclared-pools`. @param byUser `user-as-default-queue`. */
export function usualRules(create: boolean, byUser: boolean): PlacementRule[] {
  const rule = (name: PlacementRule["rule"], mayCreate: boolean): PlacementRule => ({
    rule: name,
    create: mayCreate,
    inside: null,
    queue: `${ROOT}.default`,
  });
  const specified = rule("specified", create);
  if (!byUser) return [specified, rule("default", true)];
  return [specified, rule("user", create), ...(create ? [] : [rule("default", true)])];
}

/** The existing queues, by full name. */
export interface KnownQueues {
  readonly has: (name: string) => boolean;
  /** It takes applications. */
  readonly isLeaf: (name: string) => boolean;
}

/**
 * The queue of an application, in full; null: no rule places it. `requested` is the queue that it names; undefined:
 * none.
 */
export function placed(
  rules: readonly PlacementRule[],
  { requested, user }: { readonly requested: string | undefined; readonly user: string },
  known: KnownQueues,
): string | null {
  for (const rule of rules) {
    if (rule.rule === "reject") return null;
    const queue = proposed(rule, requested, user, known);
    if (queue !== null) return queue;
  }
  return null;
}

function proposed(
  { rule, create, inside, queue }: PlacementRule,
  requested: string | undefined,
  user: string,
  known: KnownQueues,
): string | null {
  const placed = nameOf(rule, inside, queue, requested, user, known);
  return placed !== null && (create || known.has(placed)) ? placed : null;
}

function nameOf(
  rule: PlacementRule["rule"],
  inside: PlacementRule | null,
  queue: string,
  requested: string | undefined,
  user: string,
  known: KnownQueues,
): string | null {
  switch (rule) {
    case "specified":
      // A job that names YARN's default names no queue.
      return requested === undefined || requested === "default" ? null : underRoot(requested);
    case "user":
      return `${ROOT}.${ofUser(user)}`;
    case "nestedUserQueue": {
      const outer = inside === null ? null : proposed(inside, requested, user, known);
      if (outer === null || (known.has(outer) && known.isLeaf(outer))) return null;
      return `${outer}.${ofUser(user)}`;
    }
    case "default":
      return queue;
    // Users of a scenario have no groups.
    case "primaryGroup":
    case "secondaryGroupExistingQueue":
    case "reject":
      return null;
  }
}

/** A queue by its full name. */
export function underRoot(name: string): string {
  return name === ROOT || name.startsWith(`${ROOT}.`) ? name : `${ROOT}.${name}`;
}

/** Names of queues have dots between queues only. */
function ofUser(user: string): string {
  return user.trim().replaceAll(".", "_dot_");
}

/** The rules of `<queuePlacementPolicy>`; null after a problem was reported. */
export function readPlacement(policy: XmlElement, findings: Findings): readonly PlacementRule[] | null {
  return readRules(policy, findings, readRule, decides, 'default, user or primaryGroup with create="true"');
}

/** Whether it names a queue, or refuses, whatever the application. */
function decides({ rule, create, inside }: PlacementRule): boolean {
  if (rule === "reject") return true;
  if (rule === "specified" || rule === "secondaryGroupExistingQueue") return false;
  return create && (inside === null || decides(inside));
}

const INSIDE = NAMES.filter((name) => name !== "nestedUserQueue" && name !== "reject");

/** @param names the rules that may stand there. */
function readRule(
  element: XmlElement,
  findings: Findings,
  names: readonly PlacementRule["rule"][] = NAMES,
): PlacementRule | null {
  onlyAttributes(["name", "create", "queue"], element, findings);
  const { rule, create } = ruleOf(element, findings, names) ?? {};
  if (rule === undefined) return null;
  const inside = rule === "nestedUserQueue" ? readInside(element, findings) : null;
  if (create === undefined || (rule === "nestedUserQueue" && inside === null)) return null;
  if (rule !== "nestedUserQueue") nothingInside(element, rule, findings);
  if (rule === "primaryGroup" || rule === "secondaryGroupExistingQueue") {
    findings.unused(element, `the rule ${rule} places nothing`, "users of a scenario have no groups");
  }
  const queue = element.attributes.get("queue")?.trim();
  if (queue !== undefined && rule !== "default") {
    findings.note(element, `the attribute "queue" of the rule ${rule} is ignored; only default has one`);
  }
  return { rule, create, inside, queue: underRoot(rule === "default" && queue ? queue : "default") };
}

function readInside(element: XmlElement, findings: Findings): PlacementRule | null {
  const { children } = element;
  if (children.length === 1) return readRule(children[0], findings, INSIDE);
  findings.problem(
    element,
    `${children.length} rules inside the rule nestedUserQueue`,
    "one, which says where queues of users are",
  );
  return null;
}
