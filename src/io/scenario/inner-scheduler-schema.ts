import { choice, either, mapping } from "./values.js";
import { waitSchema } from "./wait-schema.js";

const innerKind = choice(["fifo", "fair", "delay", "hfs"]);

/** The scheduler that an owner of jobs has: the name of its kind, or a mapping. */
export const innerSchema = either(
  [
    innerKind,
    mapping({
      kind: innerKind
        .prefault("fifo")
        .describe("hfs: pools are the users where owners are pools, or the other way round."),
      wait: waitSchema
        .optional()
        .describe("How long its jobs wait for data locality. Default: scheduler.wait, or that of the kind."),
    }),
  ],
  () => "fifo, fair, delay, hfs, or a mapping {kind, wait}",
);

/** What names the owner of a job. */
export const ownedBy = choice(["pool", "user"]);
