import type { Problem } from "../scenario/diagnose.js";
import { allowedNames, quote, showPath } from "../scenario/show.js";

type Path = readonly PropertyKey[];

/** What stands at `path` is not what it must be. @param found as a message shows it. */
export function wrong(path: Path, found: string, allowed: string): Problem {
  return { path, atKey: false, message: `found ${found} for ${showPath(path)}, allowed ${allowed}` };
}

/** A name that must be one of `names`. */
export function unknownName(path: Path, found: string, names: readonly string[]): Problem {
  return wrong(path, quote(found), allowedNames(names, found));
}
