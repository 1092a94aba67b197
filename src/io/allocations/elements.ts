import { MAX_TIME_US, US_PER_SECOND, mismatch, ascending } from "../../core/kernel/index.js";
import { LIMITS, type PoolMode } from "../../core/scenario/index.js";
import { type Diagnostic, InputError, problemOf } from "../input-error.js";
import { nearest, printable, quote } from "../scenario/show.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { type Place, trimmed, type XmlElement } from "./xml.js";

// The elements of an allocation file: which there are in each of the two forms, what values they may have, and how a
// table of keys is read. `Findings` gathers all that is wrong in a file, and what its author should know.

/** Notes that are listed one by one. */
const MAX_NOTES = 100;

/** Lines named one by one in a note. */
const MAX_LINES = 5;

/** An element of a file, or a property, and what becomes of it. */
export interface ConfigElement {
  readonly line: number;
  /** With what it stands in: `queue etl > weight`; a property by its name. */
  readonly element: string;
  readonly value: string;
  readonly standing: "honoured" | "without effect" | "refused";
  /** The reason, or a remark; may be empty. */
  readonly why: string;
}

/** The notes and elements of a file of any kind. */
export interface ReadConfig {
  /** Notes for the user, one each, with the file's name and lines: what was ignored, merged or changed. */
  readonly notes: readonly string[];
  /** Every element or property of the file. */
  readonly elements: readonly ConfigElement[];
}

/** A refused file, with all its elements. */
export class RefusedFile extends InputError {
  constructor(
    diagnostics: readonly Diagnostic[],
    readonly elements: readonly ConfigElement[],
  ) {
    super(diagnostics);
  }
}

/** Problems of a file, gathered to be reported together, and notes for its author. */
export class Findings {
  private readonly problems: Diagnostic[] = [];
  /** By line and column what was found there first: files may hold any number of problems, and of elements. */
  private readonly firstProblems = new Map<string, string>();
  /** By the place of an element: what was said of it, and of those without effect why. */
  private readonly said = new Map<Place, string[]>();
  private readonly effectless = new Map<Place, string>();
  /** Lines by what is said of them, so that one thing said of many places is one note. */
  private readonly linesOfNotes = new Map<string, number[]>();

  /** By what was found and where; searching is slow, and files may hold any number of unknown names. */
  private readonly hints = new Map<string, string>();

  constructor(private readonly file: string) {}

  problem({ place }: { readonly place: Place }, actual: string, allowed: string): undefined {
    const message = mismatch(actual, allowed);
    const key = `${place.line}:${place.column}`;
    if (!this.firstProblems.has(key)) this.firstProblems.set(key, message);
    this.problems.push({ file: this.file, ...place, message });
  }

  /** @param text half a sentence: `<aclSubmitApps> is ignored: ...`. */
  note({ place }: { readonly place: Place }, text: string): void {
    this.means({ place }, text);
    this.summary(place, text);
  }

  /** @param subject half a sentence, `<aclSubmitApps> is ignored`; the element then has no effect. */
  unused({ place }: { readonly place: Place }, subject: string, why: string): void {
    this.effectless.set(place, why);
    this.summary(place, `${subject}: ${why}`);
  }

  /** Marks a property without any part in scheduling: there may be hundreds, and no note is made of each. */
  hasNoPart({ place }: { readonly place: Place }): void {
    this.effectless.set(place, "it has no part in when and where containers run");
  }

  /** Records the meaning of an element for the list of all elements; it is no note. */
  means({ place }: { readonly place: Place }, text: string): void {
    const texts = this.said.get(place) ?? [];
    this.said.set(place, texts);
    texts.push(text);
  }

  /** Adds a note on several elements at one of them. */
  summary(place: Place, text: string): void {
    const lines = this.linesOfNotes.get(text);
    if (lines === undefined) this.linesOfNotes.set(text, [place.line]);
    else if (lines.at(-1) !== place.line) lines.push(place.line);
  }

  /**
   * `; did you mean "weight"?` when a name is close to a known one; searched only as often as notes can be listed.
   */
  hint(misspelt: string, known: readonly string[]): string {
    const key = `${misspelt} ${known.join(" ")}`;
    const sought = this.hints.get(key);
    if (sought !== undefined) return sought;
    if (this.hints.size >= MAX_NOTES) return "";
    const near = nearest(misspelt, known);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    this.hints.set(key, hint);
    return hint;
  }

  /**
   * Every element of the file, in its order; of a configuration every property. Of the outermost only what is said of
   * it.
   */
  elements(root: XmlElement): ConfigElement[] {
    const rows: ConfigElement[] = [];
    const why = this.said.get(root.place);
    if (why !== undefined) rows.push({ ...this.elementOf(root, "", null), why: why.join("; ") });
    for (const child of root.children) this.collect(child, "", null, rows);
    return rows;
  }

