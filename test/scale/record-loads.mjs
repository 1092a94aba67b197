/**
 * Loaded into a process before everything else: writes each module that it loads, one per line, to the file LOADS_FILE.
 */
import { appendFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOADS_FILE;

/** Hooks are on a thread of their own, where this module is loaded a second time. */
export async function load(url, context, next) {
  if (url.startsWith("file:")) appendFileSync(file, `${fileURLToPath(url)}\n`);
  return next(url, context);
}

if (isMainThread) {
  register(import.meta.url);
  const { cache } = createRequire(import.meta.url);
  process.on("exit", () => {
    // What CommonJS modules load of each other passes no hook.
    appendFileSync(file, Object.keys(cache).join("\n"));
  });
}
