import { GATE_ORDERS } from "../../core/scenario/copy-compute-spec.js";
import { LIMITS } from "./limits.js";
import { choice, count, either, mapping, spelled } from "./values.js";

/** `runtime.copyCompute`: copy-compute splitting (EECS-2009-55). */
export const copyComputeSchema = either(
  [
    spelled<"off">(["off"], [[false, "off"]]),
    mapping({
      computing: count(1, LIMITS.slotsPerNode)
        .optional()
        .describe("Reduces of a node that may compute at once. Default: as many as it has reduce slots."),
      perJob: count(1, LIMITS.slotsPerNode)
        .optional()
        .describe("Reduces of one job on one node that have not begun to compute. Default: as `computing`."),
      order: choice(GATE_ORDERS)
        .optional()
        .describe(
          "Who computes next on a node. waiting: who has waited longest. submission: by the job's priority, then its submission. fair: whose job has fewest there that compute. Default waiting.",
        ),
    }),
  ],
  () => "off, or a mapping {computing: 2, perJob: 2, order: waiting}",
);
