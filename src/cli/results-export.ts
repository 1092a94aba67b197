import type { SweepRecord } from "../core/sweep/run-outcome.js";
import { checkNewReport } from "../io/results/own-folder.js";
import { checkEnding, writeWholeFile } from "../io/results/whole-file.js";
import { askSweep, exportAnswer } from "../io/sweep/ask-sweep.js";
import { answerCsv } from "../report/sweep/query-report.js";
import { print } from "./printing.js";
import type { ResultsCommandOptions } from "./results-request.js";
import { tell } from "./terminal.js";

const STDOUT = "-";

/** `--csv`, `--parquet`: all runs, or what `--sql` says, for other programs. @throws InputError */
export async function exportTables(
  folder: string,
  record: SweepRecord,
  { csv, parquet, sql = "SELECT * FROM runs ORDER BY point, replication", force = false, quiet }: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const [ending, path] of Object.entries({ csv, parquet })) {
    if (path === undefined || path === STDOUT) continue;
    checkEnding(`--${ending}`, path, ending);
    checkNewReport(path, force);
  }
  const note = (path: string): void => {
    if (quiet !== true) tell(`Written to ${path}\n`);
  };
  if (parquet !== undefined) {
    await exportAnswer(folder, record, sql, { path: parquet, force }, signal);
    note(parquet);
  }
  if (csv === undefined) return;
  const text = answerCsv(await askSweep(folder, record, sql, signal));
  if (csv === STDOUT) return print(text);
  writeWholeFile(csv, text, force);
  note(csv);
}
