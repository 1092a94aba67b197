import type { Topology } from "../../../cluster/index.js";
import { assert } from "../../../kernel/index.js";
import type { JobTable } from "../jobs/job-table.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { buildInner, Owners, SchedulerOfOwners, seenOfOwners } from "./owners.js";
import type { BuiltScheduler, SchedulerContext } from "./scheduler.js";

/**
 * Private clusters: the free slots of a node are for the jobs of its owners alone, and stay free if those want none.
 */
class PartitionScheduler extends SchedulerOfOwners {
  /** @param clusterOf by node, the inner scheduler it belongs to. */
  constructor(
    inners: readonly BuiltScheduler[],
    jobs: JobTable,
    private readonly clusterOf: Int32Array,
  ) {
    super(inners, jobs);
  }

  /** Decisions of inner schedulers do not depend on the number of slots. */
  slotsChanged(): void {}

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const cluster = this.clusterOf[node];
    const { scheduler } = this.inners[cluster];
    const isWanted = (freeMaps > 0 && scheduler.wantsMapSlots()) || (freeReduces > 0 && scheduler.wantsReduceSlots());
    if (isWanted) this.show(cluster, node, nowUs, freeMaps, freeReduces);
  }
}

type Dealt = Pick<Topology, "nodes" | "rackNodes" | "mapSlots" | "reduceSlots">;

/** The nodes with every kind of slot that the cluster has, in the order of racks and of places in them. */
function wholeNodes({ rackNodes, mapSlots, reduceSlots }: Dealt): number[] {
  const hasMaps = mapSlots.some((slots) => slots > 0);
  const hasReduces = reduceSlots.some((slots) => slots > 0);
  return [...rackNodes].filter((node) => (mapSlots[node] > 0 || !hasMaps) && (reduceSlots[node] > 0 || !hasReduces));
}

/**
 * Returns the owner of the first node, the second and so on: one node each, then each time the owner with the greatest
 * ratio of weight to twice its nodes plus one (Sainte-Lague), the first of equals. With equal weights they take turns.
 */
function turnsByWeight(weights: readonly number[], nodes: number): Int32Array {
  const got = new Int32Array(weights.length);
  const turns = new Int32Array(nodes);
  for (let turn = 0; turn < nodes; turn++) {
    const next = turn < weights.length ? turn : mostOwed(weights, got);
    turns[turn] = next;
    got[next]++;
  }
  return turns;
}

function mostOwed(weights: readonly number[], got: Int32Array): number {
  let next = 0;
  for (let k = 1; k < weights.length; k++) {
    if (weights[k] * (2 * got[next] + 1) > weights[next] * (2 * got[k] + 1)) next = k;
  }
  return next;
}

/**
 * The private cluster of every node. Whole nodes are dealt first, so that each cluster can run whatever comes.
 * `striped`: like cards, rack after rack; `contiguous`: as many for each, side by side.
 * @param weights of the private clusters: no more of them than whole nodes, or one.
 */
export function dealNodes(topology: Dealt, weights: readonly number[], deal: "striped" | "contiguous"): Int32Array {
  const whole = wholeNodes(topology);
  const isWhole = new Set(whole);
  const remaining = [...topology.rackNodes].filter((node) => !isWhole.has(node));
  const clusterOf = new Int32Array(topology.nodes);
  for (const nodes of [whole, remaining]) {
    const turns = turnsByWeight(weights, nodes.length);
    if (deal === "contiguous") turns.sort((a, b) => a - b);
    nodes.forEach((node, turn) => {
      clusterOf[node] = turns[turn];
    });
  }
  return clusterOf;
}

/**
 * Deals the nodes to the owners of jobs. Where there are more owners than nodes, they share private clusters, in turn
 * by name: of n clusters the first and the n+1st owner have one, with the weight of both.
 */
export function buildPartition(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const { partition } = spec;
  assert(partition !== undefined, "the kind partition has no settings");
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
    const innerContext = ownContext(around, clusterOf, cluster);
    return buildInner(partition.inner, partition.by, spec, innerContext, (node) => clusterOf[node] === cluster);
  });
  const scheduler = new PartitionScheduler(inners, jobs, clusterOf);
  const seen = seenOfOwners(scheduler, owners, (owner) => owner % clusters, around.slots);
  return { ...seen, serves: (job, node) => clusterOf[node] === scheduler.innerOf(job) };
}

/** The private cluster as its scheduler sees it. */
function ownContext(around: SchedulerContext, clusterOf: Int32Array, cluster: number): SchedulerContext {
  const { mapSlots, reduceSlots } = around.topology;
  const slots: [number, number] = [0, 0];
  let nodes = 0;
  clusterOf.forEach((nodeCluster, node) => {
    if (nodeCluster !== cluster) return;
    nodes++;
    slots[0] += mapSlots[node];
    slots[1] += reduceSlots[node];
  });
  return { ...around, slots, nodes };
}
