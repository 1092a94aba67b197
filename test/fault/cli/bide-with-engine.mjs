/**
 * The real command line around one of the engines.
 * Usage: node bide-with-engine.mjs ENGINE [argument of bide]...
 */
import { bide, ignoreClosedStreams } from "../../../dist/cli/index.js";
import { engineOf } from "./engines.mjs";

const [engine, ...args] = process.argv.slice(2);
ignoreClosedStreams();
process.exit(await bide(args, async () => engineOf(engine)));
