import { type Command, Option } from "commander";
import { names, pointCount } from "../option-values.js";
import type { ResultsCommandOptions } from "../results-request.js";
import { TABLE_FORMATS } from "../table-formats.js";

/** What says how points are shown. */
const NOT_EXPORTED = ["measures", "baseline", "where", "sort", "descending", "top", "tables", "plot", "json", "out"];

/** What `bide results` takes, and what it does. */
export function addOptions(command: Command): void {
  command
    .argument("<sweep>", "folder of a sweep, finished or not")
    .addOption(
      new Option("--measures <names>", "these measures, separated by commas, or all that the sweep keeps").argParser(
        names,
      ),
    )
    .option("--baseline <steps>", "also differences to the points with these steps: W1=0s,W2=0s")
    .option(
      "--where <sql>",
      "only points for which this holds, of measures and axes: W1 <= 10 (seconds, bytes or plain)",
    )
    .option("--sort <name>", "points by this measure or axis, the least first")
    .option("--descending", "the most first")
    .addOption(new Option("--top <n>", "only so many points, from the first").argParser(pointCount))
    .addOption(
      new Option("--sql <query>", "ask the sweep in SQL (DuckDB), in place of the tables of points").conflicts([
        ...["measures", "baseline", "where", "sort", "descending", "top", "tables"],
      ]),
    )
    .option("--tables", "list tables and columns that SQL can name")
    .addOption(
      new Option(
        "--plot <names>",
        "draw an SVG: AXIS,MEASURE or AXIS,MEASURE,AXIS as curves, AXIS,AXIS,MEASURE as a heat map",
      ).conflicts(["measures", "baseline", "sort", "descending", "top", "sql", "tables", "json"]),
    )
    .addOption(new Option("--csv <file>", "export all runs, or what --sql says; - is stdout").conflicts(NOT_EXPORTED))
    .addOption(new Option("--parquet <file>", "the same as a Parquet file").conflicts(NOT_EXPORTED))
    .addOption(
      new Option("--format <format>", "how tables are printed; csv and json have all measures")
        .choices(TABLE_FORMATS)
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .option("--out <file>", "write to a file in place of printing")
    .option("--force", "replace the file")
    .option("--quiet", "no notes on stderr")
    .addHelpText("after", RESULTS_HELP)
    .action(async (folder: string, options: ResultsCommandOptions) => {
      const { results } = await import("../results.js");
      await results(folder, options);
    });
}

const RESULTS_HELP = `
Figures are means over replications, with half-widths of 95 % intervals. Differences are taken
seed by seed, as all points have the same. SQL is DuckDB's; it cannot touch files.

Examples:
  bide results results/waits
  bide results results/waits --measures nodeLocalSmall,responseP95 --baseline W1=0s,W2=0s
  bide results results/waits --where "W1 <= 10" --sort responseP95 --top 5 --format md
  bide results results/waits --plot W1,W2,nodeLocalSmall --out waits.svg
  bide results results/waits --parquet all-runs.parquet
  bide results results/waits --tables
  bide results results/waits --sql "SELECT W1, avg(kills) FROM runs GROUP BY W1" --json`;
