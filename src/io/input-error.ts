import { getSystemErrorMap } from "node:util";
import { harmless, printable } from "../core/kernel/index.js";

/**
 * One thing that is wrong with what the user gave. `line` and `column` count from 1; 0 where there is no place in a
 * file.
 */
export interface Diagnostic {
  /** The file as the user named it, or the option: `--set run.seed=x`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What was found and what is allowed. */
  readonly message: string;
}

/** `file:line:column: message`, without the parts that are 0. */
export function formatDiagnostic({ file, line, column, message }: Diagnostic): string {
  // A name may hold line ends, which would forge lines of their own.
  const shown = printable(file);
  const place =
    line === 0 ? shown : column === 0 ? `${shown}:${String(line)}` : `${shown}:${String(line)}:${String(column)}`;
  return `${place}: ${harmless(message)}`;
}

/**
 * What a user can cause: bad files, bad options. The command line prints `message`, one line per diagnostic, without a
 * stack, and exits with 2. Everything else that is thrown is our mistake.
 */
export class InputError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  /** @param diagnostics at least one, in the order in which they are to be read. */
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.name = "InputError";
    this.diagnostics = diagnostics;
  }
}

/** An error about a file or an option as a whole. */
export function inputError(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}

/** The operating system's words for an error of its own: `permission denied`; the code of any other. */
export function systemReason(error: unknown): string {
  const { errno, code } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? code ?? String(error);
}
