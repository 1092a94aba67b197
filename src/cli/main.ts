import { bide, ignoreClosedStreams } from "./bide.js";

const args = process.argv.slice(2);
ignoreClosedStreams();
// Without a command there is only help, and nothing that could go wrong.
const isCommand = args.some((arg) => !arg.startsWith("-"));
const over = isCommand ? (await import("./failure.js")).watchOver() : null;
// Ends threads that a stopped run may have left.
const exitCode = await bide(args);
over?.();
process.exit(exitCode);
