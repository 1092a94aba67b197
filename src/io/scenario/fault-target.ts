import type { RackPlan } from "./rack-plan.js";
import { rackNames } from "./resolve-cluster.js";

/** The racks that faults may name, and how many nodes each has. */
export interface FaultTargets {
  readonly names: readonly string[];
  readonly nodes: readonly number[];
  /** The rack of that name, or else at that position; undefined if there is none. */
  readonly rackOf: (nameOrPosition: string) => number | undefined;
}

/** Only for plans whose number of racks is within the limits. */
export function faultTargets(plans: readonly RackPlan[]): FaultTargets {
  const names = rackNames(plans);
  const byName = new Map(names.map((name, rack) => [name, rack]));
  const nodes = plans.flatMap((plan) => {
    const size = plan.nodes.reduce((sum, { count }) => sum + count, 0);
    return Array.from({ length: plan.count }, () => size);
  });
  const rackOf = (nameOrPosition: string): number | undefined => {
    const named = byName.get(nameOrPosition);
    if (named !== undefined) return named;
    const position = /^\d{1,9}$/.test(nameOrPosition) ? Number(nameOrPosition) : Infinity;
    return position < names.length ? position : undefined;
  };
  return { names, nodes, rackOf };
}
