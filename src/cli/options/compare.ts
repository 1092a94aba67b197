import { type Command, Option } from "commander";
import { ENOUGH_RUNS } from "../../experiments/statistics/estimates.js";
import { DEFAULT_KINDS } from "../../core/scheduler/kinds.js";
import type { CompareCommandOptions } from "../compare.js";
import { TABLE_FORMATS } from "../table-formats.js";
import type { Engine } from "../engine.js";
import { names, seedCount } from "../option-values.js";
import { unknownScheduler } from "../scheduler-names.js";
import { loadedPlugins, scenarioOptions, threadsOption } from "./scenario-options.js";

/** What `bide compare` takes, and what it does. */
export function addOptions(command: Command, engine: Engine): void {
  command.argument("<file>", "scenario, YAML or JSON, with or without a compare section");
  scenarioOptions(command)
    .addOption(
      new Option("--schedulers <names>", "kinds to compare, separated by commas, in place of the file's systems")
        .argParser(names)
        .conflicts("systems"),
    )
    .addOption(new Option("--systems <names>", "only these systems of the file, separated by commas").argParser(names))
    .addOption(
      new Option(
        "--seeds <n>",
        `seeds per system (default: the file's, or ${String(ENOUGH_RUNS)}); 95 % intervals need ${String(ENOUGH_RUNS)}`,
      ).argParser(seedCount),
    )
    .addOption(
      new Option("--format <format>", "format of the tables; csv has all measures")
        .choices(TABLE_FORMATS)
        .default("text"),
    )
    .addOption(threadsOption().default(0))
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
    .option(
      "--allow-refused",
      "continue when the pools of a system refuse every job; without it that is an error, exit code 2",
    )
    .addHelpText("after", COMPARE_HELP)
    .action(async (file: string, options: CompareCommandOptions) => {
      const { compare } = await import("../compare.js");
      const plugins = await loadedPlugins(options.plugin);
      const unknown = unknownScheduler(options.schedulers ?? [], plugins);
      if (unknown !== null) command.error(`error: option '--schedulers <names>' is invalid. ${unknown}`);
      await compare(file, options, plugins, engine);
    });
}

const COMPARE_HELP = `
The compare section of the file names the systems. Without this section, Bide
compares ${DEFAULT_KINDS.join(", ")}, the scheduler of the file, and plugins.
The scheduler of the file keeps its wait. Every other scheduler has its own
default wait, which bide schedulers prints.

Examples:
  bide compare scenarios/tiny.yaml
  bide compare scenarios/tiny.yaml --seeds 20 --format md
  bide compare my.yaml --schedulers fair,delay --seeds 20
  bide compare my.yaml --set scheduler.wait.node=1s --json --out comparison.json`;
