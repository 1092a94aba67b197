import { type Command, Option } from "commander";
import type { Engine } from "../engine.js";
import { slices } from "../option-values.js";
import type { RunCommandOptions } from "../run.js";
import { loadedPlugins, scenarioOptions, threadsOption } from "./scenario-options.js";

/** What `bide run` takes, and what it does. */
export function addOptions(command: Command, engine: Engine): void {
  command.argument("<file>", "scenario, YAML or JSON");
  scenarioOptions(command)
    .addOption(threadsOption().default("auto"))
    .option("--out <dir>", "results folder (default: results/NAME-SEED-TIME)")
    .option("--force", "replace the results in --out")
    .option("--no-tables", "write no Parquet tables")
    .option("--tasks", "also write a table with one row per task attempt (large)")
    .addOption(
      new Option("--slices <n>", "execution slices per heartbeat; does not change the result").argParser(slices),
    )
    .option("--recover", "replace a rack thread that dies and continue; needs memory, does not change the result")
    .option("--allow-refused", "continue when the pools refuse every job; without it that is an error, exit code 2")
    .addHelpText("after", RUN_EXAMPLES)
    .action(async (file: string, options: RunCommandOptions) => {
      const { run } = await import("../run.js");
      await run(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const RUN_EXAMPLES = `
Examples:
  bide run scenarios/tiny.yaml
  bide run scenarios/tiny.yaml --threads rack --out results/tiny
  bide run my.yaml --set scheduler=delay --set scheduler.wait.nodeSkips=100
  bide run my.yaml --set workload.jobs.0.maps=600 --seed 7
  bide run my.yaml --threads 2 --recover
  bide run my.yaml --json --no-tables | jq .locality

bide examples copies the scenarios; bide init writes my.yaml.`;
