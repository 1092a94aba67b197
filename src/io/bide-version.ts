import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of the package, where package.json, bin and scenarios are. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The version in package.json. */
export function bideVersion(): string {
  const text = readFileSync(`${PACKAGE_ROOT}package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
