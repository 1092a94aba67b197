import { DEFAULT_OFFERS } from "../../core/scenario/defaults.js";
import type { NodeGroupSpec } from "../../core/scenario/cluster-spec.js";
import { needs, valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { faultTargets } from "./fault-target.js";
import type { FrameworkFile } from "./offers-schema.js";
import type { RackPlan } from "./rack-plan.js";
import type { ScenarioFile } from "./scenario-schema.js";
import type { SchedulerSettings } from "./scheduler-schema.js";
import { quote } from "./show.js";
import { formatDuration } from "./units.js";

const OFFERS = ["scheduler", "offers"];

/** Nodes that frameworks list and the cluster does not have, and filters that no node passes. */
export function offerFilterProblems(
  { kind, offers }: SchedulerSettings,
  plans: readonly RackPlan[],
  workload: ScenarioFile["workload"] | undefined,
): Problem[] {
  if (kind !== "offers" || offers?.frameworks === undefined) return [];
  const { frameworks } = offers;
  const groups = groupsOfRacks(plans);
  return Object.entries(frameworks).flatMap(([name, framework]) => {
    const path = [...OFFERS, "frameworks", name];
    const unknown = targetProblems(framework.nodes ?? [], plans, [...path, "nodes"]);
    return unknown.length > 0 ? unknown : slotProblems(framework, groups, plans, workload, path);
  });
}

function targetProblems(
  nodes: NonNullable<FrameworkFile["nodes"]>,
  plans: readonly RackPlan[],
  path: readonly PropertyKey[],
): Problem[] {
  if (nodes.length === 0) return [];
  const targets = faultTargets(plans);
  return nodes.flatMap(({ rack: name, node = 0 }, i) => {
    const rack = targets.rackOf(name);
    if (rack === undefined) {
      const allowed = `the name of a rack, or a position from 0 to ${String(targets.names.length - 1)}`;
      return [valueProblem([...path, i, "rack"], `the rack ${quote(name)}`, allowed)];
    }
    if (node < targets.nodes[rack]) return [];
    const found = `node ${String(node)} of the rack ${quote(targets.names[rack])}`;
    return [valueProblem([...path, i, "node"], found, `a position from 0 to ${String(targets.nodes[rack] - 1)}`)];
  });
}

/** The node groups of every rack. */
function groupsOfRacks(plans: readonly RackPlan[]): (readonly NodeGroupSpec[])[] {
  return plans.flatMap(({ count, nodes }) => Array.from({ length: count }, () => nodes));
}

/** Every node that the framework may be offered has too few slots for it ever to be offered some. */
function slotProblems(
  framework: FrameworkFile,
  racks: readonly (readonly NodeGroupSpec[])[],
  plans: readonly RackPlan[],
  workload: ScenarioFile["workload"] | undefined,
  path: readonly PropertyKey[],
): Problem[] {
  const groups = allowedGroups(framework, racks, plans);
  const problems: Problem[] = [];
  const types = [
    ["maps", "mapSlots", "minFreeMaps", "map"],
    ["reduces", "reduceSlots", "minFreeReduces", "reduce"],
  ] as const;
  for (const [phase, slots, key, what] of types) {
    const most = groups.reduce((max, group) => Math.max(max, group[slots]), 0);
    const least = framework[key] ?? 0;
    const isNeeded = workload !== undefined && needs(workload, phase);
    if (most >= Math.max(least, isNeeded ? 1 : 0)) continue;
    const where = framework[key] === undefined ? path : [...path, key];
    const found = `a framework that no node has ${String(Math.max(1, least))} ${what} slots for`;
    problems.push(valueProblem(where, found, `at most ${String(most)}, or other nodes`));
  }
  return problems;
}

function allowedGroups(
  { nodes }: FrameworkFile,
  racks: readonly (readonly NodeGroupSpec[])[],
  plans: readonly RackPlan[],
): readonly NodeGroupSpec[] {
  if (nodes === undefined) return plans.flatMap((plan) => plan.nodes);
  const { rackOf } = faultTargets(plans);
  return nodes.flatMap(({ rack, node }) => {
    const groups = racks[rackOf(rack) ?? 0];
    if (node === undefined) return groups;
    let end = 0;
    return groups.find((group) => node < (end += group.count)) ?? [];
  });
}

/** In a run that waits for all jobs: frameworks whose answers always come too late. */
export function lateAnswerProblems({ kind, offers }: SchedulerSettings): Problem[] {
  const rescindAfterUs = offers?.rescindAfter ?? DEFAULT_OFFERS.rescindAfterUs;
  if (kind !== "offers" || offers === undefined || rescindAfterUs === Infinity) return [];
  const places = [
    { path: [...OFFERS, "answerAfter"], answerAfterUs: offers.answerAfter },
    ...Object.entries(offers.frameworks ?? {}).map(([name, { answerAfter }]) => ({
      path: [...OFFERS, "frameworks", name, "answerAfter"],
      answerAfterUs: answerAfter ?? 0,
    })),
  ];
  return places
    .filter(({ answerAfterUs }) => answerAfterUs > rescindAfterUs)
    .map(({ path, answerAfterUs }) => {
      const found = `answers after ${formatDuration(answerAfterUs)} to offers that are taken back before, where run.until is end`;
      const allowed = `at most ${formatDuration(rescindAfterUs)}, or a time for run.until: its jobs would never end`;
      return valueProblem(path, found, allowed);
    });
}
