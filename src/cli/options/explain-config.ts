import type { Command } from "commander";

/** What `bide explain-config` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<file>", "configuration of the fair or the capacity scheduler, of Hadoop 1 or YARN")
    .option("--json", "print JSON on stdout, and nothing else")
    .addHelpText("after", EXPLAIN_CONFIG_EXAMPLES)
    .action(async (file: string, options: { json?: boolean }) => {
      const { explainConfig } = await import("../explain-config.js");
      await explainConfig(file, options);
    });
}

const EXPLAIN_CONFIG_EXAMPLES = `
Examples:
  bide explain-config fair-scheduler.xml
  bide explain-config capacity-scheduler.xml
  bide explain-config fair-scheduler.xml --json | jq '.allocations.pools[].name'`;
