import { type Command, Option } from "commander";
import { drainTime, threadCount } from "../option-values.js";
import type { WorkerCommandOptions } from "../worker.js";
import { queueOption } from "./queue-option.js";
import { pluginOption } from "./scenario-options.js";

/** What `bide worker` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .addOption(queueOption())
    .addOption(new Option("--threads <n>", "runs at a time (default: all cores)").argParser(threadCount))
    .addOption(pluginOption())
    .addOption(
      new Option("--drain <time>", "after SIGTERM, how long runs may take to end (default: 10m)").argParser(drainTime),
    )
    .option("--json", "print a line of JSON on stdout for each run")
    .option("--quiet", "tell nothing but errors")
    .addHelpText("after", EXAMPLES)
    .action(async (options: WorkerCommandOptions) => {
      const { worker } = await import("../worker.js");
      await worker(options);
    });
}

const EXAMPLES = `
Does runs of sweeps that were started with bide sweep FILE --queue, on this machine. Start it on as many as you like; end it with
SIGTERM or Ctrl-C, and it finishes the runs it is at; a second signal ends it at once, and others take them over.

Examples:
  bide worker --queue redis://queue.example:6379
  BIDE_QUEUE=rediss://user:password@queue.example:6380/2 bide worker --threads 4
  bide worker --queue redis://queue.example --plugin my-scheduler.mjs`;
