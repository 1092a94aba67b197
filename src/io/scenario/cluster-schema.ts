import {
  bandwidthOr,
  choice,
  count,
  duration,
  durationHint,
  either,
  label,
  listOf,
  mapping,
  quantity,
} from "./values.js";
import { LIMITS } from "./limits.js";
import { NODE_KEYS, nodeShape } from "./node-schema.js";

const uplink = bandwidthOr("unlimited", LIMITS.minBandwidth, LIMITS.maxBandwidth);

const nodeGroup = mapping({
  count: count(1, LIMITS.nodes).prefault(1).describe("How many nodes of this kind."),
  ...nodeShape,
});

const rackGroup = mapping({
  name: label().optional().describe("Name in reports; with a count above 1, numbers are appended: fast-1, fast-2."),
  count: count(1, LIMITS.racks).prefault(1).describe("How many racks of this kind."),
  nodes: either(
    [count(1, LIMITS.nodes), listOf(nodeGroup, "node groups")],
    () => `a whole number of nodes, or a list of node groups {count, ${NODE_KEYS.join(", ")}}`,
  )
    .optional()
    .describe("Nodes of the rack: a number, or groups of equal nodes. Default: cluster.nodesPerRack."),
  ...nodeShape,
  row: label().optional().describe("The row of racks it stands in. For all racks or none. Default: there are no rows."),
  uplink: uplink
    .optional()
    .describe(
      "Detailed model: bandwidth between the rack and the rest, each way. Default by cluster.oversubscription.",
    ),
});

const heartbeatRule = mapping({
  rule: choice(["hadoop-0.20", "hadoop-1.1"]).describe(
    "hadoop-0.20: max(3 s, factor x ceil(nodes / perSecond) s). hadoop-1.1: max(0.3 s, factor x nodes / perSecond s).",
  ),
  perSecond: count(1, 1_000_000).prefault(100).describe("Heartbeats per second the master is to receive."),
  scalingFactor: quantity(LIMITS.minFactor, LIMITS.maxFactor).prefault(1).describe("Multiplies the interval."),
});

const network = mapping({
  settle: duration(LIMITS.minSettleUs, LIMITS.maxSettleUs)
    .optional()
    .describe("Rates of transfers between racks are settled at multiples of it. Default 250ms."),
  rowUplink: uplink.optional().describe("Bandwidth between a row of racks and the core, each way. Default unlimited."),
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
  ...nodeShape,
  oversubscription: quantity(1, LIMITS.maxOversubscription)
    .optional()
    .describe(
      "Detailed model: the links of a rack's nodes together, over its uplink, where it names none. Default 1: uplinks never limit.",
    ),
  network: network.optional().describe("Detailed model: the network between racks."),
  heartbeat: either(
    [duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs), heartbeatRule],
    (input) => `a time from 1ms to 30m, or a mapping {rule, perSecond, scalingFactor}${durationHint(input)}`,
  )
    .optional()
    .describe(
      "How often each node reports: an interval, or a rule by cluster size. Default: 3s; under the rules of a Hadoop release, its own.",
    ),
  heartbeatJitter: quantity(0, LIMITS.maxJitter)
    .optional()
    .describe("Each heartbeat comes up to this share of the interval late, drawn anew for each. Default 0: none is."),
  outOfBandDelay: duration(0, LIMITS.maxHeartbeatUs)
    .optional()
    .describe(
      "The end of an attempt makes its node send a heartbeat so much later, beside the regular ones; at least 1ms. Default 0: it does not.",
    ),
});
