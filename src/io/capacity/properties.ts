import type { Findings } from "../allocations/findings.js";
import { elementsOnly, onlyAttributes, wordOf } from "../allocations/values.js";
import type { XmlElement } from "../allocations/xml-element.js";
import { printable } from "../scenario/show.js";

/** A property of a Hadoop configuration file. */
export interface Property {
  readonly name: string;
  /** Trimmed. */
  readonly value: string;
  readonly element: XmlElement;
}

/** Far more than any property that means something. */
const LONGEST_NAME = 400;

/** What a `<property>` may hold beside its name and value. */
const WITHOUT_MEANING = ["description", "final", "source"];

/** The properties under `<configuration>` by name, in the order of the file. Of those given twice the last one counts, with a note. */
export function readProperties(root: XmlElement, findings: Findings): Map<string, Property> {
  const properties = new Map<string, Property>();
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  for (const element of root.children) {
    if (element.name !== "property") {
      const found = printable(element.name).slice(0, 60);
      const hint = findings.hint(element.name, ["property"]);
      findings.note(element, `<${found}> in <configuration> is unknown and ignored, as Hadoop does${hint}`);
      continue;
    }
    const property = readProperty(element, findings);
    if (property === undefined) continue;
    if (properties.has(property.name)) {
      findings.note(element, `${shownName(property.name)} is given again; the last value counts`);
    }
    properties.set(property.name, property);
  }
  return properties;
}

function readProperty(element: XmlElement, findings: Findings): Property | undefined {
  elementsOnly(element, findings);
  const texts = new Map<string, string>();
  for (const child of element.children) {
    if (child.name === "name" || child.name === "value") {
      const word = wordOf(child, findings);
      if (word === undefined) return undefined;
      texts.set(child.name, word);
    } else if (!WITHOUT_MEANING.includes(child.name)) {
      const found = printable(child.name).slice(0, 60);
      const hint = findings.hint(child.name, ["name", "value"]);
      findings.note(child, `<${found}> in <property> is unknown and ignored, as Hadoop does${hint}`);
    }
  }
  const [name, value] = [texts.get("name"), texts.get("value")];
  if (name === undefined || name === "") {
    findings.problem(element, "found a <property> without a <name>, allowed <name> and <value>");
    return undefined;
  }
  if (name.length > LONGEST_NAME) {
    const found = `found a property name of ${String(name.length)} characters`;
    findings.problem(element, `${found}, allowed at most ${String(LONGEST_NAME)}`);
    return undefined;
  }
  if (value === undefined) {
    findings.problem(element, `found no <value> of ${shownName(name)}, allowed <name> and <value>`);
    return undefined;
  }
  return { name, value, element };
}

/** The name of a property as a message says it. */
export function shownName(name: string): string {
  return printable(name).slice(0, 160);
}
