import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { AllocationsSpec } from "../../core/scenario/scenario.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { printable } from "../scenario/show.js";
import { Findings } from "./findings.js";
import { formOf, type AllocationForm } from "./form.js";
import { hadoopAllocations } from "./hadoop-pools.js";
import { parseXml, tooLarge } from "./parse-xml.js";
import { elementsOnly, onlyAttributes } from "./values.js";
import { yarnAllocations } from "./yarn-allocations.js";

export interface ReadAllocations {
  readonly allocations: AllocationsSpec;
  /** What the user should know, one each, with the file's name and lines: what was ignored, merged or taken otherwise. */
  readonly notes: readonly string[];
  readonly form: AllocationForm;
}

/**
 * Reads an allocation file, `fair-scheduler.xml` of Hadoop 1 or of YARN.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when there is no such file, at broken XML, or with all that is wrong in well-formed XML. Nothing of a refused
 * file is used.
 */
export function readAllocations(path: string, shown: string): ReadAllocations {
  const bytes = readBytes(path, shown);
  if (bytes.length > LIMITS.fileBytes) throw tooLarge(shown, `more than ${String(LIMITS.fileBytes)} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fileProblem(shown, "found bytes that are no UTF-8 text, allowed an allocation file in XML");
  }
  return parseAllocations(text, shown);
}

/** The same from a text that has been read. */
export function parseAllocations(text: string, shown: string): ReadAllocations {
  const root = parseXml(text, shown);
  if (root.name !== "allocations") {
    const message = `found the root element <${printable(root.name).slice(0, 60)}>, allowed <allocations>`;
    throw new InputError([{ file: shown, ...root.place, message }]);
  }
  const findings = new Findings(shown);
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  const form = formOf(root);
  const allocations = form === "yarn" ? yarnAllocations(root, findings) : hadoopAllocations(root, findings);
  findings.refuse();
  return { allocations, notes: findings.notes(), form };
}

/** At most one byte more than is allowed, whatever the path leads to. */
function readBytes(path: string, shown: string): Uint8Array {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    if (fstatSync(descriptor).isDirectory()) throw fileProblem(shown, "found a directory, allowed an allocation file");
    const buffer = new Uint8Array(LIMITS.fileBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw fileProblem(shown, `found no readable file (${reasonOf(error)}), allowed an allocation file in XML`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is no directory",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENAMETOOLONG: "its name is too long",
};

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? (REASONS[code] ?? code) : "its name cannot be used";
}

function fileProblem(shown: string, message: string): InputError {
  return new InputError([{ file: shown, line: 0, column: 0, message }]);
}
