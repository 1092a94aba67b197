import type { Command } from "commander";

/** What `bide explain-config` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<file>", "configuration of the fair or capacity scheduler, of Hadoop 1 or YARN")
    .option("--json", "print only JSON on stdout")
    .addHelpText("after", EXPLAIN_CONFIG_EXAMPLES)
    .action(async (file: string, options: { json?: boolean }) => {
      const { explainConfig } = await import("../explain-config.js");
      await explainConfig(file, options);
    });
}

const EXPLAIN_CONFIG_EXAMPLES = `
Prints what the file means, and which parts of it Bide does not use.

Examples:
  bide explain-config scenarios/hadoop/fair-scheduler.xml
  bide explain-config scenarios/hadoop/capacity-scheduler.xml
  bide explain-config scenarios/hadoop/yarn-queues.xml --json | jq .allocations`;
