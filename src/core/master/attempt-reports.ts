import { MAP, REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import type { Recorder } from "../metrics/recorder.js";
import type { BuiltScheduler } from "../scheduler/build-scheduler.js";
import { SPARED, TOLD, type Attempts } from "./attempts.js";
import type { Commits } from "./commits.js";
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
  readonly commits: Commits;
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

  /** The attempt at the place succeeded at `finishUs`. */
  finished(node: number, place: number, finishUs: number): void {
    const { attempts, jobs, recorder, killOrders, built, lifecycle } = this.parts;
    const { nowUs } = this;
    if (attempts.isChore(place)) return this.choreFinished(node, place, finishUs);
    const type = this.vacate(node, place);
    const job = attempts.job[place];
    jobs.running[type][job]--;
    jobs.done[type][job]++;
    const { number, level } = attempts;
    const task = attempts.task[place];
    const launchUs = attempts.launchUs[place];
    recorder.finished(jobs.id[job], type, task, number[place], node, level[place], launchUs, finishUs, nowUs);
    if (attempts.fate[place] !== SPARED) killOrders.cancel(node, place);
    if (type === MAP && jobs.done[MAP][job] === jobs.total[MAP][job]) this.noticeReduces(job);
    built.scheduler.attemptEnded(job, type, nowUs);
    if (jobs.done[MAP][job] === jobs.total[MAP][job] && jobs.done[REDUCE][job] === jobs.total[REDUCE][job]) {
      lifecycle.retire(job, built, nowUs);
    }
  }

  /** The attempt at the place was killed at `endUs`: its task is pending again. */
  killed(node: number, place: number, endUs: number): void {
    const { attempts, jobs, recorder, pending, launches, built } = this.parts;
    const { nowUs } = this;
    const type = this.vacate(node, place);
    const job = attempts.job[place];
    const task = attempts.task[place];
    this.dying--;
    jobs.running[type][job]--;
    jobs.pending[type][job]++;
    const { number, level, launchUs } = attempts;
    recorder.killed(jobs.id[job], type, task, number[place], node, level[place], launchUs[place], endUs, nowUs);
    if (type === MAP) pending.putBack(job, task);
    else launches.returnedReduces.add(job, task);
    built.scheduler.attemptReturned(job, type, nowUs);
  }

  /** The attempt in the slot has done its work and asks leave to commit: the slot is free, but its job still counts it. */
  commitPending(node: number, slot: number): void {
    this.stopWork(node, slot, this.parts.slots.typeOf(node, slot));
    this.parts.commits.asked(node, slot, this.nowUs);
  }

  /** The place is free; returns the type of the slot that it is, or was. */
  private vacate(node: number, place: number): SlotType {
    const { attempts, slots, recorder, commits } = this.parts;
    if (place >= attempts.slots) return commits.ended(node, place);
    const type = slots.release(node, place);
    recorder.slotLeft(type, this.nowUs);
    this.stopWork(node, place, type);
    return type;
  }

  /** The attempt in the slot reads no more, and waits for no maps. */
  private stopWork(node: number, slot: number, type: SlotType): void {
    const { attempts, notices, details } = this.parts;
    details?.reads.end(slot);
    if (type === MAP) return;
    attempts.unlinkReduce(slot);
    notices.cancel(node, slot);
  }

  private choreFinished(node: number, slot: number, finishUs: number): void {
    const { attempts, chores, lifecycle, built } = this.parts;
    chores.finished(node, slot, finishUs, this.nowUs);
    lifecycle.choreDone(attempts.choreIn(slot), attempts.task[slot], built, this.nowUs);
  }

  /** The attempt at the place has been killed: its node was told to. */
  wasKilled(place: number): boolean {
    return this.parts.attempts.fate[place] === TOLD;
  }

  /** The place is one of the node's, and an attempt is there. */
  isAt(node: number, place: number): boolean {
    const { attempts, slots } = this.parts;
    if (place < attempts.slots) return slots.isHeldOn(node, place);
    return attempts.node[place] === node && attempts.isAsideAt(place);
  }

  /** The attempt in the slot of the node may ask leave to commit. */
  mayAskToCommit(node: number, slot: number): boolean {
    return this.parts.commits.mayAsk(node, slot);
  }

  /** Reduces of the job that run are to be told that its maps are all done. */
  private noticeReduces(job: number): void {
    const { attempts, notices } = this.parts;
    for (const waiting of attempts.reducesOf(job)) notices.add(attempts.node[waiting], waiting);
  }
}
