import { fileURLToPath } from "node:url";
import { BuiltIns, changedWords } from "../io/plugins/built-ins.js";
import { thrownWords } from "../core/scheduler/plugin/plugin-error.js";

/** Bide's own code; plugins may lie beside it. */
const OWN = ["dist/", "bin/"].map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)));

let builtIns: BuiltIns | null = null;

/** From now on there is code that is not Bide's. Call it before plugins are loaded. */
export function watchPlugins(): void {
  builtIns ??= new BuiltIns();
}

/** What a plugin did that made this error, which nothing of Bide's expected; null: nothing, as far as can be told. */
export function pluginBlame(error: unknown): string | null {
  if (builtIns === null) return null;
  const changed = builtIns.putBack();
  if (changed !== null) return `a plugin: ${changedWords(changed)}`;
  const paths = framesOf(error);
  const ofPlugin = paths.find((path) => !path.includes("/node_modules/") && !OWN.some((own) => path.startsWith(own)));
  // What was thrown without a trace is not Bide's: all that it throws are errors.
  if (ofPlugin === undefined && paths.length > 0) return null;
  const from = ofPlugin === undefined ? "" : ` from ${ofPlugin}`;
  const allowed = "hooks that decide at once, without timers and promises";
  return `a plugin: found something thrown while no hook was called, or a promise rejected that nobody waits for (${thrownWords(error)})${from}, allowed ${allowed}`;
}

/** Files of the trace, without Node's own. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return [...stack.matchAll(/(?:\(|at |async )(?:file:\/\/)?(\/[^\s()]+:\d+:\d+)/g)].map(([, path]) => path);
}
