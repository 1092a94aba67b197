import type { Command } from "commander";
import type { MergeCommandOptions } from "../merge.js";

/** What `bide merge` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<folders...>", "what bide sweep --shard has written")
    .requiredOption("--out <dir>", "folder of the whole sweep")
    .option("--partial", "also when runs are missing; bide sweep --resume in that folder does them")
    .option("--force", "replace the sweep in --out")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no notes")
    .addHelpText("after", EXAMPLES)
    .action(async (folders: string[], options: MergeCommandOptions) => {
      const { merge } = await import("../merge.js");
      await merge(folders, options);
    });
}

const EXAMPLES = `
Examples:
  bide merge results/w1-w2-part-*-of-8 --out results/w1-w2
  bide merge part-1 part-3 --out some --partial`;
