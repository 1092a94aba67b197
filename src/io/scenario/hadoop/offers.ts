import * as z from "zod";
import { assert, maxOver } from "../../../core/kernel/index.js";
import {
  type FrameworkSpec,
  LIMITS,
  type NodeGroupSpec,
  type NodesSpec,
  type OffersSpec,
} from "../../../core/scenario/index.js";
import { groupsOfRacks, type RackPlan, rackTargets, type RackTargets, targetProblems } from "./cluster.js";
import { badNames, type Problem, valueProblem } from "../diagnose.js";
import { innerOfAll, innerProblems, innerSchema, type OuterSettings, ownedBy, resolveInner } from "./partition.js";
import { optional, recordOf, setting } from "../setting.js";
import { formatDuration } from "../units.js";
import { count, duration, durationOr, label, listOf, mapping, quantity } from "../values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `scheduler.offers`: the frameworks of the kind offers, which are offered free slots, and how they answer.

const nodes = mapping({
  rack: label().describe("The rack, by its name or its position from 0."),
  node: optional(
    count(0, LIMITS.nodes - 1),
    "The node, by its position in the rack, from 0. Default: all of the rack.",
  ),
});

const timeToAnswer = duration(0, LIMITS.refuseUs);
const minFree = count(0, LIMITS.slotsPerNode);
const AS_OF_ALL = "as of all";

const framework = mapping({
  weight: setting(quantity(0.001, 1_000_000), "Relative claim among frameworks of its priority.", 1),
  priority: setting(count(0, 100), "Those of a higher one are offered everything first.", 0),
  inner: optional(innerSchema, "Who schedules inside.", AS_OF_ALL),
  refuseFor: optional(timeToAnswer, "For so long a node is not offered to it again.", AS_OF_ALL, "refuseForUs"),
  answerAfter: optional(timeToAnswer, "Between offer and answer.", AS_OF_ALL, "answerAfterUs"),
  nodes: optional(
    listOf(nodes, "racks and nodes {rack, node}"),
    "It is offered nothing elsewhere.",
    "it may be anywhere",
  ),
  minFreeMaps: setting(minFree, "Fewer free map slots of a node are not offered to it.", 0),
  minFreeReduces: setting(minFree, "Fewer free reduce slots of a node are not offered to it.", 0),
});

/** Mesos's five seconds for a refusal. */
export const offersSchema = mapping({
  by: ownedBy("Which jobs are one framework's: those of a pool, or of a user."),
  inner: innerOfAll("inside a framework"),
  refuseFor: setting(
    timeToAnswer,
    "For so long a node is not offered again to who left its slots free, unless more of them are free.",
    "5s",
    "refuseForUs",
  ),
  answerAfter: setting(
    timeToAnswer,
    "Between offer and answer; meanwhile the slots count as used. 0: at once.",
    0,
    "answerAfterUs",
  ),
  rescindAfter: setting(
    durationOr("never", 1_000, LIMITS.refuseUs),
    "An offer without an answer for so long is taken back.",
    "never",
    "rescindAfterUs",
  ),
  frameworks: setting(
    z.record(z.string(), framework, { error: () => "a mapping from frameworks to their settings" }),
    "What is different about some of them, by the name of their pool or user.",
    {},
  ),
});

/** The section as a file says it. */
type OffersFile = z.output<typeof offersSchema>;
type FrameworkFile = z.output<typeof framework>;

/** The settings of offers; all have defaults. `plans` are the racks that frameworks name. */
export function resolveOffers(
  file: OffersFile | undefined,
  outer: OuterSettings,
  plans: readonly RackPlan[],
): OffersSpec {
  const { by, refuseForUs, answerAfterUs, rescindAfterUs, frameworks } = recordOf(offersSchema, file);
  const ofAll = { inner: resolveInner(file?.inner, outer), refuseForUs, answerAfterUs };
  const named = Object.entries(frameworks);
  const targets = named.some(([, { nodes }]) => nodes !== undefined) ? rackTargets(plans) : undefined;
  const resolved = (frameworkFile: FrameworkFile): FrameworkSpec => {
    const { inner: _, nodes: ownNodes, ...settings } = recordOf(framework, frameworkFile);
    return {
      ...ofAll,
      ...settings,
      inner: frameworkFile.inner === undefined ? ofAll.inner : resolveInner(frameworkFile.inner, outer),
      nodes: targets === undefined ? null : (ownNodes?.map((those) => listed(those, targets)) ?? null),
    };
  };
  return {
    by,
    rescindAfterUs,
    usual: resolved({}),
    frameworks: named.map(([name, frameworkFile]) => ({ name, ...resolved(frameworkFile) })),
  };
}

function listed({ rack: name, node }: NonNullable<FrameworkFile["nodes"]>[number], targets: RackTargets): NodesSpec {
  const rack = targets.rackOf(name);
  assert(rack !== undefined, "a scenario without problems lists nodes of a rack that it does not have");
  return { rack, node: node ?? null };
}

const PATH = ["scheduler", "offers"];

/** Problems of the section by itself. */
export function offersProblems({ inner, frameworks = {} }: OffersFile): Problem[] {
  return [
    ...innerProblems(inner, [...PATH, "inner"]),
    ...Object.entries(frameworks).flatMap(([name, framework]) =>
      innerProblems(framework.inner, [...PATH, "frameworks", name, "inner"]),
    ),
    ...badNames(Object.keys(frameworks), "owner", [...PATH, "frameworks"]),
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
    const targets = framework.nodes && rackTargets(plans);
    const unknown = (framework.nodes ?? []).flatMap((node, i) =>
      targets === undefined ? [] : targetProblems(node, targets, [...path, "nodes", i]),
    );
    return unknown.length > 0 ? unknown : slotProblems(framework, groups, plans, workload, path);
  });
}

/** Problems of a framework that can never get an offer, because all of its allowed nodes have too few slots. */
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
  for (const [phase, slots, key, taskType] of types) {
    const mostSlots = maxOver(groups, (group) => group[slots], 0);
    const least = framework[key] ?? 0;
    const isNeeded = workload !== undefined && needs(workload, phase);
    if (mostSlots >= Math.max(least, isNeeded ? 1 : 0)) continue;
    const where = framework[key] === undefined ? path : [...path, key];
    const actual = `a framework that no node has ${Math.max(1, least)} ${taskType} slots for`;
    problems.push(valueProblem(where, actual, `at most ${mostSlots}, or other nodes`));
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
  const { answerAfterUs: usualUs, rescindAfterUs, frameworks } = recordOf(offersSchema, offers);
  const places = [
    { path: [...PATH, "answerAfter"], answerAfterUs: usualUs },
    ...Object.entries(frameworks).map(([name, { answerAfter }]) => ({
      path: [...PATH, "frameworks", name, "answerAfter"],
      answerAfterUs: answerAfter ?? 0,
    })),
  ];
  return places
    .filter(({ answerAfterUs }) => answerAfterUs > rescindAfterUs)
    .map(({ path, answerAfterUs }) => {
      const actual = `answers after ${formatDuration(answerAfterUs)} to offers that are taken back before, where run.until is end`;
      const allowed = `at most ${formatDuration(rescindAfterUs)}, or a time for run.until; its jobs would never end`;
      return valueProblem(path, actual, allowed);
    });
}
