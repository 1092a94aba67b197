import type * as z from "zod";
import { LONG_TASK_SETTINGS, type LongTaskBalanceSpec } from "../../../core/scenario/index.js";
import { type Problem, problemIf } from "../diagnose.js";
import { recordOf, shapeOf } from "../setting.js";
import { choice, either, mapping } from "../values.js";

// `scheduler.longTasks`: long maps keep away from nodes that run more of them than the average.

const settings = mapping(shapeOf(LONG_TASK_SETTINGS, {}));

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
