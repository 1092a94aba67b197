import { type Command, Option } from "commander";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import { completes, files, oneOf } from "../completion-values.js";
import { collect, figureSize, placement, type ResumeOptions } from "../option-values.js";

export function scenarioOptions(command: Command): Command {
  return command
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of all random numbers, in place of run.seed")
    .option("--lenient", "skip malformed lines of a trace and count them")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .option("--notes", "print all notes, not only a few");
}

export function setOption(): Option {
  return new Option("--set <path=value>", "change a value of the scenario; repeatable")
    .argParser(collect)
    .default([], "none");
}

/** The one way by which a user's code gets to run: no scenario can name a file of it. */
export function pluginOption(): Option {
  return completes(
    new Option("--plugin <file>", "load a scheduler of your own, an ES module; repeatable"),
    files(/\.m?js$/),
  )
    .argParser(collect)
    .default([], "none");
}

export function threadsOption(): Option {
  return completes(
    new Option(
      "--threads <where>",
      "auto, rack (a thread per rack), or a number of threads, the master's included (0, 1: inline)",
    ),
    () => oneOf(["auto", "rack", "0"]),
  ).argParser(placement);
}

export function titleOption(): Option {
  return new Option("--title <text>", "title of the figure");
}

export function sizeOption(): Option {
  return new Option("--size <size>", "size of the figure without its margins, in pixels: 800x400").argParser(
    figureSize,
  );
}

export async function loadedPlugins(files: readonly string[]): Promise<SchedulerPlugin[]> {
  if (files.length === 0) return [];
  const { watchPlugins } = await import("../failure.js");
  watchPlugins();
  const { loadPlugins } = await import("../../io/plugins/load-plugins.js");
  return loadPlugins(files);
}

export function addResumeOptions(command: Command): Command {
  return command
    .option("--resume", "continue the sweep in the folder, or start it if there is none")
    .option("--force", "delete the sweep in the folder and start again");
}

/** Refuses to keep a sweep and to remove it, in one breath. */
export function refuseBoth(command: Command, { resume, force }: ResumeOptions): void {
  if (force !== true || resume !== true) return;
  command.error("error: --resume and --force exclude each other: --force removes the sweep in the folder");
}

/** Never checked here: what commander says of a bad value repeats it, and it may hold a password. */
export function queueOption(): Option {
  return new Option("--queue <url>", "Redis server for the runs: redis://[user:password@]host[:port][/database]").env(
    "BIDE_QUEUE",
  );
}
