import type { NoPreemption } from "../no-preemption.js";
import { isNone, lesser, type Resources, without } from "../resources.js";
import { type Cluster, dueOf } from "./preemption.js";
import type { FairApp, FairQueue } from "./queues.js";
import type { FairSettings } from "./settings.js";

/** The nearer to a kill, the earlier: of several applications of a queue the nearest says why. */
const NEAREST: readonly NoPreemption["reason"][] = [
  ...(["chosen", "room", "protected", "share", "small", "first", "timeout"] as const),
  ...(["never", "threshold", "due"] as const),
];

/**
 * Why the Fair Scheduler takes nothing for its queues: repeats the checks of `preempt` after it, without changing
 * anything.
 */
export class FairNoPreemption {
  /** Outcome of the last check of each application that was found starved, until its next check. */
  private readonly checked = new Map<FairApp, NoPreemption>();

  constructor(
    private readonly cluster: Cluster,
    private readonly settings: FairSettings,
  ) {}

  /** @param usedShare of the cluster. @returns null: the leaf asks for nothing more */
  stateOf(leaf: FairQueue, usedShare: number, nowUs: number): NoPreemption | null {
    const wanting = leaf.runnable.filter((app) => app.hasUnmetDemand);
    if (wanting.length === 0) return null;
    const { preemptionUtilization } = this.settings;
    if (usedShare <= preemptionUtilization) {
      const [reached, bound] = [Math.floor(100 * usedShare), Math.round(100 * preemptionUtilization)];
      return { reason: "utilization", reached, bound };
    }
    const reasons = wanting.map((app) => this.whyNot(app, nowUs));
    const ofMinShare = minShareWait(leaf, nowUs);
    if (ofMinShare !== null) reasons.push(ofMinShare);
    reasons.sort((a, b) => NEAREST.indexOf(a.reason) - NEAREST.indexOf(b.reason));
    return reasons[0];
  }

  private whyNot(app: FairApp, nowUs: number): NoPreemption {
    if (app.checkedAtUs === nowUs) this.checked.set(app, this.outcomeOf(app));
    const checked = nowUs < app.nextStarvationCheckUs ? this.checked.get(app) : undefined;
    if (checked !== undefined) return checked;
    this.checked.delete(app);
    const { isBelow, due } = dueOf(app, this.cluster.total);
    const { used, fairShare, queue } = app;
    if (!isBelow) {
      if (!app.isBelowShare(used, this.cluster.total)) return { reason: "due" };
      return queue.policy === "drf"
        ? { reason: "threshold" }
        : { reason: "threshold", reached: used.memory, bound: lesser(due, fairShare).memory };
    }
    return timeoutOf(nowUs - app.lastAtFairShareUs, queue.fairShareTimeoutUs);
  }

  /** It was found starved just now. */
  private outcomeOf(app: FairApp): NoPreemption {
    if (app.victims > 0) return { reason: "chosen", bound: this.settings.waitBeforeKillUs };
    const lackMb = app.lacksFair.memory + app.lacksMin.memory;
    if (app.asks.every(({ wanted, size }) => wanted <= 0 || size.memory > lackMb)) return { reason: "small" };
    let isProtected = false;
    for (const node of this.cluster.nodes) {
      for (const { isDoomed, app: holder, size } of node.containers) {
        const owner = holder as FairApp;
        if (isDoomed || owner.isBelowShare(leftOf(owner, size), this.cluster.total)) continue;
        if (owner.queue.isPreemptable) return { reason: "room" };
        isProtected = true;
      }
    }
    return { reason: isProtected ? "protected" : "share" };
  }
}

function leftOf({ used, doomed }: FairApp, size: Readonly<Resources>): Resources {
  const { memory, vcores } = used;
  return { memory: memory - doomed.memory - size.memory, vcores: vcores - doomed.vcores - size.vcores };
}

/** The min share is the leaf's. Null: it has it. */
function minShareWait(leaf: FairQueue, nowUs: number): NoPreemption | null {
  if (isNone(without(lesser(leaf.minShare, leaf.demand), leaf.used))) return null;
  const waitedUs = nowUs - leaf.lastAtMinShareUs;
  return waitedUs < leaf.minShareTimeoutUs ? timeoutOf(waitedUs, leaf.minShareTimeoutUs) : null;
}

/** If that is over, the application was not asked: one before it lacked nothing. */
function timeoutOf(waitedUs: number, timeoutUs: number): NoPreemption {
  if (timeoutUs === Infinity) return { reason: "never" };
  return waitedUs < timeoutUs ? { reason: "timeout", reached: waitedUs, bound: timeoutUs } : { reason: "first" };
}
