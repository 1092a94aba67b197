import type { Scenario } from "../scenario/scenario.js";
import type { FaultsSpec } from "../scenario/faults-spec.js";

/** The run asks for something that only racks know which simulate attempts in stages. */
export function needsStages({ runtime, cluster, faults }: Scenario): boolean {
  const { mapMemoryBytes, reduceMemoryBytes } = runtime.attempts;
  return (
    runtime.model === "detailed" ||
    runtime.setupTasks ||
    runtime.commit !== null ||
    runtime.speculation !== null ||
    cluster.heartbeatJitter > 0 ||
    cluster.outOfBandDelayUs > 0 ||
    mapMemoryBytes > 0 ||
    reduceMemoryBytes > 0 ||
    anyFault(faults) ||
    cluster.racks.some(({ nodes }) => nodes.some((group) => group.loadLimit < Infinity || group.diskBytes < Infinity))
  );
}

function anyFault({ events, rates, mapFailure, reduceFailure, stragglers }: FaultsSpec): boolean {
  const { crash, switch: loss, slowDisk, slowNode } = rates;
  const mayCome = [crash, loss, slowDisk, slowNode].some(({ everyUs }) => everyUs < Infinity);
  return events.length > 0 || mayCome || mapFailure > 0 || reduceFailure > 0 || stragglers > 0;
}
