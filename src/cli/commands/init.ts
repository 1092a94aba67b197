import type { Command } from "commander";

/** Defines `bide init`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .argument("[file]", "the new scenario", "my.yaml")
    .option("--force", "replace the file")
    .addHelpText("after", "\nExamples:\n  npx bide init\n  npx bide init what-if.yaml")
    .action(async (file: string, options: { force?: boolean }) => {
      const { init } = await import("../examples.js");
      await init(file, options);
    });
}
