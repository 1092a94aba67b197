import { MAP, REDUCE, type JobTable } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import type { Recorder } from "../metrics/recorder.js";
import type { BuiltScheduler } from "../scheduler/build-scheduler.js";
import { SPARED, TOLD, type Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { JobChores } from "./job-chores.js";
import type { JobLifecycle } from "./job-lifecycle.js";
import type { LaunchDetails } from "./launch-details.js";
import type { Launches } from "./launches.js";
import type { NodeNotes } from "./node-notes.js";

export interface AttemptReportsParts {
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
  readonly launches: Launches;
  /** null: racks are light. */
  readonly details: LaunchDetails | null;
  readonly lifecycle: JobLifecycle;
  readonly chores: JobChores;
  readonly notices: NodeNotes;
  readonly killOrders: NodeNotes;
  readonly built: BuiltScheduler;
}

/** What heartbeats report of attempts, and what follows from it for jobs, slots and scheduler. */
export class AttemptReports {
  nowUs = DOUBLE_ZERO;
  /** Killed, but not reported yet. */
  dying = 0;

  constructor(private readonly parts: AttemptReportsParts) {}

  /** The attempt in the slot succeeded at `finishUs`. */
  finished(node: number, slot: number, finishUs: number): void {
    const { attempts, jobs, slots, recorder, killOrders, built, lifecycle, details } = this.parts;
    const { nowUs } = this;
    if (attempts.isChore(slot)) return this.choreFinished(node, slot, finishUs);
    const type = slots.release(node, slot);
    details?.reads.end(slot);
    const job = attempts.job[slot];
    jobs.running[type][job]--;
    jobs.done[type][job]++;
    const { task, number, level, launchUs } = attempts;
    recorder.finished(jobs.id[job], type, task[slot], number[slot], node, level[slot], launchUs[slot], finishUs, nowUs);
    if (attempts.fate[slot] !== SPARED) killOrders.cancel(node, slot);
    if (type === REDUCE) attempts.unlinkReduce(slot);
    else if (jobs.done[MAP][job] === jobs.total[MAP][job]) this.noticeReduces(job);
    built.scheduler.attemptEnded(job, type, nowUs);
    if (jobs.done[MAP][job] === jobs.total[MAP][job] && jobs.done[REDUCE][job] === jobs.total[REDUCE][job]) {
      lifecycle.retire(job, built, nowUs);
    }
  }

  /** The attempt in the slot was killed at `endUs`: its task is pending again. */
  killed(node: number, slot: number, endUs: number): void {
    const { attempts, jobs, slots, recorder, pending, notices, launches, built, details } = this.parts;
    const { nowUs } = this;
    const type = slots.release(node, slot);
    details?.reads.end(slot);
    const job = attempts.job[slot];
    const task = attempts.task[slot];
    this.dying--;
    jobs.running[type][job]--;
    jobs.pending[type][job]++;
    const { number, level, launchUs } = attempts;
    recorder.killed(jobs.id[job], type, task, number[slot], node, level[slot], launchUs[slot], endUs, nowUs);
    if (type === MAP) pending.putBack(job, task);
    else {
      attempts.unlinkReduce(slot);
      notices.cancel(node, slot);
      launches.returnedReduces.add(job, task);
    }
    built.scheduler.attemptReturned(job, type, nowUs);
  }

  private choreFinished(node: number, slot: number, finishUs: number): void {
    const { attempts, chores, lifecycle, built } = this.parts;
    chores.finished(node, slot, finishUs, this.nowUs);
    lifecycle.choreDone(attempts.choreIn(slot), attempts.task[slot], built, this.nowUs);
  }

  /** The attempt in the slot has been killed: its node was told to. */
  wasKilled(slot: number): boolean {
    return this.parts.attempts.fate[slot] === TOLD;
  }

  /** Reduces of the job that run are to be told that its maps are all done. */
  private noticeReduces(job: number): void {
    const { attempts, notices } = this.parts;
    for (const waiting of attempts.reducesOf(job)) notices.add(attempts.node[waiting], waiting);
  }
}
