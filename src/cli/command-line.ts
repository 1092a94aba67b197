import { Argument, Command, Option } from "commander";
import { DEFAULT_KINDS } from "../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { addBench } from "./bench-commands.js";
import type { Engine } from "./engine.js";
import type { CompareCommandOptions } from "./compare.js";
import { COMPARE_FORMATS } from "./compare-choices.js";
import { collect, names, placement, seedCount, slices } from "./option-values.js";
import { unknownScheduler } from "./scheduler-names.js";
import type { CheckCommandOptions } from "./check-scheduler.js";
import type { RunCommandOptions } from "./run.js";
import type { SchemaName } from "./schema.js";
import { bideVersion } from "../lab/bide-version.js";

const SCHEMA_NAMES: readonly SchemaName[] = ["scenario", "summary"];

/** What can be typed. What a command does is loaded when it is called, so that help is there at once. */
export function commandLine(engine: Engine): Command {
  const program = new Command("bide")
    .description(
      "A laboratory for cluster schedulers: what does a policy do to data locality, fairness and response time?",
    )
    .version(bideVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help; bide COMMAND --help for a command")
    .helpCommand(false)
    .configureHelp({ helpWidth: 100 })
    .addHelpText("after", EXAMPLES);
  for (const add of [addRun, addCompare, addValidate, addExplainConfig, addSchema, addSchedulers, addCheckScheduler])
    add(program, engine);
  addBench(program);
  // Commands do not inherit how errors end once they exist.
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.exitOverride().showHelpAfterError(`(${usageHint(command)} prints what is allowed)`);
  }
  return program;
}

const EXAMPLES = `
Examples:
  bide run scenarios/facebook-day.yaml                     a day of a 620-node cluster
  bide run my.yaml --set scheduler.wait.node=5s --seed 7   the same with another wait and seed
  bide compare scenarios/benchmark.yaml --seeds 5          schedulers side by side
  bide validate my.yaml                                    is it right, and what does it say?
  bide schema > scenario.schema.json                       completion for your editor
  bide bench day                                           what does a run cost on this machine?

Exit codes: 0 done, 1 a mistake in Bide, 2 bad input, 3 a rack died, 130 stopped by Ctrl-C.`;

function usageHint(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(" ")} --help`;
}

async function loadedPlugins(files: readonly string[]): Promise<SchedulerPlugin[]> {
  if (files.length === 0) return [];
  const { loadPlugins } = await import("../io/plugins/load-plugins.js");
  return loadPlugins(files);
}

function scenarioOptions(command: Command): Command {
  return command
    .addOption(setOption())
    .addOption(pluginOption())
    .option("--seed <seed>", "root of every random stream, in place of run.seed")
    .option("--lenient", "skip and count malformed lines of a trace")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress and no notes");
}

function setOption(): Option {
  return new Option("--set <path=value>", "change a value of the scenario; may be repeated")
    .argParser(collect)
    .default([], "none");
}

/** The one way by which a user's code gets to run: no scenario can name a file of it. */
function pluginOption(): Option {
  return new Option("--plugin <file>", "a scheduler of your own, an ES module; may be repeated")
    .argParser(collect)
    .default([], "none");
}

function threadsOption(): Option {
  return new Option(
    "--threads <where>",
    "auto, rack (a thread per rack), 0 (inline), or a number of threads",
  ).argParser(placement);
}

function addRun(program: Command, engine: Engine): void {
  const command = program
    .command("run")
    .description("Run a scenario; print a summary and write a results folder")
    .argument("<file>", "scenario, YAML or JSON");
  scenarioOptions(command)
    .addOption(threadsOption().default("auto"))
    .option("--out <dir>", "results folder (default: results/<name>-<seed>-<time>)")
    .option("--force", "replace the results in --out")
    .option("--no-tables", "no Parquet tables")
    .option("--tasks", "also a table with a row per attempt (large)")
    .addOption(new Option("--slices <n>", "execution slices per heartbeat; changes no result").argParser(slices))
    .addHelpText("after", RUN_EXAMPLES)
    .action(async (file: string, options: RunCommandOptions) => {
      const { run } = await import("./run.js");
      await run(file, options, await loadedPlugins(options.plugin), engine);
    });
}

const RUN_EXAMPLES = `
Examples:
  bide run scenarios/facebook-day.yaml
  bide run scenarios/facebook-day.yaml --threads rack --out results/day
  bide run my.yaml --set scheduler=delay --set scheduler.wait.nodeSkips=100
  bide run my.yaml --json --no-tables | jq .locality`;

function addCompare(program: Command, engine: Engine): void {
  const command = program
    .command("compare")
    .description("Run systems on one workload with the same seeds; print them side by side")
    .argument("<file>", "scenario, YAML or JSON, with a section compare or without");
  scenarioOptions(command)
    .addOption(
      new Option("--schedulers <names>", "these kinds, in place of the file's systems; separated by commas")
        .argParser(names)
        .conflicts("systems"),
    )
    .addOption(
      new Option("--systems <names>", "only these of the file's systems; separated by commas").argParser(names),
    )
    .addOption(
      new Option(
        "--seeds <n>",
        "seeds per system (default: the file's, or 1); from 2 on with 95 % confidence",
      ).argParser(seedCount),
    )
    .addOption(
      new Option("--format <format>", "how the tables are printed; csv has all measures")
        .choices(COMPARE_FORMATS)
        .default("text"),
    )
    .addOption(threadsOption().default(0))
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
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
A file with a section compare says itself which systems. Of any other, ${DEFAULT_KINDS.join(", ")},
the file's own (and plugins) are compared: the scheduler that the file names keeps the file's wait;
every other one has its own default (bide schedulers).

Examples:
  bide compare scenarios/benchmark.yaml
  bide compare scenarios/limit-slots.yaml --seeds 2 --format md
  bide compare my.yaml --schedulers fair,delay --seeds 5
  bide compare my.yaml --set scheduler.wait.node=1s --json --out comparison.json`;

