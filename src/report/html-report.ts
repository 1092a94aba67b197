import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { printable } from "../core/kernel/index.js";
import { sweepResults } from "../experiments/index.js";
import {
  PACKAGE_ROOT,
  readScorecard,
  type ScorecardRow,
  isComparisonFolder,
  readComparisonFolder,
  TablesUnavailable,
  MOST,
  readRunPicture,
  type RunPicture,
  readSweepFolder,
  SWEEP_FILES,
  isFile,
  fileProblem,
} from "../io/index.js";
import { comparisonPicture, type ComparisonPicture, sweepPicture, type SweepPicture } from "./measure-pictures.js";
import { runEntries } from "./run-report.js";
import { scorecardPicture, type ScorecardPicture } from "./scorecard-pictures.js";

export interface PicturedRun extends RunPicture {
  /** The entries of `bide run`, by label. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The data of the page, as JSON: runs, or a comparison, or a sweep, or a scorecard. */
export interface PageData {
  readonly runs: readonly PicturedRun[];
  readonly comparison: ComparisonPicture | null;
  readonly sweep: SweepPicture | null;
  readonly scorecard: ScorecardPicture | null;
  readonly most: typeof MOST;
}

const NOTHING_ELSE = {
  runs: [],
  comparison: null,
  sweep: null,
  scorecard: null,
  most: MOST,
};

/** A scorecard is a file, all else is a folder. */
export function isScorecard(path: string): boolean {
  return isFile(path);
}

/**
 * One HTML document about runs, or about one comparison, sweep or scorecard. It needs nothing beside it.
 * @throws InputError when a folder holds no results that can be drawn. Error when the package was not built whole.
 */
export async function htmlReport(folders: readonly string[], signal?: AbortSignal): Promise<string> {
  const isSweep = (folder: string) => existsSync(join(folder, SWEEP_FILES.plan));
  const isOther = (folder: string) => isScorecard(folder) || isSweep(folder) || isComparisonFolder(folder);
  const soleFolders = folders.filter(isOther);
  if (folders.length > 1 && soleFolders.length > 0) {
    const kind = isScorecard(soleFolders[0]) ? "a file" : isSweep(soleFolders[0]) ? "a sweep" : "a comparison";
    throw fileProblem(soleFolders[0], `is ${kind}, and a page of several folders is of runs; name it alone`);
  }
  if (soleFolders.length === 0) {
    const runs = await picturesOf(folders, signal);
    const title = runs.map(({ summary }) => summary.scenario.slice(0, 60)).join(", ");
    return pageOf(title, { ...NOTHING_ELSE, runs });
  }
  const [folder] = soleFolders;
  if (isScorecard(folder)) return scorecardPage(readScorecard(folder).rows);
  if (isSweep(folder)) {
    const sweep = sweepPicture(sweepResults(readSweepFolder(folder)), folder);
    return pageOf(sweep.words.title, { ...NOTHING_ELSE, sweep });
  }
  const comparison = comparisonPicture(readComparisonFolder(folder).comparison, folder);
  return pageOf(comparison.words.title, { ...NOTHING_ELSE, comparison });
}

/** Published and measured. */
export function scorecardPage(rows: readonly ScorecardRow[]): string {
  return pageOf("Published and measured", { ...NOTHING_ELSE, scorecard: scorecardPicture(rows) });
}

async function picturesOf(folders: readonly string[], signal?: AbortSignal): Promise<PicturedRun[]> {
  const pictures: PicturedRun[] = [];
  try {
    for (const folder of folders) {
      const picture = await readRunPicture(folder, signal);
      const said = runEntries(picture.summary).flatMap(([label, texts]) =>
        texts.length === 0 ? [] : [[label, printable([texts].flat().join("; "))]],
      );
      pictures.push({ ...picture, facts: Object.fromEntries(said) as PicturedRun["facts"] });
    }
  } catch (error) {
    if (!(error instanceof TablesUnavailable)) throw error;
    throw fileProblem("bide report", `the tables cannot be read: ${error.message}`);
  }
  return pictures;
}

function pageOf(title: string, data: PageData): string {
  const part = (name: string) => readFileSync(join(PACKAGE_ROOT, "bundle/report", name), "utf8");
  // No network whatever a name says: scripts and styles are those of the page.
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title.slice(0, 200))} · Bide</title>
<style>${part("page.css")}</style>
</head>
<body>
<noscript>This report draws its figures with JavaScript.</noscript>
<main id="report"></main>
<script type="application/json" id="data">${embeddedJson(data)}</script>
<script>${part("page.js").replace(/<\/(script)/gi, "<\\/$1")}</script>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in which no name ends the script element or begins a comment. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/>/g, "\\u003e")
    .replace(/&/g, "\\u0026")
    .replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
