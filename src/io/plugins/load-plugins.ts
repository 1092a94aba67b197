import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownWords, type SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { InputError } from "../input-error.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { pluginError, pluginProblem, sameName } from "./plugin-shape.js";
import { mismatch } from "../../core/kernel/index.js";

const MOST_BYTES = 1 << 22;

const PLUGIN_FILE: TextFileKind = {
  file: "a file",
  contents: "an ES module that exports a scheduler by default",
  mostBytes: MOST_BYTES,
  tooLarge: (shown, actual) => pluginError(shown, mismatch(actual, `at most ${MOST_BYTES} bytes`)),
};

const HOW = "write export default { name, summary, create }";

/**
 * Loads schedulers from the files of users, which runs their code. A file that is named twice is loaded once.
 * @param files paths as typed.
 * @throws InputError for the first file that holds no plugin, or one with the name of an earlier plugin.
 */
export async function loadPlugins(files: readonly string[]): Promise<SchedulerPlugin[]> {
  const plugins: SchedulerPlugin[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const path = resolve(file);
    if (seen.has(path)) continue;
    seen.add(path);
    const plugin = await loadPlugin(file, path);
    if (plugins.some(({ name }) => name === plugin.name)) throw pluginError(file, sameName(plugin.name));
    plugins.push(plugin);
  }
  return plugins;
}

async function loadPlugin(file: string, path: string): Promise<SchedulerPlugin> {
  readTextFile(path, file, PLUGIN_FILE);
  const module = await imported(file, path);
  if (path in createRequire(import.meta.url).cache) {
    throw pluginError(file, mismatch("a CommonJS module", `an ES module; ${HOW}`));
  }
  if (!("default" in module)) throw pluginError(file, `has no default export; ${HOW}`);
  const problem = pluginProblem(module.default);
  if (problem !== null) throw pluginError(file, problem);
  return module.default as SchedulerPlugin;
}

async function imported(file: string, path: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (thrown) {
    throw loadError(file, thrown);
  }
}

/** The error of a module that could not be loaded. */
function loadError(file: string, thrown: unknown): InputError {
  if ((thrown as Partial<InputError> | null)?.name === "InputError") return thrown as InputError;
  if (/\.[cm]?tsx?$/.test(file)) {
    const how = "compile it first (npx tsc, or npx esbuild FILE --format=esm --outfile=FILE.mjs)";
    return pluginError(file, mismatch("TypeScript", `an ES module in JavaScript; ${how}`));
  }
  if (thrown instanceof SyntaxError)
    return pluginError(file, `found no JavaScript module: ${thrown.message} (node --check FILE says where)`);
  return pluginError(file, `could not be loaded: it threw ${thrownWords(thrown)}`);
}
