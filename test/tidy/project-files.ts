import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of the project, by its path from the root with forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** At the root. */
const NOT_OURS = new Set(["node_modules", "bundle", ".compile-cache", "dist", "results", "coverage", ".git"]);

/** Every file below `directory` (from the root, "" for the whole project) whose name ends in one of `endings`. */
export function filesIn(directory: string, endings: readonly string[]): ProjectFile[] {
  const found: ProjectFile[] = [];
  for (const entry of readdirSync(`${ROOT}/${directory}`, { withFileTypes: true })) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory() && !NOT_OURS.has(path)) found.push(...filesIn(path, endings));
    if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
      found.push({ path, text: readFileSync(`${ROOT}/${path}`, "utf8") });
    }
  }
  return found;
}
