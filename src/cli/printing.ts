import pc from "picocolors";

import { fileProblem, jsonText } from "../io/index.js";
import { fitted, NO_PAINT, type Paint } from "../report/index.js";
import { isStdoutTerminal, stdoutColumns, writeOut } from "./terminal.js";

/**
 * Writes text for people to stdout and waits until it is out. A reader that has gone (`| head`) is no error.
 * @throws InputError when the device refuses.
 */
export async function print(text: string): Promise<void> {
  await out(text, false);
}

/** The same for JSON and other formats that programs read. @throws InputError as `print`. */
export async function printData(text: string): Promise<void> {
  await out(text, true);
}

/**
 * Prints the end of a command: as JSON where that is asked for, else as text for people. @throws InputError as `print`.
 */
export async function printEnd(isJson: boolean | undefined, data: object, text: () => string): Promise<void> {
  await (isJson === true ? printData(jsonText(data)) : print(text()));
}

/**
 * The same piece by piece, none before the one before is out, until its reader has gone. @throws InputError as `print`.
 */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (!(await out(piece, true))) return;
}

async function out(text: string, isData: boolean): Promise<boolean> {
  try {
    return await writeOut(text, isData);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw fileProblem("standard output", `cannot write: ${error.message}`);
  }
}

/** Text whose lines fit the terminal; as it is in a file or a pipe. @throws InputError as `print`. */
export async function printFitted(text: string): Promise<void> {
  await print(fitted(text, stdoutColumns()));
}

/** As wide as the terminal; bold and dim there, nothing in a file, a pipe, or with NO_COLOR (https://no-color.org). */
export function stdoutPaint(): Paint {
  const { NO_COLOR, TERM } = process.env;
  const isPlain = !isStdoutTerminal() || (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  const columns = stdoutColumns();
  const width = columns === undefined ? {} : { widthColumns: columns };
  if (isPlain) return { ...NO_PAINT, ...width };
  const { bold, dim } = pc.createColors(true);
  return { bold, dim, ...width };
}
