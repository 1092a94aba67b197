import type { SweepRecord } from "../experiments/sweep/sweep-record.js";
import { askSweep, SQL_LIMITS, type SqlLimits } from "../io/sweep/ask-sweep.js";
import { answerCsv, answerJson, answerMarkdown, answerText } from "../report/sweep/query-report.js";
import type { ResultsCommandOptions } from "./results-request.js";

/** What `--sql` or `--tables` print, piece by piece. @throws InputError */
export function answer(
  folder: string,
  record: SweepRecord,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const sql = options.sql ?? (options.tables === true ? null : ALL_RUNS);
  const format = options.csv !== undefined ? "csv" : options.json === true ? "json" : options.format;
  const form = format === "json" ? "json" : format === "text" ? "cut" : "text";
  const pages = askSweep({ folder, record }, sql, form, sqlLimits(options), signal);
  switch (format) {
    case "text":
      return answerText(pages);
    case "md":
      return answerMarkdown(pages);
    case "csv":
      return answerCsv(pages);
    case "json":
      return answerJson(pages);
  }
}

/** What is exported when nobody asks for anything else. */
export const ALL_RUNS = "SELECT * FROM runs ORDER BY point, replication";

/** `--sql-memory`, `--sql-timeout`. */
export function sqlLimits({ sqlMemory, sqlTimeout }: ResultsCommandOptions): SqlLimits {
  return { memoryBytes: sqlMemory ?? SQL_LIMITS.memoryBytes, timeoutUs: sqlTimeout ?? SQL_LIMITS.timeoutUs };
}
