import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isMap, isScalar } from "yaml";
import { parseXml } from "./allocations/xml.js";
import { type ForeignKey, type ForeignTrace, foreignTrace, headOf, importKind, ROLLING_LOG } from "./foreign-traces.js";
import { fileProblem, InputError } from "./input-error.js";
import { printable } from "./scenario/show.js";
import { readYaml, tooLarge } from "./scenario/yaml-document.js";
import { valueOfLine } from "./sweep/journal.js";
import { SWEEP_FILES } from "./sweep/sweep-folder.js";
import { readTextFile, withoutByteOrderMark } from "./text-file.js";
import { mismatch, alphabetical } from "../core/kernel/index.js";
import { LIMITS } from "../core/scenario/index.js";

/** Kinds of files and folders that commands are given. */
export type KnownKind =
  | "scenario"
  | "sweep"
  | "goal"
  | "regress"
  | "published"
  | "sweepFolder"
  | "runFolder"
  | "comparisonFolder"
  | "scorecard"
  | "allocations"
  | "configuration"
  | "xml"
  | "other"
  | "unknown";

/** The kind of a file or folder, as far as its contents tell it. */
export interface FileKind {
  readonly kind: KnownKind;
  /** `a sweep` */
  readonly description: string;
  /** Which command takes it, or why none does; empty: there is nothing to say. */
  readonly use: string;
}

/** The first bytes of kinds of files that are no text. */
const SIGNATURES: readonly (readonly [bytes: string, what: string])[] = [
  ["PAR1", "a Parquet table"],
  ["\x89PNG", "a PNG picture"],
  ["\xff\xd8\xff", "a JPEG picture"],
  ["%PDF", "a PDF"],
  ["PK\x03\x04", "a zip archive"],
  ["\x1f\x8b", "a gzip archive"],
  ["\x7fELF", "a program"],
];

/**
 * Returns the kind of what is there, if Bide knows it; null where it is not there, cannot be read, or its kind is not
 * known. For messages: it never throws, runs nothing of what it reads and says nothing of what is wrong inside.
 * @param path as the user gave it: commands are named with it.
 */
export function fileKindOf(path: string): FileKind | null {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return folderKind(path);
    // Data of a pipe can be read only once.
    if (!stats.isFile()) return null;
    const head = withoutByteOrderMark(headOf(path));
    return foreignKind(head, path) ?? binaryKind(head) ?? scriptKind(path) ?? traceKind(head) ?? textKind(path);
  } catch {
    return null;
  }
}

/** Returns the result of `read`, of a file that another file names as a scenario. @throws InputError as `asKind`. */
export function asScenario<T>(file: string, read: () => T): T {
  return asKind(file, "scenario", "a scenario", read);
}

/**
 * Returns the result of `read`, of a file that is to be of that kind.
 * @throws InputError in one sentence, in place of all that is wrong with it, where it is something else.
 */
export function asKind<T>(file: string, kind: KnownKind, allowed: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError) || !error.diagnostics.some((diagnostic) => diagnostic.file === file))
      throw error;
    const actual = fileKindOf(file);
    if (actual === null || actual.kind === kind || actual.kind === "unknown") throw error;
    const use = actual.use === "" ? "" : `; ${actual.use}`;
    throw fileProblem(file, mismatch(actual.description, allowed + use));
  }
}

function folderKind(path: string): FileKind {
  const names = new Set(readdirSync(path));
  const shown = printable(path);
  if (names.has(SWEEP_FILES.plan)) {
    const use = `npx bide results ${shown} prints what it found; npx bide sweep SWEEP --out ${shown} --resume goes on with it`;
    return { kind: "sweepFolder", description: "the folder of a sweep", use };
  }
  if (names.has("summary.json")) {
    const use = `npx bide results ${shown} prints them`;
    return { kind: "runFolder", description: "the results of one run", use };
  }
  if (names.has("comparison.json")) {
    const use = `npx bide results ${shown} prints it`;
    return { kind: "comparisonFolder", description: "the folder of a comparison", use };
  }
  const description = names.size === 0 ? "an empty directory" : "a directory that Bide did not write";
  return foreignFolder(path, names) ?? { kind: "unknown", description, use: "" };
}

