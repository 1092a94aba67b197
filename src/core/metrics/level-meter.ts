import { DOUBLE_ZERO } from "../kernel/time.js";

/** How many there are of something, over time: the most at once, and the mean. */
export class LevelMeter {
  most = 0;
  private level = 0;
  private sumUs = DOUBLE_ZERO;
  private lastUs = DOUBLE_ZERO;

  /** One more (+1) or one fewer (-1) from `nowUs` on. Calls come in order of time. */
  change(nowUs: number, by: 1 | -1): void {
    this.sumUs += this.level * (nowUs - this.lastUs);
    this.lastUs = nowUs;
    this.level += by;
    if (this.level > this.most) this.most = this.level;
  }

  /** From the start to `untilUs`, which is not before the last change. */
  mean(untilUs: number): number {
    return (this.sumUs + this.level * (untilUs - this.lastUs)) / Math.max(1, untilUs);
  }
}
