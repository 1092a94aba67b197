import { type Command, Option } from "commander";
import { collect } from "../option-values.js";
import type { RegressCommandOptions } from "../regress.js";
import { loadedPlugins, pluginOption } from "./scenario-options.js";

/** What `bide regress` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<file>", "runs and what of them is compared, YAML or JSON")
    .addOption(new Option("--only <name>", "only this run; may be repeated").argParser(collect).default([], "all"))
    .option("--update", "write the baseline anew, and tell what changes in it")
    .option("--no-speed", "compare results only; nothing is measured twice")
    .addOption(pluginOption())
    .addOption(new Option("--junit <file>", "also write JUnit XML, in place of what is there").conflicts("update"))
    .option("--out <file>", "also write the JSON to a file, in place of what is there")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress and no notes")
    .addHelpText("after", HELP)
    .action(async (file: string, options: RegressCommandOptions) => {
      const { regress } = await import("../regress.js");
      await regress(file, options, await loadedPlugins(options.plugin));
    });
}

const HELP = `
Ends with 0 when everything is as the baseline says, with 5 when something is not.

Examples:
  bide regress scenarios/regress/quick.yaml
  bide regress scenarios/regress/ladder.yaml --junit regress.xml --out regress.json
  bide regress scenarios/regress/ladder.yaml --only day-620 --no-speed
  bide regress my-suite.yaml --update`;
