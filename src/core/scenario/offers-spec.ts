import type { InnerSchedulerSpec, OwnedBy } from "./inner-scheduler-spec.js";

/** A master that offers free slots to frameworks, each with a scheduler of its own. See `docs/schedulers/offers.md`. */
export interface OffersSpec {
  readonly by: OwnedBy;
  /** What frameworks are like of which nothing else is said. */
  readonly usual: FrameworkSpec;
  /** The others. */
  readonly frameworks: readonly NamedFrameworkSpec[];
  /** An offer that was not answered for so long is taken back; Infinity: never. */
  readonly rescindAfterUs: number;
}

export interface FrameworkSpec {
  readonly inner: InnerSchedulerSpec;
  /** Relative claim among those of the same priority. */
  readonly weight: number;
  /** A higher one is offered everything first. */
  readonly priority: number;
  /** For so long a node whose slots it left free is not offered to it again, unless more of them are free. */
  readonly refuseForUs: number;
  /** Between offer and answer; meanwhile the slots count as used. 0: at once. */
  readonly answerAfterUs: number;
  /** It is offered nothing elsewhere; null: it may be anywhere. */
  readonly nodes: readonly NodesSpec[] | null;
  /** Fewer free slots of the type than these are not offered to it. */
  readonly minFreeMaps: number;
  readonly minFreeReduces: number;
}

export interface NamedFrameworkSpec extends FrameworkSpec {
  readonly name: string;
}

/** A node, or all nodes of a rack. */
export interface NodesSpec {
  /** Index of the rack. */
  readonly rack: number;
  /** Position in the rack; null: all of them. */
  readonly node: number | null;
}
