import { assert } from "../kernel/assert.js";
import type { ClusterSpec } from "../scenario/cluster-spec.js";
import type { RuntimeSpec } from "../scenario/runtime-spec.js";
import { shortestGapUs } from "./beats.js";
import type { Topology } from "./topology.js";

/**
 * The promise of every rack, stated here and nowhere else: what the reply to a heartbeat at `t` causes is reported at
 * `t + lookaheadUs` or later. It is the least of
 *
 * - the shortest time between two regular heartbeats of a node, for such a heartbeat reports it at the earliest;
 * - the delay of out-of-band heartbeats, where there are any, for one comes so long after the end that it reports;
 * - in the detailed model, half the start-up of an attempt: a rack tells others of a transfer when the start-up is half
 *   over, and they need as long to answer.
 */
export function lookaheadUs(
  cluster: Pick<ClusterSpec, "heartbeatJitter" | "outOfBandDelayUs">,
  runtime: Pick<RuntimeSpec, "model" | "io">,
  topology: Pick<Topology, "heartbeatUs">,
): number {
  let us = shortestGapUs(topology, cluster);
  if (cluster.outOfBandDelayUs > 0) us = Math.min(us, cluster.outOfBandDelayUs);
  if (runtime.model === "detailed") us = Math.min(us, Math.floor(runtime.io.taskStartUs / 2));
  assert(us >= 1, "the lookahead is less than a microsecond");
  return us;
}

/**
 * What light racks promise of an attempt beyond that, from what its launch says: it does not end sooner. So whoever runs
 * them may hear of the launch later.
 */
export class SoonestEnds {
  private readonly leastFactor: number;
  private readonly greatestSpeed: number;
  /** By slot: how long a reduce that waits for its maps runs at least after their end. */
  private readonly afterMapsUs: Float64Array;

  constructor(
    { localityFactor }: Pick<RuntimeSpec, "localityFactor">,
    { speed, rackSlotStart, racks }: Pick<Topology, "speed" | "rackSlotStart" | "racks">,
  ) {
    const { node, rack, row, any } = localityFactor;
    this.leastFactor = Math.min(node, rack, row, any);
    this.greatestSpeed = speed.reduce((most, of) => Math.max(most, of), 0);
    this.afterMapsUs = new Float64Array(rackSlotStart[racks]);
  }

  /** The soonest end of a map launched at `atUs`. */
  ofMapUs(atUs: number, lengthUs: number): number {
    return atUs + Math.floor((lengthUs * this.leastFactor) / this.greatestSpeed);
  }

  /** The soonest end of a reduce launched at `atUs`; Infinity where it has to be told of its maps before. */
  ofReduceUs(atUs: number, slot: number, copyUs: number, reduceUs: number, mapsDone: boolean): number {
    const leastUs = Math.floor(reduceUs / this.greatestSpeed);
    if (mapsDone) return atUs + copyUs + leastUs;
    this.afterMapsUs[slot] = leastUs;
    return Infinity;
  }

  /** The soonest end of the reduce that was launched last in the slot, and is told at `atUs` that its maps have ended. */
  afterMaps(atUs: number, slot: number): number {
    return atUs + this.afterMapsUs[slot];
  }
}
