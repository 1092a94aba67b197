import type { Scenario } from "./scenario.js";

/** Some job may need a file on its node. */
export function mayNeedFiles({ storage, workload }: Pick<Scenario, "storage" | "workload">): boolean {
  if (workload.kind === "jobs") return workload.jobs.some(({ cacheFile }) => cacheFile !== undefined);
  return storage.cachedFiles !== undefined && (workload.kind === "facebook" || workload.kind === "benchmark");
}
