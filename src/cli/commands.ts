import { Argument, type Command, Option } from "commander";
import { DEFAULT_KINDS } from "../core/scenario/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { ENOUGH_RUNS } from "../experiments/index.js";
import type { CheckCommandOptions } from "./check-scheduler.js";
import type { CompareCommandOptions } from "./compare.js";
import type { Shell } from "./completion.js";
import type { ImportCommandOptions } from "./import.js";
import type { ReplayCommandOptions } from "./replay.js";
import type { MergeCommandOptions } from "./merge.js";
import {
  collect,
  figureSize,
  drainTime,
  type Engine,
  instant,
  memorySize,
  names,
  placement,
  pointCount,
  type ResumeOptions,
  replicationCount,
  seedCount,
  shardCount,
  slices,
  span,
  TABLE_FORMATS,
  threadCount,
  unknownScheduler,
} from "./option-values.js";
import type { RegressCommandOptions } from "./regress.js";
import type { ExplainCommandOptions } from "./explain-choice.js";
import type { ReportCommandOptions } from "./report.js";
import type { ReproduceCommandOptions } from "./reproduce.js";
import type { ResultsCommandOptions } from "./results.js";
import type { RunCommandOptions } from "./run.js";
import type { SchemaName } from "./schema.js";
import type { SweepCommandOptions } from "./sweep.js";
import type { TraceCommandOptions } from "./trace.js";
import type { TuneCommandOptions } from "./tune.js";
import type { WorkerCommandOptions } from "./worker.js";

