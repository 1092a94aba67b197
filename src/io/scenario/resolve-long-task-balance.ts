import type { LongTaskBalanceSpec } from "../../core/scenario/long-task-balance-spec.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

type LongTasksFile = SchedulerSettings["longTasks"];

const DEFAULT_OVER_MEAN = 2;

/** undefined: long tasks are not balanced. */
export function resolveLongTaskBalance(file: LongTasksFile): LongTaskBalanceSpec | undefined {
  if (file === undefined || file === "off") return undefined;
  if (file === "balance") return { overUs: null, overMean: DEFAULT_OVER_MEAN, newJobs: "long", slack: 0 };
  const { over, overMean, newJobs, slack } = file;
  return { overUs: over ?? null, overMean: overMean ?? DEFAULT_OVER_MEAN, newJobs, slack };
}
