import { Argument, type Command, Option } from "commander";
import { completes, files } from "../completion-values.js";

/** The command `bide explain-config`. */
export function define(command: Command): void {
  command
    .addArgument(
      completes(
        new Argument("<file>", "configuration of the fair or capacity scheduler, of Hadoop 1 or YARN, or of Spark"),
        files(/\.(xml|conf)$/),
      ),
    )
    .addOption(
      new Option(
        "--platform <name>",
        "whose meaning: yarn also where nothing in the file is only YARN's; else the file decides",
      ).choices(["yarn"]),
    )
    .option("--json", "print only JSON on stdout")
    .addHelpText("after", EXPLAIN_CONFIG_EXAMPLES)
    .action(async (file: string, options: { json?: boolean; platform?: string }) => {
      const { explainConfig } = await import("../explain-config.js");
      await explainConfig(file, options);
    });
}

const EXPLAIN_CONFIG_EXAMPLES = `
Prints what the file means, and which parts of it Bide does not use.

Examples:
  npx bide explain-config scenarios/hadoop/fair-scheduler.xml
  npx bide explain-config scenarios/hadoop/capacity-scheduler.xml
  npx bide explain-config scenarios/yarn/fair-scheduler.xml
  npx bide explain-config scenarios/hadoop/fair-scheduler.xml --json \\
    | jq .allocations`;
