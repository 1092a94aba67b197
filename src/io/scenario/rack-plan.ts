import type { NodeGroupSpec } from "../../core/scenario/cluster-spec.js";
import { DEFAULT_NODE } from "../../core/scenario/defaults.js";
import type { ScenarioFile } from "./scenario-schema.js";

/** Equal racks, not yet expanded. */
export interface RackPlan {
  readonly name: string | undefined;
  readonly count: number;
  readonly nodes: readonly NodeGroupSpec[];
  /** Where the file says it. */
  readonly path: readonly PropertyKey[];
}

/** The racks of `cluster` with what they inherit filled in, as groups: the file may ask for far more than is allowed. */
export function rackPlans(cluster: ScenarioFile["cluster"]): RackPlan[] {
  const { racks, nodesPerRack, mapSlots, reduceSlots, speed } = cluster;
  if (typeof racks === "number") {
    const nodes = [{ ...DEFAULT_NODE, count: nodesPerRack, mapSlots, reduceSlots, speed }];
    return [{ name: undefined, count: racks, nodes, path: ["cluster", "racks"] }];
  }
  return racks.map((rack, i) => {
    const defaults = {
      mapSlots: rack.mapSlots ?? mapSlots,
      reduceSlots: rack.reduceSlots ?? reduceSlots,
      speed: rack.speed ?? speed,
    };
    const groups = typeof rack.nodes === "object" ? rack.nodes : [{ count: rack.nodes ?? nodesPerRack }];
    const nodes = groups.map((group): NodeGroupSpec => ({ ...DEFAULT_NODE, ...defaults, ...withoutUndefined(group) }));
    return { name: rack.name, count: rack.count, nodes, path: ["cluster", "racks", i] };
  });
}

interface NodeGroupFile {
  readonly count: number;
  readonly mapSlots?: number | undefined;
  readonly reduceSlots?: number | undefined;
  readonly speed?: number | undefined;
}

function withoutUndefined({ count, mapSlots, reduceSlots, speed }: NodeGroupFile) {
  return {
    count,
    ...(mapSlots === undefined ? {} : { mapSlots }),
    ...(reduceSlots === undefined ? {} : { reduceSlots }),
    ...(speed === undefined ? {} : { speed }),
  };
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
