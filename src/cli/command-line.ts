import { Command, Help, InvalidArgumentError } from "commander";
import { printable } from "../io/index.js";
import type { Engine } from "./option-values.js";
import { STDOUT, stdoutColumns, tell, writeHelp } from "./terminal.js";

interface CommandEntry {
  readonly name: string;
  /** Heading in the list of commands. */
  readonly group: string;
  /** The operands, as the list of commands shows them. */
  readonly operands: string;
  readonly description: string;
  /** Its file: what it takes, its help, how its values are completed, and what it does. */
  readonly load: () => Promise<{
    readonly define: (command: Command, engine: Engine, programFor: typeof commandLine) => void;
  }>;
}

/** In the order of help. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: "examples",
    group: "Begin:",
    operands: "[names...]",
    description: "List the shipped examples, or copy them here",
    load: () => import("./commands/examples.js"),
  },
  {
    name: "init",
    group: "Begin:",
    operands: "[file]",
    description: "Write a commented scenario to start from",
    load: () => import("./commands/init.js"),
  },
  {
    name: "import",
    group: "Begin:",
    operands: "<kind> <logs...>",
    description: "Make scenarios of logs of Spark and Hadoop",
    load: () => import("./commands/import.js"),
  },
  {
    name: "replay",
    group: "Simulate:",
    operands: "<scenario>",
    description: "Hold the run of an imported scenario against what its log recorded",
    load: () => import("./commands/replay.js"),
  },
  {
    name: "completion",
    group: "Begin:",
    operands: "<shell>",
    description: "Print the completion script for bash, zsh or fish",
    load: () => import("./commands/completion.js"),
  },
  {
    name: "run",
    group: "Simulate:",
    operands: "<file>",
    description: "Run a scenario; print a summary, write a folder of results",
    load: () => import("./commands/run.js"),
  },
  {
    name: "compare",
    group: "Simulate:",
    operands: "<file>",
    description: "Run several schedulers on one workload, side by side",
    load: () => import("./commands/compare.js"),
  },
  {
    name: "report",
    group: "Simulate:",
    operands: "<folders...>",
    description: "Write a page of figures about results",
    load: () => import("./commands/report.js"),
  },
  {
    name: "trace",
    group: "Simulate:",
    operands: "<run>",
    description: "Write the attempts of a run as a timeline for Perfetto",
    load: () => import("./commands/trace.js"),
  },
  {
    name: "sweep",
    group: "Simulate many points:",
    operands: "<file>",
    description: "Run a scenario at every point of a grid, on all cores",
    load: () => import("./commands/sweep.js"),
  },
  {
    name: "results",
    group: "Simulate many points:",
    operands: "<folder>",
    description: "Print, query, export or plot the results of a sweep or run",
    load: () => import("./commands/results.js"),
  },
  {
    name: "tune",
    group: "Simulate many points:",
    operands: "<file>",
    description: "Find the best point with fewer runs than the whole grid",
    load: () => import("./commands/tune.js"),
  },
  {
    name: "merge",
    group: "Simulate many points:",
    operands: "<folders...>",
    description: "Join the folders that bide sweep --shard wrote",
    load: () => import("./commands/merge.js"),
  },
  {
    name: "worker",
    group: "Simulate many points:",
    operands: "",
    description: "Execute runs of sweeps that use --queue",
    load: () => import("./commands/worker.js"),
  },
  {
    name: "validate",
    group: "Look and check:",
    operands: "<files...>",
    description: "Check scenarios without running them",
    load: () => import("./commands/validate.js"),
  },
  {
    name: "explain",
    group: "Look and check:",
    operands: "<run>",
    description: "Say why a job, a map or the jobs of a pool waited",
    load: () => import("./commands/explain.js"),
  },
  {
    name: "explain-config",
    group: "Look and check:",
    operands: "<file>",
    description: "Explain a fair-scheduler.xml or capacity-scheduler.xml",
    load: () => import("./commands/explain-config.js"),
  },
  {
    name: "schema",
    group: "Look and check:",
    operands: "[name]",
    description: "Print the JSON Schema of a kind of file",
    load: () => import("./commands/schema.js"),
  },
  {
    name: "schedulers",
    group: "Look and check:",
    operands: "",
    description: "List the schedulers and their default waits",
    load: () => import("./commands/schedulers.js"),
  },
  {
    name: "check-scheduler",
    group: "Look and check:",
    operands: "<name>",
    description: "Test a scheduler against the rules for all schedulers",
    load: () => import("./commands/check-scheduler.js"),
  },
  {
    name: "reproduce",
    group: "Look and check:",
    operands: "[ids...]",
    description: "Repeat experiments of papers; print published beside measured",
    load: () => import("./commands/reproduce.js"),
  },
  {
    name: "regress",
    group: "Measure Bide itself:",
    operands: "<file>",
    description: "Compare results and speed with stored ones",
    load: () => import("./commands/regress.js"),
  },
  {
    name: "bench",
    group: "Measure Bide itself:",
    operands: "",
    description: "Measure how fast Bide is on this machine",
    load: () => import("./commands/bench.js"),
  },
];

/**
 * The command line. Options of a command are loaded if its name is among the arguments, its action when it is called,
 * so that help is there at once.
 */
