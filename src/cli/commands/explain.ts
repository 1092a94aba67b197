import { Argument, type Command } from "commander";
import { completes, folders } from "../completion-values.js";
import type { ExplainCommandOptions } from "../explain-choice.js";

/** The command `bide explain`. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<run>", "results folder that bide run --log decisions wrote"), folders))
    .option("--job <job>", "why this job waited: its number in jobs.parquet, or its name")
    .option("--task <job/map>", "why this map waited, for example 3/12; needs run --tasks")
    .option(
      "--stage <job/stage>",
      "spark, yarn: where the time of this stage went, for example 3/1; the job may be left out if only one job has the stage",
    )
    .option("--pool <pool>", "why the jobs of this pool waited, all together")
    .option("--queue <queue>", "yarn: why the jobs of this queue waited")
    .option("--chain", "also list the outcome of each opportunity; consecutive equal ones as one row")
    .option("--json", "print JSON")
    .addHelpText("after", EXPLAIN_EXAMPLES)
    .action(async (folder: string, options: ExplainCommandOptions) => {
      const { explain } = await import("../explain.js");
      await explain(folder, options);
    });
}

const EXPLAIN_EXAMPLES = `
Examples:
  npx bide run scenarios/tiny.yaml --log decisions --tasks --out results/tiny
  npx bide explain results/tiny --job 0
  npx bide explain results/tiny --task 0/12 --chain
  npx bide explain results/tiny --pool etl --json | jq .shares`;
