import { getSystemErrorMap } from "node:util";
import { harmless, mismatch, printable, someOf } from "../core/kernel/index.js";
import { didYouMean, quote } from "./scenario/show.js";

/**
 * One thing that is wrong with what the user gave. `line` and `column` count from 1; 0 where there is no place in a
 * file.
 */
export interface Diagnostic {
  /** The file as the user named it, or the option: `--set run.seed=x`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The problem: what was expected and what was found. */
  readonly message: string;
}

/** `file:line:column: message`, without the parts that are 0. */
export function formatDiagnostic({ file, line, column, message }: Diagnostic): string {
  // A name may hold line ends, which would forge lines of their own.
  const shown = printable(file);
  const place = line === 0 ? shown : column === 0 ? `${shown}:${line}` : `${shown}:${line}:${column}`;
  return `${place}: ${harmless(message)}`;
}

/**
 * An error that a user can cause: bad files, bad options. The command line prints `message`, one line per diagnostic,
 * without a stack, and exits with 2. Everything else that is thrown is our mistake.
 */
export class InputError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  /** @param diagnostics at least one, in reading order. */
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.name = "InputError";
    this.diagnostics = diagnostics;
  }
}

/** Returns a problem of a file, or of an option, as a whole. */
export function problemOf(file: string, message: string): Diagnostic {
  return { file, line: 0, column: 0, message };
}

/** Returns an error with at least one problem of a file, or of an option, as a whole. */
export function fileProblem(file: string, ...messages: readonly string[]): InputError {
  return new InputError(messages.map((message) => problemOf(file, message)));
}

/** Returns the error for a name that is none of `names`. @param kind of things that have them: `an axis`. */
export function notThere(option: string, name: string, names: readonly string[], kind?: string): InputError {
  const choices = kind === undefined ? someOf(names) : `${kind} (${someOf(names)})`;
  return fileProblem(option, mismatch(quote(name), choices + didYouMean(name, names)));
}

/** The operating system's words for an error of its own: `permission denied`; the code of any other. */
export function systemReason(error: unknown): string {
  const { errno, code } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? code ?? String(error);
}

/**
 * Returns the error for a file that could not be read; any error that is not the operating system's stays.
 * @param words about it, by the system's reason.
 */
export function asReadError(error: unknown, path: string, words: (reason: string) => string): unknown {
  if (error instanceof InputError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined && code !== "ERR_INVALID_ARG_VALUE") return error;
  return fileProblem(path, words(systemReason(error)));
}