function foreignKind(head: Buffer, path: string): FileKind | null {
  const trace = foreignTrace(head, basename(path));
  return trace === null ? null : otherKind(trace.description, useOf(trace.key, path, trace.isPacked));
}

/** A rolling log, or a folder in which one of the first files is a record of another system. */
function foreignFolder(path: string, names: ReadonlySet<string>): FileKind | null {
  if (ROLLING_LOG.test(basename(resolve(path)))) return otherKind(ROLLING.description, useOf("spark", path));
  for (const name of [...names].sort(alphabetical).slice(0, FILES_LOOKED_AT)) {
    const inside = join(path, name);
    const stats = statSync(inside, { throwIfNoEntry: false });
    const file = stats?.isFile() === true ? foreignTrace(headOf(inside), name) : null;
    const log = stats?.isDirectory() === true && ROLLING_LOG.test(name) ? ROLLING : file;
    if (log === null) continue;
    return otherKind(`a directory with ${log.description} (${printable(name)})`, useOf(log.key, inside, log.isPacked));
  }
  return null;
}

const FILES_LOOKED_AT = 32;

const ROLLING: ForeignTrace = { key: "spark", description: "a rolling event log of Spark", isPacked: false };

/** Returns the command that reads a record of another system. @param packed with gzip. */
function useOf(key: ForeignKey, path: string, packed = false): string {
  const kind = importKind(key);
  const unpacked = packed && kind === "spark" ? "once it is unpacked " : "";
  return `${unpacked}npx bide import ${kind} ${printable(path)} --out DIR makes a scenario of it`;
}

function binaryKind(head: Buffer): FileKind | null {
  const text = head.toString("latin1");
  const known = SIGNATURES.find(([bytes]) => text.startsWith(bytes));
  if (known?.[0] === "PAR1")
    return otherKind(known[1], "DuckDB reads it; npx bide results DIR --sql asks the tables of a sweep");
  if (known !== undefined) return otherKind(known[1], "no command reads it");
  return head.subarray(0, TEXT_BYTES).includes(0)
    ? { kind: "unknown", description: "a binary file", use: "no command reads it" }
    : null;
}

/** Enough to tell text from anything else. */
const TEXT_BYTES = 4096;

function scriptKind(path: string): FileKind | null {
  if (!/\.[cm]?[jt]s$/.test(path)) return null;
  return otherKind("a JavaScript or TypeScript file", "a scheduler of your own is loaded with --plugin FILE");
}

function textKind(path: string): FileKind | null {
  const contents = "text";
  const text = readTextFile(path, path, { file: contents, contents, mostBytes: LIMITS.fileBytes, tooLarge });
  if (/^\s*</.test(text)) return xmlKind(text, path);
  const firstLine = text.slice(0, text.indexOf("\n") + 1 || text.length);
  if (valueOfLine(firstLine.trimEnd()) !== undefined) {
    const folder = printable(dirname(path));
    return otherKind("the journal of a sweep", `npx bide results ${folder} prints what the sweep found`);
  }
  return documentKind(text, path);
}

function xmlKind(text: string, path: string): FileKind {
  const { name } = parseXml(text, path);
  const shown = printable(path);
  const explained = `npx bide explain-config ${shown} explains it`;
  if (name === "allocations") {
    const use = `${explained}; a scenario runs it with scheduler.allocations`;
    return { kind: "allocations", description: "an allocation file of Hadoop's Fair Scheduler", use };
  }
  if (name === "configuration") {
    const use = `${explained} if it is a capacity-scheduler.xml; a scenario runs that with scheduler.capacity`;
    return { kind: "configuration", description: "a configuration file of Hadoop", use };
  }
  return {
    kind: "xml",
    description: `XML with the root element <${printable(name).slice(0, 60)}>`,
    use: "no command reads it",
  };
}

