import { type Command, Option } from "commander";
import { seedCount, shardCount, threadCount } from "../option-values.js";
import type { SweepCommandOptions } from "../sweep.js";
import { queueOption } from "./queue-option.js";
import { addResumeOptions, refuseBoth } from "./resume-options.js";
import { loadedPlugins, pluginOption, setOption } from "./scenario-options.js";

/** What `bide sweep` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<file>", "sweep, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of the first replication, in place of the file's")
    .addOption(new Option("--replications <n>", "runs of each point, in place of the file's").argParser(seedCount))
    .addOption(new Option("--threads <n>", "runs at once (default: one per core)").argParser(threadCount))
    .option("--shard <i/n>", "only the i-th of n parts, for bide merge; auto: as Slurm, Kubernetes or CI say")
    .addOption(new Option("--shards <n>", "parts of --shard auto").env("BIDE_SHARDS").argParser(shardCount))
    .addOption(queueOption())
    .option("--out <dir>", "folder of the sweep (default: results/<name>)");
  addResumeOptions(command)
    .option("--retry-failed", "with --resume or --resume-changed: do failed runs again")
    .option("--dry-run", "list the points and estimate the time, from a few runs; keep nothing")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress and no notes")
    .addHelpText("after", SWEEP_EXAMPLES)
    .action(async (file: string, options: SweepCommandOptions) => {
      refuseBoth(command, options);
      const { sweep } = await import("../sweep.js");
      await sweep(file, options, await loadedPlugins(options.plugin));
    });
}

const SWEEP_EXAMPLES = `
Examples:
  bide sweep scenarios/sweeps/w1-w2.yaml
  bide sweep scenarios/sweeps/w1-w2.yaml --resume              go on after Ctrl-C, a kill or a power cut
  bide sweep my.yaml --dry-run                                 what would be run, and how long it would take
  bide sweep my.yaml --out results/mine --resume --retry-failed
  bide sweep my.yaml --replications 2 --threads 4 --json
  bide sweep my.yaml --shard 2/8 --out part-2                  one of 8 machines; then bide merge part-* --out all
  bide sweep my.yaml --queue redis://queue.example             runs are done by bide worker, on any machines`;
