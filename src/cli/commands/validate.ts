import { Argument, type Command } from "commander";
import { completes, scenarioFiles } from "../completion-values.js";
import { loadedPlugins, pluginOption, setOption } from "./shared-options.js";

/** Defines `bide validate`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(
      completes(new Argument("<files...>", "scenarios, sweeps or regression files, YAML or JSON"), scenarioFiles),
    )
    .addOption(setOption())
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  npx bide validate scenarios/*.yaml\n  npx bide validate my.yaml --set cluster.racks=5",
    )
    .action(async (files: string[], options: { set: string[]; plugin: string[] }) => {
      const { validate } = await import("../validate.js");
      await validate(files, options.set, await loadedPlugins(options.plugin));
    });
}
