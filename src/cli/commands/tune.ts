import { Argument, type Command } from "commander";
import { completes, scenarioFiles } from "../completion-values.js";
import { type Engine, replicationCount, threadCount } from "../option-values.js";
import { addResumeOptions, loadedPlugins, pluginOption, refuseBoth, setOption } from "./shared-options.js";
import type { TuneCommandOptions } from "../tune.js";

/** Defines `bide tune`: its arguments, options and action. */
export function define(command: Command, engine: Engine): void {
  command
    .addArgument(completes(new Argument("<file>", "sweep with a goal section, YAML or JSON"), scenarioFiles))
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of the first replication, in place of the file's")
    .option("--replications <n>", "runs of each point, in place of the file's", replicationCount)
    .option("--threads <n>", "number of runs at the same time (default: one per core)", threadCount)
    .option("--grid", "also run the whole grid, and compare the answers")
    .option("--out <dir>", "keep the runs in the folder of a sweep");
  addResumeOptions(command)
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", TUNE_HELP)
    .action(async (file: string, options: TuneCommandOptions) => {
      const { tune } = await import("../tune.js");
      refuseBoth(command, options);
      if (options.out === undefined && options.resume === true) command.error("error: --resume needs --out");
      await tune(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const TUNE_HELP = `
bide tune runs all points once, and the more promising half again and again
until it has all replications; along an axis that the goal calls monotone it
bisects. The answer always has all replications. The file and the seeds decide
which points are run; the number of threads does not.

Exit code 6: no point meets the goal.

Examples:
  npx bide tune scenarios/sweeps/tiny-waits.yaml
  npx bide tune scenarios/sweeps/tiny-waits.yaml --grid
  npx bide tune scenarios/sweeps/tiny-waits.yaml --out tuned --resume
  npx bide tune scenarios/sweeps/tiny-waits.yaml --json | jq .answer.label

npx bide examples copies the sweeps.`;
