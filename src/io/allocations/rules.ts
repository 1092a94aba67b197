import { allowedNames, quote } from "../scenario/show.js";
import { elementsOnly, type Findings, onlyAttributes } from "./elements.js";
import type { XmlElement } from "./xml.js";

// Placement rules of an allocation file, written `<rule name="user"/>` or `<user/>`.

interface Rule {
  readonly rule: string;
  readonly create: boolean;
}

/**
 * Reads the rules of a placement policy. The last rule must place or refuse every job; an earlier rule must not.
 * @param decides whether a rule places or refuses every job.
 * @param deciding words for the rules that do so.
 * @returns null after a problem was reported.
 */
export function readRules<R extends Rule>(
  policy: XmlElement,
  findings: Findings,
  read: (element: XmlElement, findings: Findings) => R | null,
  decides: (rule: R) => boolean,
  deciding: string,
): readonly R[] | null {
  elementsOnly(policy, findings);
  onlyAttributes([], policy, findings);
  const { name, children } = policy;
  if (children.length === 0) {
    findings.problem(policy, `no rule in <${name}>`, "rules of which the last one always decides");
    return null;
  }
  const rules: R[] = [];
  for (const [i, element] of children.entries()) {
    const rule = read(element, findings);
    if (rule === null) continue;
    rules.push(rule);
    const isLast = i === children.length - 1;
    if (isLast === decides(rule)) continue;
    const actual = `the rule ${rule.rule}${rule.rule === "reject" ? "" : ` with create="${rule.create}"`}`;
    if (isLast) {
      findings.problem(element, `${actual} as the last one`, `one that always decides, reject or ${deciding}`);
    } else {
      findings.problem(element, `${actual} before others`, "it only as the last one; those after it are never reached");
    }
  }
  return rules.length === children.length ? rules : null;
}

/** The name of a rule, and whether its queue or pool may be made; null after a problem was reported. */
export function ruleOf<Name extends string>(
  element: XmlElement,
  findings: Findings,
  names: readonly Name[],
): { readonly rule: Name; readonly create: boolean | undefined } | null {
  elementsOnly(element, findings);
  const name = element.name === "rule" ? element.attributes.get("name") : element.name;
  const rule = names.find((known) => known === name);
  if (rule !== undefined) return { rule, create: readCreate(element, findings) };
  findings.problem(
    element,
    name === undefined ? "no name of a rule" : `the rule ${quote(name)}`,
    allowedNames([...names], name),
  );
  return null;
}

export function nothingInside({ children }: XmlElement, rule: string, findings: Findings): void {
  if (children.length === 0) return;
  const [inner] = children;
  findings.problem(inner, `<${inner.name}> inside the rule ${rule}`, "nothing inside");
}

function readCreate(element: XmlElement, findings: Findings): boolean | undefined {
  const text = element.attributes.get("create");
  const word = text?.trim().toLowerCase() ?? "true";
  if (word === "true" || word === "false") return word === "true";
  return findings.problem(element, `${quote(text ?? "")} for the attribute create`, "true, false");
}
