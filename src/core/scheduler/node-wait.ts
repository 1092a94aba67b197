import type { WaitSpec } from "../scenario/scenario.js";
import { autoWaitUs } from "./auto-wait.js";

/**
 * How long a job waits for a slot on a node with its data before it goes farther: in microseconds, or in opportunities for
 * the kinds that count those; 0: it does not.
 */
export function nodeWait(wait: WaitSpec, heartbeatUs: number, nodes: number): number {
  switch (wait.kind) {
    case "none":
      return 0;
    case "time":
      return wait.nodeUs;
    case "auto":
      return autoWaitUs(heartbeatUs);
    case "skips":
      return wait.node;
    case "fraction":
      return Math.ceil(wait.node * nodes);
  }
}
