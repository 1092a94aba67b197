import { z } from "zod";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import { LIMITS } from "./limits.js";
import { allowedNames } from "./near-miss.js";
import { count, countOr, duration, durationHint, label, quantity } from "./scalars.js";
import { choice, either, listOf, mapping } from "./shapes.js";

const KIND_NAMES = SCHEDULER_KINDS.map((kind) => kind.name) as [string, ...string[]];
const kindName = choice(KIND_NAMES).describe(
  SCHEDULER_KINDS.map(({ name, summary }) => `${name}: ${summary}.`).join(" "),
);

const time = duration(0, LIMITS.waitUs);
const skips = count(0, LIMITS.skips);

const wait = either(
  [
    choice(["none"]),
    mapping({
      node: time.optional().describe("W1: time a job waits for a node-local slot. Default 10s."),
      rack: time.optional().describe("W2: further time it waits for a rack-local one. Default 5s."),
      nodeSkips: skips
        .optional()
        .describe("D1: opportunities skipped while waiting for a node-local slot. Default 270."),
      rackSkips: skips.optional().describe("D2: further ones while waiting for a rack-local slot. Default 30."),
    }),
  ],
  (input) =>
    `none, a mapping {node: 10s, rack: 5s}, or a mapping {nodeSkips: 270, rackSkips: 30}${durationHint(input)}`,
);

const share = count(0, LIMITS.nodes * LIMITS.slotsPerNode);
// A max of 0 would be a pool whose jobs never end.
const most = countOr("unlimited", 1, LIMITS.nodes * LIMITS.slotsPerNode);
const poolSettings = {
  weight: quantity(0.001, 1_000_000).prefault(1).describe("Share relative to the other pools."),
  minMaps: share.prefault(0).describe("Map slots promised while there is demand for them."),
  minReduces: share.prefault(0).describe("Reduce slots promised while there is demand for them."),
  maxMaps: most.prefault("unlimited").describe("Most maps at once."),
  maxReduces: most.prefault("unlimited").describe("Most reduces at once."),
  mode: choice(["fair", "fifo"]).prefault("fair").describe("Order of the jobs inside the pool."),
};

const pools = either(
  [listOf(mapping({ name: label(), ...poolSettings }), "pools"), z.record(z.string(), mapping(poolSettings))],
  () => "a list of pools {name, weight, ...}, or a mapping from names to {weight, minMaps, ...}",
);

const composition = mapping({
  kind: kindName.prefault("hfs"),
  wait: wait.optional().describe("How long a job waits for data locality. Default: that of the kind."),
  tasksPerHeartbeat: countOr("all", 1, 2 * LIMITS.slotsPerNode)
    .prefault("all")
    .describe("Most tasks handed out on one heartbeat; all: one for every free slot."),
  updateInterval: duration(0, LIMITS.waitUs)
    .optional()
    .describe("Demands and shares are refreshed this often; 0: always fresh. Default: that of the kind."),
  pools: pools.optional().describe("Named pools; others are made on first use with weight 1."),
});

/** `scheduler`: the name of a kind, or a mapping. */
export const schedulerSchema = either([kindName, composition], (input) =>
  typeof input === "string"
    ? allowedNames(KIND_NAMES, input)
    : `one of ${KIND_NAMES.join(", ")}, or a mapping {kind, wait, tasksPerHeartbeat, updateInterval, pools}`,
)
  .prefault("hfs")
  .describe("Which task a free slot gets: a kind, or a mapping with kind, wait and pools.");
