import { CommanderError, type Command } from "commander";
import { commandLine, whoseOption } from "./command-line.js";
import { EXIT } from "./exit-codes.js";
import type { Engine } from "./option-values.js";
import { helpIsOut, tell } from "./terminal.js";

export { ignoreClosedStreams } from "./terminal.js";

const realEngine: Engine = async () => (await import("../lab/run-scenario.js")).runScenario;

/**
 * The command line, from arguments to exit code. Prints; never ends the process but for a signal.
 * @param args what follows the program's name.
 */
export async function bide(args: readonly string[], engine = realEngine): Promise<number> {
  const program = await commandLine(args, engine);
  if (args.length === 0) {
    program.outputHelp();
    return (await helpIsOut()) ? EXIT.ok : EXIT.badInput;
  }
  let called: Command | null = null;
  program.hook("preAction", (_program, command) => {
    called = command;
  });
  try {
    // For an unknown command, commander would print the help of the whole program.
    const isUnknown = !args[0].startsWith("-") && program.commands.every((command) => command.name() !== args[0]);
    await program.parseAsync(isUnknown ? [args[0]] : [...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // Commander has printed its message; help and version are no errors.
    if (error instanceof CommanderError) {
      if (error.code === "commander.unknownOption") tell(await whoseOption(error.message));
      return (await helpIsOut()) && error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    }
    const { failureOf } = await import("./failure.js");
    const { exitCode, text } = failureOf(await explained(error, called));
    tell(text);
    return exitCode;
  }
}

/** Adds to an error about a file of the wrong kind what the file is. */
async function explained(error: unknown, command: Command | null): Promise<unknown> {
  const { InputError } = await import("../io/input-error.js");
  if (!(error instanceof InputError) || command === null) return error;
  const { namingTheKind } = await import("./wrong-kind.js");
  return namingTheKind(error, command.name(), command.args);
}
