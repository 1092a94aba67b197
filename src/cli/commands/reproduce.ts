import { Argument, type Command, Option } from "commander";
import { completes, files, scenarioFiles } from "../completion-values.js";
import { threadCount } from "../option-values.js";
import type { ReproduceCommandOptions } from "../reproduce.js";

/** Defines `bide reproduce`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(new Argument("[ids...]", "rows or experiments, such as fig7 or fig7.bin5 (default: all)"))
    .option("--list", "list the rows and run nothing")
    .option("--quick", "only the rows that take seconds")
    .addOption(
      completes(
        new Option("--published <file>", "published values of your own; the sweeps lie beside the file"),
        scenarioFiles,
      ),
    )
    .option("--threads <n>", "number of runs at the same time (default: one per core)", threadCount)
    .option("--out <dir>", "folder of the sweeps; runs that are there are not repeated", "results/reproduce")
    .addOption(completes(new Option("--markdown <file>", "also write the scorecard as Markdown"), files(/\.md$/)))
    .addOption(
      completes(
        new Option("--report <file>", "also write a page of figures, published and measured values"),
        files(/\.html$/),
      ),
    )
    .option("--force", "replace the files of --markdown and --report")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
    .addHelpText("after", REPRODUCE_EXAMPLES)
    .action(async (ids: string[], options: ReproduceCommandOptions) => {
      const { reproduce } = await import("../reproduce.js");
      await reproduce(ids, options);
    });
}

const REPRODUCE_EXAMPLES = `
A missed row is a result: the exit code is 0 if every run ended.

Examples:
  npx bide reproduce --list
  npx bide reproduce fig11 3.5
  npx bide reproduce fig11 --quick --threads 2
  npx bide reproduce fig11 --json --out results/fig11 | jq .scores
  npx bide reproduce 3.5 --markdown scorecard.md --report scorecard.html`;
