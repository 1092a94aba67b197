import { CommanderError } from "commander";
import { commandLine } from "./command-line.js";
import type { Engine } from "./engine.js";
import { EXIT } from "./exit-codes.js";
import { tell } from "./terminal.js";

/**
 * The command line, from arguments to exit code. Prints; never ends the process but for a signal.
 * @param args what follows the program's name.
 */
export async function bide(args: readonly string[], engine: Engine): Promise<number> {
  const program = await commandLine(args, engine);
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.ok;
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // Commander has printed its message; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    const { failureOf } = await import("./failure.js");
    const { exitCode, text } = failureOf(error);
    tell(text);
    return exitCode;
  }
}
