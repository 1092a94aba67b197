import { type Command, Option } from "commander";
import type { Engine } from "../engine.js";
import { seedCount, threadCount } from "../option-values.js";
import type { TuneCommandOptions } from "../tune.js";
import { addResumeOptions, refuseBoth } from "./resume-options.js";
import { loadedPlugins, pluginOption, setOption } from "./scenario-options.js";

/** What `bide tune` takes, and what it does. */
export function addOptions(command: Command, engine: Engine): void {
  command
    .argument("<file>", "sweep file with a section goal, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "of the first replication, in place of the file's")
    .addOption(new Option("--replications <n>", "of each point, in place of the file's").argParser(seedCount))
    .addOption(
      new Option("--threads <n>", "simulations at a time, each in a thread (default: all cores)").argParser(
        threadCount,
      ),
    )
    .option("--grid", "also run the full grid, and say whether its answer is the same")
    .option("--out <dir>", "keep the simulations in a folder of a sweep");
  addResumeOptions(command)
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress and no notes")
    .addHelpText("after", TUNE_HELP)
    .action(async (file: string, options: TuneCommandOptions) => {
      const { tune } = await import("../tune.js");
      refuseBoth(command, options);
      if (options.out === undefined && options.resume === true) command.error("error: --resume needs --out");
      if (options.out === undefined && options.resumeChanged === true) {
        command.error("error: --resume-changed needs --out");
      }
      await tune(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const TUNE_HELP = `
Looks at some of the points, models how the measures vary over the axes, and simulates what decides
the answer; it ends when the answer is likely enough and all its replications are done. Which
simulations are done depends on the file and the seeds alone, not on the number of threads.
Exit code 6: no point meets the goal.

Examples:
  bide tune scenarios/sweeps/tune-waits.yaml
  bide tune scenarios/sweeps/tune-waits.yaml --grid          is it what the full grid says?
  bide tune my-sweep.yaml --out results/tune --resume        go on where it was stopped
  bide tune my-sweep.yaml --replications 10 --json | jq .answer.label`;
