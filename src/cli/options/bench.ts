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
    .description("Print the tables of files that --out wrote")
    .argument("<files...>", "files that bide bench --out wrote")
    .addHelpText(
      "after",
      "\nExamples:\n  bide bench transport --frames 1000 --runs 1 --out transport.json\n  bide bench show transport.json",
    )
    .action(async (files: string[]) => {
      const { showBench } = await import("../bench.js");
      await showBench(files);
    });
}

/** Options that not every benchmark has. */
const OWN_OPTIONS: Readonly<Record<BenchEntry["takes"][number], () => Option>> = {
  span: () => new Option("--span <time>", "end simulations after this virtual time, for example 10m").argParser(span),
  only: () => new Option("--only <text>", "run only cases whose name contains this text"),
  frames: () => new Option("--frames <n>", "number of frames of each size").argParser(frameCount),
};

const FULL = `
Without options, a benchmark measures what docs/bench.md reports. That takes
minutes. The example below takes seconds.`;

/** Options with which a benchmark is over soon. */
const BRIEF: Readonly<Record<string, string>> = {
  decisions: "--nodes 100 --warmups 0",
  day: "--span 1m --only inline",
  scale: "--span 10s --only 620",
  threads: "--span 10s --only 'light, inline'",
  transport: "--frames 1000",
  sweep: "--span 10s",
};

function addOne(bench: Command, { name, summary, takes }: BenchEntry): void {
  const command = bench
    .command(name)
    .description(`Measure ${summary}`)
    .addOption(new Option("--runs <n>", "measure each case n times and print medians").argParser(runCount));
  for (const option of takes) command.addOption(OWN_OPTIONS[option]());
  if (name === "decisions") for (const option of decisionOptions()) command.addOption(option);
  command
    .option("--json", "print only JSON on stdout")
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
    .option("--quiet", "print no progress")
    .addHelpText("after", `${FULL}\n\nExamples:\n  bide bench ${name} ${BRIEF[name] ?? ""} --runs 1 --out bench.json`)
    .action(async (options: BenchCommandOptions) => {
      const { bench: measure } = await import("../bench.js");
      await measure(name, options);
    });
}

const EXAMPLES = `${FULL}

Examples:
  bide bench transport --frames 1000 --runs 1 --out transport.json
  bide bench show transport.json`;
