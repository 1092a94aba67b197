import { elementsOnly, type Findings, onlyAttributes } from "../allocations/elements.js";
import type { XmlElement } from "../allocations/xml.js";
import { allowedNames, quote } from "../scenario/show.js";

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

/**
 * The rules of `<queuePlacementPolicy>`, written `<rule name="user"/>` or `<user/>`. The last rule must decide in every
 * case, and no earlier one may.
 * @returns null after a problem was reported.
 */
export function readPlacement(policy: XmlElement, findings: Findings): readonly PlacementRule[] | null {
  elementsOnly(policy, findings);
  onlyAttributes([], policy, findings);
  if (policy.children.length === 0) {
    findings.problem(policy, `found no rule in <${policy.name}>, allowed rules of which the last one always decides`);
    return null;
  }
  const rules: PlacementRule[] = [];
  for (const [i, element] of policy.children.entries()) {
    const rule = readRule(element, findings);
    if (rule === null) continue;
    rules.push(rule);
    const isLast = i === policy.children.length - 1;
    if (isLast === decides(rule)) continue;
    const actual = `the rule ${rule.rule}${rule.rule === "reject" ? "" : ` with create="${String(rule.create)}"`}`;
    findings.problem(
      element,
      isLast
        ? `found ${actual} as the last one, allowed one that always decides: reject, or default, user or primaryGroup with create="true"`
        : `found ${actual} before others, allowed only as the last one: those after it are never reached`,
    );
  }
  return rules.length === policy.children.length ? rules : null;
}

/** Whether it names a queue, or refuses, whatever the application. */
function decides({ rule, create, inside }: PlacementRule): boolean {
  if (rule === "reject") return true;
  if (rule === "specified" || rule === "secondaryGroupExistingQueue") return false;
  return create && (inside === null || decides(inside));
}

function readRule(element: XmlElement, findings: Findings, outer?: XmlElement): PlacementRule | null {
  elementsOnly(element, findings);
  onlyAttributes(["name", "create", "queue"], element, findings);
  const name = element.name === "rule" ? element.attributes.get("name") : element.name;
  const rule = NAMES.find((known) => known === name);
  if (rule === undefined || (outer !== undefined && (rule === "nestedUserQueue" || rule === "reject"))) {
    const actual = name === undefined ? "no name of a rule" : `the rule ${quote(name)}`;
    const allowed =
      outer === undefined ? NAMES : NAMES.filter((known) => known !== "nestedUserQueue" && known !== "reject");
    findings.problem(element, `found ${actual}, allowed ${allowedNames(allowed, name)}`);
    return null;
  }
  const create = readCreate(element, findings);
  const inside = rule === "nestedUserQueue" ? readInside(element, findings) : null;
  if (create === undefined || (rule === "nestedUserQueue" && inside === null)) return null;
  if (rule !== "nestedUserQueue" && element.children.length > 0) {
    const [inner] = element.children;
    findings.problem(inner, `found <${inner.name}> inside the rule ${rule}, allowed nothing inside`);
  }
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
  if (children.length === 1) return readRule(children[0], findings, element);
  const actual = `${String(children.length)} rules inside the rule nestedUserQueue`;
  findings.problem(element, `found ${actual}, allowed one, which says where queues of users are`);
  return null;
}

function readCreate(element: XmlElement, findings: Findings): boolean | undefined {
  const text = element.attributes.get("create");
  const word = text?.trim().toLowerCase() ?? "true";
  if (word === "true" || word === "false") return word === "true";
  findings.problem(element, `found ${quote(text ?? "")} for the attribute create, allowed true, false`);
  return undefined;
}
