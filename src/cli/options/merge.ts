import type { Command } from "commander";
import type { MergeCommandOptions } from "../merge.js";

/** What `bide merge` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<folders...>", "folders that bide sweep --shard wrote")
    .requiredOption("--out <dir>", "new folder for the whole sweep")
    .option("--partial", "allow missing runs; bide sweep --resume in the new folder executes them")
    .option("--force", "replace the sweep in --out")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no notes")
    .addHelpText("after", EXAMPLES)
    .action(async (folders: string[], options: MergeCommandOptions) => {
      const { merge } = await import("../merge.js");
      await merge(folders, options);
    });
}

const EXAMPLES = `
Examples:
  bide merge part-1 part-2 --out both-parts
  bide merge part-1 --out first-part --partial

The help of bide sweep shows how parts are made.`;
