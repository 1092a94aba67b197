import type { SweepRecord } from "../core/sweep/run-outcome.js";
import { jsonText } from "../io/results/summary-schema.js";
import { askSweep, describeTables } from "../io/sweep/ask-sweep.js";
import { answerCsv, answerMarkdown, answerText } from "../report/sweep/query-report.js";
import type { ResultsCommandOptions } from "./results-request.js";

/** What `--sql` or `--tables` print. @throws InputError */
export async function answer(
  folder: string,
  record: SweepRecord,
  { sql, format, json }: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<string> {
  const result =
    sql === undefined ? await describeTables(folder, record, signal) : await askSweep(folder, record, sql, signal);
  switch (json === true ? "json" : format) {
    case "text":
      return answerText(result);
    case "md":
      return answerMarkdown(result);
    case "csv":
      return answerCsv(result);
    case "json":
      return jsonText(result.records());
  }
}
