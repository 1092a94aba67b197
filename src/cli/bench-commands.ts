import { type Command, Option } from "commander";
import { BENCHES } from "../lab/bench/benches.js";
import type { BenchCommandOptions } from "./bench.js";
import { runCount, span } from "./option-values.js";

/** `bide bench` and a command below it for each benchmark. */
export function addBench(program: Command): void {
  const bench = program
    .command("bench")
    .description("Measure what Bide costs on this machine; print one table")
    .helpCommand(false)
    .addHelpText("after", EXAMPLES);
  for (const { name, summary } of BENCHES) benchOptions(bench.command(name).description(`Measure ${summary}`), name);
}

function benchOptions(command: Command, name: string): void {
  command
    .addOption(new Option("--runs <n>", "how often each case is measured; medians are shown").argParser(runCount))
    .addOption(new Option("--span <time>", "simulations end after so much virtual time: 10m").argParser(span))
    .option("--only <text>", "only cases whose name contains this")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
    .option("--quiet", "no progress")
    .addHelpText("after", `\nExamples:\n  bide bench ${name}\n  bide bench ${name} --runs 5 --json --out ${name}.json`)
    .action(async (options: BenchCommandOptions) => {
      const { bench } = await import("./bench.js");
      await bench(name, options);
    });
}

const EXAMPLES = `
Examples:
  bide bench day
  bide bench scale --runs 1 --out scale.json`;
