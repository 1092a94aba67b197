import type { SweepRecord } from "../experiments/sweep/sweep-record.js";
import { checkEnding, checkNewReport, writeWholePieces } from "../io/results/whole-file.js";
import { exportAnswer } from "../io/sweep/ask-sweep.js";
import { printPieces } from "./printing.js";
import { ALL_RUNS, answer, sqlLimits } from "./results-sql.js";
import type { ResultsCommandOptions } from "./results-request.js";
import { tell } from "./terminal.js";

const STDOUT = "-";

/** `--csv`, `--parquet`: all runs, or what `--sql` says, for other programs. @throws InputError */
export async function exportTables(
  folder: string,
  record: SweepRecord,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { csv, parquet, sql = ALL_RUNS, force = false, quiet } = options;
  for (const [ending, path] of Object.entries({ csv, parquet })) {
    if (path === undefined || path === STDOUT) continue;
    checkEnding(`--${ending}`, path, ending);
    checkNewReport(path, force);
  }
  const note = (path: string): void => {
    if (quiet !== true) tell(`Written to ${path}\n`);
  };
  if (parquet !== undefined) {
    await exportAnswer({ folder, record }, sql, { path: parquet, force }, sqlLimits(options), signal);
    note(parquet);
  }
  if (csv === undefined) return;
  const text = answer(folder, record, options, signal);
  if (csv === STDOUT) return printPieces(text);
  await writeWholePieces(csv, text, force);
  note(csv);
}
