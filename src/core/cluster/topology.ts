import { sumOver, namesOf } from "../kernel/index.js";
import type { ClusterSpec, HeartbeatSpec, NodeGroupSpec } from "../scenario/index.js";

/** By node, what the cluster says of each: a column for every key of its group. */
type NodeColumns = {
  readonly [K in Exclude<keyof NodeGroupSpec, "count">]: K extends SlotKey ? Int32Array : Float64Array;
};

type SlotKey = "mapSlots" | "reduceSlots";

/**
 * The fixed shape of the cluster. Nodes are numbered in heartbeat order: node p sends heartbeats at `phaseUs[p] + k *
 * heartbeatUs`, and phases rise with p, so that walking the nodes is walking time. Neighbours in that order sit in
 * different racks. Racks are numbered as the scenario lists them.
 */
export interface Topology extends NodeColumns {
  readonly nodes: number;
  readonly racks: number;
  readonly rackNames: readonly string[];
  /** Rows of racks, by first use; empty when there are none. */
  readonly rowNames: readonly string[];
  /** By rack; all 0 when there are no rows. */
  readonly rowOfRack: Int32Array;
  readonly uplinkBytesPerSecond: Float64Array;
  readonly rackOf: Int32Array;
  /** Position of the node inside its rack, for its name. */
  readonly indexInRack: Int32Array;
  /** Nodes of rack r by their position in it: `rackNodes[rackStart[r] .. rackStart[r + 1])`. */
  readonly rackNodes: Int32Array;
  readonly rackStart: Int32Array;
  readonly totalMapSlots: number;
  readonly totalReduceSlots: number;
  readonly heartbeatUs: number;
  readonly phaseUs: Float64Array;
  /**
   * Every slot has a number; a node's map slots come first, then its reduce slots, starting at `slotStart[node]`.
   * The slots of one rack are contiguous: `rackSlotStart[r] .. rackSlotStart[r + 1]`.
   */
  readonly slotStart: Int32Array;
  readonly rackSlotStart: Int32Array;
  /** By slot. */
  readonly nodeOfSlot: Int32Array;
}

/** Heartbeat interval of a cluster of `nodes`, by Hadoop's size rules (semantics section 13) or fixed. */
export function heartbeatIntervalUs(spec: HeartbeatSpec, nodes: number): number {
  if (spec.rule === "fixed") return spec.intervalUs;
  const scale = Math.fround(spec.scalingFactor);
  if (spec.rule === "hadoop-0.20") {
    return Math.max(Math.trunc(1000 * scale * Math.ceil(nodes / spec.perSecond)), 3000) * 1000;
  }
  return Math.max(Math.trunc((1000 * scale * nodes) / spec.perSecond), 300) * 1000;
}

/**
 * Returns the phase in the interval at which each of `nodes` nodes sends its heartbeat. The phases are spread evenly,
 * or follow from the times at which the nodes joined.
 */
function phasesOf(spec: HeartbeatSpec, nodes: number): number[] {
  const heartbeatUs = heartbeatIntervalUs(spec, nodes);
  const everyUs = spec.rule === "fixed" ? undefined : spec.joinEveryUs;
  if (everyUs === undefined) return Array.from({ length: nodes }, (_, p) => Math.floor((heartbeatUs * p) / nodes));
  const joinedBy = (us: number) => Math.min(nodes, Math.floor(us / everyUs) + 1);
  return Array.from({ length: nodes }, (_, p) => {
    let atUs = p * everyUs;
    for (let known = joinedBy(atUs); known < nodes; known = joinedBy(atUs)) atUs += heartbeatIntervalUs(spec, known);
    return atUs % heartbeatUs;
  });
}

interface NodePlan {
  readonly rack: number;
  readonly index: number;
  readonly rackSize: number;
  readonly group: NodeGroupSpec;
}

/** The part of a cluster that a topology depends on. */
export type TopologySpec = Pick<ClusterSpec, "racks" | "heartbeat">;

