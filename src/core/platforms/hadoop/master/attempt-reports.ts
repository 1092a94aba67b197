import { MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { DOUBLE_ZERO } from "../../../kernel/index.js";
import type { AttemptEnd } from "../record/recorder.js";
import type { BuiltScheduler } from "../scheduler/scheduler.js";
import { attemptsOn, KILL_NONE, KILL_ORDERED, KILL_SENT, NO_JOB, type MasterTables } from "./attempts.js";
import type { JobLifecycle, SetupTasks } from "./job-lifecycle.js";
import type { Features, Launches } from "./launches.js";

/**
 * Handles the reports of attempts on heartbeats, with their consequences for jobs, slots and scheduler.
 *
 * `finished` is the plain case: the slot becomes free, the job counts the task as done, the scheduler is notified. An
 * attempt that was killed, failed or was lost with its node requeues its task. A task may have two attempts: the one
 * that is not first is redundant. A job that ends orphans the attempts that it still runs. Reports of redundant and
 * orphaned attempts free their slots and nothing else.
 */
export class AttemptReports {
  nowUs = DOUBLE_ZERO;
  /** Attempts whose nodes were sent a kill and have not reported it. */
  dying = 0;

  private readonly commits: Commits;

  constructor(
    private readonly parts: MasterTables &
      Features & {
        readonly launches: Launches;
        readonly lifecycle: JobLifecycle;
        readonly setupTasks: SetupTasks;
        readonly built: BuiltScheduler;
      },
  ) {
    this.commits = new Commits(parts);
  }

  /** The attempt succeeded at `finishUs`. */
  finished(node: number, attempt: number, finishUs: number): void {
    const { attempts, jobs } = this.parts;
    const { nowUs } = this;
    const job = attempts.jobOf(attempt);
    if (job < 0) return this.otherFinished(node, attempt, finishUs);
    if (this.isRedundant(attempt)) return this.uselessEnded(node, attempt, finishUs);
    const type = this.vacate(node, attempt);
    this.endOthers(attempt);
    jobs.running[type][job]--;
    const unfinished = jobs.total[type][job] - ++jobs.done[type][job];
    this.record("finished", node, attempt, type, finishUs);
    this.noteEnd(job, type, attempts.taskOf(attempt), node, finishUs - attempts.launchUsOf(attempt));
    if (attempts.killStateOf(attempt) !== KILL_NONE) this.forgetKill(node, attempt);
    if (type === MAP && unfinished === 0) this.noticeReduces(job);
    this.parts.built.scheduler.attemptLeft(job, type, false, nowUs);
    if (
      unfinished > 0 ||
      jobs.done[MAP][job] < jobs.total[MAP][job] ||
      jobs.done[REDUCE][job] < jobs.total[REDUCE][job]
    )
      return;
    this.jobOver(job);
    this.parts.lifecycle.retire(job, nowUs);
  }

  /** The attempt has ended. Returns the type of its slot, which is free. */
  private vacate(node: number, attempt: number): SlotType {
    const { attempts, slots, recorder } = this.parts;
    if (attempt >= attempts.slots) return this.commits.ended(node, attempt);
    const type = slots.release(node, attempt);
    recorder.slotLeft(attempts.rankOf(attempt), type, this.nowUs);
    this.stopWork(node, attempt, type);
    return type;
  }

  /** The attempt in the slot reads no more, and waits for no maps. */
  private stopWork(node: number, slot: number, type: SlotType): void {
    const { attempts, details, copying, balance } = this.parts;
    details?.reads.end(slot);
    balance?.slotLeft(slot, node);
    if (copying !== null) copying.attemptLeft(slot, this.nowUs);
    if (type === REDUCE && attempts.jobOf(slot) >= 0) this.stopWaiting(node, slot);
  }

  /** The reduce in the slot waits for no more maps. */
  private stopWaiting(node: number, slot: number): void {
    const { attempts, notices, progress } = this.parts;
    attempts.unlinkReduce(slot);
    notices.cancel(node, slot);
    progress?.replies.cancel(node, slot);
  }

  /** A task of the job is done after `ranUs`. Notifies all that depends on ends of tasks. */
  private noteEnd(job: number, type: SlotType, task: number, node: number, ranUs: number): void {
    const { outputs, speculation, balance, disk, progress, jobs, built } = this.parts;
    built.taskDone?.(job, type, ranUs);
    speculation?.taskDone(job, type, ranUs);
    if (type === REDUCE) return;
    outputs?.add(job, task, node);
    balance?.mapFinished(job, ranUs);
    disk?.mapFinished(job, node);
    if (jobs.done[MAP][job] < jobs.total[MAP][job]) progress?.mapFinished(job);
  }

  /** Orders the notice that all maps are done for the running reduces of the job, except where it was sent before. */
  private noticeReduces(job: number): void {
    const { attempts, notices, progress } = this.parts;
    for (const waiting of attempts.reducesOf(job)) {
      if (attempts.knowsMapsDone[waiting] !== 0) continue;
      notices.add(attempts.node[waiting], waiting);
      progress?.replies.cancel(attempts.node[waiting], waiting);
    }
  }

  /** A set-up or clean-up task, or an orphaned attempt, has finished. */
  private otherFinished(node: number, slot: number, finishUs: number): void {
    const { attempts, setupTasks, lifecycle } = this.parts;
    if (!attempts.isSetupTask(slot)) return this.uselessEnded(node, slot, finishUs);
    setupTasks.ended("finished", node, slot, finishUs, this.nowUs);
    lifecycle.setupTaskDone(attempts.setupTaskIn(slot), attempts.taskOf(slot), this.nowUs);
  }

  /**
   * The attempt was killed at `endUs`, could not read on, for its source had gone, or failed: its task is pending
   * again, or has failed too often: then its job fails.
   */
  cutOff(how: "killed" | "sourceLost" | "failed", node: number, attempt: number, endUs: number): void {
    const { scenario, attempts, recorder, failures, lifecycle } = this.parts;
    const job = attempts.jobOf(attempt);
    if (job < 0 || this.isRedundant(attempt)) return this.uselessEnded(node, attempt, endUs);
    const type = this.vacate(node, attempt);
    this.record(how, node, attempt, type, endUs);
    if (how === "killed") recorder.killedForPool(attempts.killedForOf(attempt));
    const count = how === "failed" ? failures.add(job, type, attempts.taskOf(attempt), node) : 0;
    this.taskRequeued(node, attempt, type);
    if (count < scenario.runtime.attempts.maxPerTask) return;
    this.jobOver(job);
    lifecycle.fail(job, this.nowUs);
  }

  private record(how: AttemptEnd, node: number, attempt: number, type: SlotType, endUs: number): void {
    const { attempts, recorder } = this.parts;
    recorder.attemptEnded(
      how,
      attempts.rankOf(attempt),
      type,
      attempts.taskOf(attempt),
      attempts.numberOf(attempt),
      node,
      attempts.levelOf(attempt),
      attempts.launchUsOf(attempt),
      endUs,
      this.nowUs,
    );
  }

  /** The attempt was lost with its node: its task is pending again. The slot remains as it is. */
  lost(node: number, attempt: number): void {
    const { attempts, slots, recorder, setupTasks } = this.parts;
    if (attempts.isSetupTask(attempt)) return setupTasks.ended("lost", node, attempt, this.nowUs, this.nowUs);
    const type = slots.typeOf(node, attempt);
    this.record("lost", node, attempt, type, this.nowUs);
    if (attempt >= attempts.slots) this.commits.withdraw(node, attempt);
    else {
      recorder.slotLeft(attempts.rankOf(attempt), type, this.nowUs);
      this.stopWork(node, attempt, type);
    }
    if (attempts.jobOf(attempt) === NO_JOB) this.forgetKill(node, attempt);
    else this.taskRequeued(node, attempt, type);
  }

  private taskRequeued(node: number, attempt: number, type: SlotType): void {
    const { attempts, jobs, pending, launches, built, failures, speculation, recorder } = this.parts;
    const job = attempts.jobOf(attempt);
    const task = attempts.taskOf(attempt);
    if (attempts.killStateOf(attempt) !== KILL_NONE) this.forgetKill(node, attempt);
    const waitsAgain = speculation === null || speculation.seconds.ended(attempt, this.nowUs);
    jobs.running[type][job]--;
    if (!waitsAgain) return built.scheduler.attemptLeft(job, type, false, this.nowUs);
    jobs.pending[type][job]++;
    if (type === MAP) recorder.waits.began(jobs.id[job], 1, this.nowUs);
    if (type === MAP) pending.putBack(job, task, failures.failureCount(job, type, task));
    else launches.requeuedReduces.add(job, task, failures.failureCount(job, type, task));
    built.scheduler.attemptLeft(job, type, true, this.nowUs);
  }

  /** The attempt has ended: the kill that was ordered has happened, or is not needed. */
  private forgetKill(node: number, attempt: number): void {
    const { attempts, killOrders } = this.parts;
    if (attempts.killStateOf(attempt) === KILL_SENT) this.dying--;
    else if (attempts.killStateOf(attempt) === KILL_ORDERED) killOrders.cancel(node, attempt);
  }

  /**
   * The attempt in the slot has done its work and asks leave to commit: the slot is free, but its job still counts it.
   */
  commitPending(node: number, slot: number): void {
    // A kill was sent to it too late.
    if (this.parts.attempts.killStateOf(slot) === KILL_SENT) {
      this.dying--;
      this.parts.attempts.setKillState(slot, KILL_ORDERED);
    }
    this.stopWork(node, slot, this.parts.slots.typeOf(node, slot));
    const { attempts, speculation } = this.parts;
    const attempt = slot + attempts.slots;
    if (attempts.jobOf(slot) >= 0) speculation?.seconds.awaitsCommit(slot, attempt, this.nowUs);
    this.commits.commitRequested(node, slot, this.nowUs);
    if (speculation !== null && attempts.jobOf(attempt) >= 0 && attempts.killStateOf(attempt) === KILL_NONE)
      this.endOthers(attempt);
  }

  /** The attempt runs beside one of the same task that was first. */
  private isRedundant(attempt: number): boolean {
    return this.parts.speculation?.seconds.isRedundant(attempt) === true;
  }

  /** The attempt is first of its task: another one is to be killed, or need not start. */
  private endOthers(attempt: number): void {
    const { speculation, launches, recorder } = this.parts;
    const loser = speculation?.seconds.won(attempt, this.nowUs) ?? -1;
    if (loser < 0) return;
    if (speculation?.seconds.isCopy(attempt) === true) recorder.copiesWon++;
    launches.kill(loser);
  }

  /** The attempt that ended was orphaned, or another attempt of its task was first. */
  private uselessEnded(node: number, attempt: number, endUs: number): void {
    const { attempts, jobs, built } = this.parts;
    const type = this.vacate(node, attempt);
    this.forgetKill(node, attempt);
    this.record(this.isRedundant(attempt) ? "redundant" : "orphaned", node, attempt, type, endUs);
    const job = attempts.jobOf(attempt);
    if (job < 0) return;
    jobs.running[type][job]--;
    built.scheduler.attemptLeft(job, type, false, this.nowUs);
  }

  /** The job is about to leave the table. */
  private jobOver(job: number): void {
    const { disk, speculation } = this.parts;
    this.orphanAttempts(job);
    disk?.jobEnded(job);
    speculation?.jobLeft(job);
  }

  /**
   * The running attempts of a job that ends are orphaned: the job failed, or needs no second attempt any more. They are
   * to be killed, keep their slots until their end is reported, and count for no job. This costs nothing if the job
   * runs nothing.
   */
  private orphanAttempts(job: number): void {
    const { topology, jobs, slots, attempts } = this.parts;
    let remaining = jobs.running[MAP][job] + jobs.running[REDUCE][job];
    for (let node = 0; node < topology.nodes && remaining > 0; node++) {
      for (const attempt of attemptsOn(this.parts, node)) {
        if (attempts.jobOf(attempt) !== job) continue;
        if (attempt < attempts.slots && slots.typeOf(node, attempt) === REDUCE) this.stopWaiting(node, attempt);
        this.orphan(node, attempt);
        remaining--;
      }
    }
  }

  private orphan(node: number, attempt: number): void {
    const { attempts, killOrders } = this.parts;
    attempts.orphan(attempt);
    if (attempts.killStateOf(attempt) !== KILL_NONE) return;
    attempts.setKillState(attempt, KILL_ORDERED);
    killOrders.add(node, attempt);
  }

  /** A finished map of the job is about to run again: reduces that do not know of the last map must wait on. */
  mapsUndone(job: number): void {
    const { attempts, jobs, notices } = this.parts;
    if (jobs.done[MAP][job] < jobs.total[MAP][job]) return;
    for (const waiting of attempts.reducesOf(job)) notices.cancel(attempts.node[waiting], waiting);
  }

  /** The attempt runs on the node, as far as is known. */
  runsOn(node: number, attempt: number): boolean {
    const { attempts, slots } = this.parts;
    if (attempt < attempts.slots) return slots.isHeldOn(node, attempt);
    return attempts.node[attempt] === node && attempts.isAwaitingCommit(attempt);
  }
}

/** More than a job has tasks. */
const TASK_ROOM = 2 ** 26;

/**
 * COMMIT_PENDING (semantics section 13): the node of an attempt that asks leave to commit shows its slot as free, which
 * may be given away on the same heartbeat; its job counts it as running until the commit is reported. This lag is what
 * kept slots from sticking to jobs in Hadoop.
 */
export class Commits {
  /** Tasks of which some attempt has leave, and by which attempt that is. */
  private readonly leaveOf = new Map<number, number>();

  constructor(
    private readonly tables: Pick<
      MasterTables,
      "scenario" | "jobs" | "slots" | "attempts" | "recorder" | "killOrders" | "commandsOf"
    >,
  ) {}

  /**
   * The attempt in the slot leaves it and requests leave to commit. The answer is in the reply to the same heartbeat:
   * the first of its task gets leave, any other is killed, and so is one that was to be killed anyway.
   */
  commitRequested(node: number, slot: number, nowUs: number): void {
    const { slots, attempts, recorder, killOrders, commandsOf } = this.tables;
    const type = slots.release(node, slot);
    recorder.slotLeft(attempts.rankOf(slot), type, nowUs);
    const attempt = attempts.awaitCommit(slot);
    if (attempts.killStateOf(attempt) === KILL_ORDERED) {
      killOrders.cancel(node, slot);
      killOrders.add(node, attempt);
    } else if (this.leaveOf.has(this.taskOf(attempt, type))) {
      attempts.setKillState(attempt, KILL_ORDERED);
      killOrders.add(node, attempt);
    } else {
      this.leaveOf.set(this.taskOf(attempt, type), attempt);
      commandsOf(node).commit(node, nowUs, attempt);
    }
  }

  /** The attempt that committed, or wanted to, has ended. Returns the type of the slot that it had held. */
  ended(node: number, attempt: number): SlotType {
    const type = this.withdraw(node, attempt);
    this.tables.attempts.endCommit(attempt);
    return type;
  }

  /** The attempt has no leave any more, though it is still there. */
  withdraw(node: number, attempt: number): SlotType {
    const { slots } = this.tables;
    const type = slots.typeOf(node, attempt);
    const task = this.taskOf(attempt, type);
    if (this.leaveOf.get(task) === attempt) this.leaveOf.delete(task);
    return type;
  }

  /** A number that no other task of the run has. */
  private taskOf(attempt: number, type: SlotType): number {
    const { attempts } = this.tables;
    return (attempts.rankOf(attempt) * 2 + type) * TASK_ROOM + attempts.taskOf(attempt);
  }
}
