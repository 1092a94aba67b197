import { LIMITS } from "./limits.js";
import { choice, count, duration, durationHint, either, mapping, quantity } from "./values.js";

const time = duration(0, LIMITS.waitUs);
const skips = count(0, LIMITS.skips);
const fraction = quantity(0, LIMITS.maxFraction);

/** How long jobs wait for locality, whoever has them. */
export const waitSchema = either(
  [
    choice(["none", "auto"]),
    mapping({
      node: time.optional().describe("W1: time a job waits for a node-local slot. Default 10s."),
      rack: time.optional().describe("W2: further time it waits for a rack-local one. Default 5s."),
      row: time
        .optional()
        .describe("W3: further time it waits for one in its row, where the cluster has rows. Default: as rack."),
      nodeSkips: skips
        .optional()
        .describe("D1: opportunities skipped while waiting for a node-local slot. Default 270."),
      rackSkips: skips.optional().describe("D2: further ones while waiting for a rack-local slot. Default 30."),
      rowSkips: skips
        .optional()
        .describe(
          "D3: further ones while waiting for one in its row, where the cluster has rows. Default: as rackSkips.",
        ),
      nodeFraction: fraction.optional().describe("D1 as a fraction of the number of nodes, rounded up. Default 0."),
      rackFraction: fraction.optional().describe("D2 as a fraction of the number of nodes, rounded up. Default 0."),
      rowFraction: fraction
        .optional()
        .describe("D3 as a fraction of the number of nodes, rounded up. Default: as rackFraction."),
    }),
  ],
  (input) =>
    "none, auto, a mapping {node: 10s, rack: 5s}, {nodeSkips: 270, rackSkips: 30} or " +
    `{nodeFraction: 1, rackFraction: 0.5}${durationHint(input)}`,
);