  /** @param idle why what it stands in has no effect. */
  private collect(element: XmlElement, outer: string, idle: string | null, rows: ConfigElement[]): void {
    const row = this.elementOf(element, outer, idle);
    rows.push(row);
    // A property is one element; notes on a part of it are listed at that part.
    const isProperty = element.name === "property" && outer === "";
    const inner = isProperty ? element.children.filter(({ place }) => this.knows(place)) : element.children;
    const why = row.standing === "without effect" ? (idle ?? "what it stands in has no effect") : null;
    for (const child of inner) this.collect(child, row.element, why, rows);
  }

  private knows(place: Place): boolean {
    return this.said.has(place) || this.effectless.has(place) || this.problemAt(place) !== undefined;
  }

  private problemAt({ line, column }: Place): string | undefined {
    return this.firstProblems.get(`${line}:${column}`);
  }

  private elementOf(element: XmlElement, outer: string, idle: string | null): ConfigElement {
    const { place } = element;
    const childText = (name: string) => element.children.find((child) => child.name === name)?.text;
    const property = outer === "" && element.name === "property" ? childText("name") : undefined;
    const label = element.attributes.get("name");
    const ownName = trimmed(property ?? (label === undefined ? element.name : `${element.name} ${label}`));
    const value =
      property === undefined ? (element.children.length > 0 ? "" : element.text) : (childText("value") ?? "");
    const refusal = this.problemAt(place);
    const reason = this.effectless.get(place) ?? idle;
    return {
      line: place.line,
      element: printable(outer === "" ? ownName : `${outer} > ${ownName}`),
      value: printable(trimmed(value)),
      standing: refusal !== undefined ? "refused" : reason !== null ? "without effect" : "honoured",
      why: refusal ?? reason ?? (this.said.get(place) ?? []).join("; "),
    };
  }

  /** @throws RefusedFile with all problems, in the order of the file, if there are any. */
  refuse(root: XmlElement): void {
    const { problems, file } = this;
    if (problems.length === 0) return;
    const elements = this.elements(root);
    problems.sort((a, b) => a.line - b.line || a.column - b.column);
    const reported = problems.slice(0, LIMITS.problems);
    const more = problems.length - reported.length;
    if (more > 0) reported.push(problemOf(file, `${more} more problems`));
    throw new RefusedFile(reported, elements);
  }

  /** The notes and elements of a file. @throws RefusedFile with all problems, if there are any. */
  result(root: XmlElement): ReadConfig {
    this.refuse(root);
    return { notes: this.notes(), elements: this.elements(root) };
  }

  /** `fair-scheduler.xml, lines 3 and 7: <aclSubmitApps> is ignored: ...`, in the order of the file. */
  notes(): string[] {
    const byLine = [...this.linesOfNotes].map(([text, lines]) => ({ text, lines: lines.sort(ascending) }));
    byLine.sort((a, b) => a.lines[0] - b.lines[0]);
    const reported = byLine.slice(0, MAX_NOTES).map(({ text, lines }) => `${this.file}, ${lineWords(lines)}: ${text}`);
    const more = byLine.length - reported.length;
    if (more > 0) reported.push(`${this.file}: ${more} more notes like these`);
    return reported;
  }
}

function lineWords(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const named = lines.slice(0, MAX_LINES).map(String);
  const more = lines.length - named.length;
  const last = more > 0 ? `${more} more` : named.pop();
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
 * Elements that only one form has, by where they stand. What both have is not here; nor are `<pool>`, which YARN reads
 * as `<queue>`, and `<maxRunningJobs>`, which it passes over: files of YARN hold both.
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
  const [first, ...later] = ownElements(root, root.name, "root");
  if (first === undefined) return undefined;
  const { form } = first;
  const decided = `<${first.element.name}> on line ${first.element.place.line} makes the file one of ${FORM_WORDS[form]}`;
  for (const { element, parent, form: otherForm } of later) {
    if (otherForm === form) continue;
    findings.problem(
      element,
      `<${element.name}> in <${parent}>`,
      `one form per file; only ${FORM_WORDS[otherForm]} reads it, and ${decided}`,
    );
  }
  return first;
}

/** An element that only one form has. */
interface OwnElement {
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

/** Reads the value of an element; undefined after a problem was reported. */
export type Read<T> = (element: XmlElement, findings: Findings) => T | undefined;

const JAVA_MAX_INT = 2_147_483_647;

const JAVA_MAX_LONG = 9_223_372_036_854_775_807n;

const MAX_SECONDS = BigInt(MAX_TIME_US / US_PER_SECOND);

const MAX_SHARE = LIMITS.nodes * LIMITS.slotsPerNode;

const MIN_WEIGHT = 0.000001;

const MAX_WEIGHT = 1_000_000;

/** Most characters of a number; a longer one is refused, although Java accepts any number of leading zeros. */
const LONGEST_NUMBER = 50;

/** A min share in slots. */
export const minShare: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(MAX_SHARE));
  if (value !== undefined) return Number(value);
  return refused(element, findings, `a whole number from 0 to ${MAX_SHARE}`);
};

/** A limit on tasks or jobs at one time. Hadoop uses the largest int for unlimited. */
export const countLimit: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(JAVA_MAX_INT));
  if (value === undefined) return refused(element, findings, `a whole number from 0 to ${JAVA_MAX_INT}`);
  return Number(value) === JAVA_MAX_INT ? Infinity : Number(value);
};

