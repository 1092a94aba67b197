import type { Topology } from "../topology.js";

interface Slowing {
  readonly atUs: number;
  readonly factor: number;
}

/**
 * How fast the nodes of a rack compute, over time. It remembers every change, so that a command which arrives after the
 * rack has gone on finds the speed that held at its own time.
 */
export class ComputingSpeed {
  private readonly history = new Map<number, Slowing[]>();

  constructor(private readonly topology: Topology) {}

  /** From `atUs` on the node's speed is divided by `factor`. Calls come in order of time. */
  change(node: number, atUs: number, factor: number): void {
    const changes = this.history.get(node);
    if (changes === undefined) this.history.set(node, [{ atUs, factor }]);
    else changes.push({ atUs, factor });
  }

  /** When `workUs` of computing, on a node of speed 1, that begins at `fromUs` is done, as far as is known. */
  endUs(node: number, fromUs: number, workUs: number): number {
    const speed = this.topology.speed[node];
    const changes = this.history.get(node);
    if (changes === undefined) return fromUs + Math.round(workUs / speed);
    let nowUs = fromUs;
    let leftUs = workUs;
    let factor = 1;
    for (const change of changes) {
      if (change.atUs > nowUs) {
        const done = ((change.atUs - nowUs) * speed) / factor;
        if (done >= leftUs) break;
        leftUs -= done;
        nowUs = change.atUs;
      }
      factor = change.factor;
    }
    return nowUs + Math.round((leftUs * factor) / speed);
  }
}
