import { US_PER_HOUR } from "../../kernel/time.js";
import type { HookCalls } from "./hook-calls.js";
import type { PluginError } from "./plugin-error.js";

/** So long may a plugin leave a cluster idle on which nothing runs and tasks wait: a week. */
const LONGEST_IDLE_US = 7 * 24 * US_PER_HOUR;

/** Ends runs that would never end, for nothing runs and the plugin launches nothing. */
export class StallWatch {
  private movedUs = 0;

  constructor(
    private readonly calls: HookCalls,
    private readonly hook: string,
  ) {}

  /** Something was launched, ended or became ready. */
  moved(nowUs: number): void {
    this.movedUs = nowUs;
  }

  /** Nothing of that has happened for too long. */
  isLong(nowUs: number): boolean {
    return nowUs - this.movedUs > LONGEST_IDLE_US;
  }

  error(nowUs: number): PluginError {
    const found = "no launch for seven days, although tasks wait and nothing runs";
    return this.calls.wrong(this.hook, nowUs, found, "to launch a waiting task at some time");
  }
}
