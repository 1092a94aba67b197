import { readdirSync, statSync } from "node:fs";

const DIST = new URL("../dist/", import.meta.url);
const BUNDLE = new URL("../bundle/", import.meta.url);

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
