import type { PlacementRuleName, PlacementRuleSpec } from "../../core/scenario/scenario.js";
import { allowedNames, quote } from "../scenario/show.js";
import type { Findings } from "./findings.js";
import { elementsOnly, onlyAttributes } from "./values.js";
import type { XmlElement } from "./xml-element.js";

type RuleNames = ReadonlyMap<string, PlacementRuleName | "nested">;

const SHARED_RULES = ["specified", "user", "primaryGroup", "default", "reject"] as const;

/** Rules of `poolPlacementPolicy`. */
export const HADOOP_RULES: RuleNames = new Map<string, PlacementRuleName>([
  ...SHARED_RULES.map((name) => [name, name] as const),
  ["secondaryGroupExistingPool", "secondaryGroupExistingPool"],
]);

/** Rules of `queuePlacementPolicy`. */
export const YARN_RULES: RuleNames = new Map<string, PlacementRuleName | "nested">([
  ...SHARED_RULES.map((name) => [name, name] as const),
  ["secondaryGroupExistingQueue", "secondaryGroupExistingPool"],
  ["nestedUserQueue", "nested"],
]);

/**
 * The rules that choose a job's pool (semantics section 2.4), written `<rule name="user"/>` or `<user/>`. The last rule must
 * decide in every case, and no earlier one may.
 * @returns null after a problem was told.
 */
export function readPlacement(
  names: RuleNames,
  policy: XmlElement,
  findings: Findings,
): readonly PlacementRuleSpec[] | null {
  elementsOnly(policy, findings);
  onlyAttributes([], policy, findings);
  const rules = policy.children.map((element) => ({ element, spec: readRule(names, element, findings) }));
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
    const found = `the rule ${spec.rule}${spec.rule === "reject" ? "" : ` with create="${String(spec.create)}"`}`;
    const message = isLast
      ? `found ${found} as the last one, allowed one that always decides: reject, or create="true" with another rule than specified`
      : `found ${found} before others, allowed only as the last one: those after it are never reached`;
    findings.problem(element, message);
  }
  return specs.length === rules.length ? specs : null;
}

/** Whether a rule names a pool, or refuses, whatever the job. */
function decides({ rule, create }: PlacementRuleSpec): boolean {
  return rule === "reject" || (rule !== "specified" && create);
}

function readRule(names: RuleNames, element: XmlElement, findings: Findings): PlacementRuleSpec | null {
  elementsOnly(element, findings);
  onlyAttributes(["name", "create", "queue"], element, findings);
  const name = element.name === "rule" ? element.attributes.get("name") : element.name;
  const rule = names.get(name ?? "");
  if (rule === undefined) {
    const found = name === undefined ? "no name of a rule" : `the rule ${quote(name)}`;
    findings.problem(element, `found ${found}, allowed ${allowedNames([...names.keys()], name)}`);
    return null;
  }
  if (rule === "nested") return readNested(names, element, findings);
  if (element.children.length > 0) {
    const [inner] = element.children;
    findings.problem(inner, `found <${inner.name}> inside the rule ${rule}, allowed nothing inside`);
  }
  noteOtherDefault(rule, element, findings);
  const create = readCreate(element, findings);
  return create === undefined ? null : { rule, create };
}

/** A pool per user inside the pool of another rule: the pools of the scenario are known beforehand, so the outer one it is. */
function readNested(names: RuleNames, element: XmlElement, findings: Findings): PlacementRuleSpec | null {
  const [inner, ...others] = element.children;
  if (element.children.length === 0 || others.length > 0) {
    const found = `${String(element.children.length)} rules inside the rule nestedUserQueue`;
    findings.problem(element, `found ${found}, allowed one`);
    return null;
  }
  const spec = readRule(names, inner, findings);
  if (spec === null) return null;
  findings.note(
    element,
    `the rule nestedUserQueue is taken as its inner rule ${spec.rule}: users share that pool and get none of their own in it`,
  );
  return spec;
}

function noteOtherDefault(rule: PlacementRuleName, element: XmlElement, findings: Findings): void {
  const queue = element.attributes.get("queue");
  if (queue === undefined) return;
  if (rule !== "default") {
    findings.note(element, `the attribute "queue" of the rule ${rule} is ignored; only default has one`);
  } else if (queue.trim() !== "default" && queue.trim() !== "root.default") {
    findings.note(element, `the rule default names the queue ${quote(queue)}; here it always means the pool default`);
  }
}

function readCreate(element: XmlElement, findings: Findings): boolean | undefined {
  const text = element.attributes.get("create");
  const word = text?.trim().toLowerCase() ?? "true";
  if (word === "true" || word === "false") return word === "true";
  findings.problem(element, `found ${quote(text ?? "")} for the attribute create, allowed true, false`);
  return undefined;
}
