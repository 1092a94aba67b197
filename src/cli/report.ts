import { join } from "node:path";
import { checkEnding, checkNewFile, writeWholeFile } from "../io/results/whole-file.js";
import { htmlReport } from "../report/html-report.js";
import { interruptible } from "./interrupt.js";
import { print } from "./printing.js";
import { tell } from "./terminal.js";

export interface ReportCommandOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** `bide report`: a page about a run, several runs side by side, a comparison, or a sweep. */
export async function report(folders: readonly string[], options: ReportCommandOptions): Promise<void> {
  // Beside the results of one, or here.
  const out = options.out ?? (folders.length === 1 ? join(folders[0], "report.html") : "report.html");
  await interruptible(async (signal) => {
    await writeReport(folders, out, options.force === true, signal);
  });
  await print(`${out}\n`);
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
  checkEnding("--out", out, "html");
  const page = await htmlReport(folders, signal);
  checkNewFile(out, force);
  writeWholeFile(out, page, force);
}