export const weight: Read<number> = (element, findings) => {
  const value = javaDouble(wordOf(element, findings));
  if (value === 0) return 0;
  if (value !== undefined && value >= MIN_WEIGHT && value <= MAX_WEIGHT) return value;
  return refused(element, findings, `0, or a number from ${MIN_WEIGHT} to ${MAX_WEIGHT}`);
};

/** Seconds as microseconds. What no run can last is never. */
export const timeout: Read<number> = (element, findings) => {
  const seconds = javaInteger(wordOf(element, findings), JAVA_MAX_LONG);
  if (seconds === undefined) {
    return refused(element, findings, `a whole number of seconds from 0 to ${JAVA_MAX_LONG}`);
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
  const actual = name === undefined ? `no name of <${element.name}>` : `the name ${quote(name)} of <${element.name}>`;
  return findings.problem(element, actual, LABEL_ALLOWED);
};

/** The trimmed text of an element that holds nothing else; undefined after a problem was reported. */
export function wordOf(element: XmlElement, findings: Findings): string | undefined {
  if (element.children.length === 0) return trimmed(element.text);
  const [inner] = element.children;
  return findings.problem(inner, `<${inner.name}> inside <${element.name}>`, "only text");
}

/** Reports that the text of an element is not allowed, unless a missing text was reported already. */
export function refused(element: XmlElement, findings: Findings, allowed: string): undefined {
  if (element.children.length > 0) return;
  const text = trimmed(element.text);
  const actual = text === "" ? "nothing" : quote(text);
  findings.problem(element, `${actual} in <${element.name}>`, allowed);
}

/** Notes text where only elements mean something: Hadoop 1, YARN and Spark pass over all that is no element. */
export function elementsOnly(element: XmlElement, findings: Findings): void {
  const text = trimmed(element.text);
  if (text === "") return;
  findings.note(element, `the text ${quote(text)} in <${element.name}> is passed over, as Hadoop does`);
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

/** The allowed children of an element, in one of the two forms. */
export interface Keys<Target> {
  /** The element in messages: `a pool`. */
  readonly where: string;
  /** Readers of the known children, by name. */
  readonly known: ReadonlyMap<string, (target: Target, element: XmlElement, findings: Findings) => void>;
  /** Children that mean something to Hadoop and nothing here, with the reason. */
  readonly ignored: ReadonlyMap<string, string>;
}

/** Reads every child of an element: known ones into `target`, others into notes. */
export function readKeys<Target>(keys: Keys<Target>, parent: XmlElement, target: Target, findings: Findings): void {
  const { where, known, ignored } = keys;
  const values = new Map<string, XmlElement>();
  for (const child of parent.children) {
    const { name } = child;
    const apply = known.get(name);
    const reason = ignored.get(name);
    if (apply !== undefined) {
      apply(target, child, findings);
    } else if (reason !== undefined) {
      findings.unused(child, `<${name}> is ignored`, reason);
    } else {
      const hint = findings.hint(name, [...known.keys()]);
      const shown = `<${printable(name).slice(0, 60)}> in ${where}`;
      findings.unused(child, `${shown} is ignored, as Hadoop does`, `Bide does not know it${hint}`);
    }
    // A value that is given again counts no more; what has a name or elements inside is no single value.
    const isValue = apply !== undefined && child.children.length === 0 && child.attributes.size === 0;
    const before = isValue ? values.get(name) : undefined;
    if (before !== undefined) {
      findings.unused(before, `<${name}> is not used`, `line ${child.place.line} gives it again`);
    }
    if (isValue) values.set(name, child);
  }
}

/** Children of which each sets one value of the target. A second one wins, with a note. */
export function settersOf<Target extends object>() {
  return <Key extends keyof Target>(
      key: Key,
      read: (element: XmlElement, findings: Findings) => Target[Key] | undefined,
    ) =>
    (target: Target, element: XmlElement, findings: Findings) => {
      onlyAttributes([], element, findings);
      const value = read(element, findings);
      if (value !== undefined) target[key] = value;
    };
}

/**
 * Reads `<user name="...">` with a limit of its jobs; the last one of a user wins.
 * @param limit the element of the limit. @param ignored others that mean nothing, with the reason.
 */
export function readUser(
  limit: string,
  ignored: ReadonlyMap<string, string>,
  users: Map<string, number>,
  element: XmlElement,
  findings: Findings,
): void {
  elementsOnly(element, findings);
  onlyAttributes(["name"], element, findings);
  const name = labelOf(element, findings);
  const user: { jobs?: number } = {};
  const known = new Map([[limit, settersOf<{ jobs?: number }>()("jobs", countLimit)]]);
  readKeys({ where: "a user", known, ignored }, element, user, findings);
  if (name === undefined || user.jobs === undefined) return;
  if (users.has(name)) findings.note(element, `user ${quote(name)} is given again; the last limit counts`);
  users.set(name, user.jobs);
}
