import { z } from "zod";
import { DEFAULT_OFFERS } from "../../core/scenario/defaults.js";
import { innerSchema, ownedBy } from "./inner-scheduler-schema.js";
import { LIMITS } from "./limits.js";
import { count, duration, durationOr, label, listOf, mapping, quantity } from "./values.js";

const nodes = mapping({
  rack: label().describe("The rack, by its name or its position from 0."),
  node: count(0, LIMITS.nodes - 1)
    .optional()
    .describe("The node, by its position in the rack, from 0. Default: all of the rack."),
});

const refuseFor = duration(0, LIMITS.refuseUs);
const answerAfter = duration(0, LIMITS.refuseUs);
const minFree = count(0, LIMITS.slotsPerNode);

const framework = mapping({
  weight: quantity(0.001, 1_000_000).optional().describe("Relative claim among frameworks of its priority. Default 1."),
  priority: count(0, 100).optional().describe("Those of a higher one are offered everything first. Default 0."),
  inner: innerSchema.optional().describe("Who schedules inside. Default: as of all."),
  refuseFor: refuseFor.optional().describe("Default: as of all."),
  answerAfter: answerAfter.optional().describe("Default: as of all."),
  nodes: listOf(nodes, "racks and nodes {rack, node}")
    .optional()
    .describe("It is offered nothing elsewhere. Default: it may be anywhere."),
  minFreeMaps: minFree.optional().describe("Fewer free map slots of a node are not offered to it. Default 0."),
  minFreeReduces: minFree.optional().describe("Fewer free reduce slots of a node are not offered to it. Default 0."),
});

/** `scheduler.offers`. */
export const offersSchema = mapping({
  by: ownedBy.prefault(DEFAULT_OFFERS.by).describe("Which jobs are one framework's: those of a pool, or of a user."),
  inner: innerSchema
    .optional()
    .describe("Who schedules inside a framework: fifo, fair, delay, hfs, or a mapping {kind, wait}. Default fifo."),
  refuseFor: refuseFor
    .prefault("5s")
    .describe("For so long a node is not offered again to who left its slots free, unless more of them are free."),
  answerAfter: answerAfter
    .prefault(0)
    .describe("Between offer and answer; meanwhile the slots count as used. Default 0: at once."),
  rescindAfter: durationOr("never", 1_000, LIMITS.refuseUs)
    .prefault("never")
    .describe("An offer without an answer for so long is taken back."),
  frameworks: z
    .record(z.string(), framework, { error: () => "a mapping from frameworks to their settings" })
    .optional()
    .describe("What is different about some of them, by the name of their pool or user."),
});

export type OffersFile = z.output<typeof offersSchema>;
export type FrameworkFile = z.output<typeof framework>;
