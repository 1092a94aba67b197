import type { SchedulerSpec } from "../scenario/scenario.js";
import { autoWaitUs } from "./auto-wait.js";
import type { SchedulerSurroundings } from "./built-scheduler.js";
import { NoWait, type LocalityWait } from "./locality-wait.js";
import type { Rules } from "./rules.js";
import { SkipWait } from "./skip-wait.js";
import { TimeWait } from "./time-wait.js";
import { WaitLevels, type WaitAmounts } from "./wait-levels.js";

/** The locality wait that a scenario asks for. */
export function buildWait(spec: SchedulerSpec, rules: Rules, around: SchedulerSurroundings): LocalityWait {
  const { wait } = spec;
  const { heartbeatUs, nodes, hasRows } = around;
  const amounts = (node: number, rack: number, row: number): WaitAmounts => ({ node, rack, row: hasRows ? row : 0 });
  const timed = (amountsUs: WaitAmounts): LocalityWait =>
    new TimeWait(new WaitLevels(amountsUs), coversIdleJobs(spec, rules, around), rules.reduceSlotsMoveWaits);
  switch (wait.kind) {
    case "none":
      return new NoWait();
    case "time":
      return timed(
        rules.oneDelay
          ? amounts(wait.nodeUs, wait.nodeUs, wait.nodeUs)
          : amounts(wait.nodeUs, wait.rackUs, wait.rowUs ?? wait.rackUs),
      );
    case "auto": {
      const autoUs = autoWaitUs(heartbeatUs);
      return timed(amounts(autoUs, autoUs, autoUs));
    }
    case "skips":
      return new SkipWait(amounts(wait.node, wait.rack, wait.row ?? wait.rack));
    case "fraction": {
      const skips = (share: number): number => Math.ceil(share * nodes);
      return new SkipWait(amounts(skips(wait.node), skips(wait.rack), skips(wait.row ?? wait.rack)));
    }
  }
}

/**
 * Whether anybody can tell what jobs with nothing to launch have waited: once they have something again, unless that
 * ignores locality anyway, which copies never do; or a viewer.
 */
function coversIdleJobs(spec: SchedulerSpec, rules: Rules, around: SchedulerSurroundings): boolean {
  if (!rules.idleJobsWait) return false;
  if (around.mapsMayBeCopied) return true;
  if (!around.mapsMayReturn) return false;
  return !rules.returnedIgnoreLocality || spec.updateIntervalUs === Infinity;
}
