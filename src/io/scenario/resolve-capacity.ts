import { assert } from "../../core/kernel/assert.js";
import type { CapacityQueueSpec, CapacitySpec } from "../../core/scenario/capacity-spec.js";
import { DEFAULT_QUEUE } from "../../core/scenario/defaults.js";
import { DEFAULT_POOL } from "../../core/scheduler/pools.js";
import { capacitySchema, type CapacityFile } from "./capacity-schema.js";
import type { Imports } from "./imports.js";

/** Fills in the queues: those listed, those of the file, or one with the whole cluster. */
export function resolveCapacity(given: CapacityFile | undefined, imports: Imports): CapacitySpec {
  const { file, queues, ...switches } = given ?? capacitySchema.parse({});
  if (file !== undefined) {
    const imported = imports.capacities.get(file);
    assert(imported !== undefined, "a scenario without problems names a capacity file that was not read");
    return { ...switches, queues: imported.queues };
  }
  if (queues === undefined) {
    return { ...switches, queues: [{ name: DEFAULT_POOL, capacityPercent: 100, ...DEFAULT_QUEUE }] };
  }
  return { ...switches, queues: queues.map(resolveQueue) };
}

function resolveQueue({
  capacity,
  maximumCapacity,
  ...rest
}: NonNullable<CapacityFile["queues"]>[number]): CapacityQueueSpec {
  return { ...rest, capacityPercent: capacity, maximumCapacityPercent: maximumCapacity ?? Infinity };
}
