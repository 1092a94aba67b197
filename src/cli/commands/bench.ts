import { Argument, type Command, Option } from "commander";
import { LIMITS, type WaitSpec } from "../../core/scenario/index.js";
import { parseDuration } from "../../io/index.js";
import { type BenchEntry, BENCHES, DECISION_KINDS, type DecisionCase, type DecisionKind } from "../../lab/index.js";
import type { BenchCommandOptions } from "../bench.js";
import { completes, files, listOf, oneOf } from "../completion-values.js";
import { frameCount, names, numberParser, runCount, span, valueParser, whole } from "../option-values.js";

/** A command below `bide bench` for each benchmark. */
export function define(bench: Command): void {
  bench.helpCommand(false).addHelpText("after", EXAMPLES);
  for (const entry of BENCHES) addOne(bench, entry);
  bench
    .command("show")
    .description("Print the tables of files that --out wrote")
    .addArgument(completes(new Argument("<files...>", "files that bide bench --out wrote"), files(/\.json$/)))
    .addHelpText(
      "after",
      "\nExamples:\n  npx bide bench transport --frames 1000 --runs 1 --out transport.json\n  npx bide bench show transport.json",
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
    .option("--runs <n>", "measure each case n times and print medians", runCount);
  for (const option of takes) command.addOption(OWN_OPTIONS[option]());
  if (name === "decisions") for (const option of decisionOptions()) command.addOption(option);
  command
    .option("--json", "print only JSON on stdout")
    .option("--out <file>", "also write the JSON to a file")
    .option("--force", "replace the file of --out")
    .option("--quiet", "print no progress")
    .addHelpText("after", `${FULL}\n\nExamples:\n  npx bide bench ${name} ${BRIEF[name] ?? ""} --runs 1 --out b.json`)
    .action(async (options: BenchCommandOptions) => {
      const { bench: measure } = await import("../bench.js");
      await measure(name, options);
    });
}

const EXAMPLES = `${FULL}

Examples:
  npx bide bench transport --frames 1000 --runs 1 --out transport.json
  npx bide bench show transport.json`;

const MOST_NODES = 200_000;

const MOST_JOBS = 100_000;

const MOST_WARMUPS = 1_000;

export function decisionOptions(): Option[] {
  const point = [
    count("--nodes <n>", "nodes of the cluster", 1, MOST_NODES),
    new Option(
      "--slots <maps+reduces>",
      "slots of every node, for example 2+2; Spark and YARN have room for both together",
    ).argParser(slots),
    count("--jobs <n>", "jobs, all submitted at the start", 1, MOST_JOBS),
    count("--pools <n>", "pools or queues, for kinds that have them", 1, MOST_JOBS),
    count("--maps <n>", "maps of every job", 0, LIMITS.tasksPerPhase),
    count("--reduces <n>", "reduces of every job", 0, LIMITS.tasksPerPhase),
    completes(
      new Option("--kind <kinds>", `schedulers, separated by commas: ${DECISION_KINDS.join(", ")}`).argParser(kinds),
      listOf(() => oneOf(DECISION_KINDS)),
    ),
    new Option("--wait <wait>", "none, one time for node and rack, or two times: 5s+2s; YARN counts offers").argParser(
      wait,
    ),
    new Option("--tasks-per-heartbeat <n>", "most tasks handed out in one heartbeat, or all").argParser(
      tasksPerHeartbeat,
    ),
    new Option("--update-interval <time>", "simulated time between updates of demands; 0s: always current").argParser(
      time,
    ),
  ];
  const grid = new Option("--grid", "measure many cases around the usual one").conflicts(
    point.map((option) => option.attributeName()),
  );
  return [
    grid,
    ...point,
    count("--warmups <n>", "runs of each case before the measured ones", 0, MOST_WARMUPS),
    new Option("--seed <seed>", "seed of the block placement"),
    new Option("--hgrm <dir>", "write latency histograms to a folder"),
  ];
}

function count(flags: string, description: string, least: number, highest: number): Option {
  return new Option(flags, description).argParser(whole(least, highest));
}

export function kinds(text: string): DecisionKind[] {
  return names(text).map(kindNamed);
}

const kindNamed = valueParser(
  (name) => DECISION_KINDS.find((kind) => kind === name),
  `${DECISION_KINDS.join(", ")}, separated by commas`,
);

const SLOTS = `maps+reduces, each up to ${LIMITS.slotsPerNode}, such as 2+2`;

const slotsOfType = whole(0, LIMITS.slotsPerNode, SLOTS);

export const slots = valueParser((text): Pick<DecisionCase, "mapSlots" | "reduceSlots"> | undefined => {
  const parts = text.split("+");
  const [mapSlots, reduceSlots] = parts.map((part) => slotsOfType(part));
  return parts.length === 2 ? { mapSlots, reduceSlots } : undefined;
}, SLOTS);

const MOST_TASKS = 2 * LIMITS.slotsPerNode;

const taskCount = whole(1, MOST_TASKS, `all or a whole number from 1 to ${MOST_TASKS}`);

export function tasksPerHeartbeat(text: string): number {
  return text === "all" ? Infinity : taskCount(text);
}

const time = numberParser(parseDuration, 0, LIMITS.waitUs, "a time: 2.5s");

export const wait = valueParser((text): WaitSpec | undefined => {
  if (text === "none") return { kind: "none" };
  const parts = text.split("+");
  const [nodeUs, rackUs = nodeUs] = parts.map((part) => parseDuration(part) ?? Infinity);
  const isWait = parts.length <= 2 && Math.max(nodeUs, rackUs) <= LIMITS.waitUs;
  return isWait ? { kind: "time", nodeUs, rackUs } : undefined;
}, "none, a time such as 5s, or two such as 5s+2s");
