import { CRASH, SLOW_DISK, SWITCH_LOSS } from "../faults/fault-source.js";
import { FaultState } from "../faults/fault-state.js";
import { FaultTimeline, type FaultTransition } from "../faults/fault-timeline.js";
import type { RackParts } from "../build-rack.js";
import type { ComputingSpeed } from "./computing-speed.js";
import type { RackState } from "./rack-state.js";

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
    private readonly state: () => RackState,
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
    else if (kind === SLOW_DISK) this.state().io?.slowDisk(target, atUs, this.present.diskFactor(target));
    else {
      this.speed.change(target, atUs, this.present.speedFactor(target));
      this.state().forEachPlace(target, (place) => this.state().runs.retime(place));
    }
  }

  private crash({ atUs, target, starts }: FaultTransition): void {
    const state = this.state();
    const isHere = state.isHere(target);
    if (!starts) {
      if (isHere) state.news.returned(target, atUs);
      return;
    }
    this.crashUs.set(target, atUs);
    if (isHere) state.forEachPlace(target, (place) => state.vanish(place, atUs));
    state.sourceCrashed(target, atUs);
  }

  private cut({ atUs, target, starts }: FaultTransition): void {
    const state = this.state();
    if (starts) state.cross?.cutOff(atUs);
    else if (target === state.rack) state.ends.resume(atUs);
  }
}
