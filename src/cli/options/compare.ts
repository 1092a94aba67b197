import { type Command, Option } from "commander";
import { DEFAULT_KINDS } from "../../core/scheduler/kinds.js";
import type { CompareCommandOptions } from "../compare.js";
import { TABLE_FORMATS } from "../table-formats.js";
import type { Engine } from "../engine.js";
import { names, seedCount } from "../option-values.js";
import { unknownScheduler } from "../scheduler-names.js";
import { loadedPlugins, scenarioOptions, threadsOption } from "./scenario-options.js";

/** What `bide compare` takes, and what it does. */
export function addOptions(command: Command, engine: Engine): void {
  command.argument("<file>", "scenario, YAML or JSON, with a section compare or without");
  scenarioOptions(command)
    .addOption(
      new Option("--schedulers <names>", "these kinds, in place of the file's systems; separated by commas")
        .argParser(names)
        .conflicts("systems"),
    )
    .addOption(
      new Option("--systems <names>", "only these of the file's systems; separated by commas").argParser(names),
    )
    .addOption(
      new Option(
        "--seeds <n>",
        "seeds per system (default: the file's, or 1); from 2 on with 95 % confidence",
      ).argParser(seedCount),
    )
    .addOption(
      new Option("--format <format>", "how the tables are printed; csv has all measures")
        .choices(TABLE_FORMATS)
        .default("text"),
    )
    .addOption(threadsOption().default(0))
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
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
A file with a section compare says itself which systems. Of any other, ${DEFAULT_KINDS.join(", ")},
the file's own (and plugins) are compared: the scheduler that the file names keeps the file's wait;
every other one has its own default (bide schedulers).

Examples:
  bide compare scenarios/benchmark.yaml
  bide compare scenarios/limit-slots.yaml --seeds 2 --format md
  bide compare my.yaml --schedulers fair,delay --seeds 5
  bide compare my.yaml --set scheduler.wait.node=1s --json --out comparison.json`;
