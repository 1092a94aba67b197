import type { AllocationsSpec } from "../../core/scenario/scenario.js";
import { allocationPlaces } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import type { SchedulerFile } from "./scheduler-schema.js";
import { printable } from "./show.js";

/**
 * Limits of 0 in allocation files, which Hadoop accepts: jobs under them never end, and neither does a run that waits for
 * all jobs. In a scenario's own allocations they are refused anyway.
 */
export function endlessProblems(file: SchedulerFile, imports: Imports): Problem[] {
  return allocationPlaces(file).flatMap(({ path, given }) => {
    if (typeof given !== "string") return [];
    const zero = zeroLimit(imports.files.get(given)?.allocations);
    if (zero === null) return [];
    const found = `${zero} of 0 in ${printable(given)} where run.until is end`;
    return [valueProblem(path, found, "at least 1, or a time for run.until: jobs under it would never end")];
  });
}

function zeroLimit(allocations: AllocationsSpec | undefined): string | null {
  if (allocations === undefined) return null;
  if (allocations.poolMaxJobs === 0) return "a job limit of all pools";
  if (allocations.userMaxJobs === 0) return "a job limit of all users";
  const pool = allocations.pools.find(({ maxMaps, maxReduces, maxJobs }) => [maxMaps, maxReduces, maxJobs].includes(0));
  if (pool !== undefined) return `a limit of pool ${printable(pool.name)}`;
  const user = allocations.users.find(({ maxJobs }) => maxJobs === 0);
  return user === undefined ? null : `a job limit of user ${printable(user.name)}`;
}
