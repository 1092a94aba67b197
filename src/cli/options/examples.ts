import type { Command } from "commander";
import { EXAMPLES_FOLDER } from "../../io/examples.js";
import type { ExamplesCommandOptions } from "../examples.js";

/** What `bide examples` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("[names...]", "examples to copy; without a name, all are listed")
    .option("--all", "copy all examples")
    .option("--to <dir>", "folder for the copies", EXAMPLES_FOLDER)
    .option("--force", "replace files that differ from the shipped ones")
    .addHelpText("after", EXAMPLES)
    .action(async (names: string[], options: ExamplesCommandOptions) => {
      const { examples } = await import("../examples.js");
      await examples(names, options);
    });
}

const EXAMPLES = `
An example is copied with the files that it needs. A file that differs from the
shipped one is never replaced without --force.

Examples:
  bide examples
  bide examples tiny
  bide examples w1-w2 --to elsewhere
  bide examples --all`;