/** JSON that Bide writes says its format. */
const WRITTEN: Readonly<Record<string, readonly [what: string, use: string]>> = {
  "bide-summary": ["the summary of a run", "no command reads it; npx bide schema summary describes it"],
  "bide-comparison": [
    "a comparison that bide compare wrote",
    "bide results takes the folder of bide compare --out DIR",
  ],
  "bide-regress": ["a report of bide regress", "no command reads it"],
  "bide-regress-baseline": ["the baseline of a regression file", "npx bide regress FILE takes the file that names it"],
  "bide-bench": ["figures of bide bench", "npm run bench:compare reads two of them"],
  "bide-contract": ["a report of bide check-scheduler", "no command reads it"],
  "bide-tune": ["an answer of bide tune", "no command reads it"],
  "bide-sweep-plan": ["the plan that bide sweep --dry-run prints", "no command reads it; bide sweep takes the sweep"],
  "bide-sweep-end": ["what bide sweep prints at its end", "bide results takes the sweep's folder"],
  "bide-merge-end": ["what bide merge prints at its end", "bide results takes the sweep's folder"],
  "bide-published": ["the rows that bide reproduce --list prints", "no command reads it"],
  "bide-sweep-results": ["results of a sweep as JSON", "no command reads it; bide results takes the sweep's folder"],
};

function documentKind(text: string, path: string): FileKind | null {
  const { document } = readYaml(text, path);
  if (!isMap(document.contents)) return null;
  const keys = new Set(document.contents.items.map(({ key }) => (isScalar(key) ? key.value : key)));
  const shown = printable(path);
  const format = document.get("format");
  if (format === "bide-sweep") {
    return otherKind("the plan of a sweep", `npx bide results ${printable(dirname(path))} prints what the sweep found`);
  }
  if (format === "bide-scorecard") {
    const use = `npx bide report ${shown} makes a page of figures of it`;
    return { kind: "scorecard", description: "a scorecard of bide reproduce", use };
  }
  if (typeof format === "string" && Object.hasOwn(WRITTEN, format)) return otherKind(...WRITTEN[format]);
  // A sweep may be of a single point; no scenario names another.
  if (keys.has("axes") || keys.has("scenario")) {
    const runs = `npx bide sweep ${shown} runs it`;
    if (!keys.has("goal")) return { kind: "sweep", description: "a sweep", use: runs };
    const use = `npx bide tune ${shown} looks for its best point, ${runs}`;
    return { kind: "goal", description: "a sweep with a goal", use };
  }
  if (keys.has("runs")) {
    return { kind: "regress", description: "a regression file", use: `npx bide regress ${shown} runs it` };
  }
  if (document.hasIn(["run", "untilUs"]) && keys.has("scheduler")) {
    return otherKind("a resolved scenario, kept beside results", "run the scenario file that it was made of");
  }
  if (keys.has("workload")) {
    const use = keys.has("compare")
      ? `npx bide compare ${shown}`
      : `npx bide run ${shown} or npx bide compare ${shown}`;
    return { kind: "scenario", description: "a scenario", use: `${use} runs it` };
  }
  if (keys.has("rows")) {
    const use = `npx bide reproduce --published ${shown} repeats them`;
    return { kind: "published", description: "published values", use };
  }
  return keys.has("$schema") && keys.has("properties") ? otherKind("a JSON Schema", "it is for editors") : null;
}

/** By the first line, for traces may be of any size. */
function traceKind(head: Buffer): FileKind | null {
  const line = head.toString("utf8").split("\n", 1)[0];
  if (/^job,|,(type|seconds|submit),/.test(line)) {
    return otherKind("a table of tasks", "a scenario runs it with workload: {kind: tasks, file: ...}");
  }
  if (/^\S+\t\d+\t/.test(line)) {
    return otherKind("a SWIM trace", "a scenario runs it with workload: {kind: swim, file: ...}");
  }
  return null;
}

function otherKind(description: string, use: string): FileKind {
  return { kind: "other", description, use };
}