function addValidate(program: Command): void {
  program
    .command("validate")
    .description("Check scenarios without running them")
    .argument("<files...>", "scenarios, YAML or JSON")
    .addOption(setOption())
    .addOption(pluginOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bide validate scenarios/*.yaml\n  bide validate my.yaml --set cluster.racks=5",
    )
    .action(async (files: string[], options: { set: string[]; plugin: string[] }) => {
      const { validate } = await import("./validate.js");
      await validate(files, options.set, await loadedPlugins(options.plugin));
    });
}

function addExplainConfig(program: Command): void {
  program
    .command("explain-config")
    .description("Say what a Hadoop fair-scheduler.xml or capacity-scheduler.xml means, and what of it is not used")
    .argument("<file>", "configuration of the fair or the capacity scheduler, of Hadoop 1 or YARN")
    .option("--json", "print JSON on stdout, and nothing else")
    .addHelpText("after", EXPLAIN_CONFIG_EXAMPLES)
    .action(async (file: string, options: { json?: boolean }) => {
      const { explainConfig } = await import("./explain-config.js");
      await explainConfig(file, options);
    });
}

const EXPLAIN_CONFIG_EXAMPLES = `
Examples:
  bide explain-config fair-scheduler.xml
  bide explain-config capacity-scheduler.xml
  bide explain-config fair-scheduler.xml --json | jq '.allocations.pools[].name'`;

function addSchema(program: Command): void {
  program
    .command("schema")
    .description("Print the JSON Schema of scenario files or of summary.json")
    .addArgument(new Argument("[name]", "which").choices(SCHEMA_NAMES).default("scenario"))
    .addHelpText("after", "\nExamples:\n  bide schema > scenario.schema.json\n  bide schema summary")
    .action(async (name: SchemaName) => {
      const { schema } = await import("./schema.js");
      await schema(name);
    });
}

function addSchedulers(program: Command): void {
  program
    .command("schedulers")
    .description("List the schedulers and their default waits")
    .addOption(pluginOption())
    .addHelpText("after", "\nExamples:\n  bide schedulers\n  bide schedulers --plugin ./mine.js")
    .action(async (options: { plugin: string[] }) => {
      const { schedulers } = await import("./schedulers.js");
      await schedulers(await loadedPlugins(options.plugin));
    });
}

function addCheckScheduler(program: Command): void {
  const command = program
    .command("check-scheduler")
    .description("Hold a scheduler to the contract of all: legal plans, one result anywhere, all jobs end")
    .argument("<name>", "a built-in kind, or the name of a plugin")
    .addOption(pluginOption())
    .addOption(setOption())
    .addOption(
      new Option("--case <name>", "only this scenario of the kit; may be repeated")
        .argParser(collect)
        .default([], "all"),
    )
    .option("--seed <seed>", "root of every random stream; other seeds are other scenarios", "1")
    .option("--json", "print JSON on stdout, and nothing else")
    .option("--quiet", "no progress")
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
Examples:
  bide check-scheduler fair
  bide check-scheduler mine --plugin ./mine.js
  bide check-scheduler mine --plugin ./mine.js --case faults --seed 7`;
