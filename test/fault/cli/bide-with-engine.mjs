/**
 * The real command line around one of the engines.
 * Usage: node bide-with-engine.mjs ENGINE [argument of bide]...
 */
import { codeFolder } from "../../../bin/code.js";
import { engineOf } from "./engines.mjs";

const { bide, ignoreClosedStreams } = await import(new URL("cli/bide.js", codeFolder()).href);
const [engine, ...args] = process.argv.slice(2);
ignoreClosedStreams();
process.exit(await bide(args, async () => engineOf(engine)));
