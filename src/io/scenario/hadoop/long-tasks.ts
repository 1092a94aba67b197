import type * as z from "zod";
import type { LongTaskBalanceSpec } from "../../../core/scenario/index.js";
import { type Problem, problemIf } from "../diagnose.js";
import { LIMITS } from "../limits.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, duration, either, mapping, quantity } from "../values.js";

// `scheduler.longTasks`: long maps keep away from nodes that run more of them than the average.

const settings = mapping({
  over: optional(
    duration(1, LIMITS.taskUs),
    "A job is long whose finished maps took more than this on average.",
    "overMean decides",
    "overUs",
  ),
  overMean: setting(
    quantity(0.001, LIMITS.longFactor),
    "A job is long whose finished maps took more than so many times the mean of all.",
    2,
  ),
  newJobs: setting(choice(["long", "short"]), "What jobs count as before one of their maps has finished.", "long"),
  slack: setting(
    quantity(0, LIMITS.slotsPerNode),
    "Long maps that a node may run beyond the average and still take another.",
    0,
  ),
});

export const longTasksSchema = either(
  [choice(["off", "balance"]), settings],
  () => "off, balance, or a mapping {over, overMean: 2, newJobs: long, slack: 0}",
);

type LongTasksFile = z.output<typeof longTasksSchema>;

/** undefined: long tasks are not balanced. */
export function resolveLongTasks(file: LongTasksFile | undefined): LongTaskBalanceSpec | undefined {
  if (file === undefined || file === "off") return undefined;
  return { overUs: null, ...recordOf(settings, file === "balance" ? {} : file) };
}

/** A job is long by one measure, not two. */
export function longTaskProblems(file: LongTasksFile | undefined): Problem[] {
  return problemIf(
    typeof file === "object" && file.over !== undefined && file.overMean !== undefined,
    ["scheduler", "longTasks"],
    "both over and overMean for scheduler.longTasks",
    "one of the two; both say what a long task is",
  );
}
