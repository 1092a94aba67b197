import { existsSync } from "node:fs";
import { join, parse } from "node:path";
import { checkEnding, checkNewFile, writeWholeFile } from "../io/index.js";
import { htmlReport, isScorecard } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { print, printData } from "./printing.js";
import { STDOUT, tell } from "./terminal.js";

export interface ReportCommandOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** `bide report`: a page about a run, several runs side by side, a comparison, a sweep or a scorecard. */
export async function report(folders: readonly string[], options: ReportCommandOptions): Promise<void> {
  const out = options.out ?? pageBeside(folders);
  if (out === STDOUT) return printData(await interruptible(async (signal) => pageOf(folders, signal)));
  checkEnding("--out", out, "html");
  // Before the tables are read; of a folder that is not there something else is said.
  if (options.out !== undefined || existsSync(folders[0])) checkNewFile(out, options.force === true);
  await interruptible(async (signal) => {
    await writeReport(folders, out, options.force === true, signal);
  });
  await print(`${out}\n`);
}

/** Beside the results of one, or here. */
function pageBeside([first, ...otherFolders]: readonly string[]): string {
  if (otherFolders.length > 0) return "report.html";
  if (!isScorecard(first)) return join(first, "report.html");
  const { dir, name } = parse(first);
  return join(dir, `${name}.html`);
}

/** `--report`: the page of the results that a command has just written, beside them. */
export async function reportBeside(folder: string, replaced: boolean, isJson: boolean): Promise<void> {
  const page = join(folder, "report.html");
  await interruptible(async (signal) => {
    await writeReport([folder], page, replaced, signal);
  });
  // Stdout has one JSON document and nothing else.
  if (isJson) tell(`${page}\n`);
  else await print(`${page}\n`);
}

/** @throws InputError when a folder holds nothing that can be drawn, or the page cannot be written. */
async function writeReport(
  folders: readonly string[],
  out: string,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  writeWholeFile(out, await pageOf(folders, signal), force);
}

/** @throws InputError when a folder holds nothing that can be drawn. */
async function pageOf(folders: readonly string[], signal: AbortSignal): Promise<string> {
  const page = await htmlReport(folders, signal);
  // A signal arrives between two turns of the event loop.
  await new Promise(setImmediate);
  signal.throwIfAborted();
  return page;
}