/** What `bide run` takes, and what it does. */
export function addRunOptions(command: Command, engine: Engine): void {
  command.argument("<file>", "scenario, YAML or JSON");
  scenarioOptions(command)
    .addOption(threadsOption().default("auto"))
    .option("--out <dir>", "results folder (default: results/NAME-SEED-TIME)")
    .option("--force", "replace the results in --out")
    .option("--no-tables", "write no Parquet tables")
    .addOption(new Option("--tasks", "also write a table with one row per task attempt (large)").conflicts("tables"))
    .option("--report", "also write report.html, a page of figures, into the results folder")
    .addOption(
      new Option("--log <what>", "decisions: also write what each job waited for, for bide explain")
        .choices(["decisions"])
        .conflicts("tables"),
    )
    .addOption(
      new Option("--slices <n>", "execution slices per heartbeat; does not change the result").argParser(slices),
    )
    .option("--recover", "replace a rack thread that dies and continue; needs memory, does not change the result")
    .option("--allow-refused", "continue when the pools refuse every job; without it that is an error, exit code 2")
    .addHelpText("after", RUN_EXAMPLES)
    .action(async (file: string, options: RunCommandOptions) => {
      const { run } = await import("./run.js");
      await run(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const RUN_EXAMPLES = `
Examples:
  npx bide run scenarios/tiny.yaml
  npx bide run scenarios/tiny.yaml --threads rack --out results/tiny
  npx bide run my.yaml --set scheduler=delay --set scheduler.wait.nodeSkips=100
  npx bide run my.yaml --set workload.jobs.0.maps=600 --seed 7
  npx bide run my.yaml --threads 2 --recover
  npx bide run my.yaml --json --no-tables | jq .locality

npx bide examples copies the scenarios; npx bide init writes my.yaml.`;

/** What `bide compare` takes, and what it does. */
export function addCompareOptions(command: Command, engine: Engine): void {
  command.argument("<file>", "scenario, YAML or JSON, with or without a compare section");
  scenarioOptions(command)
    .addOption(
      new Option("--schedulers <names>", "kinds to compare, separated by commas, in place of the file's systems")
        .argParser(names)
        .conflicts("systems"),
    )
    .addOption(new Option("--systems <names>", "only these systems of the file, separated by commas").argParser(names))
    .addOption(
      new Option("--measures <keys>", "show these measures only, such as 'responseP95 of production'; may be repeated")
        .argParser(collect)
        .default([], "the usual tables"),
    )
    .addOption(
      new Option(
        "--seeds <n>",
        `seeds per system (default: the file's, or ${String(ENOUGH_RUNS)}); 95 % intervals need ${String(ENOUGH_RUNS)}`,
      ).argParser(seedCount),
    )
    .addOption(
      new Option("--format <format>", "format of the tables; csv has all measures")
        .choices(TABLE_FORMATS)
        .default("text")
        .conflicts("json"),
    )
    .addOption(threadsOption().default(0))
    .option("--out <dir>", "also write the comparison to a results folder; NAME.json: the JSON alone")
    .option(
      "--plot <measures>",
      "draw these measures, a dot per system; --out x.svg, x.png or x.pdf is the figure then",
    )
    .addOption(titleOption())
    .addOption(sizeOption())
    .option("--force", "replace the results in --out")
    .option("--report", "also write report.html, a page of figures, into the folder of --out")
    .option(
      "--allow-refused",
      "continue when the pools of a system refuse every job; without it that is an error, exit code 2",
    )
    .addHelpText("after", COMPARE_HELP)
    .action(async (file: string, options: CompareCommandOptions) => {
      const { compare } = await import("./compare.js");
      const plugins = await loadedPlugins(options.plugin);
      const unknown = unknownScheduler(options.schedulers ?? [], plugins);
      if (unknown !== null) command.error(`error: option '--schedulers <names>' is invalid. ${unknown}`);
      await compare(file, options, plugins, engine);
    });
}

const COMPARE_HELP = `
The compare section of the file names the systems. Without this section, Bide
compares ${DEFAULT_KINDS.join(", ")}, the scheduler of the file, and plugins.
The scheduler of the file keeps its wait. Every other scheduler has its own
default wait, which bide schedulers prints.

Examples:
  npx bide compare scenarios/tiny.yaml
  npx bide compare scenarios/tiny.yaml --seeds 20 --format md
  npx bide compare my.yaml --schedulers fair,delay --seeds 20
  npx bide compare scenarios/production-pool.yaml --measures "kills of research"
  npx bide compare my.yaml --set scheduler.wait.node=1s --json --out x.json
  npx bide compare my.yaml --out results/compared --report
  npx bide compare scenarios/tiny.yaml --plot nodeLocalSmall,responseP50 \\
    --out w.png
  npx bide results results/compared --format md`;

/** What `bide report` takes, and what it does. */
export function addReportOptions(command: Command): void {
  command
    .argument("<folders...>", "folders of runs, that of a sweep or of a comparison, or a scorecard")
    .option("--out <file>", "the page (default: report.html in the folder, or here for several); - is stdout")
    .option("--force", "replace the page")
    .addHelpText("after", REPORT_EXAMPLES)
    .action(async (folders: string[], options: ReportCommandOptions) => {
      const { report } = await import("./report.js");
      await report(folders, options);
    });
}

const REPORT_EXAMPLES = `
The page is one file that opens from disk and loads nothing. A scorecard is what
bide reproduce --json prints; its page is written beside it, as card.html.

Examples:
  npx bide run scenarios/tiny.yaml --tasks --out results/tiny
  npx bide report results/tiny

  npx bide run scenarios/tiny.yaml --set scheduler=fair --out results/fair
  npx bide report results/tiny results/fair --out both.html

  npx bide sweep scenarios/sweeps/tiny-waits.yaml --out results/waits
  npx bide report results/waits

  npx bide reproduce 3.5 --json > card.json
  npx bide report card.json`;

/** What `bide trace` takes, and what it does. */
export function addTraceOptions(command: Command): void {
  command
    .argument("<run>", "results folder of bide run --tasks")
    .option("--out <file>", "the trace (default: trace.json in the folder); - is stdout")
    .option("--force", "replace the trace")
    .option("--job <job>", "only attempts of this job: its number in jobs.parquet, or its name")
    .option("--pool <pool>", "only attempts of this pool, and of the pools inside it")
    .option("--rack <rack>", "only attempts in this rack")
    .addOption(new Option("--from <time>", "only attempts that ran at or after this time").argParser(instant))
    .addOption(new Option("--to <time>", "only attempts that ran before this time").argParser(instant))
    .option("--all", "draw all attempts, however many; without it the first 200000")
    .option("--quiet", "print no notes")
    .addHelpText("after", TRACE_HELP)
    .action(async (folder: string, options: TraceCommandOptions) => {
      const { trace } = await import("./trace.js");
      await trace(folder, options);
    });
}

const TRACE_HELP = `
To look at it, open https://ui.perfetto.dev and drop the file on the page, or
open chrome://tracing. The file stays on the machine. Racks are processes, the
slots of their nodes are threads, attempts are slices named by locality.

Examples:
  npx bide run scenarios/tiny.yaml --tasks --out results/tiny
  npx bide trace results/tiny
  npx bide trace results/tiny --job 0 --out job.json
  npx bide trace results/tiny --rack rack00 --from 30s --to 1m --out rack.json`;

/** What `bide sweep` takes, and what it does. */
export function addSweepOptions(command: Command): void {
  command
    .argument("<file>", "sweep, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of the first replication, in place of the file's")
    .addOption(
      new Option("--replications <n>", "runs of each point, in place of the file's").argParser(replicationCount),
    )
    .addOption(
      new Option("--threads <n>", "number of runs at the same time (default: one per core)").argParser(threadCount),
    )
    .option("--shard <i/n>", "only part i of n, for bide merge; auto: as Slurm, Kubernetes or CI say")
    .addOption(new Option("--shards <n>", "number of parts for --shard auto").env("BIDE_SHARDS").argParser(shardCount))
    .addOption(queueOption())
    .addOption(queueSecretOption())
    .option("--out <dir>", "folder of the sweep (default: results/NAME)");
  addResumeOptions(command)
    .addOption(anywayOption())
    .option("--retry-failed", "with --resume or --resume-changed: repeat failed runs")
    .addOption(new Option("--report", "also write report.html, a page of figures, into the folder").conflicts("dryRun"))
    .option("--dry-run", "list the points, estimate the time from a few runs, and write nothing")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", SWEEP_EXAMPLES)
    .action(async (file: string, options: SweepCommandOptions) => {
      refuseBoth(command, options);
      const { sweep } = await import("./sweep.js");
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

function titleOption(): Option {
  return new Option("--title <text>", "title of the figure");
}

function sizeOption(): Option {
  return new Option("--size <size>", "size of the figure without its margins, in pixels: 800x400").argParser(
    figureSize,
  );
}

/** What says how points are shown. */
const NOT_EXPORTED = ["measures", "baseline", "where", "sort", "descending", "top", "tables", "plot", "json", "out"];

/** What `bide results` takes, and what it does. */
export function addResultsOptions(command: Command): void {
  command
    .argument("<folder>", "folder of a sweep, complete or not, of a run or of a comparison")
    .addOption(new Option("--measures <names>", "measures to print, separated by commas, or all"))
    .option("--baseline <steps>", "also print differences to the points with these values: W1=0s,W2=0s")
    .option(
      "--where <sql>",
      "only points that meet this condition on measures and axes: W1 <= 10 (in seconds, bytes, or without a unit)",
    )
    .option("--sort <name>", "sort the points by this measure or axis, smallest first")
    .option("--descending", "sort largest first")
    .addOption(new Option("--top <n>", "print only the first n points").argParser(pointCount))
    .addOption(
      new Option("--sql <query>", "print the answer to an SQL query (DuckDB) in place of the points").conflicts([
        ...["measures", "baseline", "where", "sort", "descending", "top", "tables"],
      ]),
    )
    .addOption(new Option("--sql-memory <size>", "memory that a query may use (default: 1GB)").argParser(memorySize))
    .addOption(new Option("--sql-timeout <time>", "time that a query may take (default: 5m)").argParser(span))
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
      const { results } = await import("./results.js");
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

/** What `bide tune` takes, and what it does. */
export function addTuneOptions(command: Command, engine: Engine): void {
  command
    .argument("<file>", "sweep with a goal section, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of the first replication, in place of the file's")
    .addOption(
      new Option("--replications <n>", "runs of each point, in place of the file's").argParser(replicationCount),
    )
    .addOption(
      new Option("--threads <n>", "number of runs at the same time (default: one per core)").argParser(threadCount),
    )
    .option("--grid", "also run the whole grid, and compare the answers")
    .option("--out <dir>", "keep the runs in the folder of a sweep");
  addResumeOptions(command)
    .addOption(anywayOption())
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", TUNE_HELP)
    .action(async (file: string, options: TuneCommandOptions) => {
      const { tune } = await import("./tune.js");
      refuseBoth(command, options);
      if (options.out === undefined && options.resume === true) command.error("error: --resume needs --out");
      if (options.out === undefined && options.resumeChanged === true) {
        command.error("error: --resume-changed needs --out");
      }
      await tune(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const TUNE_HELP = `
bide tune runs some points, models how the measures vary along the axes, and
runs the points that decide the answer. It ends when the answer is likely
enough and all replications of the answer are done. The file and the seeds
decide which points are run; the number of threads does not.

Exit code 6: no point meets the goal.

Examples:
  npx bide tune scenarios/sweeps/tiny-waits.yaml
  npx bide tune scenarios/sweeps/tiny-waits.yaml --grid
  npx bide tune scenarios/sweeps/tiny-waits.yaml --out tuned --resume
  npx bide tune scenarios/sweeps/tiny-waits.yaml --json | jq .answer.label

npx bide examples copies the sweeps.`;

/** What `bide merge` takes, and what it does. */
export function addMergeOptions(command: Command): void {
  command
    .argument("<folders...>", "folders that bide sweep --shard wrote")
    .requiredOption("--out <dir>", "new folder for the whole sweep")
    .option("--partial", "allow missing runs; bide sweep --resume in the new folder executes them")
    .option("--force", "replace the sweep in --out")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no notes")
    .addHelpText("after", MERGE_EXAMPLES)
    .action(async (folders: string[], options: MergeCommandOptions) => {
      const { merge } = await import("./merge.js");
      await merge(folders, options);
    });
}

const MERGE_EXAMPLES = `
Examples:
  npx bide merge part-1 part-2 --out both-parts
  npx bide merge part-1 --out first-part --partial

The help of bide sweep shows how parts are made.`;

/** What `bide worker` takes, and what it does. */
export function addWorkerOptions(command: Command): void {
  command
    .addOption(queueOption())
    .addOption(queueSecretOption())
    .addOption(
      new Option("--threads <n>", "number of runs at the same time (default: one per core)").argParser(threadCount),
    )
    .addOption(pluginOption())
    .addOption(anywayOption())
    .addOption(
      new Option("--drain <time>", "time that runs have to end after SIGTERM (default: 10m)").argParser(drainTime),
    )
    .option("--json", "print one line of JSON on stdout for each run")
    .option("--quiet", "print only errors")
    .addHelpText("after", WORKER_EXAMPLES)
    .action(async (options: WorkerCommandOptions) => {
      const { worker } = await import("./worker.js");
      await worker(options);
    });
}

const WORKER_EXAMPLES = `
A worker executes runs of sweeps that were started with bide sweep FILE --queue.
Start workers on any number of machines. SIGTERM or Ctrl-C ends a worker after
its current runs. A second signal ends it at once, and other workers repeat its
runs.

Examples, the last with the environment variable BIDE_QUEUE:
  npx bide worker --queue redis://localhost:6379
  npx bide worker --queue redis://localhost:6379 --threads 2
  npx bide worker --plugin scenarios/plugins/shortest-job-first.mjs`;

/** What `bide validate` takes, and what it does. */
export function addValidateOptions(command: Command): void {
  command
    .argument("<files...>", "scenarios, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  npx bide validate scenarios/*.yaml\n  npx bide validate my.yaml --set cluster.racks=5",
    )
    .action(async (files: string[], options: { set: string[]; plugin: string[] }) => {
      const { validate } = await import("./validate.js");
      await validate(files, options.set, await loadedPlugins(options.plugin));
    });
}

/** What `bide explain` takes, and what it does. */
export function addExplainOptions(command: Command): void {
  command
    .argument("<run>", "results folder that bide run --log decisions wrote")
    .option("--job <job>", "why this job waited: its number in jobs.parquet, or its name")
    .option("--task <job/map>", "why this map waited, for example 3/12; needs run --tasks")
    .option("--stage <job/stage>", "spark, yarn: where the time of this stage went, for example 3/1")
    .option("--pool <pool>", "why the jobs of this pool waited, all together")
    .option("--queue <queue>", "yarn: the same of a queue")
    .option("--chain", "also list what happened to each opportunity, equal ones in a row as one")
    .option("--json", "print JSON")
    .addHelpText("after", EXPLAIN_EXAMPLES)
    .action(async (folder: string, options: ExplainCommandOptions) => {
      const { explain } = await import("./explain.js");
      await explain(folder, options);
    });
}

const EXPLAIN_EXAMPLES = `
Examples:
  npx bide run scenarios/tiny.yaml --log decisions --tasks --out results/tiny
  npx bide explain results/tiny --job 0
  npx bide explain results/tiny --task 0/12 --chain
  npx bide explain results/tiny --pool etl --json | jq .shares`;

/** What `bide import` takes, and what it does. */
export function addImportOptions(command: Command): void {
  command
    .addArgument(new Argument("<kind>", "what the logs are of").choices(["spark", "hadoop"]))
    .argument(
      "<logs...>",
      "spark: event logs, plain or zstd, or folders eventlog_v2_...; hadoop: .jhist, Rumen, SLS, lists of the resource manager, plain or gzip",
    )
    .requiredOption("--out <dir>", "folder for what is written, a new one")
    .option(
      "--after-within <time>",
      "spark: jobs that came no longer than this after another ended come because it ended; 0s: all at the recorded times (default 1m)",
    )
    .option("--force", "replace the folder in --out")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", IMPORT_HELP)
    .action(async (kind: string, logs: string[], options: ImportCommandOptions) => {
      const { importHistories, importLogs } = await import("./import.js");
      await (kind === "hadoop" ? importHistories : importLogs)(logs, options);
    });
}

/** What `bide replay` takes, and what it does. */
export function addReplayOptions(command: Command): void {
  command
    .argument("<scenario>", "scenario that bide import wrote; recorded.json lies beside it")
    .addOption(setOption())
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
    .addHelpText("after", REPLAY_HELP)
    .action(async (file: string, options: ReplayCommandOptions) => {
      const { replayScenario } = await import("./replay.js");
      await replayScenario(file, options);
    });
}

const REPLAY_HELP = `
Runs the scenario and holds its times against those of the log: of the whole
application, of jobs and of stages, with the levels at which tasks ran and the
order of their launches. Nothing is fitted to the log.

Examples:
  npx bide import spark app-20240301101112-0007 --out imported
  npx bide replay imported/scenario.yaml
  npx bide replay imported/scenario.yaml --set runtime.launch=2ms --json | jq .whole`;

const IMPORT_HELP = `
Of Spark, writes for each application a scenario with its jobs, stages, tasks,
executors and settings, and what was recorded of them. Of Hadoop, writes one
scenario of YARN with the jobs of all files: job histories (.jhist), traces of
Rumen, jobs and nodes of SLS. Prints what was read, folded, guessed and left
out: a log does not say all that a run needs to know.

Examples:
  npx bide import spark app-20240301101112-0007 --out imported
  npx bide import spark eventlog_v2_app-20240301101112-0007 --out imported
  npx bide import spark logs/*.zstd --out imported --json | jq .applications
  npx bide import hadoop done/2024/03/01/*/*.jhist --out imported
  npx bide import hadoop sls-jobs.json sls-nodes.json --out imported
  npx bide import hadoop apps.json nodes.json --out imported`;

/** What `bide explain-config` takes, and what it does. */
export function addExplainConfigOptions(command: Command): void {
  command
    .argument("<file>", "configuration of the fair or capacity scheduler, of Hadoop 1 or YARN, or of Spark")
    .addOption(
      new Option(
        "--platform <name>",
        "whose meaning: yarn also where nothing in the file is only YARN's; else the file decides",
      ).choices(["yarn"]),
    )
    .option("--json", "print only JSON on stdout")
    .addHelpText("after", EXPLAIN_CONFIG_EXAMPLES)
    .action(async (file: string, options: { json?: boolean; platform?: string }) => {
      const { explainConfig } = await import("./explain-config.js");
      await explainConfig(file, options);
    });
}

const EXPLAIN_CONFIG_EXAMPLES = `
Prints what the file means, and which parts of it Bide does not use.

Examples:
  npx bide explain-config scenarios/hadoop/fair-scheduler.xml
  npx bide explain-config scenarios/hadoop/capacity-scheduler.xml
  npx bide explain-config scenarios/yarn/fair-scheduler.xml
  npx bide explain-config scenarios/hadoop/fair-scheduler.xml --json \\
    | jq .allocations`;

const SCHEMA_NAMES: readonly SchemaName[] = ["scenario", "sweep", "summary", "bench", "regress"];

/** What `bide schema` takes, and what it does. */
export function addSchemaOptions(command: Command): void {
  command
    .addArgument(new Argument("[name]", "kind of file").choices(SCHEMA_NAMES).default("scenario"))
    .addHelpText("after", "\nExamples:\n  npx bide schema > scenario.schema.json\n  npx bide schema summary")
    .action(async (name: SchemaName) => {
      const { schema } = await import("./schema.js");
      await schema(name);
    });
}

/** What `bide schedulers` takes, and what it does. */
export function addSchedulersOptions(command: Command): void {
  command
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  npx bide schedulers\n  npx bide schedulers --plugin scenarios/plugins/shortest-job-first.mjs",
    )
    .action(async (options: { plugin: string[] }) => {
      const { schedulers } = await import("./schedulers.js");
      await schedulers(await loadedPlugins(options.plugin));
    });
}

/** What `bide check-scheduler` takes, and what it does. */
export function addCheckSchedulerOptions(command: Command): void {
  command
    .argument("<name>", "built-in scheduler, or the name of a plugin")
    .addOption(pluginOption())
    .addOption(setOption())
    .addOption(
      new Option("--case <name>", "run only this scenario of the test; repeatable")
        .argParser(collect)
        .default([], "all"),
    )
    .option("--seed <seed>", "seed of the test scenarios", "1")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
    .addHelpText("after", CHECK_EXAMPLES)
    .action(async (name: string, options: CheckCommandOptions) => {
      const { checkScheduler } = await import("./check-scheduler.js");
      const plugins = await loadedPlugins(options.plugin);
      const unknown = unknownScheduler([name], plugins);
      if (unknown !== null) command.error(`error: argument 'name' is invalid. ${unknown}`);
      await checkScheduler(name, options, plugins);
    });
}

const CHECK_EXAMPLES = `
Runs small scenarios and checks every decision: launches and kills are
legal, every job ends, small jobs do not starve, and the result is the same on
any number of threads. docs/plugins.md describes each check.

Examples:
  npx bide check-scheduler fair --case huge
  npx bide check-scheduler delay --case faults --seed 7
  npx bide check-scheduler shortest-job --case one-node \\
    --plugin scenarios/plugins/shortest-job-first.mjs`;

/** What `bide regress` takes, and what it does. */
export function addRegressOptions(command: Command): void {
  command
    .argument("<file>", "list of runs to compare, YAML or JSON")
    .addOption(new Option("--only <name>", "run only this entry; repeatable").argParser(collect).default([], "all"))
    .option("--update", "write a new baseline, and print what changed")
    .option("--no-speed", "compare results only, not speed")
    .addOption(pluginOption())
    .option("--junit <file>", "also write JUnit XML; replaces the file")
    .option("--out <file>", "also write the JSON to a file; replaces the file")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .addHelpText("after", REGRESS_EXAMPLES)
    .action(async (file: string, options: RegressCommandOptions) => {
      const { regress } = await import("./regress.js");
      await regress(file, options, () => loadedPlugins(options.plugin));
    });
}

const REGRESS_EXAMPLES = `
Exit code 0: everything equals the baseline. Exit code 5: there is a difference.

Examples:
  npx bide regress scenarios/regress/quick.yaml --only tiny
  npx bide regress scenarios/regress/quick.yaml --only tiny --junit regress.xml
  npx bide regress scenarios/regress/quick.yaml --only tiny-threads --no-speed

npx bide examples copies these lists. Speed is only comparable on one machine:
write a baseline of your own with --update first.`;

/** What `bide reproduce` takes, and what it does. */
export function addReproduceOptions(command: Command): void {
  command
    .argument("[ids...]", "rows or experiments, such as fig7 or fig7.bin5 (default: all)")
    .option("--list", "list the rows and run nothing")
    .option("--quick", "only the rows that take seconds")
    .option("--published <file>", "published values of your own; the sweeps lie beside the file")
    .addOption(
      new Option("--threads <n>", "number of runs at the same time (default: one per core)").argParser(threadCount),
    )
    .option("--out <dir>", "folder of the sweeps; runs that are there are not repeated", "results/reproduce")
    .option("--markdown <file>", "also write the scorecard as Markdown")
    .option("--report <file>", "also write a page of figures, published beside measured")
    .option("--force", "replace the files of --markdown and --report")
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
    .addHelpText("after", REPRODUCE_EXAMPLES)
    .action(async (ids: string[], options: ReproduceCommandOptions) => {
      const { reproduce } = await import("./reproduce.js");
      await reproduce(ids, options);
    });
}

const REPRODUCE_EXAMPLES = `
A missed row is a result: the exit code is 0 if every run ended.

Examples:
  npx bide reproduce --list
  npx bide reproduce fig11 3.5
  npx bide reproduce fig11 --quick --threads 2
  npx bide reproduce fig11 --json --out results/fig11 | jq .scores
  npx bide reproduce 3.5 --markdown scorecard.md --report scorecard.html`;

/** What can be typed, with the options of the commands that are among the words. */
type ProgramFor = (words: readonly string[], engine: Engine) => Promise<Command>;

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

/** What `bide completion` takes, and what it does. */
export function addCompletionOptions(command: Command, engine: Engine, programFor: ProgramFor): void {
  command
    .addArgument(new Argument("<shell>", "shell that the script is for").choices(SHELLS))
    .addArgument(
      new Argument("[words...]", "complete these words; the script asks this").default([], "print the script"),
    )
    .addHelpText("after", COMPLETION_EXAMPLES)
    .action(async (shell: Shell, words: string[]) => {
      const { completionLines, completionOf, SCRIPTS, typedWords } = await import("./completion.js");
      const { printData } = await import("./printing.js");
      if (words.length === 0) {
        await printData(SCRIPTS[shell]);
        return;
      }
      const typed = typedWords(shell, words);
      const program = await programFor(typed.words.slice(0, -1), engine);
      // A shell reads it, by its tabs.
      await printData(completionLines(shell, completionOf(program, typed.words), typed.cut));
    });
}

const COMPLETION_EXAMPLES = `
The script completes commands, options, files, settings, and the names of
schedulers and measures.

Examples:
  npx bide completion bash
  npx bide completion zsh
  npx bide completion fish

Put one of these lines into the start-up file of your shell:
  ~/.bashrc                     source <(bide completion bash)
  ~/.zshrc, after compinit      source <(bide completion zsh)
  ~/.config/fish/config.fish    bide completion fish | source`;

export function scenarioOptions(command: Command): Command {
  return command
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "seed of all random numbers, in place of run.seed")
    .option("--lenient", "skip malformed lines of a trace and count them")
    .addOption(anywayOption())
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress and no notes")
    .option("--notes", "print all notes, not only a few");
}

export function anywayOption(): Option {
  return new Option("--anyway", "begin even what does not fit into memory or takes more than a day");
}

export function setOption(): Option {
  return new Option("--set <path=value>", "change a value of the scenario; repeatable")
    .argParser(collect)
    .default([], "none");
}

/** The one way by which a user's code gets to run: no scenario can name a file of it. */
export function pluginOption(): Option {
  return new Option("--plugin <file>", "load a scheduler of your own, an ES module; repeatable")
    .argParser(collect)
    .default([], "none");
}

export function threadsOption(): Option {
  return new Option(
    "--threads <where>",
    "auto, rack (a thread per rack), or a number of threads, the master's included (0, 1: inline)",
  ).argParser(placement);
}

export async function loadedPlugins(files: readonly string[]): Promise<SchedulerPlugin[]> {
  if (files.length === 0) return [];
  const { watchPlugins } = await import("./failure.js");
  watchPlugins();
  const { loadPlugins } = await import("../io/plugins/load-plugins.js");
  const { tellOfHangingPlugins } = await import("../lab/hanging-plugins.js");
  tellOfHangingPlugins();
  return loadPlugins(files);
}

export function addResumeOptions(command: Command): Command {
  return command
    .option("--resume", "continue the sweep in the folder, or start it if there is none")
    .option(
      "--resume-changed",
      "like --resume, after the sweep file was changed: keep the runs that still belong to it",
    )
    .option("--force", "delete the sweep in the folder and start again");
}

/** Refuses to keep a sweep and to remove it, in one breath. */
export function refuseBoth(command: Command, { resume, resumeChanged, force }: ResumeOptions): void {
  if (force !== true || (resume !== true && resumeChanged !== true)) return;
  const word = resumeChanged === true ? "--resume-changed" : "--resume";
  command.error(
    `error: found ${word} and --force, allowed one of them: --force removes the sweep in the folder, ` +
      "--resume-changed keeps what it has in common with a sweep file that was changed",
  );
}

/** Never checked here: what commander says of a bad value repeats it, and it may hold a password. */
export function queueOption(): Option {
  return new Option("--queue <url>", "Redis server for the runs: redis://[user:password@]host[:port][/database]").env(
    "BIDE_QUEUE",
  );
}

/** The file, never the secret itself: a list of processes would show it. */
export function queueSecretOption(): Option {
  return new Option(
    "--queue-secret <file>",
    "file with a secret that sweep and workers share; only what is signed with it is believed (or BIDE_QUEUE_SECRET)",
  );
}
