import type * as z from "zod";
import { heartbeatIntervalUs } from "../../../core/cluster/index.js";
import { formatTime, sumOver, namesOf } from "../../../core/kernel/index.js";
import {
  type ClusterSpec,
  type HeartbeatSpec,
  LIMITS,
  type NodeGroupSpec,
  type RackSpec,
} from "../../../core/scenario/index.js";
import type { Rules } from "../../../core/platforms/hadoop/index.js";
import { duplicate, type Problem, problemIf, valueProblem } from "../diagnose.js";
import { DETAILED, DETAILED_OR_FILES, IN_ROWS } from "./effects.js";
import { filled, optional, recordOf, setting, withEffect } from "../setting.js";
import { quote } from "../show.js";
import { formatDuration } from "../units.js";
import {
  bandwidth,
  bandwidthOr,
  choice,
  count,
  countOr,
  duration,
  durationHint,
  either,
  label,
  listOf,
  mapping,
  quantity,
  sizeOr,
} from "../values.js";

// `cluster`: racks of nodes with slots, rows of racks, links and heartbeats.

const slots = count(0, LIMITS.slotsPerNode);
const room = sizeOr("unlimited", 1, LIMITS.maxRoomBytes);
const perSecond = bandwidth(LIMITS.minBandwidth, LIMITS.maxBandwidth);

/** Settings of a node. A node group inherits missing ones from its rack group, and that from `cluster`. */
const node = mapping({
  mapSlots: setting(slots, "Map slots of each node.", 5),
  reduceSlots: setting(slots, "Reduce slots of each node.", 5),
  speed: setting(
    quantity(LIMITS.minSpeed, LIMITS.maxSpeed),
    "Speed relative to the nominal node; task times are divided by it.",
    1,
  ),
  // Four disks of 60 MB/s and a gigabit link, as in the clusters of the paper (Table 1).
  disk: withEffect(
    setting(
      perSecond,
      "Bandwidth of all disks of a node together, the same for reading and writing.",
      "240MB/s",
      "diskBytesPerSecond",
    ),
    DETAILED,
  ),
  link: withEffect(
    setting(perSecond, "Bandwidth between a node and its rack's switch, each way.", "119MB/s", "linkBytesPerSecond"),
    DETAILED_OR_FILES,
  ),
  memory: setting(room, "What the tasks on a node may use together.", "unlimited", "memoryBytes"),
  diskSpace: setting(room, "Room for map output on a node.", "unlimited", "diskBytes"),
  loadLimit: setting(
    countOr("unlimited", 1, LIMITS.loadLimit),
    "Tasks that may compute at once before a node offers no further slot.",
    "unlimited",
  ),
});

/** Keys of a node. */
const NODE_KEYS = Object.keys(node.shape) as readonly (keyof typeof node.shape)[];

/** A node of which nothing is said. */
export const DEFAULT_NODE = recordOf(node);

const uplink = bandwidthOr("unlimited", LIMITS.minBandwidth, LIMITS.maxBandwidth);

const nodeGroup = mapping({
  count: count(1, LIMITS.nodes).prefault(1).describe("How many nodes of this kind."),
  ...node.shape,
});

const rackGroup = mapping({
  name: optional(
    label(),
    "Name in reports; with a count above 1, numbers are appended: fast-1, fast-2.",
    "`rack00`, `rack01` and so on, by position",
  ),
  count: count(1, LIMITS.racks).prefault(1).describe("How many racks of this kind."),
  nodes: optional(
    either(
      [count(1, LIMITS.nodes), listOf(nodeGroup, "node groups")],
      () =>
        `a whole number of nodes from 1 to ${LIMITS.nodes}, or a list of node groups {count, ${NODE_KEYS.join(", ")}}`,
    ),
    "Nodes of the rack: a number, or groups of equal nodes.",
    "cluster.nodesPerRack",
  ),
  ...node.shape,
  row: optional(label(), "The row of racks it stands in. For all racks or none.", "there are no rows"),
  uplink: withEffect(
    optional(uplink, "Bandwidth between the rack and the rest, each way.", "by cluster.oversubscription"),
    DETAILED,
  ),
});

const heartbeatRule = mapping({
  rule: choice(["hadoop-0.20", "hadoop-1.1"]).describe(
    "hadoop-0.20: max(3 s, scalingFactor x ceil(nodes / perSecond) s). hadoop-1.1: max(0.3 s, scalingFactor x nodes / perSecond s).",
  ),
  perSecond: setting(count(1, 1_000_000), "Heartbeats per second that the master is to receive.", 100),
  scalingFactor: setting(quantity(LIMITS.minFactor, LIMITS.maxFactor), "Multiplies the interval.", 1),
  joinEvery: optional(
    duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs),
    "Nodes join so far apart; the interval between two heartbeats goes by the nodes that have joined.",
    "heartbeats are spread evenly",
    "joinEveryUs",
  ),
});

