import { Argument, type Command } from "commander";
import { EXAMPLES_FOLDER } from "../../io/index.js";
import type { ExamplesCommandOptions } from "../examples.js";

/** Defines `bide examples`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(new Argument("[names...]", "examples to copy; without a name, all are listed"))
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
  npx bide examples
  npx bide examples tiny
  npx bide examples w1-w2 --to elsewhere
  npx bide examples --all`;
