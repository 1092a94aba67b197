import pc from "picocolors";
import { InputError } from "../io/input-error.js";
import { NO_PAINT, type Paint } from "../report/layout.js";

/**
 * Writes to stdout and waits until it is out. A reader that has gone (`| head`) is no error.
 * @throws InputError when the device refuses.
 */
export async function print(text: string): Promise<void> {
  const error = await new Promise<Error | null | undefined>((resolve) => {
    process.stdout.write(text, resolve);
  });
  if (error instanceof Error && (error as NodeJS.ErrnoException).code !== "EPIPE") {
    throw new InputError([{ file: "standard output", line: 0, column: 0, message: `cannot write: ${error.message}` }]);
  }
}

/** Writes text piece by piece, none before the one before is out, until its reader has gone. @throws InputError when the device refuses. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await print(piece);
    if (process.stdout.destroyed || process.stdout.errored !== null) return;
  }
}

/** Bold and dim on a terminal; nothing in a file, a pipe, or with NO_COLOR (https://no-color.org). */
export function stdoutPaint(): Paint {
  const { NO_COLOR, TERM } = process.env;
  const isPlain = !process.stdout.isTTY || (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  if (isPlain) return NO_PAINT;
  const { bold, dim } = pc.createColors(true);
  return { bold, dim };
}
