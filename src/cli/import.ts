import {
  hadoopImportEnd,
  hadoopImportLines,
  importApplication,
  importEnd,
  importJobs,
  importLines,
  inNewFolder,
  fileProblem,
  InputError,
  parseDuration,
  readEventLogs,
  readHadoopRecords,
  type SparkImport,
  writeHadoopImport,
  writeImports,
  problemOf,
  quote,
} from "../io/index.js";
import { interruptible } from "./interrupt.js";
import { printEnd } from "./printing.js";
import { startShareProgress } from "./progress.js";
import { tell } from "./terminal.js";

export interface ImportCommandOptions {
  readonly out: string;
  /** Spark only; undefined: a minute. */
  readonly afterWithin?: string;
  /** Spark only; undefined: 128 MiB. */
  readonly zstdWindow?: number;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * `bide import hadoop`: histories and traces become one scenario; nothing is left of an import that does not come to
 * its end.
 */
export async function importHistories(files: readonly string[], options: ImportCommandOptions): Promise<void> {
  const { out, force = false, quiet = false } = options;
  if (options.zstdWindow !== undefined) {
    throw fileProblem("--zstd-window", "is only for bide import spark: histories are plain or gzip");
  }
  if (options.afterWithin !== undefined) {
    throw fileProblem("--after-within", "is only for bide import spark: jobs of a cluster come when they came");
  }
  const made = await interruptible(async (signal) =>
    inNewFolder({ path: out, force, chosen: false }, async (folder) => {
      const display = await startShareProgress(quiet, "reading");
      try {
        const reading = await readHadoopRecords(files, { signal, onProgress: display.update });
        const imported = importJobs(reading, files);
        await writeHadoopImport(imported, folder.staging, out, signal);
        folder.publish();
        return imported;
      } finally {
        display.stop();
      }
    }),
  );
  const end = hadoopImportEnd(made, out);
  await printEnd(options.json, end, () => `${hadoopImportLines(end).join("\n")}\n`);
}

/** `bide import spark`: event logs become scenarios; nothing is left of an import that does not come to its end. */
export async function importLogs(logs: readonly string[], options: ImportCommandOptions): Promise<void> {
  const { out, force = false, afterWithin = "1m" } = options;
  const afterWithinUs = parseDuration(afterWithin);
  if (afterWithinUs === undefined) {
    throw fileProblem("--after-within", `expected a time such as 1m or 0s, found ${quote(afterWithin)}`);
  }
  const imports = await interruptible(async (signal) =>
    inNewFolder({ path: out, force, chosen: false }, async (folder) => {
      const made = await readAll(logs, afterWithinUs, options, signal);
      await writeImports(made, folder.staging, out, signal);
      folder.publish();
      return made;
    }),
  );
  const end = importEnd(imports, out);
  await printEnd(options.json, end, () => `${importLines(end).join("\n")}\n`);
}

async function readAll(
  logs: readonly string[],
  afterWithinUs: number,
  { quiet: isQuiet = false, zstdWindow: zstdWindowBytes }: ImportCommandOptions,
  signal: AbortSignal,
): Promise<readonly SparkImport[]> {
  const display = await startShareProgress(isQuiet, "reading");
  try {
    const applications = await readEventLogs(logs, { signal, zstdWindowBytes, onProgress: display.update });
    const imports = applications.map((application) => importApplication(application, { afterWithinUs }));
    const running = imports.filter(({ jobs }) => jobs.length > 0);
    if (running.length === 0) {
      const message = "has no job of which a task ended, so there is nothing to simulate";
      throw new InputError(imports.map(({ report }) => problemOf(report.log, message)));
    }
    for (const { jobs, report } of imports) {
      if (jobs.length === 0 && !isQuiet) tell(`note: ${report.log} has no job of which a task ended; it is left out\n`);
    }
    return running;
  } finally {
    display.stop();
  }
}
