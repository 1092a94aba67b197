import { requireNonNegative, requireWhole } from "./domain.js";

/** Nodes that are alike, all slots free until their first heartbeat that has tasks to give. In whole microseconds. */
export interface BeatingNodes {
  readonly slotsPerNode: number;
  readonly heartbeatUs: number;
  /** By node; within one interval of each other. */
  readonly firstBeatUs: readonly number[];
}

/**
 * When the master learns that the last of `tasks` equal tasks of `taskUs` (T) has ended. A slot gets its next task not when one ends
 * but on the first heartbeat (h) of its node at or after that, so every wave lasts ceil(T / h) h; all waves are full but the last,
 * which takes the nodes whose heartbeats come first.
 * @throws RangeError unless tasks, slotsPerNode, heartbeatUs and taskUs are whole and >= 1, and there are nodes, whose first heartbeats
 * are whole and >= 0.
 */
export function equalTasksUs(nodes: BeatingNodes, tasks: number, taskUs: number): number {
  const { slotsPerNode, heartbeatUs, firstBeatUs } = nodes;
  requireWhole("slotsPerNode", slotsPerNode, 1);
  requireWhole("heartbeatUs", heartbeatUs, 1);
  requireWhole("tasks", tasks, 1);
  requireWhole("taskUs", taskUs, 1);
  requireWhole("firstBeatUs.length", firstBeatUs.length, 1);
  for (const beat of firstBeatUs) requireWhole("firstBeatUs", beat, 0);
  const beats = [...firstBeatUs].sort((a, b) => a - b);
  requireNonNegative("heartbeatUs less the spread of firstBeatUs", heartbeatUs - (beats[beats.length - 1] - beats[0]));
  const slots = slotsPerNode * beats.length;
  const waves = Math.ceil(tasks / slots);
  const lastNode = Math.ceil((tasks - (waves - 1) * slots) / slotsPerNode) - 1;
  return beats[lastNode] + waves * Math.ceil(taskUs / heartbeatUs) * heartbeatUs;
}
