import type { Problem } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";
import type { SweepFile } from "./sweep-schema.js";

/** What a sweep says elsewhere, by the paths that would say it too. */
const ELSEWHERE: readonly (readonly [path: RegExp, where: string])[] = [
  [/^run\.seed$/, "seeds are the sweep's, common to all points: seed, seeds"],
  [/^run$/, "paths into it, such as run.until; seeds are the sweep's"],
  [/^(name|why|\$schema)(\.|$)/, "the sweep has a name and why of its own"],
  [/^compare(\.|$)/, "a sweep ignores compare; axes are in its place"],
];

/** What is wrong with the paths that a sweep changes: at all points, and by its axes. */
export function settingProblems({ set, axes: files }: SweepFile): Problem[] {
  const problems: Problem[] = [];
  const taken = new Set<string>();
  const see = (path: string, place: readonly PropertyKey[]): void => {
    problems.push(...pathProblems(path, place));
    if (taken.has(path)) {
      const message = `found the path ${quote(path)} a second time, allowed once in set and axes`;
      problems.push({ path: place, atKey: true, message });
    }
    taken.add(path);
  };
  for (const path of Object.keys(set)) see(path, ["set", path]);
  for (const [i, { path, linked }] of files.entries()) {
    if (path !== undefined) see(path, ["axes", i, "path"]);
    for (const each of Object.keys(linked ?? {})) see(each, ["axes", i, "linked", each]);
  }
  return problems;
}

/** What is wrong with one path. @param place of the path in the file. */
function pathProblems(path: string, place: readonly PropertyKey[]): Problem[] {
  const parts = path.split(".");
  if (parts.some((part) => part === "" || part === "__proto__") || parts.length > LIMITS.yamlDepth) {
    const message = `found ${quote(path)} for a path, allowed one as --set takes it, for example scheduler.wait.node`;
    return [{ path: place, atKey: true, message }];
  }
  const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(path));
  if (elsewhere === undefined) return [];
  return [{ path: place, atKey: true, message: `found the path ${quote(path)}, allowed others: ${elsewhere[1]}` }];
}
