import { definedFields } from "../../../core/kernel/index.js";
import type * as z from "zod";
import { LIMITS, type SchedulerKind, type WaitSpec } from "../../../core/scenario/index.js";
import type { Rules } from "../../../core/platforms/hadoop/index.js";
import { type Problem, valueProblem } from "../diagnose.js";
import { showPath } from "../show.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, count, duration, durationHint, either, mapping, quantity } from "../values.js";

// `scheduler.wait`, and `wait` of a scheduler inside another: how long jobs wait for locality.

const time = duration(0, LIMITS.waitUs);
const skips = count(0, LIMITS.skips);
const fraction = quantity(0, LIMITS.maxFraction);

/** The paper's production waits: W1 and W2 of the production cluster. */
const times = mapping({
  node: setting(time, "W1: time a job waits for a node-local slot.", "10s"),
  rack: setting(time, "W2: further time it waits for a rack-local one.", "5s"),
  row: optional(time, "W3: further time it waits for one in its row, where the cluster has rows.", "as rack"),
});

/** Algorithm 2's. */
const skipCounts = mapping({
  nodeSkips: setting(skips, "D1: opportunities skipped while waiting for a node-local slot.", 270, "node"),
  rackSkips: setting(skips, "D2: further ones while waiting for a rack-local slot.", 30, "rack"),
  rowSkips: optional(
    skips,
    "D3: further ones while waiting for one in its row, where the cluster has rows.",
    "as rackSkips",
    "row",
  ),
});

/** The default is no wait, like that of YARN's thresholds. */
const fractions = mapping({
  nodeFraction: setting(fraction, "D1 as a fraction of the number of nodes, rounded up.", 0, "node"),
  rackFraction: setting(fraction, "D2 as a fraction of the number of nodes, rounded up.", 0, "rack"),
  rowFraction: optional(fraction, "D3 as a fraction of the number of nodes, rounded up.", "as rackFraction", "row"),
});

export const waitSchema = either(
  [choice(["none", "auto"]), mapping({ ...times.shape, ...skipCounts.shape, ...fractions.shape })],
  (input) =>
    "none, auto, a mapping {node: 10s, rack: 5s}, {nodeSkips: 270, rackSkips: 30} or " +
    `{nodeFraction: 1, rackFraction: 0.5}${durationHint(input)}`,
);

/** A wait as a file says it. */
export type WaitFile = z.output<typeof waitSchema>;

/** A wait with what it leaves out filled in. */
export function resolveWait(file: WaitFile | undefined, kind: SchedulerKind, rules: Rules): WaitSpec {
  if (file === "none" || file === "auto") return { kind: file };
  const waitFile = file ?? {};
  const oneDelay = kind.hasPools && rules.oneDelay;
  const [ofSkips] = saidIn(skipCounts, waitFile);
  if (ofSkips !== undefined) return { kind: "skips", ...levels(recordOf(skipCounts, waitFile), ofSkips[1], oneDelay) };
  const [ofFractions] = saidIn(fractions, waitFile);
  if (ofFractions !== undefined) {
    return { kind: "fraction", ...levels(recordOf(fractions, waitFile), ofFractions[1], oneDelay) };
  }
  const [ofTimes] = saidIn(times, waitFile);
  if (ofTimes !== undefined) {
    const { node, rack, row } = levels(recordOf(times, waitFile), ofTimes[1], oneDelay);
    return { kind: "time", nodeUs: node, rackUs: rack, ...definedFields({ rowUs: row }) };
  }
  // By default Hadoop chooses its delays by cluster size (semantics section 2.2).
  return kind.hasPools && rules.name !== "paper" ? { kind: "auto" } : kind.defaultWait;
}

/** The waits given in a form, nearest level first. */
function saidIn(form: z.ZodObject, wait: object): [key: string, value: number][] {
  const said = new Map(Object.entries(wait));
  return Object.keys(form.shape).flatMap((key) => {
    const value: unknown = said.get(key);
    return typeof value === "number" ? [[key, value]] : [];
  });
}

interface Levels {
  readonly node: number;
  readonly rack: number;
  /** Left out: as for the rack. */
  readonly row?: number;
}

/** All levels of a wait; under rules with one delay for all, the first that is given. */
function levels(delays: Levels, first: number, oneDelay: boolean): Levels {
  return oneDelay ? { ...delays, node: first, rack: first } : delays;
}

/** The ways to write a wait. */
const WAIT_FORMS = [
  ["times", times],
  ["skip counts", skipCounts],
  ["fractions", fractions],
] as const;

/** The forms of which some key is given. */
function givenForms(wait: WaitFile | undefined) {
  if (typeof wait !== "object") return [];
  return WAIT_FORMS.filter(([, form]) => saidIn(form, wait).length > 0);
}

/** A wait in more than one form. `path` is where it stands. */
export function waitProblems(wait: WaitFile | undefined, path: readonly PropertyKey[]): Problem[] {
  const forms = givenForms(wait);
  if (forms.length < 2) return [];
  const actual = `both ${forms.map(([formName]) => formName).join(" and ")} for ${showPath(path)}`;
  const allowed =
    "either node, rack and row (times), or nodeSkips, rackSkips and rowSkips (counts), " +
    "or nodeFraction, rackFraction and rowFraction (of the nodes)";
  return [valueProblem(path, actual, allowed)];
}

/** Times or counts that differ in `scheduler.wait`, under rules that have one delay for all levels. */
export function oneDelayProblems(wait: WaitFile | undefined, rules: Rules): Problem[] {
  if (typeof wait !== "object" || !rules.oneDelay) return [];
  return givenForms(wait).flatMap(([, form]) => {
    const [[first, value], ...later] = saidIn(form, wait);
    return later
      .filter(([, laterValue]) => laterValue !== value)
      .map(([key]) => {
        const actual = `a ${key} that differs from ${first} in scheduler.wait under rules ${rules.name}, which have one delay`;
        return valueProblem(["scheduler", "wait", key], actual, `the same, or only one of the two`);
      });
  });
}
