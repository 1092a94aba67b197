import { printable } from "../scenario/show.js";
import type { Findings } from "./findings.js";
import { onlyAttributes } from "./values.js";
import type { XmlElement } from "./xml-element.js";

/** What the children of an element may be, in one of the two forms. */
export interface Keys<Target> {
  /** Where they stand, as a message says it: `a pool`. */
  readonly where: string;
  /** What each known child does. */
  readonly known: ReadonlyMap<string, (target: Target, element: XmlElement, findings: Findings) => void>;
  /** Children that mean something to Hadoop and nothing here, with the reason. */
  readonly ignored: ReadonlyMap<string, string>;
  /** Children of the other form. */
  readonly foreign: ReadonlySet<string>;
  /** What to write in their place. */
  readonly foreignHint: string;
}

/** Reads every child of an element: known ones into `target`, others into notes; those of the other form are problems. */
export function readKeys<Target>(keys: Keys<Target>, parent: XmlElement, target: Target, findings: Findings): void {
  const { where, known, ignored, foreign, foreignHint } = keys;
  for (const child of parent.children) {
    const { name } = child;
    const apply = known.get(name);
    const reason = ignored.get(name);
    if (apply !== undefined) {
      apply(target, child, findings);
    } else if (foreign.has(name)) {
      findings.problem(child, `found <${name}> in ${where}, allowed one form per file; ${foreignHint}`);
    } else if (reason !== undefined) {
      findings.note(child, `<${name}> is ignored: ${reason}`);
    } else {
      const hint = findings.hint(name, [...known.keys()]);
      findings.note(
        child,
        `<${printable(name).slice(0, 60)}> in ${where} is unknown and ignored, as Hadoop does${hint}`,
      );
    }
  }
}

/** A child that sets one value of the target. A second one wins, with a note. */
export function setting<Target extends object, Key extends keyof Target>(
  key: Key,
  read: (element: XmlElement, findings: Findings) => Target[Key] | undefined,
): (target: Target, element: XmlElement, findings: Findings) => void {
  return (target, element, findings) => {
    onlyAttributes([], element, findings);
    const value = read(element, findings);
    if (value !== undefined) target[key] = value;
  };
}
