/** The runs of a sweep: points, each a few times with seeds of its own. Pure data; `io/sweep` makes it. */

import type { ModelError } from "../model-error.js";

type SettingValue =
  string | number | boolean | null | readonly SettingValue[] | { readonly [key: string]: SettingValue };

/** A change of the scenario, as `--set path=value` makes it. */
interface Setting {
  /** `scheduler.wait.node` */
  readonly path: string;
  readonly value: SettingValue;
}

/** One value of an axis; of linked paths, one value of each. */
export interface AxisStep {
  /** As tables show it: `5s`. Unique on its axis. */
  readonly label: string;
  /** In the unit of the axis, so that it can be drawn and compared; null where it is no quantity. */
  readonly quantity: number | null;
  readonly settings: readonly Setting[];
}

export interface SweepAxis {
  /** Unique; a word that a constraint can name, such as `W1` or `scheduler_wait_node`. */
  readonly name: string;
  /** The unit of all quantities of its steps; "none": plain numbers, or no quantities. */
  readonly unit: "seconds" | "bytes" | "none";
  /** In the order of the file. */
  readonly steps: readonly AxisStep[];
}

/** One combination of steps that all constraints allow. */
export interface SweepPoint {
  /** From 0, in the order of all combinations that are allowed; the last axis changes fastest. */
  readonly index: number;
  /** Which step of each axis. */
  readonly steps: readonly number[];
  /** `W1=5s W2=0s`; without axes `-`. */
  readonly label: string;
}

/** The part of a run's beginning that does not count in measures of jobs. */
export type WarmUp =
  | { readonly kind: "none" }
  /** Jobs submitted before do not count. Virtual time. */
  | { readonly kind: "cut"; readonly untilUs: number }
  /** Found in each run (MSER-5). */
  | { readonly kind: "detect" };

/** More replications of a point until the mean of a measure is known well enough. */
export interface StoppingRule {
  /** Key of a measure. */
  readonly measure: string;
  /** Half-width of the 95 % interval / |mean|. */
  readonly relativeHalfWidth: number;
  /** Replications of a point at most; >= those that it starts with. */
  readonly most: number;
}

export interface SweepPlan {
  readonly name: string;
  readonly why: string;
  readonly axes: readonly SweepAxis[];
  readonly points: readonly SweepPoint[];
  /** Replications of each point; with a stopping rule, at least. */
  readonly replications: number;
  readonly until: StoppingRule | null;
  /** Seeds of replication 0, 1, ...; as many as there can be replications. Common to all points. */
  readonly seeds: readonly string[];
  /** Keys of those that are kept, in the order of MEASURES; none of the group `cost`. */
  readonly measures: readonly string[];
  readonly warmUp: WarmUp;
  /** Keep the samples of every run too. */
  readonly series: boolean;
  /** Only of an import: replications are draws of what its log does not tell, and differences have bands. */
  readonly modelError?: ModelError | undefined;
}

/** One of `count` parts of a sweep, each done by a process of its own. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/**
 * Which runs a part has. The parts of a plan are disjoint, all of them together are the plan, and they differ by one
 * run at most. Where a stopping rule looks at all runs of a point, points are dealt instead, whole.
 */
export function dealtTo({ index, count }: Shard, plan: SweepPlan): (point: number, replication: number) => boolean {
  const first = index - 1;
  if (plan.until !== null) return (point) => point % count === first;
  return (point, replication) => (point * plan.replications + replication) % count === first;
}
