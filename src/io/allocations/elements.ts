import { MAX_TIME_US, US_PER_SECOND } from "../../core/kernel/index.js";
import type { PoolMode } from "../../core/scenario/index.js";
import { type Diagnostic, InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { nearest, printable, quote } from "../scenario/show.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { type Place, trimmed, type XmlElement } from "./xml.js";

// The elements of an allocation file: which there are in each of the two forms, what values they may have, and how a table of keys is read.
// `Findings` gathers all that is wrong in a file, and what its author should know.

/** Notes told one by one. */
const MAX_NOTES = 100;

/** Lines named one by one in a note. */
const MAX_LINES = 5;

/** What is wrong in a file, gathered so that all of it is told at once, and what its author should know. */
export class Findings {
  private readonly problems: Diagnostic[] = [];
  /** Lines by what is said of them, so that one thing said of many places is one note. */
  private readonly linesOfNotes = new Map<string, number[]>();

  /** By what was found and where; searching is slow, and files may hold any number of unknown names. */
  private readonly hints = new Map<string, string>();

  constructor(private readonly file: string) {}

  /** @param message what was found and what is allowed. */
  problem({ place }: { readonly place: Place }, message: string): void {
    this.problems.push({ file: this.file, ...place, message });
  }

  /** @param text half a sentence: `<aclSubmitApps> is ignored: ...`. */
  note({ place }: { readonly place: Place }, text: string): void {
    const lines = this.linesOfNotes.get(text);
    if (lines === undefined) this.linesOfNotes.set(text, [place.line]);
    else if (lines.at(-1) !== place.line) lines.push(place.line);
  }

  /** `; did you mean "weight"?` when a name is close to one of those that are known; sought only for as many as can be told. */
  hint(found: string, known: readonly string[]): string {
    const key = `${found} ${known.join(" ")}`;
    const sought = this.hints.get(key);
    if (sought !== undefined) return sought;
    if (this.hints.size >= MAX_NOTES) return "";
    const near = nearest(found, known);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    this.hints.set(key, hint);
    return hint;
  }

  /** @throws InputError with all problems, in the order of the file, if there are any. */
  refuse(): void {
    const { problems, file } = this;
    if (problems.length === 0) return;
    problems.sort((a, b) => a.line - b.line || a.column - b.column);
    const told = problems.slice(0, LIMITS.problems);
    const more = problems.length - told.length;
    if (more > 0) told.push({ file, line: 0, column: 0, message: `found ${String(more)} more problems` });
    throw new InputError(told);
  }

  /** `fair-scheduler.xml, lines 3 and 7: <aclSubmitApps> is ignored: ...`, in the order of the file. */
  notes(): string[] {
    const byLine = [...this.linesOfNotes].map(([text, lines]) => ({ text, lines: lines.sort((a, b) => a - b) }));
    byLine.sort((a, b) => a.lines[0] - b.lines[0]);
    const told = byLine.slice(0, MAX_NOTES).map(({ text, lines }) => `${this.file}, ${lineWords(lines)}: ${text}`);
    const more = byLine.length - told.length;
    if (more > 0) told.push(`${this.file}: ${String(more)} more notes like these`);
    return told;
  }
}

function lineWords(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${String(lines[0])}`;
  const named = lines.slice(0, MAX_LINES).map(String);
  const more = lines.length - named.length;
  const last = more > 0 ? `${String(more)} more` : named.pop();
  return `lines ${named.join(", ")} and ${String(last)}`;
}

/** `hadoop-1`: pools with slots. `yarn`: nested queues with resources. */
type AllocationForm = "hadoop-1" | "yarn";

const FORM_WORDS: Readonly<Record<AllocationForm, string>> = { "hadoop-1": "Hadoop 1", yarn: "YARN" };

interface FormElements {
  readonly root: readonly string[];
  readonly pool: readonly string[];
  readonly user: readonly string[];
}

/**
 * Elements that only one form has, by where they stand. What both have is not here; nor are `<pool>`, which YARN reads as `<queue>`,
 * and `<maxRunningJobs>`, which it passes over: files of YARN hold both.
 */
const OWN_ELEMENTS: Readonly<Record<AllocationForm, FormElements>> = {
  "hadoop-1": {
    root: ["poolMaxJobsDefault", "userMaxJobsDefault", "defaultPoolSchedulingMode", "poolPlacementPolicy"],
    pool: ["minMaps", "minReduces", "maxMaps", "maxReduces"],
    user: [],
  },
  yarn: {
    root: [
      ...["queue", "queueMaxAppsDefault", "userMaxAppsDefault", "defaultQueueSchedulingPolicy"],
      ...["defaultQueueSchedulingMode", "queuePlacementPolicy", "defaultFairSharePreemptionTimeout"],
      ...["defaultFairSharePreemptionThreshold", "queueMaxResourcesDefault", "queueMaxAMShareDefault"],
    ],
    pool: [
      ...["queue", "minResources", "maxResources", "maxChildResources", "maxContainerAllocation", "maxRunningApps"],
      ...["schedulingPolicy", "maxAMShare", "fairSharePreemptionThreshold", "allowPreemptionFrom"],
    ],
    user: ["maxRunningApps"],
  },
};

/** The first element that only one form has, which decides the form; undefined if there is none. */
export function decidingElement(root: XmlElement): OwnElement | undefined {
  return ownElements(root, root.name, "root").next().value ?? undefined;
}

/** The first element that only one form has; undefined if there is none. Elements of the other form are problems. */
export function formOf(root: XmlElement, findings: Findings): OwnElement | undefined {
  const [first, ...others] = ownElements(root, root.name, "root");
  if (first === undefined) return undefined;
  const { form } = first;
  const decided = `<${first.element.name}> on line ${String(first.element.place.line)} makes the file one of ${FORM_WORDS[form]}`;
  for (const { element, parent, form: other } of others) {
    if (other === form) continue;
    const allowed = `one form per file: only ${FORM_WORDS[other]} reads it, and ${decided}`;
    findings.problem(element, `found <${element.name}> in <${parent}>, allowed ${allowed}`);
  }
  return first;
}

/** An element that only one form has. */
export interface OwnElement {
  readonly element: XmlElement;
  /** The name of what it stands in. */
  readonly parent: string;
  readonly form: AllocationForm;
}

/** In the order of the file. */
function* ownElements(outer: XmlElement, parent: string, where: keyof FormElements): Generator<OwnElement, undefined> {
  for (const element of outer.children) {
    const { name } = element;
    for (const form of ["hadoop-1", "yarn"] as const) {
      if (OWN_ELEMENTS[form][where].includes(name)) yield { element, parent, form };
    }
    if (where !== "user" && (name === "pool" || name === "queue")) yield* ownElements(element, name, "pool");
    if (where === "root" && name === "user") yield* ownElements(element, name, "user");
  }
}

/** Reads the value of an element; undefined after a problem was told. */
export type Read<T> = (element: XmlElement, findings: Findings) => T | undefined;

const JAVA_MAX_INT = 2_147_483_647;

const JAVA_MAX_LONG = 9_223_372_036_854_775_807n;

const MAX_SECONDS = BigInt(MAX_TIME_US / US_PER_SECOND);

const MAX_SHARE = LIMITS.nodes * LIMITS.slotsPerNode;

const MIN_WEIGHT = 0.000001;

const MAX_WEIGHT = 1_000_000;

/** Longer numbers are refused unread. Java would read leading zeros without end. */
const LONGEST_NUMBER = 50;

/** Slots promised. */
export const minShare: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(MAX_SHARE));
  if (value !== undefined) return Number(value);
  return refused(element, findings, `a whole number from 0 to ${String(MAX_SHARE)}`);
};

/** Tasks or jobs at once. Hadoop's largest int stands for unlimited. */
export const most: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(JAVA_MAX_INT));
  if (value === undefined) return refused(element, findings, `a whole number from 0 to ${String(JAVA_MAX_INT)}`);
  return Number(value) === JAVA_MAX_INT ? Infinity : Number(value);
};

export const weight: Read<number> = (element, findings) => {
  const value = javaDouble(wordOf(element, findings));
  if (value === 0) return 0;
  if (value !== undefined && value >= MIN_WEIGHT && value <= MAX_WEIGHT) return value;
  return refused(element, findings, `0, or a number from ${String(MIN_WEIGHT)} to ${String(MAX_WEIGHT)}`);
};

/** Seconds as microseconds. What no run can last is never. */
export const timeout: Read<number> = (element, findings) => {
  const seconds = javaInteger(wordOf(element, findings), JAVA_MAX_LONG);
  if (seconds === undefined) {
    return refused(element, findings, `a whole number of seconds from 0 to ${String(JAVA_MAX_LONG)}`);
  }
  if (seconds <= MAX_SECONDS) return Number(seconds) * US_PER_SECOND;
  findings.note(element, `<${element.name}> is longer than 100 years and taken as never`);
  return Infinity;
};

/** Any case, as Hadoop has it. */
export const mode: Read<PoolMode> = (element, findings) => {
  const word = wordOf(element, findings)?.toLowerCase();
  return word === "fair" || word === "fifo" ? word : refused(element, findings, "fair or fifo");
};

/** The attribute `name`, trimmed. */
export const labelOf: Read<string> = (element, findings) => {
  const name = element.attributes.get("name");
  const label = asLabel(name?.trim());
  if (label !== undefined) return label;
  const found = name === undefined ? `no name of <${element.name}>` : `the name ${quote(name)} of <${element.name}>`;
  findings.problem(element, `found ${found}, allowed ${LABEL_ALLOWED}`);
  return undefined;
};

/** The trimmed text of an element that holds nothing else; undefined after a problem was told. */
export function wordOf(element: XmlElement, findings: Findings): string | undefined {
  if (element.children.length === 0) return trimmed(element.text);
  const [inner] = element.children;
  findings.problem(inner, `found <${inner.name}> inside <${element.name}>, allowed only text`);
  return undefined;
}

/** Tells that the text of an element is none of what is allowed, unless it is told already that it holds no text. */
export function refused(element: XmlElement, findings: Findings, allowed: string): undefined {
  if (element.children.length > 0) return;
  const text = trimmed(element.text);
  const found = text === "" ? "nothing" : quote(text);
  findings.problem(element, `found ${found} in <${element.name}>, allowed ${allowed}`);
}

/** Tells that text stands where only elements belong. */
export function elementsOnly(element: XmlElement, findings: Findings): void {
  const text = trimmed(element.text);
  if (text === "") return;
  findings.problem(element, `found the text ${quote(text)} in <${element.name}>, allowed only elements`);
}

/** Notes attributes that nothing reads. */
export function onlyAttributes(known: readonly string[], element: XmlElement, findings: Findings): void {
  for (const attribute of element.attributes.keys()) {
    if (known.includes(attribute)) continue;
    findings.note(
      element,
      `the attribute ${quote(attribute)} of <${element.name}> is ignored${findings.hint(attribute, known)}`,
    );
  }
}

/** A whole number as Java's `parseLong` reads it, from 0 to `max`. */
export function javaInteger(text: string | undefined, max: bigint): bigint | undefined {
  if (text === undefined || text.length > LONGEST_NUMBER || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value >= 0n && value <= max ? value : undefined;
}

/** A number as Java's `parseDouble` reads it, but for NaN, Infinity and hexadecimal. */
export function javaDouble(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST_NUMBER) return undefined;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[fd]?$/i.test(text)) return undefined;
  return Number(text.replace(/[fd]$/i, ""));
}

/** What the children of an element may be, in one of the two forms. */
export interface Keys<Target> {
  /** Where they stand, as a message says it: `a pool`. */
  readonly where: string;
  /** What each known child does. */
  readonly known: ReadonlyMap<string, (target: Target, element: XmlElement, findings: Findings) => void>;
  /** Children that mean something to Hadoop and nothing here, with the reason. */
  readonly ignored: ReadonlyMap<string, string>;
}

/** Reads every child of an element: known ones into `target`, others into notes. */
export function readKeys<Target>(keys: Keys<Target>, parent: XmlElement, target: Target, findings: Findings): void {
  const { where, known, ignored } = keys;
  for (const child of parent.children) {
    const { name } = child;
    const apply = known.get(name);
    const reason = ignored.get(name);
    if (apply !== undefined) {
      apply(target, child, findings);
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
