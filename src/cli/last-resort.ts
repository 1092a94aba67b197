import { EXIT } from "./exit-codes.js";
import { failureOf } from "./failure.js";
import { tell } from "./terminal.js";

/**
 * Says what became of a command that ends in a way that nobody foresaw: by an exception that nobody caught, or because
 * somebody else's code ended the process.
 * @returns call it when the command is over.
 */
export function watchOver(): () => void {
  process.on("uncaughtException", (error) => {
    const { exitCode, text } = failureOf(error);
    tell(text);
    process.exit(exitCode);
  });
  let isOver = false;
  process.on("exit", (exitCode) => {
    // Without this, one that ended the process with 0 would look like a run that went well.
    if (isOver || exitCode !== EXIT.ok) return;
    process.exitCode = EXIT.badInput;
    tell("bide: a plugin ended the process in the midst of a command; no results were written\n");
  });
  return () => {
    isOver = true;
  };
}
