import { alphabetical } from "../core/kernel/index.js";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of the package, where package.json, bin and scenarios are. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Folder of the code of this process: the compiled output, or its bundle. */
const CODE = new URL("..", import.meta.url);

/** The version in package.json. */
export function bideVersion(): string {
  const text = readFileSync(`${PACKAGE_ROOT}package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Rooms of the code that may decide what comes of a run. */
const ROOMS = ["core", "messages", "actors", "io", "lab"];

/** In the bundle: what `codeVersion` says of the compiled output that it was made of. */
export const VERSION_FILE = "code-version";

let known: string | undefined;

/**
 * Names the code that this process runs: a hash over the version and every compiled module of those rooms. Two builds
 * of the same sources have the same, bundled or not; any change of code, also one that changes no result, has another.
 */
export function codeVersion(): string {
  known ??= storedVersion() ?? digest();
  return known;
}

function storedVersion(): string | null {
  try {
    return readFileSync(new URL(VERSION_FILE, CODE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function digest(): string {
  const hash = createHash("sha256").update(bideVersion());
  for (const room of ROOMS) {
    const root = new URL(`${room}/`, CODE);
    const names = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    for (const name of names.filter((file) => file.endsWith(".js")).sort(alphabetical)) {
      hash.update(`\n${room}/${name}\n`).update(readFileSync(new URL(name, root)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}
