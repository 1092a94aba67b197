import { closeSync, openSync, writeSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { stringify } from "yaml";
import { counted, MAX_TIME_US, US_PER_MS } from "../core/kernel/index.js";
import { LIMITS } from "../core/scenario/index.js";

// The parts that the folders of all imports share.

/** The report of an import, as data: which form it has, and where its files are. */
export interface ImportForm {
  readonly format: "bide-import-end";
  readonly version: 1;
  readonly folder: string;
}

export function importForm(folder: string): ImportForm {
  return { format: "bide-import-end", version: 1, folder };
}

/** Counts of an import, and sentences about them. */
export interface ImportCounts {
  readonly read: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
  readonly folded: readonly string[];
  readonly guessed: readonly string[];
  readonly leftOut: readonly string[];
}

/** Returns lines of a report, without line ends. @param place of the scenario. */
export function countLines({ read, written, folded, guessed, leftOut }: ImportCounts, place: string): string[] {
  return [
    `read: ${numbers(read)}`,
    `written: ${numbers(written)}; ${place}`,
    ...sectionLines("folded", folded),
    ...sectionLines("guessed", guessed),
    ...sectionLines("left out", leftOut),
  ];
}

export function sectionLines(title: string, texts: readonly string[]): string[] {
  return texts.map((text) => `${title}: ${text}`);
}

function numbers(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([noun, count]) => counted(count, noun.replace(/s$/, "")))
    .join(", ");
}

/** Writes a new file piece by piece. @throws the reason of `signal`, and the errors of the system. */
export async function writePieces(path: string, pieces: Iterable<string>, signal?: AbortSignal): Promise<void> {
  const file = openSync(path, "wx");
  try {
    for (const piece of pieces) {
      writeSync(file, piece);
      await nextTurn();
      signal?.throwIfAborted();
    }
  } finally {
    closeSync(file);
  }
}

/** Returns the text of a scenario below lines of comment. */
export function scenarioFileText(heading: readonly string[], scenario: object): string {
  return [...heading.map((line) => `# ${line}`), stringify(scenario, { lineWidth: 0 })].join("\n");
}

/** Returns a time of the run in us. @param ms since its start, by a log. */
export function runTimeUs(ms: number): number {
  return Math.min(MAX_TIME_US, Math.max(0, Math.round(ms * US_PER_MS)));
}

/** Returns a wait in us, within what a scenario may say; 0 where clocks say that it ends before it begins. */
export function waitUs(ms: number): number {
  return Math.min(LIMITS.waitUs, runTimeUs(ms));
}
