import { Argument, type Command, Option } from "commander";
import { completes, schedulers } from "../completion-values.js";
import { collect, unknownScheduler } from "../option-values.js";
import { loadedPlugins, pluginOption, setOption } from "./shared-options.js";
import type { CheckCommandOptions } from "../check-scheduler.js";

/** Defines `bide check-scheduler`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<name>", "built-in scheduler, or the name of a plugin"), schedulers))
    .addOption(pluginOption())
    .addOption(setOption())
    .addOption(
      new Option("--case <name>", "run only this scenario of the test; repeatable")
        .argParser(collect)
        .default([], "all"),
    )
    .option("--seed <seed>", "seed of the test scenarios", "1")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
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
Runs small scenarios and checks every decision: launches and kills are
legal, every job ends, small jobs do not starve, and the result is the same on
any number of threads. docs/plugins.md describes each check.

Examples:
  npx bide check-scheduler fair --case huge
  npx bide check-scheduler delay --case faults --seed 7
  npx bide check-scheduler shortest-job --case one-node \\
    --plugin scenarios/plugins/shortest-job-first.mjs`;
