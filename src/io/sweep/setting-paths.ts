import type { Problem } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";

/** What a sweep says elsewhere, by the paths that would say it too. */
const ELSEWHERE: readonly (readonly [path: RegExp, where: string])[] = [
  [/^run\.seed$/, "seeds are the sweep's, common to all points: seed, seeds"],
  [/^run$/, "paths into it, such as run.until; seeds are the sweep's"],
  [/^(name|why|\$schema)(\.|$)/, "the sweep has a name and why of its own"],
  [/^compare(\.|$)/, "a sweep ignores compare; axes are in its place"],
];

/** What is wrong with a path that a sweep changes. @param place of the path in the file. */
export function pathProblems(path: string, place: readonly PropertyKey[]): Problem[] {
  const parts = path.split(".");
  if (parts.some((part) => part === "" || part === "__proto__") || parts.length > LIMITS.yamlDepth) {
    const message = `found ${quote(path)} for a path, allowed one as --set takes it, for example scheduler.wait.node`;
    return [{ path: place, atKey: true, message }];
  }
  const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(path));
  if (elsewhere === undefined) return [];
  return [{ path: place, atKey: true, message: `found the path ${quote(path)}, allowed others: ${elsewhere[1]}` }];
}
