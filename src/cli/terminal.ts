import type { Note } from "../core/record/index.js";
import { grouped, harmless, printable } from "../core/kernel/index.js";
import { fitted, noteLines, shortened } from "../report/index.js";

/*
 * The one place that writes to the terminal; a lint rule sees to it. What a person may read is made harmless here, even
 * if it was forgotten before: names in scenarios, plans and notices are anybody's.
 */

/** Writes to stderr what is no result: progress, notes, problems. */
export function tell(text: string): void {
  const columns = stderrColumns();
  const clean = withoutEndlessWords(harmless(text));
  // Text without a line end is drawn over again, which works within one line.
  const isDrawn = columns !== undefined && !text.endsWith("\n");
  process.stderr.write(isDrawn ? shortened(clean, columns - 1) : fitted(clean, columns));
}

/** As the name of a file: standard output. */
export const STDOUT = "-";

/** Says notes, a few or all of them, as reports do. */
export function tellNotes(notes: readonly Note[], showsAll = false): void {
  tell(
    noteLines(notes, showsAll)
      .map((note) => `note: ${note}\n`)
      .join(""),
  );
}

const MOST_LETTERS = 300;

/** A message names what it was given, e.g. an argument of 10,000 letters; its beginning is enough to know it again. */
function withoutEndlessWords(text: string): string {
  return text.replace(/\S{300,}/gu, (word) => {
    const letters = Array.from(word);
    return letters.length <= MOST_LETTERS ? word : `${letters.slice(0, MOST_LETTERS).join("")}…`;
  });
}

/** Takes back the line that is being written on stderr: the next one is written over it. */
export function clearLine(): void {
  process.stderr.write("\r\u001b[K");
}

/** Whether stderr is a terminal. */
export function isWatched(): boolean {
  return process.stderr.isTTY;
}

/** A narrower terminal is written to as if it were so wide: a label and a word must fit. */
const NARROWEST = 40;

const WIDEST = 1000;

/** Columns of the terminal that stdout is, else what COLUMNS says; undefined: neither is known. */
export function stdoutColumns(): number | undefined {
  return process.stdout.isTTY ? columnsOf(process.stdout.columns) : columnsOf(Number(process.env.COLUMNS));
}

/** Columns of the terminal that stderr is; undefined: it is none. */
function stderrColumns(): number | undefined {
  return isWatched() ? columnsOf(process.stderr.columns) : undefined;
}

/** Columns, from a terminal or a variable. A terminal that does not know its size reports 0. */
export function columnsOf(columns: number): number | undefined {
  if (!Number.isInteger(columns) || columns < 1) return undefined;
  return Math.min(WIDEST, Math.max(NARROWEST, columns));
}

let help = "";

/** Collects help, for callers that cannot wait; `helpIsOut` writes it to stdout. */
export function writeHelp(text: string): void {
  help += fitted(text, stdoutColumns());
}

/** Whether all help is out, or its reader has gone. False: the device refused, which was reported. */
export async function helpIsOut(): Promise<boolean> {
  const text = help;
  help = "";
  if (text === "") return true;
  try {
    await writeOut(text, false);
    return true;
  } catch (error) {
    tell(`standard output: cannot write: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

export function isStdoutTerminal(): boolean {
  return process.stdout.isTTY;
}

/**
 * Shows on stderr the progress of a long check that blocks the event loop: nothing in the first second, then every
 * second on a terminal, every ten seconds elsewhere.
 * @param verb e.g. "Checking points".
 */
export function checkProgress(verb: string): (checked: number, total: number) => void {
  let nextMs = performance.now() + 1000;
  let isShown = false;
  return (checked, total) => {
    if (isShown && checked >= total) clearLine();
    if (checked >= total || performance.now() < nextMs) return;
    nextMs = performance.now() + (isWatched() ? 1000 : 10_000);
    const line = `${verb}: ${grouped(checked)} of ${grouped(total)}`;
    isShown = isWatched();
    if (isShown) clearLine();
    tell(isShown ? line : `${line}\n`);
  };
}

/** A bar on stderr that is redrawn. */
export interface Bar<Words> {
  readonly update: (fraction: number, words: Words) => void;
  /** Leaves the terminal as it was found, as the end of the process does. */
  readonly stop: () => void;
}

/** Shows a bar. @param lineOf what is shown: how far it is, from 0 to 1, in words, in so many columns. */
export async function startBar<Words extends Readonly<Record<string, string>>>(
  lineOf: (fraction: number, words: Words, widthColumns: number) => string,
  words: Words,
): Promise<Bar<Words>> {
  const { default: cliProgress } = await import("cli-progress");
  const single = new cliProgress.SingleBar({
    format: (_, { progress }: { progress: number }, shownWords: Words) =>
      lineOf(progress, shownWords, stderrColumns() ?? 80),
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    stream: process.stderr,
  });
  const showCursor = () => {
    single.stop();
  };
  single.start(1000, 0, words);
  process.once("exit", showCursor);
  return {
    update: (fraction, newWords) => {
      const clean = Object.entries(newWords).map(([key, text]) => [key, printable(text)] as const);
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
