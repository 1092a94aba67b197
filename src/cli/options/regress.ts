import { type Command, Option } from "commander";
import { collect } from "../option-values.js";
import type { RegressCommandOptions } from "../regress.js";
import { loadedPlugins, pluginOption } from "./scenario-options.js";

/** What `bide regress` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<file>", "list of runs to compare, YAML or JSON")
    .addOption(new Option("--only <name>", "run only this entry; repeatable").argParser(collect).default([], "all"))
    .option("--update", "write a new baseline, and print what changed")
    .option("--no-speed", "compare results only, not speed")
    .addOption(pluginOption())
    .addOption(new Option("--junit <file>", "also write JUnit XML; replaces the file").conflicts("update"))
    .option("--out <file>", "also write the JSON to a file; replaces the file")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", HELP)
    .action(async (file: string, options: RegressCommandOptions) => {
      const { regress } = await import("../regress.js");
      await regress(file, options, () => loadedPlugins(options.plugin));
    });
}

const HELP = `
Exit code 0: everything equals the baseline. Exit code 5: there is a difference.

Examples:
  bide regress scenarios/regress/quick.yaml --only tiny
  bide regress scenarios/regress/quick.yaml --only tiny --junit regress.xml
  bide regress scenarios/regress/quick.yaml --only tiny-threads --no-speed

bide examples copies these lists. Speed is only comparable on one machine: write
a baseline of your own with --update first.`;
