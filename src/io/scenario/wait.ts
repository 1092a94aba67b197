import type * as z from "zod";
import type { WaitSpec, SchedulerKind } from "../../core/scenario/index.js";
import type { Rules } from "../../core/platforms/hadoop/index.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { showPath } from "./show.js";
import { choice, count, duration, durationHint, either, mapping, quantity } from "./values.js";

// `scheduler.wait`, and `wait` of a scheduler inside another: how long jobs wait for locality.

const time = duration(0, LIMITS.waitUs);
const skips = count(0, LIMITS.skips);
const fraction = quantity(0, LIMITS.maxFraction);

export const waitSchema = either(
  [
    choice(["none", "auto"]),
    mapping({
      node: time.optional().describe("W1: time a job waits for a node-local slot. Default 10s."),
      rack: time.optional().describe("W2: further time it waits for a rack-local one. Default 5s."),
      row: time
        .optional()
        .describe("W3: further time it waits for one in its row, where the cluster has rows. Default: as rack."),
      nodeSkips: skips
        .optional()
        .describe("D1: opportunities skipped while waiting for a node-local slot. Default 270."),
      rackSkips: skips.optional().describe("D2: further ones while waiting for a rack-local slot. Default 30."),
      rowSkips: skips
        .optional()
        .describe(
          "D3: further ones while waiting for one in its row, where the cluster has rows. Default: as rackSkips.",
        ),
      nodeFraction: fraction.optional().describe("D1 as a fraction of the number of nodes, rounded up. Default 0."),
      rackFraction: fraction.optional().describe("D2 as a fraction of the number of nodes, rounded up. Default 0."),
      rowFraction: fraction
        .optional()
        .describe("D3 as a fraction of the number of nodes, rounded up. Default: as rackFraction."),
    }),
  ],
  (input) =>
    "none, auto, a mapping {node: 10s, rack: 5s}, {nodeSkips: 270, rackSkips: 30} or " +
    `{nodeFraction: 1, rackFraction: 0.5}${durationHint(input)}`,
);

/** A wait as a file says it. */
export type WaitFile = z.output<typeof waitSchema>;

/** The paper's production waits: W1 and W2 of the production cluster, and the skip counts of Algorithm 2's defaults. */
const DEFAULT_TIMES = { node: 10_000_000, rack: 5_000_000 };
const DEFAULT_SKIPS = { node: 270, rack: 30 };
/** Like YARN's thresholds, which pass up nothing unless told to. */
const DEFAULT_FRACTIONS = { node: 0, rack: 0 };

/** A wait with what it leaves out filled in. */
export function resolveWait(file: WaitFile | undefined, kind: SchedulerKind, rules: Rules): WaitSpec {
  if (file === "none" || file === "auto") return { kind: file };
  const oneDelay = kind.hasPools && rules.oneDelay;
  const { node, rack, row, nodeSkips, rackSkips, rowSkips, nodeFraction, rackFraction, rowFraction } = file ?? {};
  if ((nodeSkips ?? rackSkips ?? rowSkips) !== undefined) {
    return { kind: "skips", ...levels([nodeSkips, rackSkips, rowSkips], DEFAULT_SKIPS, oneDelay) };
  }
  if ((nodeFraction ?? rackFraction ?? rowFraction) !== undefined) {
    return { kind: "fraction", ...levels([nodeFraction, rackFraction, rowFraction], DEFAULT_FRACTIONS, oneDelay) };
  }
  if ((node ?? rack ?? row) !== undefined) {
    const times = levels([node, rack, row], DEFAULT_TIMES, oneDelay);
    return {
      kind: "time",
      nodeUs: times.node,
      rackUs: times.rack,
      ...(times.row === undefined ? {} : { rowUs: times.row }),
    };
  }
  // Hadoop chooses its delays by cluster size unless told otherwise (semantics section 2.2).
  return kind.hasPools && rules.name !== "paper" ? { kind: "auto" } : kind.defaultWait;
}

interface Levels {
  readonly node: number;
  readonly rack: number;
  /** Left out: as for the rack. */
  readonly row?: number;
}

type Given = readonly [node: number | undefined, rack: number | undefined, row: number | undefined];

/** All levels of a wait of which at least one is given; with one delay for all the others are the same. */
function levels([node, rack, row]: Given, defaults: Levels, oneDelay: boolean): Levels {
  const own = row === undefined ? {} : { row };
  if (!oneDelay) return { node: node ?? defaults.node, rack: rack ?? defaults.rack, ...own };
  const one = node ?? rack ?? row ?? defaults.node;
  return { node: one, rack: one, ...own };
}

/** The ways to write a wait, with the names of their keys, nearest level first. */
const WAIT_FORMS = [
  ["times", "node", "rack", "row"],
  ["skip counts", "nodeSkips", "rackSkips", "rowSkips"],
  ["fractions", "nodeFraction", "rackFraction", "rowFraction"],
] as const;

/** The forms of which some key is given. */
function givenForms(wait: WaitFile | undefined) {
  if (typeof wait !== "object") return [];
  return WAIT_FORMS.filter(([, ...keys]) => keys.some((key) => wait[key] !== undefined));
}

/** A wait in more than one form. `path` is where it stands. */
export function waitProblems(wait: WaitFile | undefined, path: readonly PropertyKey[]): Problem[] {
  const given = givenForms(wait);
  if (given.length < 2) return [];
  const found = `both ${given.map(([what]) => what).join(" and ")} for ${showPath(path)}`;
  const allowed =
    "either node, rack and row (times), or nodeSkips, rackSkips and rowSkips (counts), " +
    "or nodeFraction, rackFraction and rowFraction (of the nodes)";
  return [valueProblem(path, found, allowed)];
}

/** Times or counts that differ in `scheduler.wait`, under rules that have one delay for all levels. */
export function oneDelayProblems(wait: WaitFile | undefined, rules: Rules): Problem[] {
  if (typeof wait !== "object" || !rules.oneDelay) return [];
  return givenForms(wait).flatMap(([, ...keys]) => {
    const [first, ...others] = keys.filter((key) => wait[key] !== undefined);
    return others
      .filter((key) => wait[key] !== wait[first])
      .map((key) => {
        const found = `a ${key} that differs from ${first} in scheduler.wait under rules ${rules.name}, which have one delay`;
        return valueProblem(["scheduler", "wait", key], found, `the same, or only one of the two`);
      });
  });
}
