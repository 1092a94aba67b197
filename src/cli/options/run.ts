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
    .option("--out <dir>", "results folder (default: results/<name>-<seed>-<time>)")
    .option("--force", "replace the results in --out")
    .option("--no-tables", "no Parquet tables")
    .option("--tasks", "also a table with a row per attempt (large)")
    .addOption(new Option("--slices <n>", "execution slices per heartbeat; changes no result").argParser(slices))
    .option("--recover", "replace a rack thread that dies, and go on; costs memory, changes no result")
    .addHelpText("after", RUN_EXAMPLES)
    .action(async (file: string, options: RunCommandOptions) => {
      const { run } = await import("../run.js");
      await run(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const RUN_EXAMPLES = `
Examples:
  bide run scenarios/facebook-day.yaml
  bide run scenarios/facebook-day.yaml --threads rack --out results/day
  bide run my.yaml --set scheduler=delay --set scheduler.wait.nodeSkips=100
  bide run scenarios/facebook-day.yaml --threads 2 --recover
  bide run my.yaml --json --no-tables | jq .locality`;
