import type { SlotType } from "../../jobs/job-table.js";
import type { PreemptionCounts } from "../preemption.js";
import type { Launcher } from "../scheduler.js";
import type { HookCalls } from "./hook-calls.js";
import type { JobView } from "./job-view.js";
import { shownValue } from "./plugin-error.js";
import type { PluginScheduler, RunningAttempt } from "./plugin-face.js";
import { slotName } from "./slot-names.js";

/** Asks a plugin which of the running attempts shall be killed, and orders it. */
export class PluginKills {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };

  constructor(
    private readonly launcher: Launcher,
    private readonly calls: HookCalls,
    private readonly own: PluginScheduler,
  ) {}

  ask(type: SlotType, nowUs: number, viewOf: (job: number) => JobView): void {
    const { own, calls, launcher } = this;
    if (own.kills === undefined) return;
    const slotType = slotName(type);
    const attempts = new Map<unknown, number>();
    launcher.forEachReported(type, (attempt, job, task, launchedUs) => {
      attempts.set(Object.freeze({ job: viewOf(job), slotType, task, launchedUs }), attempt);
    });
    const running = [...attempts.keys()] as RunningAttempt[];
    running.sort((a, b) => a.launchedUs - b.launchedUs || a.job.id - b.job.id || a.task - b.task);
    const given = calls.list("kills", nowUs, () => own.kills?.(running, slotType, nowUs), "running attempts");
    const chosen = new Set<number>();
    for (const one of given) {
      const attempt = attempts.get(one);
      if (attempt === undefined) {
        throw calls.wrong("kills", nowUs, `${shownValue(one)} in the list`, "attempts of the list that was given");
      }
      chosen.add(attempt);
    }
    if (chosen.size > 0) this.counts.checks++;
    this.counts.slotsWanted += chosen.size;
    this.counts.kills += chosen.size;
    for (const attempt of chosen) launcher.kill(attempt);
  }
}
