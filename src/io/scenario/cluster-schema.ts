import { LIMITS } from "./limits.js";
import { count, duration, durationHint, label, quantity } from "./scalars.js";
import { choice, either, listOf, mapping } from "./shapes.js";

const slots = count(0, LIMITS.slotsPerNode);
const speed = quantity(LIMITS.minSpeed, LIMITS.maxSpeed);

const mapSlots = slots.describe("Map slots of each node.");
const reduceSlots = slots.describe("Reduce slots of each node.");
const nodeSpeed = speed.describe("Speed relative to the nominal node; task times are divided by it.");

const nodeGroup = mapping({
  count: count(1, LIMITS.nodes).prefault(1).describe("How many nodes of this kind."),
  mapSlots: mapSlots.optional(),
  reduceSlots: reduceSlots.optional(),
  speed: nodeSpeed.optional(),
});

const rackGroup = mapping({
  name: label().optional().describe("Name in reports; with a count above 1, numbers are appended: fast-1, fast-2."),
  count: count(1, LIMITS.racks).prefault(1).describe("How many racks of this kind."),
  nodes: either(
    [count(1, LIMITS.nodes), listOf(nodeGroup, "node groups")],
    () => "a whole number of nodes, or a list of node groups {count, mapSlots, reduceSlots, speed}",
  )
    .optional()
    .describe("Nodes of the rack: a number, or groups of equal nodes. Default: cluster.nodesPerRack."),
  mapSlots: mapSlots.optional(),
  reduceSlots: reduceSlots.optional(),
  speed: nodeSpeed.optional(),
});

const heartbeatRule = mapping({
  rule: choice(["hadoop-0.20", "hadoop-1.1"]).describe(
    "hadoop-0.20: max(3 s, factor x ceil(nodes / perSecond) s). hadoop-1.1: max(0.3 s, factor x nodes / perSecond s).",
  ),
  perSecond: count(1, 1_000_000).prefault(100).describe("Heartbeats per second the master is to receive."),
  scalingFactor: quantity(LIMITS.minFactor, LIMITS.maxFactor).prefault(1).describe("Multiplies the interval."),
});

/** `cluster`: racks of nodes with slots. The defaults are the Facebook cluster of the paper (620 nodes). */
export const clusterSchema = mapping({
  racks: either(
    [count(1, LIMITS.racks), listOf(rackGroup, "rack groups")],
    () => `a whole number of racks from 1 to ${String(LIMITS.racks)}, or a list of rack groups`,
  )
    .prefault(31)
    .describe("A number of equal racks, or a list of rack groups that may differ."),
  nodesPerRack: count(1, LIMITS.nodes).prefault(20).describe("Nodes of each rack that does not say otherwise."),
  mapSlots: mapSlots.prefault(5),
  reduceSlots: reduceSlots.prefault(5),
  speed: nodeSpeed.prefault(1),
  heartbeat: either(
    [duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs), heartbeatRule],
    (input) => `a time from 1ms to 30m, or a mapping {rule, perSecond, scalingFactor}${durationHint(input)}`,
  )
    .optional()
    .describe(
      "How often each node reports: an interval, or a rule by cluster size. Default: 3s; under the rules of a Hadoop release, its own.",
    ),
});
