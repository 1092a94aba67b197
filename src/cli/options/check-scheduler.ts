import { type Command, Option } from "commander";
import type { CheckCommandOptions } from "../check-scheduler.js";
import { collect } from "../option-values.js";
import { unknownScheduler } from "../scheduler-names.js";
import { loadedPlugins, pluginOption, setOption } from "./scenario-options.js";

/** What `bide check-scheduler` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<name>", "a built-in kind, or the name of a plugin")
    .addOption(pluginOption())
    .addOption(setOption())
    .addOption(
      new Option("--case <name>", "only this scenario of the kit; may be repeated")
        .argParser(collect)
        .default([], "all"),
    )
    .option("--seed <seed>", "root of every random stream; other seeds are other scenarios", "1")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress")
    .addHelpText("after", CHECK_EXAMPLES)
    .action(async (name: string, options: CheckCommandOptions) => {
      const { checkScheduler } = await import("../check-scheduler.js");
      const plugins = await loadedPlugins(options.plugin);
      const unknown = unknownScheduler([name], plugins);
      if (unknown !== null) command.error(`error: argument 'name' is invalid. ${unknown}`);
      await checkScheduler(name, options, plugins);
    });
}

const CHECK_EXAMPLES = `
Examples:
  bide check-scheduler fair
  bide check-scheduler mine --plugin ./mine.js
  bide check-scheduler mine --plugin ./mine.js --case faults --seed 7`;
