import { LIMITS } from "./limits.js";
import { choice, duration, either, mapping, quantity } from "./values.js";

const settings = mapping({
  over: duration(1, LIMITS.taskUs)
    .optional()
    .describe("A job is long whose finished maps took more than this on average. Default: overMean decides."),
  overMean: quantity(0.001, LIMITS.longFactor)
    .optional()
    .describe("A job is long whose finished maps took more than so many times the mean of all. Default 2."),
  newJobs: choice(["long", "short"])
    .prefault("long")
    .describe("What jobs count as before one of their maps has finished."),
  slack: quantity(0, LIMITS.slotsPerNode)
    .prefault(0)
    .describe("Long maps that a node may run beyond the average and still take another."),
});

/** `scheduler.longTasks` */
export const longTaskBalanceSchema = either(
  [choice(["off", "balance"]), settings],
  () => "off, balance, or a mapping {over, overMean: 2, newJobs: long, slack: 0}",
);
