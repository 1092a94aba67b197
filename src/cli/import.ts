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
  if (options.zstdWindow !== undefined) {
    throw fileProblem("--zstd-window", "is only for bide import spark: histories are plain or gzip");
  }
  if (options.afterWithin !== undefined) {
    throw fileProblem("--after-within", "is only for bide import spark: jobs of a cluster come when they came");
  }
  const made = await imported(
    options,
    async (reading) => importJobs(await readHadoopRecords(files, reading), files),
    writeHadoopImport,
  );
  const end = hadoopImportEnd(made, options.out);
  await printEnd(options.json, end, () => `${hadoopImportLines(end).join("\n")}\n`);
}

/** `bide import spark`: event logs become scenarios; nothing is left of an import that does not come to its end. */
export async function importLogs(logs: readonly string[], options: ImportCommandOptions): Promise<void> {
  const { out, afterWithin = "1m", zstdWindow: zstdWindowBytes, quiet = false } = options;
  const afterWithinUs = parseDuration(afterWithin);
  if (afterWithinUs === undefined) {
    throw fileProblem("--after-within", `expected a time such as 1m or 0s, found ${quote(afterWithin)}`);
  }
  const read = async (reading: Reading): Promise<readonly SparkImport[]> => {
    const applications = await readEventLogs(logs, { ...reading, zstdWindowBytes });
    const imports = applications.map((application) => importApplication(application, { afterWithinUs }));
    const running = imports.filter(({ jobs }) => jobs.length > 0);
    if (running.length === 0) {
      const message = "has no job of which a task ended, so there is nothing to simulate";
      throw new InputError(imports.map(({ report }) => problemOf(report.log, message)));
    }
    for (const { jobs, report } of imports) {
      if (jobs.length === 0 && !quiet) tell(`note: ${report.log} has no job of which a task ended; it is left out\n`);
    }
    return running;
  };
  const imports = await imported(options, read, writeImports);
  const end = importEnd(imports, out);
  await printEnd(options.json, end, () => `${importLines(end).join("\n")}\n`);
}

interface Reading {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Reads logs and writes what became of them into a new folder. */
async function imported<Made>(
  { out, force = false, quiet = false }: ImportCommandOptions,
  read: (reading: Reading) => Promise<Made>,
  write: (made: Made, folder: string, shown: string, signal: AbortSignal) => Promise<void>,
): Promise<Made> {
  return interruptible(async (signal) =>
    inNewFolder({ path: out, force, chosen: false }, async (folder) => {
      const display = await startShareProgress(quiet, "reading");
      try {
        const made = await read({ signal, onProgress: display.update });
        await write(made, folder.staging, out, signal);
        folder.publish();
        return made;
      } finally {
        display.stop();
      }
    }),
  );
}
