import { availableParallelism } from "node:os";
import type { SweepPlan } from "../experiments/sweep/sweep-plan.js";
import { jsonText } from "../io/results/summary-schema.js";
import { estimateSweep } from "../lab/sweep/estimate.js";
import type { PlannedSweep } from "../lab/sweep/planned-sweep.js";
import { sweepPlanReport } from "../report/sweep-plan-report.js";
import { interruptible } from "./interrupt.js";
import { print, printData, stdoutPaint } from "./printing.js";

/** Of each run that is tried; a sweep of long runs is not waited for. */
const LIMIT_SECONDS = 10;

/** `bide sweep FILE --dry-run`: what would be run, all of it on this machine, and how long that takes; nothing is kept. */
export async function sweepDryRun(
  plan: SweepPlan,
  { taskOf }: PlannedSweep,
  options: { readonly threads?: number; readonly anyway?: boolean; readonly json?: boolean },
): Promise<void> {
  const { threads = availableParallelism(), anyway = false, json } = options;
  const estimate = await interruptible(async (signal) =>
    estimateSweep(plan, taskOf, { threads, limitSeconds: LIMIT_SECONDS, anyway, signal }),
  );
  if (json === true) await printData(jsonText({ format: "bide-sweep-plan", version: 1, plan, estimate }));
  else await print(sweepPlanReport(plan, estimate, stdoutPaint()));
}
