import type { Command } from "commander";

/** What `bide init` takes, and what it does. */
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