/** Builds the topology of a valid cluster description. */
export function buildTopology(spec: TopologySpec): Topology {
  const racks = spec.racks.length;
  const dealt = planNodes(spec).sort(byPlaceInRackThenRack);
  const nodes = dealt.length;
  const heartbeatUs = heartbeatIntervalUs(spec.heartbeat, nodes);
  const phases = phasesOf(spec.heartbeat, nodes);
  const plans = dealt.map((plan, i) => ({ ...plan, phaseUs: phases[i] }));
  plans.sort((a, b) => a.phaseUs - b.phaseUs);
  // Each microsecond of the interval is one node's.
  for (let p = 1; p < nodes; p++) plans[p].phaseUs = Math.max(plans[p].phaseUs, plans[p - 1].phaseUs + 1);
  for (let p = 0; p < nodes; p++) plans[p].phaseUs = Math.min(plans[p].phaseUs, heartbeatUs - (nodes - p));
  const rowNames = [...new Set(spec.racks.map(({ row }) => row))].filter((row) => row !== "");
  const rackOf = Int32Array.from(plans, (plan) => plan.rack);
  const indexInRack = Int32Array.from(plans, (plan) => plan.index);
  const slots = (key: SlotKey) => Int32Array.from(plans, ({ group }) => group[key]);
  const numbers = (key: Exclude<keyof NodeColumns, SlotKey>) => Float64Array.from(plans, ({ group }) => group[key]);
  const mapSlots = slots("mapSlots");
  const reduceSlots = slots("reduceSlots");
  const { rackNodes, rackStart, slotStart, rackSlotStart, nodeOfSlot } = withSlots({
    nodes,
    racks,
    rackOf,
    indexInRack,
    mapSlots,
    reduceSlots,
  });
  // One literal, with nothing spread into it: all topologies then have one shape in V8. With a shape each, what was
  // compiled for one run would be thrown away by the next.
  return {
    nodes,
    racks,
    rackNames: spec.racks.map((rack) => rack.name),
    rowNames,
    rowOfRack: Int32Array.from(spec.racks, ({ row }) => Math.max(0, rowNames.indexOf(row))),
    uplinkBytesPerSecond: Float64Array.from(spec.racks, (rack) => rack.uplinkBytesPerSecond),
    rackOf,
    indexInRack,
    rackNodes,
    rackStart,
    mapSlots,
    reduceSlots,
    speed: numbers("speed"),
    diskBytesPerSecond: numbers("diskBytesPerSecond"),
    linkBytesPerSecond: numbers("linkBytesPerSecond"),
    memoryBytes: numbers("memoryBytes"),
    diskBytes: numbers("diskBytes"),
    loadLimit: numbers("loadLimit"),
    totalMapSlots: sumOver(mapSlots),
    totalReduceSlots: sumOver(reduceSlots),
    slotStart,
    rackSlotStart,
    nodeOfSlot,
    heartbeatUs,
    phaseUs: Float64Array.from(plans, ({ phaseUs }) => phaseUs),
  };
}

function planNodes(spec: TopologySpec): NodePlan[] {
  const plans: NodePlan[] = [];
  spec.racks.forEach((rack, r) => {
    const rackSize = sumOver(rack.nodes, (group) => group.count);
    let index = 0;
    for (const group of rack.nodes) {
      for (let i = 0; i < group.count; i++) plans.push({ rack: r, index: index++, rackSize, group });
    }
  });
  return plans;
}

/** Deals the racks out evenly over the heartbeat interval: node i of n sits at (i + 1/2) / n of it. */
function byPlaceInRackThenRack(a: NodePlan, b: NodePlan): number {
  return (2 * a.index + 1) * b.rackSize - (2 * b.index + 1) * a.rackSize || a.rack - b.rack;
}

function groupByRack({
  nodes,
  racks,
  rackOf,
  indexInRack,
}: Pick<Topology, "nodes" | "racks" | "rackOf" | "indexInRack">): Pick<Topology, "rackNodes" | "rackStart"> {
  const rackStart = new Int32Array(racks + 1);
  for (let p = 0; p < nodes; p++) rackStart[rackOf[p] + 1]++;
  for (let r = 0; r < racks; r++) rackStart[r + 1] += rackStart[r];
  const rackNodes = new Int32Array(nodes);
  for (let p = 0; p < nodes; p++) rackNodes[rackStart[rackOf[p]] + indexInRack[p]] = p;
  return { rackNodes, rackStart };
}

