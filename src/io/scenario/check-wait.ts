import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { SchedulerSettings } from "./scheduler-schema.js";
import { showPath } from "./show.js";

/** A wait that is a mapping. */
export type WaitFile = Exclude<SchedulerSettings["wait"], string | undefined>;

/** The ways to write a wait, with the names of their keys, nearest level first. */
const WAIT_FORMS = [
  ["times", "node", "rack", "row"],
  ["skip counts", "nodeSkips", "rackSkips", "rowSkips"],
  ["fractions", "nodeFraction", "rackFraction", "rowFraction"],
] as const;

/** The forms of which some key is given. */
export function givenForms(wait: WaitFile) {
  return WAIT_FORMS.filter(([, ...keys]) => keys.some((key) => wait[key] !== undefined));
}

/** A wait in more than one form. `path` is where it stands. */
export function waitProblems(wait: SchedulerSettings["wait"], path: readonly PropertyKey[]): Problem[] {
  const given = typeof wait === "object" ? givenForms(wait) : [];
  if (given.length < 2) return [];
  const found = `both ${given.map(([what]) => what).join(" and ")} for ${showPath(path)}`;
  const allowed =
    "either node, rack and row (times), or nodeSkips, rackSkips and rowSkips (counts), " +
    "or nodeFraction, rackFraction and rowFraction (of the nodes)";
  return [valueProblem(path, found, allowed)];
}
