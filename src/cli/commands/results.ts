import { Argument, type Command, Option } from "commander";
import { completes, folders } from "../completion-values.js";
import { memorySize, pointCount, span, TABLE_FORMATS } from "../option-values.js";
import { sizeOption, titleOption } from "./shared-options.js";
import type { ResultsCommandOptions } from "../results.js";

/** Options that choose how points are shown. */
const NOT_EXPORTED = ["measures", "baseline", "where", "sort", "descending", "top", "tables", "plot", "json", "out"];

/** Defines `bide results`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(
      completes(new Argument("<folder>", "folder of a sweep, complete or not, of a run or of a comparison"), folders),
    )
    .option("--measures <names>", "measures to print, separated by commas, or all")
    .option("--baseline <steps>", "also print differences to the points with these values: W1=0s,W2=0s")
    .option(
      "--where <sql>",
      "only points that meet this condition on measures and axes: W1 <= 10 (in seconds, bytes, or without a unit)",
    )
    .option("--sort <name>", "sort the points by this measure or axis, smallest first")
    .option("--descending", "sort largest first")
    .option("--top <n>", "print only the first n points", pointCount)
    .addOption(
      new Option("--sql <query>", "print the answer to an SQL query (DuckDB) in place of the points").conflicts([
        ...["measures", "baseline", "where", "sort", "descending", "top", "tables"],
      ]),
    )
    .option("--sql-memory <size>", "memory that a query may use (default: 1GB)", memorySize)
    .option("--sql-timeout <time>", "time that a query may take (default: 5m)", span)
    .option("--tables", "list the tables and columns for --sql")
    .addOption(
      new Option(
        "--plot <names>",
        "draw a figure: AXIS,MEASURE[,AXIS] gives curves, AXIS,AXIS,MEASURE a heat map; of a comparison MEASURES; of a run cdf, cdf,size, cdf,pool or timeline",
      ).conflicts(["measures", "baseline", "sort", "descending", "top", "sql", "tables", "json"]),
    )
    .addOption(titleOption())
    .addOption(sizeOption())
    .addOption(
      new Option("--csv <file>", "export all runs, or the answer to --sql, as CSV; - is stdout").conflicts(
        NOT_EXPORTED,
      ),
    )
    .addOption(new Option("--parquet <file>", "export the same as Parquet").conflicts(NOT_EXPORTED))
    .addOption(
      new Option("--format <format>", "format of the tables; csv and json have all measures")
        .choices(TABLE_FORMATS)
        .default("text")
        .conflicts("json"),
    )
    .option("--json", "same as --format json")
    .option("--out <file>", "write to a file, not to stdout, which is -")
    .option("--force", "replace the file")
    .option("--quiet", "print no notes")
    .addHelpText("after", RESULTS_HELP)
    .action(async (folder: string, options: ResultsCommandOptions) => {
      const { results } = await import("../results.js");
      await results(folder, options);
    });
}

const RESULTS_HELP = `
The figures are means over the replications, with half-widths of 95 % intervals.
All points have the same seeds, so differences are computed seed by seed. The
SQL is that of DuckDB; it cannot read or write files.

Examples:
  npx bide results results/tiny-waits --format md
  npx bide results results/tiny-waits --measures responseP95 \\
    --baseline W1=0s,W2=0s
  npx bide results results/tiny-waits --where "W1 <= 5" --sort responseP95 \\
    --top 2
  npx bide results results/tiny-waits --plot W1,W2,nodeLocalSmall \\
    --out waits.svg
  npx bide results results/tiny-waits --plot W1,kills --size 400x250 --out k.pdf
  npx bide results results/tiny-waits --parquet all-runs.parquet
  npx bide results results/tiny-waits --tables
  npx bide results results/tiny-waits --sql "SELECT W1, W2, kills FROM runs"

bide sweep scenarios/sweeps/tiny-waits.yaml writes results/tiny-waits. Of the
folder of a run, --csv and --parquet export the jobs, or the answer to --sql;
of that of bide compare --out, the values of each system with each seed.`;
