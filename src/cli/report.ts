import { join } from "node:path";
import { InputError } from "../io/input-error.js";
import { TablesUnavailable } from "../io/results/duckdb.js";
import { readRunPicture, type RunPicture } from "../io/results/run-picture.js";
import { checkEnding, checkNewFile, writeWholeFile } from "../io/results/whole-file.js";
import { htmlReport } from "../report/html-report.js";
import { interruptible } from "./interrupt.js";
import { print } from "./printing.js";

export interface ReportCommandOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** `bide report`: a page about one run, or about several side by side. */
export async function report(folders: readonly string[], options: ReportCommandOptions): Promise<void> {
  // Beside the results of one run, or here.
  const out = options.out ?? (folders.length === 1 ? join(folders[0], "report.html") : "report.html");
  await interruptible(async (signal) => {
    await writeReport(folders, out, options.force === true, signal);
  });
  await print(`${out}\n`);
}

/** @throws InputError when a folder holds no run with tables, or the page cannot be written. */
export async function writeReport(
  folders: readonly string[],
  out: string,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  checkEnding("--out", out, "html");
  const pictures = await picturesOf(folders, signal);
  checkNewFile(out, force);
  writeWholeFile(out, htmlReport(pictures), force);
}

async function picturesOf(folders: readonly string[], signal: AbortSignal): Promise<RunPicture[]> {
  const pictures: RunPicture[] = [];
  try {
    for (const folder of folders) pictures.push(await readRunPicture(folder, signal));
  } catch (error) {
    if (!(error instanceof TablesUnavailable)) throw error;
    const message = `the tables cannot be read: ${error.message}`;
    throw new InputError([{ file: "bide report", line: 0, column: 0, message }]);
  }
  return pictures;
}
