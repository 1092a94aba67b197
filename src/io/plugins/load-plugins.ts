import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownWords, type SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { InputError } from "../input-error.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { pluginError, pluginProblem, sameName } from "./plugin-shape.js";

const MOST_BYTES = 1 << 22;

const PLUGIN_FILE: TextFileKind = {
  file: "a file",
  contents: "an ES module that exports a scheduler by default",
  mostBytes: MOST_BYTES,
  tooLarge: (shown, found) => pluginError(shown, `found ${found}, allowed ${String(MOST_BYTES)} bytes at most`),
};

const HOW = "write export default { name, summary, create }";

/**
 * Loads schedulers from the files of users, which runs their code. A file that is named twice is loaded once.
 * @param files paths as typed.
 * @throws InputError for the first that is none.
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
  const text = readTextFile(path, file, PLUGIN_FILE);
  const module = await imported(file, path, text);
  if (path in createRequire(import.meta.url).cache) {
    throw pluginError(file, `found a CommonJS module, allowed an ES module: ${HOW}`);
  }
  if (!("default" in module)) throw pluginError(file, `found no default export, allowed one: ${HOW}`);
  const problem = pluginProblem(module.default);
  if (problem !== null) throw pluginError(file, problem);
  return module.default as SchedulerPlugin;
}

async function imported(file: string, path: string, text: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (thrown) {
    throw loadError(file, text, thrown);
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return (thrown as { code?: unknown } | null)?.code === code;
}

/** What kept the module from being loaded. */
function loadError(file: string, text: string, thrown: unknown): InputError {
  if (/\.[cm]?tsx?$/.test(file) && (hasCode(thrown, "ERR_UNKNOWN_FILE_EXTENSION") || thrown instanceof SyntaxError)) {
    const how = "compile it first (npx tsc, or npx esbuild FILE --format=esm --outfile=FILE.mjs)";
    return pluginError(file, `found TypeScript, allowed an ES module in JavaScript: ${how}`);
  }
  if (hasCode(thrown, "ERR_UNKNOWN_FILE_EXTENSION")) {
    return pluginError(
      file,
      "found a file whose name ends in neither .mjs nor .js, allowed an ES module in JavaScript",
    );
  }
  if (thrown instanceof SyntaxError) {
    const { line, column } = syntaxErrorIn(text);
    const where = line === 0 ? " in a file that it imports" : "";
    return pluginError(file, `found no JavaScript module${where}: ${thrown.message}`, line, column);
  }
  if (thrown instanceof ReferenceError && /^(module|exports|require) is not defined/.test(thrown.message)) {
    return pluginError(file, `found a CommonJS module (${thrown.message}), allowed an ES module: ${HOW}`);
  }
  return pluginError(file, `could not be loaded: it threw ${thrownWords(thrown)}`);
}

/** Time that checking may take; there is none in which a file of a few megabytes is not parsed. */
const TIMEOUT_MS = 10_000;

/**
 * Where the text is no ES module, line and column from 1; 0 where it is one, or nothing is known. Node tells of an
 * import that failed only why, not where; asked to check a text it tells both, and runs nothing.
 */
export function syntaxErrorIn(text: string): { line: number; column: number } {
  const args = ["--input-type=module", "--check"];
  const { stderr } = spawnSync(process.execPath, args, { input: text, encoding: "utf8", timeout: TIMEOUT_MS });
  // Where the text ends too early, a line of blanks has no caret.
  const [, line, , caret] = /^\[stdin\]:(\d+)\n(.*)\n( *)(?:\^|\n)/m.exec(stderr) ?? [];
  return line === undefined ? { line: 0, column: 0 } : { line: Number(line), column: caret.length + 1 };
}
