import type { Scenario } from "../core/scenario/scenario.js";

/** The scenario with malformed lines of its trace skipped and counted; null when its workload reads no trace. */
export function lenient(scenario: Scenario): Scenario | null {
  const { workload } = scenario;
  return "lenient" in workload ? { ...scenario, workload: { ...workload, lenient: true } } : null;
}
