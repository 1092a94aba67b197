import { needs, valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { faultTargets } from "./fault-target.js";
import type { FaultEventFile, FaultsFile } from "./faults-schema.js";
import { LIMITS } from "./limits.js";
import { nearest, quote } from "./show.js";
import type { RackPlan } from "./rack-plan.js";
import type { ScenarioFile } from "./scenario-schema.js";

/** More names than this are not searched for the one that was meant. */
const MOST_NAMES = 1_000;

/** Faults of racks and nodes that the cluster does not have. */
export function faultTargetProblems({ events = [] }: FaultsFile, plans: readonly RackPlan[]): Problem[] {
  if (events.length === 0) return [];
  const targets = faultTargets(plans);
  const problems: Problem[] = [];
  for (const [i, event] of events.entries()) {
    const path = ["faults", "events", i];
    const rack = targets.rackOf(event.rack);
    if (rack === undefined) {
      const hint = problems.length < LIMITS.problems ? meantRack(event.rack, targets.names) : "";
      const allowed = `the name of a rack, or a position from 0 to ${String(targets.names.length - 1)}${hint}`;
      problems.push(valueProblem([...path, "rack"], `the rack ${quote(event.rack)}`, allowed));
    } else if (event.kind !== "switch" && event.node >= targets.nodes[rack]) {
      const found = `node ${String(event.node)} of the rack ${quote(targets.names[rack])}`;
      const allowed = `a position from 0 to ${String(targets.nodes[rack] - 1)}`;
      problems.push(valueProblem([...path, "node"], found, allowed));
    }
  }
  return problems;
}

function meantRack(name: string, names: readonly string[]): string {
  const near = names.length <= MOST_NAMES ? nearest(name, names) : undefined;
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** Tasks that no node is left for, in a run that waits for all jobs. */
export function deadClusterProblems(
  { events = [] }: FaultsFile,
  plans: readonly RackPlan[],
  workload: ScenarioFile["workload"],
): Problem[] {
  const forEver = events.filter(({ for: forUs }) => forUs === Infinity);
  if (forEver.length === 0) return [];
  const left = slotsLeft(forEver, plans);
  const missing = (["maps", "reduces"] as const).find((phase) => left[phase] === 0 && needs(workload, phase));
  if (missing === undefined) return [];
  const found = `no node with slots for ${missing} that stays in the cluster to the end, and no time in run.until`;
  return [
    valueProblem(["faults", "events"], found, "a node that stays, a fault that ends (for), or a time in run.until"),
  ];
}

/** Slots on nodes that no crash or loss of a switch keeps away for ever. */
function slotsLeft(forEver: readonly FaultEventFile[], plans: readonly RackPlan[]): { maps: number; reduces: number } {
  const targets = faultTargets(plans);
  const goneRacks = new Set<number>();
  const goneNodes = new Map<number, Set<number>>();
  for (const event of forEver) {
    const rack = targets.rackOf(event.rack);
    if (rack === undefined) continue;
    if (event.kind === "switch") goneRacks.add(rack);
    else if (event.kind === "crash") goneNodes.set(rack, (goneNodes.get(rack) ?? new Set()).add(event.node));
  }
  const left = { maps: 0, reduces: 0 };
  let rack = 0;
  for (const { count, nodes } of plans) {
    for (let i = 0; i < count; i++, rack++) {
      if (goneRacks.has(rack)) continue;
      const gone = [...(goneNodes.get(rack) ?? [])];
      let first = 0;
      for (const group of nodes) {
        const [from, to] = [first, (first += group.count)];
        const up = group.count - gone.filter((node) => node >= from && node < to).length;
        left.maps += up * group.mapSlots;
        left.reduces += up * group.reduceSlots;
      }
    }
  }
  return left;
}
