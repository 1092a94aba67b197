import { Command, Help } from "commander";
import type { Engine } from "./engine.js";

interface CommandEntry {
  readonly name: string;
  /** What may follow, as the list of commands shows it. */
  readonly operands: string;
  readonly description: string;
  /** Loads what its options, its help and its name stand for. */
  readonly load: () => Promise<{ readonly addOptions: (command: Command, engine: Engine) => void }>;
}

/** In the order of help. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: "run",
    operands: "[options] <file>",
    description: "Run a scenario; print a summary and write a results folder",
    load: () => import("./options/run.js"),
  },
  {
    name: "compare",
    operands: "[options] <file>",
    description: "Run systems on one workload with the same seeds; print them side by side",
    load: () => import("./options/compare.js"),
  },
  {
    name: "sweep",
    operands: "[options] <file>",
    description: "Run every point of a sweep on all cores; what was done survives being stopped or killed",
    load: () => import("./options/sweep.js"),
  },
  {
    name: "results",
    operands: "[options] <sweep>",
    description: "Print, ask or draw what a sweep has found",
    load: () => import("./options/results.js"),
  },
  {
    name: "tune",
    operands: "[options] <file>",
    description: "Find the point of a sweep that meets its goal best, with far fewer simulations than its grid",
    load: () => import("./options/tune.js"),
  },
  {
    name: "worker",
    operands: "[options]",
    description: "Do runs of sweeps that others have started with --queue",
    load: () => import("./options/worker.js"),
  },
  {
    name: "merge",
    operands: "[options] <folders...>",
    description: "Join what bide sweep --shard has written on several machines",
    load: () => import("./options/merge.js"),
  },
  {
    name: "validate",
    operands: "[options] <files...>",
    description: "Check scenarios without running them",
    load: () => import("./options/validate.js"),
  },
  {
    name: "explain-config",
    operands: "[options] <file>",
    description: "Say what a Hadoop fair-scheduler.xml or capacity-scheduler.xml means, and what of it is not used",
    load: () => import("./options/explain-config.js"),
  },
  {
    name: "schema",
    operands: "[name]",
    description: "Print the JSON Schema of a kind of file",
    load: () => import("./options/schema.js"),
  },
  {
    name: "schedulers",
    operands: "[options]",
    description: "List the schedulers and their default waits",
    load: () => import("./options/schedulers.js"),
  },
  {
    name: "check-scheduler",
    operands: "[options] <name>",
    description: "Hold a scheduler to the contract of all: legal plans, one result anywhere, all jobs end",
    load: () => import("./options/check-scheduler.js"),
  },
  {
    name: "regress",
    operands: "[options] <file>",
    description: "Compare results and speed of scenarios with stored ones",
    load: () => import("./options/regress.js"),
  },
  {
    name: "bench",
    operands: "",
    description: "Measure what Bide costs on this machine; print one table",
    load: () => import("./options/bench.js"),
  },
];

/**
 * What can be typed. Options of a command are loaded if its name is among the arguments, what it does when it is called, so that
 * help is there at once.
 */
export async function commandLine(args: readonly string[], engine: Engine): Promise<Command> {
  const program = new Command("bide").description(
    "A laboratory for cluster schedulers: what does a policy do to data locality, fairness and response time?",
  );
  await addVersion(program, args);
  program
    .helpOption("-h, --help", "print help; bide COMMAND --help for a command")
    .helpCommand(false)
    .configureHelp({ helpWidth: 100, subcommandTerm: termOf })
    .addHelpText("after", EXAMPLES);
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (args.includes(name)) (await load()).addOptions(command, engine);
  }
  // Commands do not inherit how errors end once they exist.
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.configureOutput({ outputError: (text, write) => write(withoutLogins(text)) });
    command.exitOverride().showHelpAfterError(`(${usageHint(command)} prints what is allowed)`);
  }
  return program;
}

/** What commander says repeats what was typed, which may hold a password: `redis://user:password@host`. */
function withoutLogins(text: string): string {
  return text.replace(/\/\/[^\s@]*@/g, "//***@");
}

/** The version itself is looked up only for whoever wants to know it. */
async function addVersion(program: Command, args: readonly string[]): Promise<void> {
  const flags = "-V, --version";
  const description = "print the version";
  if (args.some((arg) => arg === "--version" || /^-[^-]*V/.test(arg))) {
    const { bideVersion } = await import("../lab/bide-version.js");
    program.version(bideVersion(), flags, description);
  } else program.option(flags, description);
}

/** A command in the list of commands, whether its options are loaded or not. */
function termOf(command: Command): string {
  const entry = command.parent?.parent === null ? COMMANDS.find(({ name }) => name === command.name()) : undefined;
  return entry === undefined ? new Help().subcommandTerm(command) : `${entry.name} ${entry.operands}`.trimEnd();
}

const EXAMPLES = `
Examples:
  bide run scenarios/facebook-day.yaml                     a day of a 620-node cluster
  bide run my.yaml --set scheduler.wait.node=5s --seed 7   the same with another wait and seed
  bide compare scenarios/benchmark.yaml --seeds 5          schedulers side by side
  bide sweep scenarios/sweeps/w1-w2.yaml                   200 pairs of waits, on all cores
  bide validate my.yaml                                    is it right, and what does it say?
  bide schema > scenario.schema.json                       completion for your editor
  bide bench day                                           what does a run cost on this machine?

Exit codes: 0 done, 1 a mistake in Bide, 2 bad input, 3 a rack died, 4 runs of a sweep failed, 5 a regression found,
6 no point meets the goal, 130 stopped by Ctrl-C.`;

function usageHint(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(" ")} --help`;
}
