import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

/** A job is long by one measure, not two. */
export function longTaskBalanceProblems(file: SchedulerSettings["longTasks"]): Problem[] {
  if (typeof file !== "object" || file.over === undefined || file.overMean === undefined) return [];
  const found = "both over and overMean for scheduler.longTasks";
  return [valueProblem(["scheduler", "longTasks"], found, "one of the two: they say what a long task is")];
}
