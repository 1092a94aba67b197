import { grouped, harmless, printable } from "../core/kernel/words.js";

/*
 * The one place that writes to the terminal; a lint rule sees to it. What a person may read is made harmless here, even if it was forgotten before:
 * names in scenarios, plans and notices are anybody's.
 */

/** Writes to stderr what is no result: progress, notes, problems. */
export function tell(text: string): void {
  process.stderr.write(withoutEndlessWords(harmless(text)));
}

const MOST_LETTERS = 300;

/** A message names what it was given, e.g. an argument of 10,000 letters; its beginning is enough to know it again. */
export function withoutEndlessWords(text: string): string {
  return text.replace(/\S{300,}/gu, (word) => {
    const letters = Array.from(word);
    return letters.length <= MOST_LETTERS ? word : `${letters.slice(0, MOST_LETTERS).join("")}…`;
  });
}

/** Takes back the line that is being written on stderr: the next one is written over it. */
export function clearLine(): void {
  process.stderr.write("\r\u001b[K");
}

/** Whether somebody watches stderr. */
export function isWatched(): boolean {
  return process.stderr.isTTY;
}

export function isStdoutTerminal(): boolean {
  return process.stdout.isTTY;
}

/**
 * Says on stderr how far a long check is, for work that lets nothing else run: nothing in the first second, then each
 * second on a terminal, each ten seconds elsewhere.
 * @param what e.g. "Checking points".
 */
export function checkProgress(what: string): (checked: number, of: number) => void {
  let nextMs = performance.now() + 1000;
  let isShown = false;
  return (checked, of) => {
    if (isShown && checked >= of) clearLine();
    if (checked >= of || performance.now() < nextMs) return;
    nextMs = performance.now() + (isWatched() ? 1000 : 10_000);
    const line = `${what}: ${grouped(checked)} of ${grouped(of)}`;
    isShown = isWatched();
    if (isShown) clearLine();
    tell(isShown ? line : `${line}\n`);
  };
}

/** A bar on stderr that is redrawn. */
export interface Bar {
  /** @param words which the format names. */
  readonly update: (fraction: number, words: Readonly<Record<string, string>>) => void;
  /** Leaves the terminal as it was found, as the end of the process does. */
  readonly stop: () => void;
}

/** Shows a bar. @param format of cli-progress. */
export async function startBar(format: string, words: Readonly<Record<string, string>>): Promise<Bar> {
  const { default: cliProgress } = await import("cli-progress");
  const single = new cliProgress.SingleBar({
    ...{ format, barsize: 24, hideCursor: true, clearOnComplete: true, gracefulExit: false },
    stream: process.stderr,
  });
  const showCursor = (): void => {
    single.stop();
  };
  single.start(1000, 0, words);
  process.once("exit", showCursor);
  return {
    update: (fraction, told) => {
      const clean = Object.entries(told).map(([key, text]) => [key, printable(text)] as const);
      single.update(Math.floor(fraction * 1000), Object.fromEntries(clean));
    },
    stop: () => {
      process.off("exit", showCursor);
      single.stop();
    },
  };
}

/**
 * Writes to stdout.
 * @param isData CSV, JSON and other formats for programs get their bytes as they are, but on a terminal.
 * @returns false when the reader has gone. @throws what the device says.
 */
export async function writeOut(text: string, isData: boolean): Promise<boolean> {
  const { stdout } = process;
  const error = await new Promise<Error | null | undefined>((resolve) => {
    stdout.write(isData && !stdout.isTTY ? text : harmless(text), resolve);
  });
  if (error instanceof Error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  return !(error instanceof Error);
}

/** A stream whose reader has gone must not end the run; `writeOut` sees every other error itself. */
export function ignoreClosedStreams(): void {
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}
