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
    name: "examples",
    operands: "[options] [names...]",
    description: "List the shipped examples, or copy them here",
    load: () => import("./options/examples.js"),
  },
  {
    name: "init",
    operands: "[options] [file]",
    description: "Write a commented scenario to start from",
    load: () => import("./options/init.js"),
  },
  {
    name: "run",
    operands: "[options] <file>",
    description: "Simulate a scenario; print a summary and write a results folder",
    load: () => import("./options/run.js"),
  },
  {
    name: "compare",
    operands: "[options] <file>",
    description: "Run several schedulers on one workload and print them side by side",
    load: () => import("./options/compare.js"),
  },
  {
    name: "sweep",
    operands: "[options] <file>",
    description: "Run a scenario at every point of a grid, on all cores; can be resumed",
    load: () => import("./options/sweep.js"),
  },
  {
    name: "results",
    operands: "[options] <sweep>",
    description: "Print, query, export or plot the results of a sweep",
    load: () => import("./options/results.js"),
  },
  {
    name: "tune",
    operands: "[options] <file>",
    description: "Find the best point of a sweep with fewer runs than the whole grid",
    load: () => import("./options/tune.js"),
  },
  {
    name: "worker",
    operands: "[options]",
    description: "Execute runs of sweeps that were started with bide sweep --queue",
    load: () => import("./options/worker.js"),
  },
  {
    name: "merge",
    operands: "[options] <folders...>",
    description: "Join the folders that bide sweep --shard wrote on several machines",
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
    description: "Explain a Hadoop fair-scheduler.xml or capacity-scheduler.xml",
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
    description: "Test that a scheduler obeys the rules that every scheduler must obey",
    load: () => import("./options/check-scheduler.js"),
  },
  {
    name: "regress",
    operands: "[options] <file>",
    description: "Compare results and speed with stored ones; fails on a difference",
    load: () => import("./options/regress.js"),
  },
  {
    name: "bench",
    operands: "",
    description: "Measure how fast Bide is on this machine",
    load: () => import("./options/bench.js"),
  },
  {
    name: "completion",
    operands: "<shell>",
    description: "Print a script with which bash, zsh or fish completes what you type",
    load: () => import("./options/completion.js"),
  },
];

/**
 * What can be typed. Options of a command are loaded if its name is among the arguments, what it does when it is called, so that
 * help is there at once.
 */
export async function commandLine(args: readonly string[], engine: Engine): Promise<Command> {
  const program = new Command("bide").description(
    "Simulates cluster schedulers: what does a scheduling policy do to data locality, fairness and response time?",
  );
  await addVersion(program, args);
  program
    .helpOption("-h, --help", "print help; bide COMMAND --help for one command")
    .helpCommand(false)
    .configureHelp({ helpWidth: 80, subcommandTerm: termOf })
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
    const { bideVersion } = await import("../io/bide-version.js");
    program.version(bideVersion(), flags, description);
  } else program.option(flags, description);
}

/** A command in the list of commands, whether its options are loaded or not. */
function termOf(command: Command): string {
  const entry = command.parent?.parent === null ? COMMANDS.find(({ name }) => name === command.name()) : undefined;
  return entry === undefined ? new Help().subcommandTerm(command) : `${entry.name} ${entry.operands}`.trimEnd();
}

const EXAMPLES = `
Start here:
  bide examples --all                         copy the examples to ./scenarios
  bide run scenarios/tiny.yaml                a first run, in a second
  bide compare scenarios/tiny.yaml            four schedulers side by side
  bide init                                   write my.yaml, a scenario of your own
  bide run my.yaml --set scheduler=fair       another scheduler, without editing
  bide validate my.yaml                       check it, and see what it means
  bide sweep scenarios/sweeps/tiny-waits.yaml --threads 2
                                              a grid of waits, on two cores

Exit codes: 0 done, 1 a mistake in Bide, 2 bad input, 3 a rack thread died,
4 runs of a sweep failed, 5 a regression was found, 6 no point meets the goal,
130 stopped by Ctrl-C.`;

function usageHint(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(" ")} --help`;
}
