import { bide } from "./bide.js";
import type { Engine } from "./engine.js";
import { EXIT } from "./exit-codes.js";
import { failureOf } from "./failure.js";
import { ignoreClosedStreams, tell } from "./terminal.js";

const engine: Engine = async () => (await import("../lab/run-scenario.js")).runScenario;

process.on("uncaughtException", (error) => {
  const { exitCode, text } = failureOf(error);
  tell(text);
  process.exit(exitCode);
});
let isOver = false;
process.on("exit", (exitCode) => {
  // Somebody else's code ended the process: without this, one that did so with 0 would look like a run that went well.
  if (isOver || exitCode !== EXIT.ok) return;
  process.exitCode = EXIT.badInput;
  tell("bide: a plugin ended the process in the midst of a command; no results were written\n");
});
ignoreClosedStreams();
// Ends threads that a stopped run may have left.
const exitCode = await bide(process.argv.slice(2), engine);
isOver = true;
process.exit(exitCode);
