import { DOUBLE_ZERO } from "../kernel/index.js";
import type { ResourceUse } from "./summary.js";

/** More than this share of the slots busy counts as saturated (paper section 2). */
const SATURATED_SHARE = 0.95;

/** Time integrals over what is held of a resource, of that which nodes have which were not given up: slots, cores. */
export class UseMeter {
  private busySlotUs = DOUBLE_ZERO;
  private saturatedUs = DOUBLE_ZERO;
  private saturatedReleases = 0;
  private lastUs = DOUBLE_ZERO;
  private busy = 0;
  /** Slot time that the changes of `slots` so far took from, or added to, the present slots over the whole time. */
  private changedSlotUs = DOUBLE_ZERO;

  constructor(public slots: number) {}

  /** There are so many slots from `nowUs` on. */
  setSlots(slots: number, nowUs: number): void {
    this.advance(nowUs);
    this.changedSlotUs += (this.slots - slots) * nowUs;
    this.slots = slots;
  }

  /** One more (+1) or one fewer (-1) slot is busy from `nowUs` on. */
  change(nowUs: number, by: 1 | -1): void {
    this.advance(nowUs);
    this.saturatedReleases += by < 0 && this.isSaturated() ? 1 : 0;
    this.busy += by;
  }

  /**
   * Changes the number of busy slots from `nowUs` on, as repeated calls of `change` would.
   * @param by a whole number, positive or negative.
   */
  changeBy(nowUs: number, by: number): void {
    this.advance(nowUs);
    // Those that go while more than the share is busy.
    if (by < 0)
      this.saturatedReleases += Math.min(-by, Math.max(0, Math.ceil(this.busy - SATURATED_SHARE * this.slots)));
    this.busy += by;
  }

  /** Takes account of the time up to `nowUs`. */
  advance(nowUs: number): void {
    const gapUs = nowUs - this.lastUs;
    this.lastUs = nowUs;
    this.busySlotUs += gapUs * this.busy;
    // Without branches: code that never ran is thrown away, with all that is around it, when it first does.
    this.saturatedUs += this.isSaturated() ? gapUs : 0;
  }

  /** Time in which the slots were saturated, up to `nowUs`. */
  saturatedUntil(nowUs: number): number {
    this.advance(nowUs);
    return this.saturatedUs;
  }

  /** Shares of the time up to the last `advance`. */
  result(): ResourceUse {
    const spanUs = Math.max(1, this.lastUs);
    const slotUs = spanUs * this.slots + this.changedSlotUs;
    return {
      busy: slotUs > 0 ? Math.abs(this.busySlotUs) / slotUs : 0,
      saturated: Math.abs(this.saturatedUs) / spanUs,
      releasesPerSecondSaturated: this.saturatedUs > 0 ? this.saturatedReleases / (this.saturatedUs / 1e6) : null,
      ...(this.changedSlotUs === 0 ? {} : { mean: slotUs / spanUs }),
    };
  }

  private isSaturated(): boolean {
    return this.busy > SATURATED_SHARE * this.slots;
  }
}
