import { placeBlocks } from "./block-placement.js";
import type { Draws } from "./monte-carlo.js";

export interface DelayedJob {
  readonly tasks: number;
  readonly nodes: number;
  readonly replication: number;
  readonly maxSkips: number;
  /**
   * `oncePerStreak`: the paper's Algorithm 2, where after `maxSkips` skips non-local launches need no further wait
   * until a local one resets the count. `everyTask`: the count restarts at every launch, as its analysis assumes.
   */
  readonly waits: "oncePerStreak" | "everyTask";
}

/**
 * The fraction of local tasks of one job that heads the line throughout and is skipped at most `maxSkips` times in a
 * row: every offer is a random node, blocks lie on `replication` different random nodes each.
 */
export function localityOfDelayedJob(draws: Draws, job: DelayedJob): number {
  const pendingOn: Set<number>[] = Array.from({ length: job.nodes }, () => new Set());
  const pending = new Set<number>();
  const placement = placeBlocks(draws, job.tasks, job.nodes, job.replication);
  placement.forEach((holders, task) => {
    pending.add(task);
    for (const node of holders) pendingOn[node].add(task);
  });
  let skips = 0;
  let local = 0;
  while (pending.size > 0) {
    const node = draws.below(job.nodes);
    let task = pendingOn[node].values().next().value;
    if (task !== undefined) {
      local += 1;
      skips = 0;
    } else if (skips >= job.maxSkips) {
      task = [...pending][draws.below(pending.size)];
      if (job.waits === "everyTask") skips = 0;
    } else {
      skips += 1;
      continue;
    }
    pending.delete(task);
    for (const holder of placement[task]) pendingOn[holder].delete(task);
  }
  return local / job.tasks;
}
