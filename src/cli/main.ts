import { bide } from "./bide.js";
import type { Engine } from "./option-values.js";
import { ignoreClosedStreams } from "./terminal.js";

const engine: Engine = async () => (await import("../lab/run-scenario.js")).runScenario;

const args = process.argv.slice(2);
ignoreClosedStreams();
// Without a command there is only help, and nothing that could go wrong.
const isCommand = args.some((arg) => !arg.startsWith("-"));
const over = isCommand ? (await import("./failure.js")).watchOver() : null;
// Ends threads that a stopped run may have left.
const exitCode = await bide(args, engine);
over?.();
process.exit(exitCode);
