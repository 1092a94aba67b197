import { formatTime } from "../core/kernel/time.js";
import type { WaitSpec } from "../core/scenario/scenario.js";

/** `W1 10s, W2 5s`, `D1 270, D2 30` or `no wait`, as the paper calls them. */
export function waitWords(wait: WaitSpec): string {
  if (wait.kind === "none") return "no wait";
  if (wait.kind === "skips") return `D1 ${String(wait.node)}, D2 ${String(wait.rack)} skips`;
  return `W1 ${formatTime(wait.nodeUs)}, W2 ${formatTime(wait.rackUs)}`;
}
