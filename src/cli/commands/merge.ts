import { Argument, type Command } from "commander";
import { completes, folders } from "../completion-values.js";
import type { MergeCommandOptions } from "../merge.js";

/** Defines `bide merge`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<folders...>", "folders that bide sweep --shard wrote"), folders))
    .requiredOption("--out <dir>", "new folder for the whole sweep")
    .option("--partial", "allow missing runs; bide sweep --resume in the new folder executes them")
    .option("--force", "replace the sweep in --out")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no notes")
    .addHelpText("after", MERGE_EXAMPLES)
    .action(async (folders: string[], options: MergeCommandOptions) => {
      const { merge } = await import("../merge.js");
      await merge(folders, options);
    });
}

const MERGE_EXAMPLES = `
Examples:
  npx bide merge part-1 part-2 --out both-parts
  npx bide merge part-1 --out first-part --partial

The help of bide sweep shows how parts are made.`;
