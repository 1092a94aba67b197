import type { JobColumns } from "./run-record.js";

/** The jobs submitted at or after an instant. Columns of numbers are views of those given. */
export function jobsFrom(jobs: JobColumns, cutUs: number): JobColumns {
  let first = 0;
  // In submission order.
  while (first < jobs.rows && jobs.submitAtUs[first] < cutUs) first++;
  if (first === 0) return jobs;
  const { rows } = jobs;
  return {
    rows: rows - first,
    name: jobs.name.slice(first, rows),
    user: jobs.user.slice(first, rows),
    pool: jobs.pool.slice(first, rows),
    placedIn: jobs.placedIn.slice(first, rows),
    priority: jobs.priority.subarray(first, rows),
    maps: jobs.maps.subarray(first, rows),
    reduces: jobs.reduces.subarray(first, rows),
    submitAtUs: jobs.submitAtUs.subarray(first, rows),
    firstLaunchAtUs: jobs.firstLaunchAtUs.subarray(first, rows),
    fairShareAtUs: jobs.fairShareAtUs.subarray(first, rows),
    endAtUs: jobs.endAtUs.subarray(first, rows),
    hasFailed: jobs.hasFailed.subarray(first, rows),
    deadlineAtUs: jobs.deadlineAtUs.subarray(first, rows),
    nodeLocalMaps: jobs.nodeLocalMaps.subarray(first, rows),
    rackLocalMaps: jobs.rackLocalMaps.subarray(first, rows),
    rowLocalMaps: jobs.rowLocalMaps.subarray(first, rows),
    offRackMaps: jobs.offRackMaps.subarray(first, rows),
    localityWaitUs: jobs.localityWaitUs.subarray(first, rows),
    longestLocalityWaitUs: jobs.longestLocalityWaitUs.subarray(first, rows),
    waitClockUs: jobs.waitClockUs.subarray(first, rows),
    waitClockSkips: jobs.waitClockSkips.subarray(first, rows),
    mapsPendingUs: jobs.mapsPendingUs.subarray(first, rows),
  };
}
