import type { AllocationsSpec } from "../../core/scenario/index.js";
import { InputError, type Diagnostic } from "../input-error.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { LIMITS } from "../scenario/limits.js";
import { printable } from "../scenario/show.js";
import { type ConfigElement, elementsOnly, Findings, formOf, onlyAttributes } from "./elements.js";
import { hadoopAllocations } from "./hadoop-pools.js";
import { parseXml, xmlTooLarge, type XmlElement } from "./xml.js";

export interface ReadAllocations {
  readonly allocations: AllocationsSpec;
  /** Notes for the user, one each, with the file's name and lines: elements that were ignored, merged or changed. */
  readonly notes: readonly string[];
  /** Every element of the file. */
  readonly elements: readonly ConfigElement[];
  /** The place of its placement rules; null: it has none. */
  readonly placementAt: Pick<Diagnostic, "file" | "line" | "column"> | null;
}

const ALLOCATION_FILE: TextFileKind = {
  file: "an allocation file",
  contents: "an allocation file in XML",
  mostBytes: LIMITS.fileBytes,
  tooLarge: xmlTooLarge,
};

/**
 * Reads an allocation file, `fair-scheduler.xml` of Hadoop 0.21 and 1.x. One of YARN's is refused: slots cannot say
 * what it says.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when there is no such file, at broken XML, or with all that is wrong in well-formed XML. Nothing
 * of a refused file is used.
 */
export function readAllocations(path: string, shown: string): ReadAllocations {
  return parseAllocations(readTextFile(path, shown, ALLOCATION_FILE), shown);
}

/** The same from a text that has been read. */
export function parseAllocations(text: string, shown: string): ReadAllocations {
  return allocationsOf(parseXml(text, shown), shown);
}

/** The same from a tree. */
export function allocationsOf(root: XmlElement, shown: string): ReadAllocations {
  if (root.name !== "allocations") {
    const message = `found the root element <${printable(root.name).slice(0, 60)}>, allowed <allocations>`;
    throw new InputError([{ file: shown, ...root.place, message }]);
  }
  const findings = new Findings(shown);
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  const decided = formOf(root, findings);
  if (decided?.form === "yarn") {
    const { element, parent } = decided;
    const allowed =
      "elements of Hadoop 1: `platform: yarn` with kind yarn-fair and scheduler.allocations runs it as YARN means it";
    findings.problem(element, `found <${element.name}> in <${parent}>, of a file of YARN, allowed ${allowed}`);
    findings.refuse(root);
  }
  const allocations = hadoopAllocations(root, findings);
  findings.refuse(root);
  const policy = root.children.find(({ name }) => name.endsWith("PlacementPolicy"));
  const placementAt = policy === undefined ? null : { file: shown, ...policy.place };
  return { allocations, notes: findings.notes(), elements: findings.elements(root), placementAt };
}
