import { bandwidth, count, countOr, quantity, sizeOr } from "./values.js";
import { LIMITS } from "./limits.js";

const slots = count(0, LIMITS.slotsPerNode);
const room = sizeOr("unlimited", 1, LIMITS.maxRoomBytes);
const perSecond = bandwidth(LIMITS.minBandwidth, LIMITS.maxBandwidth);

/** What every node has; a node group that does not say it inherits it from its rack group, that from `cluster`. */
export const nodeShape = {
  mapSlots: slots.optional().describe("Map slots of each node. Default 5."),
  reduceSlots: slots.optional().describe("Reduce slots of each node. Default 5."),
  speed: quantity(LIMITS.minSpeed, LIMITS.maxSpeed)
    .optional()
    .describe("Speed relative to the nominal node; task times are divided by it. Default 1."),
  disk: perSecond
    .optional()
    .describe("Detailed model: bandwidth of all disks of a node together, reading and writing. Default 240MB/s."),
  link: perSecond
    .optional()
    .describe("Detailed model: bandwidth between a node and its rack's switch, each way. Default 119MB/s."),
  memory: room.optional().describe("What the tasks on a node may use together. Default unlimited."),
  diskSpace: room.optional().describe("Room for map output on a node. Default unlimited."),
  loadLimit: countOr("unlimited", 1, LIMITS.loadLimit)
    .optional()
    .describe("How many tasks may compute at once before a node offers no further slot. Default unlimited."),
};

/** What may be said of a node. */
export const NODE_KEYS = Object.keys(nodeShape) as readonly (keyof typeof nodeShape)[];
