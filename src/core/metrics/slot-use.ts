import { DOUBLE_ZERO } from "../kernel/time.js";

/** More than this share of the slots busy counts as saturated (paper section 2). */
const SATURATED_SHARE = 0.95;

/** Time integrals over the busy slots of one type. */
export class SlotUseMeter {
  private busySlotUs = DOUBLE_ZERO;
  private saturatedUs = DOUBLE_ZERO;
  private saturatedReleases = 0;
  private lastUs = DOUBLE_ZERO;
  private busy = 0;

  constructor(private readonly slots: number) {}

  /** One more (+1) or one fewer (-1) slot is busy from `nowUs` on. */
  change(nowUs: number, by: 1 | -1): void {
    this.advance(nowUs);
    if (by < 0 && this.isSaturated()) this.saturatedReleases++;
    this.busy += by;
  }

  /** Takes account of the time up to `nowUs`. */
  advance(nowUs: number): void {
    const gapUs = nowUs - this.lastUs;
    this.lastUs = nowUs;
    this.busySlotUs += gapUs * this.busy;
    if (this.isSaturated()) this.saturatedUs += gapUs;
  }

  /** Time in which the slots were saturated, up to `nowUs`. */
  saturatedUntil(nowUs: number): number {
    this.advance(nowUs);
    return this.saturatedUs;
  }

  /** Shares of the time up to the last `advance`. */
  result(): { busy: number; saturated: number; releasesPerSecondSaturated: number | null } {
    const spanUs = Math.max(1, this.lastUs);
    return {
      busy: this.slots > 0 ? Math.abs(this.busySlotUs) / (spanUs * this.slots) : 0,
      saturated: Math.abs(this.saturatedUs) / spanUs,
      releasesPerSecondSaturated: this.saturatedUs > 0 ? this.saturatedReleases / (this.saturatedUs / 1e6) : null,
    };
  }

  private isSaturated(): boolean {
    return this.busy > SATURATED_SHARE * this.slots;
  }
}
