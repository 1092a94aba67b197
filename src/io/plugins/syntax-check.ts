import { spawnSync } from "node:child_process";

/** Time that checking may take; there is none in which a file of a few megabytes is not parsed. */
const TIMEOUT_MS = 10_000;

/**
 * Where the text is no ES module, line and column from 1; 0 where it is one, or nothing is known. Node tells of an import
 * that failed only why, not where; asked to check a text it tells both, and runs nothing.
 */
export function syntaxErrorIn(text: string): { line: number; column: number } {
  const args = ["--input-type=module", "--check"];
  const { stderr } = spawnSync(process.execPath, args, { input: text, encoding: "utf8", timeout: TIMEOUT_MS });
  const [, line, , caret] = /^\[stdin\]:(\d+)\n(.*)\n( *)\^/m.exec(stderr) ?? [];
  return line === undefined ? { line: 0, column: 0 } : { line: Number(line), column: caret.length + 1 };
}
