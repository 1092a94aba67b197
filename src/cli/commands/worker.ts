import type { Command } from "commander";
import { drainTime, threadCount } from "../option-values.js";
import { pluginOption, queueOption } from "./shared-options.js";
import type { WorkerCommandOptions } from "../worker.js";

/** Defines `bide worker`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addOption(queueOption())
    .option("--threads <n>", "number of runs at the same time (default: one per core)", threadCount)
    .addOption(pluginOption())
    .option("--drain <time>", "time that runs have to end after SIGTERM (default: 10m)", drainTime)
    .option("--json", "print one line of JSON on stdout for each run")
    .option("--quiet", "print only errors")
    .addHelpText("after", WORKER_EXAMPLES)
    .action(async (options: WorkerCommandOptions) => {
      const { worker } = await import("../worker.js");
      await worker(options);
    });
}

const WORKER_EXAMPLES = `
A worker executes runs of sweeps that were started with bide sweep FILE --queue.
Start workers on any number of machines. SIGTERM or Ctrl-C ends a worker after
its current runs. A second signal ends it at once, and other workers repeat its
runs.

Examples, the last with the environment variable BIDE_QUEUE:
  npx bide worker --queue redis://localhost:6379
  npx bide worker --queue redis://localhost:6379 --threads 2
  npx bide worker --plugin scenarios/plugins/shortest-job-first.mjs`;