const network = mapping({
  rowUplink: withEffect(
    setting(uplink, "Bandwidth between a row of racks and the core, each way.", "unlimited", "rowUplinkBytesPerSecond"),
    IN_ROWS,
  ),
  settle: setting(
    duration(LIMITS.minSettleUs, LIMITS.maxSettleUs),
    "Rates of transfers between racks are settled at multiples of it.",
    "250ms",
    "settleUs",
  ),
});

/** Settings of heartbeat times beside the interval. */
const timing = mapping({
  heartbeatJitter: setting(
    quantity(0, LIMITS.maxJitter),
    "Each heartbeat comes up to this share of the interval late, drawn anew for each. 0: none is.",
    0,
  ),
  outOfBandDelay: setting(
    duration(0, LIMITS.maxHeartbeatUs),
    "The end of an attempt makes its node send a heartbeat so much later, beside the regular ones; at least 1ms. 0: it does not.",
    0,
    "outOfBandDelayUs",
  ),
});

/** Defaults of a cluster beside its racks and the heartbeat interval. */
export const DEFAULT_CLUSTER = { ...recordOf(timing), network: recordOf(network) };

/** `cluster`: racks of nodes with slots. The defaults are the Facebook cluster of the paper (620 nodes). */
export const clusterSchema = mapping({
  racks: either(
    [count(1, LIMITS.racks), listOf(rackGroup, "rack groups")],
    () => `a whole number of racks from 1 to ${LIMITS.racks}, or a list of rack groups`,
  )
    .prefault(31)
    .describe("A number of equal racks, or a list of rack groups that may differ."),
  nodesPerRack: count(1, LIMITS.nodes).prefault(20).describe("Nodes of each rack that does not say otherwise."),
  ...node.shape,
  oversubscription: withEffect(
    setting(
      quantity(1, LIMITS.maxOversubscription),
      "The links of a rack's nodes together, over its uplink, where it names none. 1: uplinks never limit.",
      1,
    ),
    DETAILED,
  ),
  network: withEffect(setting(network, "The network between racks.", {}), DETAILED),
  heartbeat: optional(
    either(
      [duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs), heartbeatRule],
      (input) => `a time from 1ms to 30m, or a mapping {rule, perSecond, scalingFactor}${durationHint(input)}`,
    ),
    "How often each node reports: an interval of at least 1us for every node, or a rule by cluster size.",
    "3s; under the scheduler's rules 0.21 the rule hadoop-0.20, under 1.2 and branch-1 hadoop-1.1",
  ),
  ...timing.shape,
});

/** The section as a file says it. */
export type ClusterFile = z.output<typeof clusterSchema>;

/** Equal racks, not yet expanded. */
export interface RackPlan {
  readonly name: string | undefined;
  readonly count: number;
  readonly row: string | undefined;
  readonly uplinkBytesPerSecond: number;
  readonly nodes: readonly NodeGroupSpec[];
  /** Its path in the file. */
  readonly path: readonly PropertyKey[];
}

type NodeFile = Pick<ClusterFile, (typeof NODE_KEYS)[number]>;

/**
 * The racks of `cluster` with what they inherit filled in, as groups: the file may ask for far more than is allowed.
 */
export function rackPlans(cluster: ClusterFile): RackPlan[] {
  const { racks, nodesPerRack } = cluster;
  if (typeof racks === "number") {
    const nodes = [nodesOf(nodesPerRack, cluster)];
    const uplinkBytesPerSecond = uplinkOf(cluster, nodes);
    return [{ name: undefined, count: racks, row: undefined, uplinkBytesPerSecond, nodes, path: ["cluster", "racks"] }];
  }
  return racks.map(({ name, count, row, uplink, ...rack }, i) => {
    const groups = typeof rack.nodes === "object" ? rack.nodes : [{ count: rack.nodes ?? nodesPerRack }];
    const nodes = groups.map((group) => nodesOf(group.count, cluster, rack, group));
    const uplinkBytesPerSecond = uplink ?? uplinkOf(cluster, nodes);
    return { name, count, row, uplinkBytesPerSecond, nodes, path: ["cluster", "racks", i] };
  });
}

/** A group of nodes; of what says something about them, the last counts. */
function nodesOf(count: number, ...from: readonly NodeFile[]): NodeGroupSpec {
  const last = (key: keyof NodeFile) => from.flatMap((file) => file[key] ?? []).at(-1);
  const nodeFile: NodeFile = Object.fromEntries(NODE_KEYS.map((key) => [key, last(key)]));
  return { count, ...recordOf(node, nodeFile) };
}

