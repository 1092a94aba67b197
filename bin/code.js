import { mkdirSync, readdirSync, statSync } from "node:fs";
import nodeModule from "node:module";
import { fileURLToPath } from "node:url";

const DIST = new URL("../dist/", import.meta.url);
const BUNDLE = new URL("../bundle/", import.meta.url);
const CACHE = new URL("../.compile-cache/", import.meta.url);

const writtenMs = (file, folder) => statSync(new URL(file, folder), { throwIfNoEntry: false })?.mtimeMs;

/** Whether there is a bundle, and nothing was compiled after it. An installed package has no notes of the compiler. */
export function bundleIsFresh() {
  const bundledMs = writtenMs("code-version", BUNDLE);
  if (bundledMs === undefined) return false;
  return readdirSync(DIST).every((room) => !(writtenMs(`${room}/.tsbuildinfo`, DIST) > bundledMs));
}

/** Folder of the code to run: the bundle, or the compiled output where that is newer, as after `npx tsc -b`. */
export function codeFolder() {
  return bundleIsFresh() ? BUNDLE : DIST;
}

/**
 * Has Node keep what V8 makes of the code, from Node 22.1 on. It is kept in the folder of the package, and only where
 * that belongs to the user: who can write there can change the code anyhow, which is not so of a folder for all users
 * such as /tmp. Where nothing can be written, nothing is kept.
 */
export function keepCompiledCode() {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (nodeModule.enableCompileCache === undefined || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return;
  try {
    if (statSync(new URL("..", import.meta.url)).uid !== process.getuid?.()) return;
    mkdirSync(CACHE, { recursive: true, mode: 0o700 });
    nodeModule.enableCompileCache(fileURLToPath(CACHE));
  } catch {
    // Commands start as without it.
  }
}
