import * as z from "zod";
import { assert } from "../../core/kernel/index.js";
import {
  type NodeGroupSpec,
  DEFAULT_OFFERS,
  type FrameworkSpec,
  type NodesSpec,
  type OffersSpec,
} from "../../core/scenario/index.js";
import { type RackPlan, rackTargets, type RackTargets } from "./cluster.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import {
  innerProblems,
  innerSchema,
  type OuterSettings,
  ownedBy,
  ownerNameProblems,
  resolveInner,
} from "./partition.js";
import { quote } from "./show.js";
import { formatDuration } from "./units.js";
import { count, duration, durationOr, label, listOf, mapping, quantity } from "./values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `scheduler.offers`: the frameworks of the kind offers, which are offered free slots, and how they answer.

const nodes = mapping({
  rack: label().describe("The rack, by its name or its position from 0."),
  node: count(0, LIMITS.nodes - 1)
    .optional()
    .describe("The node, by its position in the rack, from 0. Default: all of the rack."),
});

const refuseFor = duration(0, LIMITS.refuseUs);
const answerAfter = duration(0, LIMITS.refuseUs);
const minFree = count(0, LIMITS.slotsPerNode);

const framework = mapping({
  weight: quantity(0.001, 1_000_000).optional().describe("Relative claim among frameworks of its priority. Default 1."),
  priority: count(0, 100).optional().describe("Those of a higher one are offered everything first. Default 0."),
  inner: innerSchema.optional().describe("Who schedules inside. Default: as of all."),
  refuseFor: refuseFor.optional().describe("Default: as of all."),
  answerAfter: answerAfter.optional().describe("Default: as of all."),
  nodes: listOf(nodes, "racks and nodes {rack, node}")
    .optional()
    .describe("It is offered nothing elsewhere. Default: it may be anywhere."),
  minFreeMaps: minFree.optional().describe("Fewer free map slots of a node are not offered to it. Default 0."),
  minFreeReduces: minFree.optional().describe("Fewer free reduce slots of a node are not offered to it. Default 0."),
});

export const offersSchema = mapping({
  by: ownedBy.prefault(DEFAULT_OFFERS.by).describe("Which jobs are one framework's: those of a pool, or of a user."),
  inner: innerSchema
    .optional()
    .describe("Who schedules inside a framework: fifo, fair, delay, hfs, or a mapping {kind, wait}. Default fifo."),
  refuseFor: refuseFor
    .prefault("5s")
    .describe("For so long a node is not offered again to who left its slots free, unless more of them are free."),
  answerAfter: answerAfter
    .prefault(0)
    .describe("Between offer and answer; meanwhile the slots count as used. Default 0: at once."),
  rescindAfter: durationOr("never", 1_000, LIMITS.refuseUs)
    .prefault("never")
    .describe("An offer without an answer for so long is taken back."),
  frameworks: z
    .record(z.string(), framework, { error: () => "a mapping from frameworks to their settings" })
    .optional()
    .describe("What is different about some of them, by the name of their pool or user."),
});

/** The section as a file says it. */
export type OffersFile = z.output<typeof offersSchema>;
type FrameworkFile = z.output<typeof framework>;

/** The settings of offers; all have defaults. `plans` are the racks that frameworks name. */
export function resolveOffers(
  offers: OffersFile | undefined,
  outer: OuterSettings,
  plans: readonly RackPlan[],
): OffersSpec {
  const usual: FrameworkSpec = {
    ...DEFAULT_OFFERS.usual,
    inner: resolveInner(offers?.inner ?? DEFAULT_OFFERS.usual.inner.kind, outer),
    refuseForUs: offers?.refuseFor ?? DEFAULT_OFFERS.usual.refuseForUs,
    answerAfterUs: offers?.answerAfter ?? DEFAULT_OFFERS.usual.answerAfterUs,
  };
  const given = Object.entries(offers?.frameworks ?? {});
  const targets = given.some(([, { nodes }]) => nodes !== undefined) ? rackTargets(plans) : undefined;
  return {
    by: offers?.by ?? DEFAULT_OFFERS.by,
    usual,
    frameworks: given.map(([name, file]) => ({ name, ...resolveFramework(file, usual, outer, targets) })),
    rescindAfterUs: offers?.rescindAfter ?? DEFAULT_OFFERS.rescindAfterUs,
  };
}

function resolveFramework(
  file: FrameworkFile,
  usual: FrameworkSpec,
  outer: OuterSettings,
  targets: RackTargets | undefined,
): FrameworkSpec {
  return {
    inner: file.inner === undefined ? usual.inner : resolveInner(file.inner, outer),
    weight: file.weight ?? usual.weight,
    priority: file.priority ?? usual.priority,
    refuseForUs: file.refuseFor ?? usual.refuseForUs,
    answerAfterUs: file.answerAfter ?? usual.answerAfterUs,
    nodes: targets === undefined ? null : (file.nodes?.map((nodes) => listed(nodes, targets)) ?? null),
    minFreeMaps: file.minFreeMaps ?? usual.minFreeMaps,
    minFreeReduces: file.minFreeReduces ?? usual.minFreeReduces,
  };
}

function listed({ rack: name, node }: NonNullable<FrameworkFile["nodes"]>[number], targets: RackTargets): NodesSpec {
  const rack = targets.rackOf(name);
  assert(rack !== undefined, "a scenario without problems lists nodes of a rack that it does not have");
  return { rack, node: node ?? null };
}

const PATH = ["scheduler", "offers"];

/** What is wrong with the section by itself. */
export function offersProblems({ inner, frameworks = {} }: OffersFile): Problem[] {
  return [
    ...innerProblems(inner, [...PATH, "inner"]),
    ...Object.entries(frameworks).flatMap(([name, framework]) =>
      innerProblems(framework.inner, [...PATH, "frameworks", name, "inner"]),
    ),
    ...ownerNameProblems(Object.keys(frameworks), [...PATH, "frameworks"]),
  ];
}

/** Nodes that frameworks list and the cluster does not have, and filters that no node passes. */
export function offerFilterProblems(
  { frameworks = {} }: OffersFile,
  plans: readonly RackPlan[],
  workload: WorkloadFile | undefined,
): Problem[] {
  const groups = groupsOfRacks(plans);
  return Object.entries(frameworks).flatMap(([name, framework]) => {
    const path = [...PATH, "frameworks", name];
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
  const targets = rackTargets(plans);
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
  workload: WorkloadFile | undefined,
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
  const { rackOf } = rackTargets(plans);
  return nodes.flatMap(({ rack, node }) => {
    const groups = racks[rackOf(rack) ?? 0];
    if (node === undefined) return groups;
    let end = 0;
    return groups.find((group) => node < (end += group.count)) ?? [];
  });
}

/** In a run that waits for all jobs: frameworks whose answers always come too late. */
export function lateAnswerProblems(offers: OffersFile): Problem[] {
  const { rescindAfter: rescindAfterUs } = offers;
  const places = [
    { path: [...PATH, "answerAfter"], answerAfterUs: offers.answerAfter },
    ...Object.entries(offers.frameworks ?? {}).map(([name, { answerAfter }]) => ({
      path: [...PATH, "frameworks", name, "answerAfter"],
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
