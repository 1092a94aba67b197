import { z } from "zod";
import { LIMITS } from "./limits.js";
import { choice, count, countOr, duration, durationOrNull, either, flag, mapping, quantity } from "./values.js";
import { allowedNames } from "./show.js";

const every = (usual: string) =>
  duration(LIMITS.minLookUs, LIMITS.waitUs).prefault(usual).describe("How often the rule looks at the blocks.");
const maxReplicas = countOr("nodes", 1, LIMITS.nodes)
  .prefault("nodes")
  .describe("No block gets more; nodes: one per node.");

const dsbra = mapping({
  rule: z.literal("dsbra"),
  every: every("1m"),
  variant: choice(["intended", "asPrinted"])
    .prefault("intended")
    .describe(
      "What the print leaves open is settled by all of what follows beyond `step`; each can be given by itself.",
    ),
  alpha: quantity(0, 1).prefault(0.5).describe("Weight of the present load; the rest is history."),
  delay: durationOrNull("scheduler", 1, LIMITS.waitUs)
    .prefault("scheduler")
    .describe("D, what delays are shares of; scheduler: its wait for nodes."),
  step: quantity(0.001, 1).prefault(0.2).describe("Least average, least excess, and excess per replica added."),
  halved: flag().optional().describe("RF is half of the weighted sum."),
  loops: choice(["nested", "twoPasses"]).optional().describe("Blocks are gone through for every node, or once."),
  targets: choice(["descending", "ascending"]).optional().describe("Order of the nodes, by their averages."),
  removeAt: quantity(0, 1).optional().describe("A block at or below it may lose a replica while others gain some."),
  rounding: choice(["floor", "round", "ceil"]).optional().describe("Of the number of replicas to add."),
  history: choice(["cumulative", "exponential"]).optional().describe("What Y is an average of."),
  average: choice(["all", "read", "delayed"]).optional().describe("Blocks over whose average a hot one is."),
  gate: choice(["all", "read", "delayed"]).optional().describe("Blocks whose average must be above `step`."),
  beyondDelay: choice(["full", "capped"]).optional().describe("How a delay beyond D counts."),
  readersFrom: count(0, 1).optional().describe("Where the tasks that read a block are counted from."),
  nodeAverages: choice(["fixed", "updated"]).optional().describe("Averages of nodes follow what is ordered, or not."),
  maxReplicas,
});

const hotSpots = mapping({
  rule: z.literal("hotSpots"),
  every: every("10s"),
  readersPerReplica: quantity(1, LIMITS.tasksPerPhase)
    .prefault(2)
    .describe("Maps, pending or running, that share one replica of their block."),
  cool: duration(0, LIMITS.waitUs)
    .prefault("1m")
    .describe("How long a block needs fewer replicas before it loses any."),
  maxReplicas,
});

const byRule = z.discriminatedUnion("rule", [dsbra, hotSpots], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? allowedNames(["dsbra", "hotSpots"], (issue.input as { rule?: unknown }).rule)
      : "a mapping with a rule: dsbra, hotSpots",
});

/** `storage.dynamicReplication` */
export const replicationSchema = either(
  [choice(["off", "dsbra", "hotSpots"]), byRule],
  () => "off, dsbra, hotSpots, or a mapping with a rule and its settings",
).transform((input) => (input === "dsbra" || input === "hotSpots" ? byRule.parse({ rule: input }) : input));
