import { z } from "zod";
import { DEFAULT_PARTITION } from "../../core/scenario/defaults.js";
import { innerSchema, ownedBy } from "./inner-scheduler-schema.js";
import { choice, mapping, quantity } from "./values.js";

/** `scheduler.partition`. */
export const partitionSchema = mapping({
  by: ownedBy
    .prefault(DEFAULT_PARTITION.by)
    .describe("Who owns a job, and with it a private cluster: its pool, or its user."),
  deal: choice(["striped", "contiguous"])
    .prefault(DEFAULT_PARTITION.deal)
    .describe("striped: nodes are dealt out like cards, rack after rack. contiguous: each owner's stand side by side."),
  weights: z
    .record(z.string(), quantity(0.001, 1_000_000), { error: () => "a mapping from owners to weights" })
    .optional()
    .describe("Nodes are dealt out by weight; an owner that is not named weighs 1."),
  inner: innerSchema
    .optional()
    .describe(
      "Who schedules in the private clusters: fifo, fair, delay, hfs, or a mapping {kind, wait}. Default fifo.",
    ),
});
