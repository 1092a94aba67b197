import type { Topology } from "../cluster/topology.js";
import { LevelMeter } from "../metrics/level-meter.js";
import type { CopyComputeSpec } from "../scenario/copy-compute-spec.js";
import { GONE, type Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";

export interface CopyingReducesParts {
  readonly topology: Topology;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
}

/** `spec`: null where there is no splitting. */
export function buildCopyingReduces(spec: CopyComputeSpec | null, parts: CopyingReducesParts): CopyingReduces | null {
  return spec === null ? null : new CopyingReduces(spec, parts);
}

const COPYING = 0;
const PARKED = 1;
const PAST = 2;

/**
 * Which reduces have not passed the gates of their nodes, by what heartbeats have told; and whether a node may be given another
 * one of a job, which may have only so many of those there (EECS-2009-55).
 */
export class CopyingReduces {
  /** Reduces that have copied everything and do not compute, as far as the master knows. */
  readonly parked = new LevelMeter();
  /** Some node may be refused to some job. */
  readonly isSelective: boolean;
  /** By slot. */
  private readonly state: Uint8Array;

  constructor(
    private readonly spec: CopyComputeSpec,
    private readonly parts: CopyingReducesParts,
  ) {
    this.state = new Uint8Array(parts.attempts.slots);
    this.isSelective = parts.topology.reduceSlots.some((slots) => slots > spec.perJob);
  }

  /** The node may be given another reduce of the job. */
  hasRoom(job: number, node: number): boolean {
    const { topology, slots, attempts } = this.parts;
    const first = topology.slotStart[node] + topology.mapSlots[node];
    let held = 0;
    for (let slot = first; slot < first + topology.reduceSlots[node]; slot++) {
      if (slots.isHeldOn(node, slot) && attempts.job[slot] === job && this.state[slot] !== PAST) held++;
    }
    return held < this.spec.perJob;
  }

  /** The reduce in the slot has passed the gate, or is parked at it. One whose job has ended counts for nothing. */
  atGate(slot: number, isPast: boolean, nowUs: number): void {
    if (this.parts.attempts.job[slot] <= GONE) return;
    this.left(slot, nowUs);
    this.state[slot] = isPast ? PAST : PARKED;
    if (!isPast) this.parked.change(nowUs, 1);
  }

  /** The attempt has left the slot. */
  left(slot: number, nowUs: number): void {
    if (this.state[slot] === PARKED) this.parked.change(nowUs, -1);
    this.state[slot] = COPYING;
  }
}
