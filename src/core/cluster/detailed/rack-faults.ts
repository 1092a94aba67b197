import { CRASH, SLOW_DISK, SWITCH_LOSS } from "../faults/fault-source.js";
import { FaultState } from "../faults/fault-state.js";
import { FaultTimeline, type FaultTransition } from "../faults/fault-timeline.js";
import type { RackParts } from "../rack-model.js";
import type { ComputingSpeed } from "./computing-speed.js";

/** What faults do to a rack. */
export interface Struck {
  readonly rack: number;
  isHere(node: number): boolean;
  slowDisk(node: number, atUs: number, factor: number): void;
  /** What computes on the node goes on at another speed. */
  retime(node: number): void;
  /** All that the node runs is gone. */
  vanish(node: number, atUs: number): void;
  /** Whoever reads from the node can do so no longer. */
  sourceCrashed(node: number, atUs: number): void;
  returned(node: number, atUs: number): void;
  /** Some switch was lost. */
  cutOff(atUs: number): void;
  /** The rack is heard again. */
  resume(atUs: number): void;
}

/**
 * The faults that strike the rack, in their time; and those of other racks, as far as reads between racks break by them.
 */
export class RackFaults {
  private readonly timeline: FaultTimeline;
  private readonly present: FaultState;
  private readonly crashUs = new Map<number, number>();

  constructor(
    { topology, rack, runtime, faults, seed }: RackParts,
    private readonly speed: ComputingSpeed,
    private readonly struck: Struck,
  ) {
    const reads = runtime.model === "detailed";
    this.timeline = new FaultTimeline(faults, seed, topology, (kind, of) => {
      return of === rack || kind === CRASH || (reads && kind === SWITCH_LOSS);
    });
    this.present = new FaultState(topology);
  }

  nextUs(): number {
    return this.timeline.nextUs();
  }

  isDown(node: number): boolean {
    return this.present.isDown(node);
  }

  isSilent(node: number): boolean {
    return this.present.isSilent(node);
  }

  isDark(rack: number): boolean {
    return this.present.isDark(rack);
  }

  /** The node, of this rack or another, has crashed after that command was sent: the command, and what it led to, are no more. */
  hasCrashedSince(node: number, us: number): boolean {
    return (this.crashUs.get(node) ?? -1) > us;
  }

  run(): void {
    const fault = this.timeline.take();
    if (!this.present.apply(fault)) return;
    const { atUs, kind, target } = fault;
    if (kind === CRASH) this.crash(fault);
    else if (kind === SWITCH_LOSS) this.cut(fault);
    else if (kind === SLOW_DISK) this.struck.slowDisk(target, atUs, this.present.diskFactor(target));
    else {
      this.speed.change(target, atUs, this.present.speedFactor(target));
      this.struck.retime(target);
    }
  }

  private crash({ atUs, target, starts }: FaultTransition): void {
    const { struck } = this;
    const isHere = struck.isHere(target);
    if (!starts) {
      if (isHere) struck.returned(target, atUs);
      return;
    }
    this.crashUs.set(target, atUs);
    if (isHere) struck.vanish(target, atUs);
    struck.sourceCrashed(target, atUs);
  }

  private cut({ atUs, target, starts }: FaultTransition): void {
    if (starts) this.struck.cutOff(atUs);
    else if (target === this.struck.rack) this.struck.resume(atUs);
  }
}
