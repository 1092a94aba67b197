import { LIMITS } from "../scenario/limits.js";
import type { Findings } from "./findings.js";
import { refused, wordOf } from "./values.js";
import type { XmlElement } from "./xml-element.js";

const ALLOWED =
  'resources such as "1024 mb, 4 vcores", "4 vcores", "vcores=4, memory-mb=1024", or shares such as "50%" or "50% cpu, 20% memory"';
const MAX_VCORES = LIMITS.nodes * LIMITS.slotsPerNode;
const LONGEST_TEXT = 1000;

const AMOUNT = /^(\d{1,20})(?:\.\d{0,20})?\s*(mb|vcores)$/;
const SHARE = /^\d{1,20}(?:\.\d{0,20})?\s*%(?:\s*(?:cpu|memory|vcores|memory-mb))?$/;
const ASSIGNMENT = /^([a-z][a-z0-9./_-]{0,60})\s*=\s*(\d{1,20})(?:\.\d{0,20})?\s*(%?)$/;

/**
 * The vcores of a resource text of YARN: `1024 mb, 4 vcores` or `vcores=4, memory-mb=1024`, fractions cut off. null: it names none.
 * Other resources and shares of the cluster mean nothing here and become notes.
 * @returns undefined after a problem was told.
 */
export function readVcores(element: XmlElement, findings: Findings): number | null | undefined {
  const text = wordOf(element, findings);
  if (text === undefined || text === "" || text.length > LONGEST_TEXT) return refused(element, findings, ALLOWED);
  let vcores: number | null = null;
  for (const part of partsOf(text.toLowerCase())) {
    const amount = amountOf(part);
    if (amount === undefined) return refused(element, findings, ALLOWED);
    const { resource, value } = amount;
    if (value === null) {
      findings.note(
        element,
        `a share of the cluster in <${element.name}> is ignored: only numbers of vcores are taken`,
      );
    } else if (resource !== "vcores") {
      findings.note(element, `${resource} in <${element.name}> is ignored: slots are the only resource here`);
    } else if (value > MAX_VCORES) {
      return refused(element, findings, `at most ${String(MAX_VCORES)} vcores`);
    } else {
      vcores = value;
    }
  }
  return vcores;
}

/** YARN looks for each resource anywhere in the text, so blanks separate amounts as well as commas do. */
function partsOf(text: string): string[] {
  return text
    .replace(/(mb|vcores)\s+(?=\d)/g, "$1,")
    .split(",")
    .map((part) => part.trim());
}

/** `value` null: a share of the cluster. */
function amountOf(part: string): { resource: string; value: number | null } | undefined {
  const amount = AMOUNT.exec(part);
  if (amount !== null) return { resource: amount[2] === "mb" ? "memory" : "vcores", value: Number(amount[1]) };
  if (SHARE.test(part)) return { resource: "", value: null };
  const assignment = ASSIGNMENT.exec(part);
  if (assignment === null) return undefined;
  const [, resource, value, percent] = assignment;
  return { resource: resource === "memory-mb" ? "memory" : resource, value: percent === "%" ? null : Number(value) };
}
