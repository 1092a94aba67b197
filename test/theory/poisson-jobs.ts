import type { Draws } from "./monte-carlo.js";
import type { Job } from "./platform-clusters.js";

/** Mean of the tasks below. */
export const TASK_US = 10_000_000;

/** Jobs of one task: exponential times between them and of them. */
export function poisson(draws: Draws, jobs: number, slots: number, load: number): Job[] {
  let nowUs = 0;
  return Array.from({ length: jobs }, () => {
    nowUs += Math.ceil(draws.exponential(TASK_US / (slots * load)));
    return { atUs: nowUs, stages: [{ parents: [], tasksUs: [Math.ceil(draws.exponential(TASK_US))] }] };
  });
}
