import { DEFAULT_PARTITION } from "../../core/scenario/defaults.js";
import type { PartitionSpec } from "../../core/scenario/partition-spec.js";
import { resolveInner } from "./resolve-inner-scheduler.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

/** The settings of a partition; all have defaults. */
export function resolvePartition(settings: SchedulerSettings): PartitionSpec {
  const { weights = {}, inner = DEFAULT_PARTITION.inner.kind, ...rest } = settings.partition ?? {};
  return {
    ...DEFAULT_PARTITION,
    ...rest,
    weights: Object.entries(weights).map(([name, weight]) => ({ name, weight })),
    inner: resolveInner(inner, settings),
  };
}
