import type { Command } from "commander";
import { loadedPlugins, pluginOption } from "./shared-options.js";

/** Defines `bide schedulers`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  npx bide schedulers\n  npx bide schedulers --plugin scenarios/plugins/shortest-job-first.mjs",
    )
    .action(async (options: { plugin: string[] }) => {
      const { schedulers } = await import("../schedulers.js");
      await schedulers(await loadedPlugins(options.plugin));
    });
}
