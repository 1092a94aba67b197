import { Argument, type Command } from "commander";
import { completes, folders } from "../completion-values.js";
import { instant } from "../option-values.js";
import type { TraceCommandOptions } from "../trace.js";

/** Defines `bide trace`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<run>", "results folder of bide run --tasks"), folders))
    .option("--out <file>", "the trace (default: trace.json in the folder); - is stdout")
    .option("--force", "replace the trace")
    .option("--job <job>", "only attempts of this job: its number in jobs.parquet, or its name")
    .option("--pool <pool>", "only attempts of this pool, and of the pools inside it")
    .option("--rack <rack>", "only attempts in this rack")
    .option("--from <time>", "only attempts that ran at or after this time", instant)
    .option("--to <time>", "only attempts that ran before this time", instant)
    .option("--all", "draw all attempts, however many; without it the first 200000")
    .option("--quiet", "print no notes")
    .addHelpText("after", TRACE_HELP)
    .action(async (folder: string, options: TraceCommandOptions) => {
      const { trace } = await import("../trace.js");
      await trace(folder, options);
    });
}

const TRACE_HELP = `
To look at it, open https://ui.perfetto.dev and drop the file on the page, or
open chrome://tracing. The file stays on the machine. Racks are processes, the
slots of their nodes are threads, attempts are slices named by locality.

Examples:
  npx bide run scenarios/tiny.yaml --tasks --out results/tiny
  npx bide trace results/tiny
  npx bide trace results/tiny --job 0 --out job.json
  npx bide trace results/tiny --rack rack00 --from 30s --to 1m --out rack.json`;