type Grouping = Pick<Topology, "rackNodes" | "rackStart" | "slotStart" | "rackSlotStart" | "nodeOfSlot">;

function withSlots(
  t: Pick<Topology, "nodes" | "racks" | "rackOf" | "indexInRack" | "mapSlots" | "reduceSlots">,
): Grouping {
  const { rackNodes, rackStart } = groupByRack(t);
  const slotStart = new Int32Array(t.nodes);
  const rackSlotStart = new Int32Array(t.racks + 1);
  const nodeOfSlot: number[] = [];
  for (let r = 0; r < t.racks; r++) {
    rackSlotStart[r] = nodeOfSlot.length;
    for (let i = rackStart[r]; i < rackStart[r + 1]; i++) {
      const p = rackNodes[i];
      slotStart[p] = nodeOfSlot.length;
      for (let slot = 0; slot < t.mapSlots[p] + t.reduceSlots[p]; slot++) nodeOfSlot.push(p);
    }
  }
  rackSlotStart[t.racks] = nodeOfSlot.length;
  return { rackNodes, rackStart, slotStart, rackSlotStart, nodeOfSlot: Int32Array.from(nodeOfSlot) };
}

/**
 * The same in memory that threads share, so that sending it to a hundred of them copies no node. A topology is never
 * written once it has been built.
 */
export function sharedTopology(topology: Topology): Topology {
  const shared = Object.entries(topology).map(([key, value]: [string, unknown]) => {
    if (!(value instanceof Int32Array) && !(value instanceof Float64Array)) return [key, value];
    const memory = new SharedArrayBuffer(value.byteLength);
    const column = value instanceof Int32Array ? new Int32Array(memory) : new Float64Array(memory);
    column.set(value);
    return [key, column];
  });
  return Object.fromEntries(shared) as Topology;
}

/** By node, the row of its rack; null where there are no rows. */
export function rowOfNodes({ rowNames, rowOfRack, rackOf }: Topology): Int32Array | null {
  return rowNames.length === 0 ? null : rackOf.map((rack) => rowOfRack[rack]);
}

/** The nodes and their racks: all that reports need of a topology. */
export interface Layout
  extends
    Pick<Topology, "nodes" | "racks" | "rackNames" | "rackOf" | "indexInRack" | "rackNodes" | "rackStart">,
    Partial<Pick<Topology, "mapSlots" | "reduceSlots">> {
  /** By node, where nodes have names of their own. */
  readonly nodeNames?: readonly string[];
}

/** Returns the layout of nodes in the order of their numbers. @param named at least one. */
export function layoutOf(named: readonly { readonly name: string; readonly rack: string }[]): Layout {
  const rackNames = [...new Set(named.map(({ rack }) => rack))];
  const placeOf = new Map(rackNames.map((name, rack) => [name, rack]));
  const rackOf = Int32Array.from(named, ({ rack }) => placeOf.get(rack) ?? 0);
  const nodesOf = new Int32Array(rackNames.length);
  const indexInRack = rackOf.map((rack) => nodesOf[rack]++);
  const placed = { nodes: named.length, racks: rackNames.length, rackOf, indexInRack };
  const nodeNames = namesOf(named);
  return { ...placed, ...groupByRack(placed), rackNames, nodeNames };
}

/** `rack03/node07`, or a name of its own: how reports call a node. */
export function nodeName(topology: Omit<Layout, "rackNodes" | "rackStart">, node: number): string {
  if (topology.nodeNames !== undefined) return topology.nodeNames[node];
  return `${topology.rackNames[topology.rackOf[node]]}/${nameInRack(topology, node)}`;
}

/** The same beside the name of its rack. */
export function nameInRack(
  { nodeNames, indexInRack }: Pick<Layout, "nodeNames" | "indexInRack">,
  node: number,
): string {
  return nodeNames === undefined ? `node${String(indexInRack[node]).padStart(2, "0")}` : nodeNames[node];
}

/** By rack, the numbers of its nodes by their position in it. */
export function nodesByPlace({ racks, rackStart, rackNodes }: Topology): Int32Array[] {
  return Array.from({ length: racks }, (_, rack) => rackNodes.subarray(rackStart[rack], rackStart[rack + 1]));
}
