import type { QuincySpec } from "../../core/scenario/quincy-spec.js";
import { quincySchema } from "./quincy-schema.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

/** undefined: another kind decides. */
export function resolveQuincy({ kind, quincy }: SchedulerSettings): QuincySpec | undefined {
  if (kind !== "quincy") return undefined;
  const { policy, rackCost, coreCost, waitCost, solveEvery } = quincy ?? quincySchema.parse({});
  return { policy, rackCost, coreCost, waitCost, solveEveryUs: solveEvery };
}
