import { DEFAULT_PARTITION } from "../../scenario/defaults.js";
import type { SchedulerSpec } from "../../scenario/scenario.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";
import { buildInner } from "../owners/inner-scheduler.js";
import { Owners } from "../owners/owners.js";
import { seenOfOwners } from "../owners/seen-of-owners.js";
import { dealNodes, wholeNodes } from "./deal-nodes.js";
import { PartitionScheduler } from "./partition-scheduler.js";

/**
 * Deals the nodes to the owners of jobs. Where there are more owners than nodes, they share private clusters, in turn by
 * name: of n clusters the first and the n+1st owner have one, with the weight of both.
 */
export function buildPartition(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const partition = spec.partition ?? DEFAULT_PARTITION;
  const { topology, workload, jobs } = around;
  const owners = new Owners(workload, partition.by);
  const clusters = Math.max(1, Math.min(owners.names.length, wholeNodes(topology).length));
  const weights = new Array<number>(clusters).fill(0);
  const weightOf = new Map(partition.weights.map(({ name, weight }) => [name, weight]));
  owners.names.forEach((name, owner) => {
    weights[owner % clusters] += weightOf.get(name) ?? 1;
  });
  const clusterOf = dealNodes(topology, weights, partition.deal);
  const inners = weights.map((_, cluster) => {
    const own = ownSurroundings(around, clusterOf, cluster);
    return buildInner(partition.inner, partition.by, spec, own);
  });
  const scheduler = new PartitionScheduler(inners, jobs, clusterOf);
  const seen = seenOfOwners(scheduler, owners, (owner) => owner % clusters, around.slots);
  return { ...seen, serves: (job, node) => clusterOf[node] === scheduler.innerOf(job) };
}

/** The private cluster as its scheduler sees it. */
function ownSurroundings(around: SchedulerSurroundings, clusterOf: Int32Array, cluster: number): SchedulerSurroundings {
  const { mapSlots, reduceSlots } = around.topology;
  const slots: [number, number] = [0, 0];
  let nodes = 0;
  clusterOf.forEach((of, node) => {
    if (of !== cluster) return;
    nodes++;
    slots[0] += mapSlots[node];
    slots[1] += reduceSlots[node];
  });
  return { ...around, slots, nodes };
}
