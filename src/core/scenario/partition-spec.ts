import type { InnerSchedulerSpec, OwnedBy } from "./inner-scheduler-spec.js";

/** A private cluster for every owner of jobs. See `docs/schedulers/partition.md`. */
export interface PartitionSpec {
  readonly by: OwnedBy;
  /** `striped`: an owner's nodes are spread over the racks; `contiguous`: they stand side by side. */
  readonly deal: "striped" | "contiguous";
  /** Of owners that do not count 1. */
  readonly weights: readonly OwnerWeightSpec[];
  readonly inner: InnerSchedulerSpec;
}

export interface OwnerWeightSpec {
  readonly name: string;
  readonly weight: number;
}
