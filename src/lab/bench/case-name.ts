import { formatTime } from "../../core/kernel/time.js";
import type { WaitSpec } from "../../core/scenario/scenario.js";
import type { DecisionCase } from "./decision-case.js";

/** `hfs, 2500 x (2+2), 100 jobs x (1000+1000), 20 pools, wait 5s+5s`: what tells a case from others. */
export function caseName(which: DecisionCase): string {
  const { nodes, mapSlots, reduceSlots, jobs, maps, reduces, pools, kind, wait } = which;
  const { tasksPerHeartbeat, updateIntervalUs, assignments } = which;
  return [
    kind,
    `${String(nodes)} x (${String(mapSlots)}+${String(reduceSlots)})`,
    `${String(jobs)} jobs x (${String(maps)}+${String(reduces)})`,
    ...(kind === "hfs" ? [`${String(pools)} pools`] : []),
    waitName(wait),
    ...(tasksPerHeartbeat === Infinity ? [] : [`${String(tasksPerHeartbeat)} per heartbeat`]),
    ...(updateIntervalUs === 0 ? ["demands always fresh"] : []),
    ...(assignments === Infinity ? [] : [`the first ${String(assignments)}`]),
  ].join(", ");
}

function waitName(wait: WaitSpec): string {
  switch (wait.kind) {
    case "none":
      return "no wait";
    case "auto":
      return "wait auto";
    case "time":
      return `wait ${formatTime(wait.nodeUs)}+${formatTime(wait.rackUs)}`;
    case "skips":
      return `wait ${String(wait.node)}+${String(wait.rack)} skips`;
    case "fraction":
      return `wait ${String(wait.node)}+${String(wait.rack)} of nodes`;
  }
}
