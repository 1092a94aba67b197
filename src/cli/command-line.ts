import { Command, Help, InvalidArgumentError } from "commander";
import { printable } from "../io/index.js";
import type { Engine } from "./option-values.js";
import { STDOUT, stdoutColumns, tell, writeHelp } from "./terminal.js";

/**
 * A command. The group is its heading in the list of commands, and operands are as the list of commands shows them; the
 * file of its name in `commands` has what it takes, its help, how its values are completed, and what it does.
 */
type CommandRow = readonly [name: string, group: string, operands: string, description: string];

interface CommandFile {
  readonly define: (command: Command, engine: Engine, programFor: typeof commandLine) => void;
}

/** In the order of help. */
const ROWS: readonly CommandRow[] = [
  ["examples", "Begin:", "[names...]", "List the shipped examples, or copy them here"],
  ["init", "Begin:", "[file]", "Write a commented scenario to start from"],
  ["import", "Begin:", "<kind> <logs...>", "Make scenarios from logs of Spark or Hadoop"],
  ["replay", "Simulate:", "<scenario>", "Run an imported scenario, and compare the run with its log"],
  ["completion", "Begin:", "<shell>", "Print the completion script for bash, zsh or fish"],
  ["run", "Simulate:", "<file>", "Run a scenario; print a summary, write a folder of results"],
  ["compare", "Simulate:", "<file>", "Run several schedulers on one workload, side by side"],
  ["report", "Simulate:", "<folders...>", "Write a page of figures about results"],
  ["trace", "Simulate:", "<run>", "Write the attempts of a run as a timeline for Perfetto"],
  ["sweep", "Simulate many points:", "<file>", "Run a scenario at every point of a grid, on all cores"],
  ["results", "Simulate many points:", "<folder>", "Print, query, export or plot the results of a sweep or run"],
  ["tune", "Simulate many points:", "<file>", "Find the best point with fewer runs than the whole grid"],
  ["merge", "Simulate many points:", "<folders...>", "Join the folders that bide sweep --shard wrote"],
  ["worker", "Simulate many points:", "", "Execute runs of sweeps that use --queue"],
  ["validate", "Look and check:", "<files...>", "Check scenarios, sweeps and regression files without running them"],
  ["explain", "Look and check:", "<run>", "Say why jobs, maps, stages or pools waited"],
  ["explain-config", "Look and check:", "<file>", "Explain a configuration file of Hadoop, YARN or Spark"],
  ["schema", "Look and check:", "[name]", "Print the JSON Schema of a kind of file"],
  ["schedulers", "Look and check:", "", "List the schedulers and their default waits"],
  ["check-scheduler", "Look and check:", "<name>", "Test a scheduler against the rules for all schedulers"],
  ["reproduce", "Look and check:", "[ids...]", "Repeat experiments of papers; print published and measured values"],
  ["regress", "Measure Bide itself:", "<file>", "Compare results and speed with stored ones"],
  ["bench", "Measure Bide itself:", "", "Measure how fast Bide is on this machine"],
];

const COMMANDS = ROWS.map(([name, group, operands, description]) => ({
  name,
  group,
  operands,
  description,
  load: () => import(`./commands/${name}.js`) as Promise<CommandFile>,
}));

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
  if (name.trim() === "") throw new InvalidArgumentError("Expected a name, found nothing.");
  return name;
}

/** Options whose files may be stdout, as `-`. */
const TO_STDOUT = ["trace --out", "report --out", "results --out", "results --csv"];

/** `--out -` would be a file or folder of that name. */
function placeName(name: string): string {
  if (name === STDOUT) throw new InvalidArgumentError('Expected a name, found "-"; --json prints on stdout.');
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

Exit codes: 0 done, 1 a bug in Bide, 2 bad input, 3 a rack thread died,
4 runs of a sweep failed, 5 a regression found, 6 no point meets the goal,
7 a run would never end and was stopped, 9 a baseline is stale, 129, 130, 143 stopped by SIGHUP, Ctrl-C, SIGTERM.`;

function usageHint(command: Command): string {
  const names: string[] = [];
  for (let ancestor: Command | null = command; ancestor !== null; ancestor = ancestor.parent)
    names.unshift(ancestor.name());
  return `npx ${names.join(" ")} --help`;
}
