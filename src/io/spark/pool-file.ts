import { counted } from "../../core/kernel/index.js";
import { type PoolSpec, type PoolTexts, poolOfTexts } from "../../core/platforms/spark/index.js";
import { Findings } from "../allocations/elements.js";
import { parseXml, xmlTooLarge, type XmlElement } from "../allocations/xml.js";
import { printable, quote } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { fileProblem } from "../input-error.js";

// Spark's file of pools, fairscheduler.xml.

export interface ReadPools {
  /** In the order of the file; the engine makes pools of them. */
  readonly texts: readonly PoolTexts[];
  /** The meaning of each of them, and its line. */
  readonly pools: readonly (PoolSpec & { readonly line: number })[];
  /** Notes for the user, with file and lines: elements and values that Spark ignores, or takes otherwise. */
  readonly notes: readonly string[];
}

const POOL_FILE: TextFileKind = {
  file: "a fairscheduler.xml of Spark",
  tooLarge: xmlTooLarge,
};

const MOST_POOLS = 10_000;

/**
 * Reads a file of pools as Spark does: every `<pool>` at any depth is a pool, and of a value that cannot be read the
 * default holds.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, is no XML, or has too many pools.
 */
export function readSparkPools(path: string, shown: string): ReadPools {
  return sparkPoolsOf(parseXml(readTextFile(path, shown, POOL_FILE), shown), shown);
}

/** The same from a tree. */
export function sparkPoolsOf(root: XmlElement, shown: string): ReadPools {
  const findings = new Findings(shown);
  if (root.name !== "allocations") {
    findings.note(
      root,
      `the root element is <${printable(root.name).slice(0, 60)}> and not <allocations>; Spark looks for <pool> in any`,
    );
  }
  const elements: XmlElement[] = [];
  collect(root, false, elements, findings);
  if (elements.length > MOST_POOLS)
    throw fileProblem(shown, `has ${counted(elements.length, "pool")}, expected at most ${MOST_POOLS}`);
  if (elements.length === 0) findings.note(root, "no <pool> is in it: FAIR mode has the pool default alone");
  const texts = elements.map(textsOf);
  const seen = new Set<string>();
  const pools = texts.map((pool, index) => {
    const element = elements[index];
    const spec = poolOfTexts(pool);
    noteValues(element, pool, spec, findings);
    if (seen.has(pool.name)) findings.note(element, `pool ${quote(pool.name)} is declared again; jobs go to the last`);
    seen.add(pool.name);
    return { ...spec, line: element.place.line };
  });
  return { texts, pools, notes: findings.notes() };
}

const VALUES = ["schedulingMode", "minShare", "weight"] as const;

function collect(element: XmlElement, isInPool: boolean, pools: XmlElement[], findings: Findings): void {
  const isPool = element.name === "pool";
  if (isPool) {
    pools.push(element);
    if (isInPool) findings.note(element, "a <pool> inside another is a pool beside it: files of Spark nest none");
  }
  for (const child of element.children) {
    const isValue = VALUES.some((name) => name === child.name);
    if (isPool && !isValue && child.name !== "pool") {
      const hint = findings.hint(child.name, VALUES);
      findings.note(
        child,
        `<${printable(child.name).slice(0, 60)}> in a pool is unknown and ignored, as Spark does${hint}`,
      );
    }
    collect(child, isInPool || isPool, pools, findings);
  }
}

/** The texts of all children of a name, joined, as Spark takes them. */
function textsOf(element: XmlElement): PoolTexts {
  const textOf = (name: string) => {
    const texts = element.children.filter((child) => child.name === name).map(({ text }) => text);
    return texts.length === 0 ? undefined : texts.join("");
  };
  return {
    name: element.attributes.get("name") ?? "",
    schedulingMode: textOf("schedulingMode"),
    minShare: textOf("minShare"),
    weight: textOf("weight"),
  };
}

function noteValues(element: XmlElement, texts: PoolTexts, spec: PoolSpec, findings: Findings): void {
  const pool = `pool ${quote(spec.name)}`;
  if (!element.attributes.has("name")) findings.note(element, 'a <pool> without the attribute name is called ""');
  const mode = texts.schedulingMode?.trim().toUpperCase();
  if (mode !== undefined && mode !== spec.mode) {
    findings.note(
      element,
      `${pool}: schedulingMode ${quote(texts.schedulingMode ?? "")} is none; FIFO holds, as in Spark`,
    );
  }
  for (const key of ["minShare", "weight"] as const) {
    const text = texts[key];
    if (text === undefined || Number(text.trim() || "x") === spec[key]) continue;
    findings.note(element, `${pool}: ${key} ${quote(text.trim())} is no whole number; ${spec[key]} holds, as in Spark`);
  }
  if (spec.weight <= 0)
    findings.note(
      element,
      `${pool}: weight ${spec.weight} divides by it; Spark allows it, with an order that means nothing`,
    );
}
