import { Argument, type Command, Option } from "commander";
import { DEFAULT_KINDS } from "../../core/scenario/index.js";
import { ENOUGH_RUNS } from "../../experiments/index.js";
import { anyFile, completes, listOf, scenarioFiles, schedulers } from "../completion-values.js";
import { collect, type Engine, names, seedCount, TABLE_FORMATS, unknownScheduler } from "../option-values.js";
import { loadedPlugins, scenarioOptions, sizeOption, threadsOption, titleOption } from "./shared-options.js";
import type { CompareCommandOptions } from "../compare.js";

/** Defines `bide compare`: its arguments, options and action. */
export function define(command: Command, engine: Engine): void {
  command.addArgument(
    completes(new Argument("<file>", "scenario, YAML or JSON, with or without a compare section"), scenarioFiles),
  );
  scenarioOptions(command)
    .addOption(
      completes(
        new Option("--schedulers <names>", "kinds to compare, separated by commas, in place of the file's systems"),
        listOf(schedulers),
      )
        .argParser(names)
        .conflicts("systems"),
    )
    .option("--systems <names>", "only these systems of the file, separated by commas", names)
    .addOption(
      new Option("--measures <keys>", "show these measures only, such as 'responseP95 of production'; may be repeated")
        .argParser(collect)
        .default([], "the usual tables"),
    )
    .option(
      "--seeds <n>",
      `seeds per system (default: the file's, or ${ENOUGH_RUNS}); 95 % intervals need ${ENOUGH_RUNS}`,
      seedCount,
    )
    .addOption(
      new Option("--format <format>", "format of the tables; csv has all measures")
        .choices(TABLE_FORMATS)
        .default("text")
        .conflicts("json"),
    )
    .addOption(threadsOption().default(0))
    .addOption(
      completes(
        new Option("--out <dir>", "also write the comparison to a results folder; NAME.json: the JSON alone"),
        anyFile,
      ),
    )
    .addOption(
      new Option(
        "--plot <measures>",
        "draw these measures, a dot per system; --out x.svg, x.png or x.pdf is the figure then",
      ),
    )
    .addOption(titleOption())
    .addOption(sizeOption())
    .option("--force", "replace the results in --out")
    .option("--report", "also write report.html, a page of figures, into the folder of --out")
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
then compares, for Hadoop, ${DEFAULT_KINDS.join(", ")}, the scheduler of the file,
and plugins. The scheduler of the file keeps its wait. Every other scheduler has
its own default wait, which bide schedulers prints. A scenario of Spark or YARN
needs the section, in the file or as an option: see the example with
slow-host.yaml. For an imported scenario, differences have bands.

Examples:
  npx bide compare scenarios/tiny.yaml
  npx bide compare scenarios/tiny.yaml --seeds 20 --format md
  npx bide compare my.yaml --schedulers fair,delay --seeds 20
  npx bide compare scenarios/production-pool.yaml --measures "kills of research"
  npx bide compare my.yaml --set scheduler.wait.node=1s --json --out x.json
  npx bide compare my.yaml --out results/compared --report
  npx bide compare scenarios/spark/slow-host.yaml --set \\
    "compare={systems: [{name: as is}, {name: b, set: {scheduler.wait: 0s}}]}"
  npx bide compare scenarios/tiny.yaml --plot nodeLocalSmall,responseP50 \\
    --out w.png
  npx bide results results/compared --format md`;
