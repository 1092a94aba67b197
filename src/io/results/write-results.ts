import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../core/metrics/run-record.js";
import type { Summary } from "../../core/metrics/summary.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import { resolvedToJson } from "../scenario/resolved.js";
import { asWriteError } from "./file-trouble.js";
import { TablesUnavailable } from "./duckdb.js";
import { writeParquet } from "./parquet.js";
import { resultsReadme } from "./result-files.js";
import type { ResultsFolder } from "./results-folder.js";
import { runTables } from "./run-tables.js";
import { jsonText, summaryText } from "./summary-schema.js";

export interface Results {
  readonly scenario: Scenario;
  readonly summary: Summary;
  readonly record: RunRecord;
}

/**
 * Writes everything a results folder holds and publishes it; on any failure nothing is left.
 * @param tables false: no Parquet, and DuckDB is not loaded.
 * @returns why there are no tables although they were wanted, or null.
 * @throws InputError when the disk refuses; `signal.reason` when aborted.
 */
export async function writeResults(
  folder: ResultsFolder,
  results: Results,
  tables: boolean,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    const text = summaryText(results.summary);
    const write = (name: string, content: string): void => {
      writeFileSync(join(folder.staging, name), content);
    };
    write("summary.json", text);
    write("resolved-scenario.json", jsonText(resolvedToJson(results.scenario)));
    const wanted = tables ? runTables(results.record) : [];
    const missing = await writeParquet(wanted, folder.staging, signal).then(() => null, reasonUnavailable);
    const written = missing === null ? wanted.map(({ name }) => name) : [];
    write("README.txt", resultsReadme(results.summary, written, missing));
    signal?.throwIfAborted();
    folder.publish();
    return missing;
  } catch (error) {
    folder.discard();
    throw asWriteError(error, folder.path);
  }
}

function reasonUnavailable(error: unknown): string {
  if (error instanceof TablesUnavailable) return error.message;
  throw error;
}
