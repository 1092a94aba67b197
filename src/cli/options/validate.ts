import type { Command } from "commander";
import { loadedPlugins, pluginOption, setOption } from "./scenario-options.js";

/** What `bide validate` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<files...>", "scenarios, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bide validate scenarios/*.yaml\n  bide validate my.yaml --set cluster.racks=5",
    )
    .action(async (files: string[], options: { set: string[]; plugin: string[] }) => {
      const { validate } = await import("../validate.js");
      await validate(files, options.set, await loadedPlugins(options.plugin));
    });
}
