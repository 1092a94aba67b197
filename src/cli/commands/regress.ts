import { Argument, type Command, Option } from "commander";
import { completes, scenarioFiles } from "../completion-values.js";
import { collect } from "../option-values.js";
import { loadedPlugins, pluginOption } from "./shared-options.js";
import type { RegressCommandOptions } from "../regress.js";

/** Defines `bide regress`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<file>", "list of runs to compare, YAML or JSON"), scenarioFiles))
    .addOption(new Option("--only <name>", "run only this entry; repeatable").argParser(collect).default([], "all"))
    .option("--update", "write a new baseline, and print what changed")
    .option("--no-speed", "compare results only, not speed")
    .addOption(pluginOption())
    .option("--junit <file>", "also write JUnit XML; replaces the file")
    .option("--out <file>", "also write the JSON to a file; replaces the file")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", REGRESS_EXAMPLES)
    .action(async (file: string, options: RegressCommandOptions) => {
      const { regress } = await import("../regress.js");
      await regress(file, options, () => loadedPlugins(options.plugin));
    });
}

const REGRESS_EXAMPLES = `
Exit code 0: everything equals the baseline. Exit code 5: there is a difference.

Examples:
  npx bide regress scenarios/regress/quick.yaml --only tiny
  npx bide regress scenarios/regress/quick.yaml --only tiny --junit regress.xml
  npx bide regress scenarios/regress/quick.yaml --only tiny-threads --no-speed

npx bide examples copies these lists. Speed is only comparable on one machine:
write a baseline of your own with --update first.`;
