import { Argument, type Command, Option } from "commander";
import { completes, oneOf, scenarioFiles } from "../completion-values.js";
import { replicationCount, shardCount, threadCount } from "../option-values.js";
import { addResumeOptions, loadedPlugins, pluginOption, queueOption, refuseBoth, setOption } from "./shared-options.js";
import type { SweepCommandOptions } from "../sweep.js";

/** Defines `bide sweep`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(completes(new Argument("<file>", "sweep, YAML or JSON"), scenarioFiles))
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of the first replication, in place of the file's")
    .option("--replications <n>", "runs of each point, in place of the file's", replicationCount)
    .option("--threads <n>", "number of runs at the same time (default: one per core)", threadCount)
    .addOption(
      completes(
        new Option("--shard <i/n>", "only part i of n, for bide merge; auto: part number from Slurm, Kubernetes or CI"),
        () => oneOf(["auto"]),
      ),
    )
    .addOption(new Option("--shards <n>", "number of parts for --shard auto").env("BIDE_SHARDS").argParser(shardCount))
    .addOption(queueOption())
    .option("--out <dir>", "folder of the sweep (default: results/NAME)");
  addResumeOptions(command)
    .option("--retry-failed", "with --resume: repeat failed runs")
    .addOption(new Option("--report", "also write report.html, a page of figures, into the folder").conflicts("dryRun"))
    .option("--dry-run", "list the points, estimate the time from a few runs, and write nothing")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", SWEEP_EXAMPLES)
    .action(async (file: string, options: SweepCommandOptions) => {
      refuseBoth(command, options);
      const { sweep } = await import("../sweep.js");
      await sweep(file, options, await loadedPlugins(options.plugin));
    });
}

const SWEEP_EXAMPLES = `
Examples:
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --dry-run
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --threads 2
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --resume --retry-failed
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --out results/json --json

Part 1 of 2, on the first of two machines, and part 2 on the second:
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --shard 1/2 --out part-1
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --shard 2/2 --out part-2
  npx bide merge part-1 part-2 --out both-parts

Runs for bide worker, on any number of machines:
  npx bide sweep scenarios/sweeps/tiny-waits.yaml --queue redis://localhost:6379

npx bide examples copies the sweeps.`;
