import { bide } from "./bide.js";
import type { Engine } from "./engine.js";
import { failureOf } from "./failure.js";
import { ignoreClosedStreams, tell } from "./terminal.js";

const engine: Engine = async () => (await import("../lab/run-scenario.js")).runScenario;

process.on("uncaughtException", (error) => {
  const { exitCode, text } = failureOf(error);
  tell(text);
  process.exit(exitCode);
});
ignoreClosedStreams();
// Ends threads that a stopped run may have left.
process.exit(await bide(process.argv.slice(2), engine));
