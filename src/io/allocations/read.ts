import type { AllocationsSpec } from "../../core/scenario/index.js";
import type { Diagnostic } from "../input-error.js";
import { elementsOnly, Findings, formOf, onlyAttributes, type ReadConfig } from "./elements.js";
import { hadoopAllocations } from "./hadoop-pools.js";
import { parseXml, readXml, requireRoot, type XmlElement } from "./xml.js";

export interface ReadAllocations extends ReadConfig {
  readonly allocations: AllocationsSpec;
  /** The place of its placement rules; null: it has none. */
  readonly placementAt: Pick<Diagnostic, "file" | "line" | "column"> | null;
}

/**
 * Reads an allocation file, `fair-scheduler.xml` of Hadoop 0.21 and 1.x. One of YARN's is refused: slots cannot say
 * what it says.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when there is no such file, at broken XML, or with all that is wrong in well-formed XML. Nothing
 * of a refused file is used.
 */
export function readAllocations(path: string, shown: string): ReadAllocations {
  return allocationsOf(readXml(path, shown, "an allocation file", "an allocation file in XML"), shown);
}

/** The same from a text that has been read. */
export function parseAllocations(text: string, shown: string): ReadAllocations {
  return allocationsOf(parseXml(text, shown), shown);
}

/** The same from a tree. */
export function allocationsOf(root: XmlElement, shown: string): ReadAllocations {
  requireRoot(root, "allocations", shown);
  const findings = new Findings(shown);
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  const decided = formOf(root, findings);
  if (decided?.form === "yarn") {
    const { element, parent } = decided;
    findings.problem(
      element,
      `<${element.name}> in <${parent}>, of a file of YARN`,
      "elements of Hadoop 1; `platform: yarn` with kind yarn-fair and scheduler.allocations runs it as YARN means it",
    );
    findings.refuse(root);
  }
  const allocations = hadoopAllocations(root, findings);
  const read = findings.result(root);
  const policy = root.children.find(({ name }) => name.endsWith("PlacementPolicy"));
  const placementAt = policy === undefined ? null : { file: shown, ...policy.place };
  return { allocations, ...read, placementAt };
}