export async function commandLine(args: readonly string[], engine: Engine): Promise<Command> {
  const program = new Command("bide").description(
    "Simulates cluster schedulers: what does a scheduling policy do to data locality, fairness and response time?",
  );
  await addVersion(program, args);
  program
    .helpOption("-h, --help", "print help; bide COMMAND --help describes one")
    .helpCommand(false)
    .configureHelp({ helpWidth: stdoutColumns() ?? 80, subcommandTerm: termOf })
    .addHelpText("after", EXAMPLES);
  for (const { name, group, description, load } of COMMANDS) {
    const command = program.command(name).description(description).helpGroup(group);
    if (args.includes(name)) (await load()).define(command, engine, commandLine);
  }
  // Commands do not inherit how errors end once they exist.
  for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])]) {
    command.configureOutput({
      writeOut: writeHelp,
      writeErr: tell,
      outputError: (text) => tell(withoutLogins(onOneLine(text, args))),
    });
    for (const option of command.options) {
      if (!/<(dir|file)>$/.test(option.flags) || option.parseArg !== undefined) continue;
      option.argParser(TO_STDOUT.includes(`${command.name()} ${option.long ?? ""}`) ? notNothing : placeName);
    }
    command.exitOverride().showHelpAfterError(`(${usageHint(command)} prints what is allowed)`);
  }
  return program;
}

/** The commands that have the option which another one does not know, a line each; empty if none has. */
export async function whoseOption(message: string): Promise<string> {
  const [, flag] = /unknown option '(--[a-z-]+)/.exec(message) ?? [];
  if (flag === undefined) return "";
  const lines: string[] = [];
  for (const { name, description, load } of COMMANDS) {
    const command = new Command(name);
    (await load()).define(command, () => Promise.reject(new Error("never called")), commandLine);
    if (command.options.some(({ long }) => long === flag))
      lines.push(`${flag} is an option of bide ${name}: ${description}\n`);
  }
  return lines.join("");
}

/** Escapes typed text, which must not end a line of a message. */
function onOneLine(text: string, args: readonly string[]): string {
  const typed = args.flatMap((arg) => [arg, ...arg.split("=", 2)]).filter((arg) => printable(arg) !== arg);
  return typed.reduce((message, arg) => message.replaceAll(arg, printable(arg)), text);
}

/** Messages of commander repeat what was typed, which may hold a password: `redis://user:password@host`. */
function withoutLogins(text: string): string {
  return text.replace(/\/\/[^\s@]*@/g, "//***@");
}

/** `--out "$UNSET"` would be the folder that one is in. */
function notNothing(name: string): string {
  if (name.trim() === "") throw new InvalidArgumentError("Found nothing, allowed a name.");
  return name;
}

/** Options whose files may be stdout, as `-`. */
const TO_STDOUT = ["trace --out", "report --out", "results --out", "results --csv"];

/** `--out -` would be a file or folder of that name. */
function placeName(name: string): string {
  if (name === STDOUT) throw new InvalidArgumentError("Found -, allowed a name; --json prints on stdout.");
  return notNothing(name);
}

/** The version is looked up only when it is printed. */
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
  npx bide examples --all                    copy the examples to ./scenarios
  npx bide run scenarios/tiny.yaml           a first run, in a second
  npx bide compare scenarios/tiny.yaml       four schedulers side by side
  npx bide sweep scenarios/sweeps/tiny-waits.yaml    a grid of waits

Then ask a question of your own:
  npx bide init                              write my.yaml, a scenario to edit
  npx bide validate my.yaml                  check it, and print what it means
  npx bide run my.yaml
  npx bide run my.yaml --set scheduler=fair  another scheduler, without editing

Exit codes: 0 done, 1 a mistake in Bide, 2 bad input, 3 a rack thread died,
4 runs of a sweep failed, 5 a regression found, 6 no point meets the goal,
7 a run would never end and was stopped, 9 a baseline is stale, 129, 130, 143 stopped by SIGHUP, Ctrl-C, SIGTERM.`;

function usageHint(command: Command): string {
  const names: string[] = [];
  for (let ancestor: Command | null = command; ancestor !== null; ancestor = ancestor.parent)
    names.unshift(ancestor.name());
  return `npx ${names.join(" ")} --help`;
}
