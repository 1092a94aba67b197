import { type Command, Option } from "commander";
import { BENCHES, type BenchEntry } from "../../lab/bench/benches.js";
import type { BenchCommandOptions } from "../bench.js";
import { decisionOptions } from "./decisions.js";
import { frameCount, runCount, span } from "../option-values.js";

/** A command below `bide bench` for each benchmark. */
export function addOptions(bench: Command): void {
  bench.helpCommand(false).addHelpText("after", EXAMPLES);
  for (const entry of BENCHES) addOne(bench, entry);
  bench
    .command("show")
    .description("Print the tables of figures that --out has written")
    .argument("<files...>", "JSON of bide bench")
    .addHelpText("after", "\nExamples:\n  bide bench show bench/baselines/*.json")
    .action(async (files: string[]) => {
      const { showBench } = await import("../bench.js");
      await showBench(files);
    });
}

/** Options that not every benchmark has. */
const OWN_OPTIONS: Readonly<Record<BenchEntry["takes"][number], () => Option>> = {
  span: () => new Option("--span <time>", "simulations end after so much virtual time: 10m").argParser(span),
  only: () => new Option("--only <text>", "only cases whose name contains this"),
  frames: () => new Option("--frames <n>", "frames that are counted, of each size").argParser(frameCount),
};

function addOne(bench: Command, { name, summary, takes }: BenchEntry): void {
  const command = bench
    .command(name)
    .description(`Measure ${summary}`)
    .addOption(new Option("--runs <n>", "how often each case is measured; medians are shown").argParser(runCount));
  for (const option of takes) command.addOption(OWN_OPTIONS[option]());
  if (name === "decisions") for (const option of decisionOptions()) command.addOption(option);
  command
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
    .option("--quiet", "no progress")
    .addHelpText("after", `\nExamples:\n  bide bench ${name}\n  bide bench ${name} --runs 5 --json --out ${name}.json`)
    .action(async (options: BenchCommandOptions) => {
      const { bench: measure } = await import("../bench.js");
      await measure(name, options);
    });
}

const EXAMPLES = `
Examples:
  bide bench day
  bide bench scale --runs 1 --out scale.json
  bide bench show scale.json`;
