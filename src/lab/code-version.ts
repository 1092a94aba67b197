import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bideVersion, PACKAGE_ROOT } from "../io/bide-version.js";

/** Rooms of the code that may decide what comes of a run. */
const ROOMS = ["core", "messages", "actors", "io", "lab"];

let known: string | undefined;

/**
 * Names the code that this process runs: a hash over the version and every compiled module of those rooms. Two builds of
 * the same sources have the same; any change of code, also one that changes no result, has another.
 */
export function codeVersion(): string {
  known ??= digest();
  return known;
}

function digest(): string {
  const hash = createHash("sha256").update(bideVersion());
  for (const room of ROOMS) {
    const root = join(PACKAGE_ROOT, "dist", room);
    const names = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    for (const name of names.filter((one) => one.endsWith(".js")).sort((a, b) => (a < b ? -1 : 1))) {
      hash.update(`\n${room}/${name}\n`).update(readFileSync(join(root, name)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}
