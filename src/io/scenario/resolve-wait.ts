import type { WaitSpec } from "../../core/scenario/scenario.js";
import type { SchedulerKind } from "../../core/scheduler/kinds.js";
import type { Rules } from "../../core/scheduler/rules.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

type WaitFile = SchedulerSettings["wait"];

/** The paper's production waits: W1 and W2 of the production cluster, and the skip counts of Algorithm 2's defaults. */
const DEFAULT_TIMES = { node: 10_000_000, rack: 5_000_000 };
const DEFAULT_SKIPS = { node: 270, rack: 30 };
/** Like YARN's thresholds, which pass up nothing unless told to. */
const DEFAULT_FRACTIONS = { node: 0, rack: 0 };

/** A wait with what it leaves out filled in. */
export function resolveWait(file: WaitFile, kind: SchedulerKind, rules: Rules): WaitSpec {
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