/** An uplink that carries all that the rack's nodes can send, over the oversubscription; at 1 it never limits. */
function uplinkOf(file: ClusterFile, nodes: readonly NodeGroupSpec[]): number {
  const oversubscription = filled(clusterSchema.shape.oversubscription, file.oversubscription);
  if (oversubscription === 1) return Infinity;
  const links = sumOver(nodes, ({ count, linkBytesPerSecond }) => count * linkBytesPerSecond);
  return Math.max(1, Math.round(links / oversubscription));
}

/** The names of the racks a plan stands for, when it is named. */
function plannedNames(plan: RackPlan): string[] {
  const { name, count } = plan;
  if (name === undefined) return [];
  return count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}-${i + 1}`);
}

export interface ClusterTotals {
  readonly racks: number;
  readonly nodes: number;
  readonly mapSlots: number;
  readonly reduceSlots: number;
}

/** Sums over all racks; exact, because every limit is far below 2^53. */
export function totalsOf(plans: readonly Pick<RackPlan, "count" | "nodes">[]): ClusterTotals {
  const groups = plans.flatMap(({ count, nodes }) => nodes.map((group) => ({ ...group, count: count * group.count })));
  return {
    racks: sumOver(plans, ({ count }) => count),
    nodes: sumOver(groups, ({ count }) => count),
    mapSlots: sumOver(groups, ({ count, mapSlots }) => count * mapSlots),
    reduceSlots: sumOver(groups, ({ count, reduceSlots }) => count * reduceSlots),
  };
}

/** The cluster of a valid file; `plans` are its racks. */
export function resolveCluster(file: ClusterFile, plans: readonly RackPlan[], rules: Rules): ClusterSpec {
  return {
    racks: resolveRacks(plans),
    heartbeat: resolveHeartbeat(file.heartbeat, rules),
    ...recordOf(timing, file),
    network: recordOf(network, file.network),
  };
}

/** The heartbeat in the words of the scenario. Hadoop's rule sets bring their own rule, whatever the kind. */
export function resolveHeartbeat(file: ClusterFile["heartbeat"], rules: Rules): ClusterSpec["heartbeat"] {
  if (typeof file === "number") return { rule: "fixed", intervalUs: file };
  if (file !== undefined) return recordOf(heartbeatRule, file);
  if (rules.heartbeat === "fixed") return { rule: "fixed", intervalUs: 3_000_000 };
  return recordOf(heartbeatRule, { rule: rules.heartbeat });
}

function resolveRacks(plans: readonly RackPlan[]): RackSpec[] {
  const names = rackNames(plans);
  const racks: RackSpec[] = [];
  for (const { count, row = "", uplinkBytesPerSecond, nodes } of plans) {
    for (let i = 0; i < count; i++) racks.push({ name: names[racks.length], row, uplinkBytesPerSecond, nodes });
  }
  return racks;
}

/**
 * The names of all racks, in rack order. Racks without a name are called `rack00`, `rack01`, ... by position, or by the
 * next free number.
 */
function rackNames(plans: readonly RackPlan[]): string[] {
  const digits = Math.max(2, String(totalsOf(plans).racks - 1).length);
  const takenNames = new Set(plans.flatMap(plannedNames));
  const allNames: string[] = [];
  let number = 0;
  for (const plan of plans) {
    const names = plannedNames(plan);
    for (let i = 0; i < plan.count; i++) {
      let name = names.at(i);
      if (name === undefined) {
        number = Math.max(number, allNames.length);
        do name = `rack${String(number++).padStart(digits, "0")}`;
        while (takenNames.has(name));
      }
      allNames.push(name);
    }
  }
  return allNames;
}

/** The racks that faults and frameworks may name, and how many nodes each has. */
export interface RackTargets {
  readonly names: readonly string[];
  readonly nodes: readonly number[];
  /** The rack of that name, or else at that position; undefined if there is none. */
  readonly rackOf: (nameOrPosition: string) => number | undefined;
}

/** Only for plans whose number of racks is within the limits. */
export function rackTargets(plans: readonly RackPlan[]): RackTargets {
  const nodes = plans.flatMap((plan) => {
    const size = sumOver(plan.nodes, ({ count }) => count);
    return Array.from({ length: plan.count }, () => size);
  });
  return targetsAmong(rackNames(plans), nodes);
}

/** The racks of a cluster that is resolved already. */
export function targetsOf({ racks }: Pick<ClusterSpec, "racks">): RackTargets {
  return targetsAmong(
    namesOf(racks),
    racks.map(({ nodes }) => sumOver(nodes, ({ count }) => count)),
  );
}

function targetsAmong(names: readonly string[], nodes: readonly number[]): RackTargets {
  const byName = new Map(names.map((name, rack) => [name, rack]));
  const rackOf = (nameOrPosition: string): number | undefined => {
    const named = byName.get(nameOrPosition);
    if (named !== undefined) return named;
    const position = /^\d{1,9}$/.test(nameOrPosition) ? Number(nameOrPosition) : Infinity;
    return position < names.length ? position : undefined;
  };
  return { names, nodes, rackOf };
}

/** A rack that there is not, or a node that it does not have. @param hintOf what may have been meant by a name. */
export function targetProblems(
  { rack: name, node = 0 }: { readonly rack: string; readonly node?: number | undefined },
  { names, nodes, rackOf }: RackTargets,
  path: readonly PropertyKey[],
  hintOf: (name: string) => string = () => "",
): Problem[] {
  const rack = rackOf(name);
  if (rack === undefined) {
    const allowed = `the name of a rack, or a position from 0 to ${names.length - 1}${hintOf(name)}`;
    return [valueProblem([...path, "rack"], `the rack ${quote(name)}`, allowed)];
  }
  return problemIf(
    node >= nodes[rack],
    [...path, "node"],
    `node ${node} of the rack ${quote(names[rack])}`,
    `a position from 0 to ${nodes[rack] - 1}`,
  );
}

/** The node groups of every rack. */
export function groupsOfRacks(plans: readonly RackPlan[]): (readonly NodeGroupSpec[])[] {
  return plans.flatMap(({ count, nodes }) => Array.from({ length: count }, () => nodes));
}

const RACKS = ["cluster", "racks"];

/** Problems of the cluster as a whole. */
export function clusterProblems(plans: readonly RackPlan[]): Problem[] {
  const { racks, nodes, mapSlots, reduceSlots } = totalsOf(plans);
  return [
    ...problemIf(racks > LIMITS.racks, RACKS, `${racks} racks`, `at most ${LIMITS.racks}`),
    ...problemIf(nodes > LIMITS.nodes, RACKS, `${nodes} nodes`, `at most ${LIMITS.nodes}`),
    ...problemIf(mapSlots + reduceSlots === 0, ["cluster"], "0 slots in the whole cluster", "at least one"),
    ...rowProblems(plans),
    // Names are expanded only if that is affordable.
    ...(racks > LIMITS.racks ? [] : duplicateRacks(plans)),
  ];
}

function rowProblems(plans: readonly RackPlan[]): Problem[] {
  const without = plans.find(({ row }) => row === undefined);
  if (without === undefined || plans.every(({ row }) => row === undefined)) return [];
  return [
    valueProblem(without.path, "a rack without a row beside others with one", "a row for every rack, or for none"),
  ];
}

function duplicateRacks(plans: readonly RackPlan[]): Problem[] {
  const seen = new Set<string>();
  return plans.flatMap((plan) => {
    const twice = plannedNames(plan).find((name) => seen.size === seen.add(name).size);
    return twice === undefined ? [] : [duplicate([...plan.path, "name"], "rack", twice)];
  });
}

/** After that all nodes have joined. */
const LONGEST_JOIN_US = 3_600_000_000;

/** Every node needs a microsecond of the interval to itself, and the times of an interval must fit a frame. */
export function heartbeatProblems(totals: ClusterTotals, heartbeat: HeartbeatSpec, file: ClusterFile): Problem[] {
  const { heartbeatJitter, outOfBandDelayUs } = recordOf(timing, file);
  const us = heartbeatIntervalUs(heartbeat, totals.nodes);
  const joinUs = heartbeat.rule === "fixed" ? 0 : (heartbeat.joinEveryUs ?? 0) * (totals.nodes - 1);
  const path = ["cluster", "heartbeat"];
  const actual = `a heartbeat every ${formatTime(us)} on ${totals.nodes} nodes`;
  const late = heartbeatJitter === 0 ? actual : `${actual}, late by up to ${heartbeatJitter} of that`;
  return [
    ...problemIf(
      joinUs > LONGEST_JOIN_US,
      path,
      `${totals.nodes} nodes that take ${formatDuration(joinUs)} to join`,
      `at most ${formatDuration(LONGEST_JOIN_US)} in all`,
    ),
    ...problemIf(us < totals.nodes, path, actual, "at least 1us for every node"),
    ...problemIf(
      us * (1 + heartbeatJitter) > LIMITS.maxHeartbeatUs,
      path,
      late,
      `at most ${formatTime(LIMITS.maxHeartbeatUs)}`,
    ),
    ...problemIf(
      outOfBandDelayUs > 0 && outOfBandDelayUs < LIMITS.minOutOfBandUs,
      ["cluster", "outOfBandDelay"],
      `${formatDuration(outOfBandDelayUs)} for cluster.outOfBandDelay`,
      `0, or at least ${formatDuration(LIMITS.minOutOfBandUs)}`,
    ),
  ];
}
