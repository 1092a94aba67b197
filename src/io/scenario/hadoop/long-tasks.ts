import type * as z from "zod";
import type { LongTaskBalanceSpec } from "../../../core/scenario/index.js";
import { type Problem, problemIf } from "../diagnose.js";
import { LIMITS } from "../limits.js";
import { recordOf, setting } from "../setting.js";
import { choice, duration, either, mapping, quantity } from "../values.js";

// `scheduler.longTasks`: long maps keep away from nodes that run more of them than the average.

const settings = mapping({
  over: setting(duration(1, LIMITS.taskUs), {
    as: "overUs",
    usually: "overMean decides",
    says: "A job is long whose finished maps took more than this on average.",
  }),
  overMean: setting(quantity(0.001, LIMITS.longFactor), {
    default: 2,
    says: "A job is long whose finished maps took more than so many times the mean of all.",
  }),
  newJobs: setting(choice(["long", "short"]), {
    default: "long",
    says: "What jobs count as before one of their maps has finished.",
  }),
  slack: setting(quantity(0, LIMITS.slotsPerNode), {
    default: 0,
    says: "Long maps that a node may run beyond the average and still take another.",
  }),
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
