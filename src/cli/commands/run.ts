import { Argument, type Command, Option } from "commander";
import { completes, scenarioFiles } from "../completion-values.js";
import { type Engine, slices } from "../option-values.js";
import { loadedPlugins, scenarioOptions, threadsOption } from "./shared-options.js";
import type { RunCommandOptions } from "../run.js";

/** Defines `bide run`: its arguments, options and action. */
export function define(command: Command, engine: Engine): void {
  command.addArgument(completes(new Argument("<file>", "scenario, YAML or JSON"), scenarioFiles));
  scenarioOptions(command)
    .addOption(threadsOption().default("auto"))
    .option("--out <dir>", "results folder (default: results/NAME-SEED-TIME)")
    .option("--force", "replace the results in --out")
    .option("--no-tables", "write no Parquet tables")
    .addOption(new Option("--tasks", "also write a table with one row per task attempt (large)").conflicts("tables"))
    .option("--report", "also write report.html, a page of figures, into the results folder")
    .addOption(
      new Option("--log <what>", "decisions: also write what each job waited for, for bide explain")
        .choices(["decisions"])
        .conflicts("tables"),
    )
    .option("--slices <n>", "execution slices per heartbeat; does not change the result", slices)
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
  npx bide run scenarios/tiny.yaml
  npx bide run scenarios/tiny.yaml --threads rack --out results/tiny
  npx bide run my.yaml --set scheduler=delay --set scheduler.wait.nodeSkips=100
  npx bide run my.yaml --set workload.jobs.0.maps=600 --seed 7
  npx bide run my.yaml --threads 2 --recover
  npx bide run my.yaml --json --no-tables | jq .locality

npx bide examples copies the scenarios; npx bide init writes my.yaml.`;
