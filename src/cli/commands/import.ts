import { Argument, type Command } from "commander";
import { anyFile, completes } from "../completion-values.js";
import type { ImportCommandOptions } from "../import.js";
import { zstdWindow } from "../option-values.js";

/** Defines `bide import`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(new Argument("<kind>", "system that wrote the logs").choices(["spark", "hadoop"]))
    .addArgument(
      completes(
        new Argument(
          "<logs...>",
          "spark: event logs, plain, gzip or zstd, or folders of rolled ones; hadoop: .jhist, Rumen, SLS, lists of the resource manager, plain or gzip",
        ),
        anyFile,
      ),
    )
    .requiredOption("--out <dir>", "new folder for the results")
    .option(
      "--after-within <time>",
      "spark: a job that came within this time after another ended is submitted with the same delay after it; 0s: all jobs at their recorded times (default 1m)",
    )
    .option(
      "--zstd-window <size>",
      "spark: largest window of zstd, up to 1GB; needed for logs packed with zstd --long above 27 (default 128MB)",
      zstdWindow,
    )
    .option("--force", "replace the folder in --out")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", IMPORT_HELP)
    .action(async (kind: string, logs: string[], options: ImportCommandOptions) => {
      const { importHistories, importLogs } = await import("../import.js");
      await (kind === "hadoop" ? importHistories : importLogs)(logs, options);
    });
}

const IMPORT_HELP = `
For Spark, writes for each application a scenario with its jobs, stages, tasks,
executors and settings, and the recorded times. For Hadoop, writes one scenario
of YARN with the jobs of all files: job histories (.jhist), traces of Rumen, jobs
and nodes of SLS. Prints what was read, folded, guessed and left out: a log does
not have all values that a run needs.

Examples:
  npx bide import hadoop scenarios/yarn/history/*.jhist --out imported
  npx bide import spark app-20240301101112-0007 --out imported
  npx bide import spark eventlog_v2_app-20240301101112-0007 --out imported
  npx bide import spark logs/*.zstd --out imported --json | jq .applications
  npx bide import hadoop done/2024/03/01/*/*.jhist --out imported
  npx bide import hadoop sls-jobs.json sls-nodes.json --out imported
  npx bide import hadoop apps.json nodes.json --out imported`;
