import { type Command, Option } from "commander";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { collect, placement } from "../option-values.js";

export function scenarioOptions(command: Command): Command {
  return command
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of all random numbers, in place of run.seed")
    .option("--lenient", "skip malformed lines of a trace and count them")
    .addOption(anywayOption())
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes");
}

export function anywayOption(): Option {
  return new Option("--anyway", "begin even what does not fit into memory or takes more than a day");
}

export function setOption(): Option {
  return new Option("--set <path=value>", "change a value of the scenario; repeatable")
    .argParser(collect)
    .default([], "none");
}

/** The one way by which a user's code gets to run: no scenario can name a file of it. */
export function pluginOption(): Option {
  return new Option("--plugin <file>", "load a scheduler of your own, an ES module; repeatable")
    .argParser(collect)
    .default([], "none");
}

export function threadsOption(): Option {
  return new Option(
    "--threads <where>",
    "auto, rack (a thread per rack), 0 (no threads), or a number of threads",
  ).argParser(placement);
}

export async function loadedPlugins(files: readonly string[]): Promise<SchedulerPlugin[]> {
  if (files.length === 0) return [];
  const { watchPlugins } = await import("../plugin-blame.js");
  watchPlugins();
  const { loadPlugins } = await import("../../io/plugins/load-plugins.js");
  return loadPlugins(files);
}
