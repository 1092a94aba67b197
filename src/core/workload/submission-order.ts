import type { JobSpec } from "./job.js";

/** Jobs by submission time; jobs submitted at one instant stay in the order given. */
export function inSubmissionOrder(jobs: readonly JobSpec[]): JobSpec[] {
  return [...jobs].sort((a, b) => a.submitAtUs - b.submitAtUs);
}
