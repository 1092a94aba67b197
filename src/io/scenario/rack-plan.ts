import type { NodeGroupSpec } from "../../core/scenario/cluster-spec.js";
import { DEFAULT_NODE } from "../../core/scenario/defaults.js";
import { NODE_KEYS } from "./node-schema.js";
import type { ScenarioFile } from "./scenario-schema.js";

/** Equal racks, not yet expanded. */
export interface RackPlan {
  readonly name: string | undefined;
  readonly count: number;
  readonly row: string | undefined;
  readonly uplinkBytesPerSecond: number;
  readonly nodes: readonly NodeGroupSpec[];
  /** Where the file says it. */
  readonly path: readonly PropertyKey[];
}

type ClusterFile = ScenarioFile["cluster"];
type NodeFile = Pick<ClusterFile, (typeof NODE_KEYS)[number]>;

/** The racks of `cluster` with what they inherit filled in, as groups: the file may ask for far more than is allowed. */
export function rackPlans(cluster: ClusterFile): RackPlan[] {
  const { racks, nodesPerRack } = cluster;
  if (typeof racks === "number") {
    const nodes = [nodeGroup(nodesPerRack, cluster)];
    const uplinkBytesPerSecond = uplinkOf(cluster, nodes);
    return [{ name: undefined, count: racks, row: undefined, uplinkBytesPerSecond, nodes, path: ["cluster", "racks"] }];
  }
  return racks.map(({ name, count, row, uplink, ...rack }, i) => {
    const groups = typeof rack.nodes === "object" ? rack.nodes : [{ count: rack.nodes ?? nodesPerRack }];
    const nodes = groups.map((group) => nodeGroup(group.count, cluster, rack, group));
    const uplinkBytesPerSecond = uplink ?? uplinkOf(cluster, nodes);
    return { name, count, row, uplinkBytesPerSecond, nodes, path: ["cluster", "racks", i] };
  });
}

/** A group of nodes; of what says something about them, the last counts. */
function nodeGroup(count: number, ...from: readonly NodeFile[]): NodeGroupSpec {
  const last = (key: keyof NodeFile) => from.flatMap((file) => file[key] ?? []).at(-1);
  const given: NodeFile = Object.fromEntries(NODE_KEYS.map((key) => [key, last(key)]));
  return {
    count,
    mapSlots: given.mapSlots ?? 5,
    reduceSlots: given.reduceSlots ?? 5,
    speed: given.speed ?? 1,
    diskBytesPerSecond: given.disk ?? DEFAULT_NODE.diskBytesPerSecond,
    linkBytesPerSecond: given.link ?? DEFAULT_NODE.linkBytesPerSecond,
    memoryBytes: given.memory ?? DEFAULT_NODE.memoryBytes,
    diskBytes: given.diskSpace ?? DEFAULT_NODE.diskBytes,
    loadLimit: given.loadLimit ?? DEFAULT_NODE.loadLimit,
  };
}

/** An uplink that carries all that the rack's nodes can send, over the oversubscription; at 1 it never limits. */
function uplinkOf({ oversubscription = 1 }: ClusterFile, nodes: readonly NodeGroupSpec[]): number {
  if (oversubscription === 1) return Infinity;
  const links = nodes.reduce((sum, { count, linkBytesPerSecond }) => sum + count * linkBytesPerSecond, 0);
  return Math.max(1, Math.round(links / oversubscription));
}

/** The names of the racks a plan stands for, when it is named. */
export function plannedNames(plan: RackPlan): string[] {
  const { name, count } = plan;
  if (name === undefined) return [];
  return count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}-${String(i + 1)}`);
}

export interface ClusterTotals {
  readonly racks: number;
  readonly nodes: number;
  readonly mapSlots: number;
  readonly reduceSlots: number;
}

/** Sums over all racks; exact, because every limit is far below 2^53. */
export function totalsOf(plans: readonly RackPlan[]): ClusterTotals {
  const totals = { racks: 0, nodes: 0, mapSlots: 0, reduceSlots: 0 };
  for (const { count, nodes } of plans) {
    totals.racks += count;
    for (const group of nodes) {
      totals.nodes += count * group.count;
      totals.mapSlots += count * group.count * group.mapSlots;
      totals.reduceSlots += count * group.count * group.reduceSlots;
    }
  }
  return totals;
}
