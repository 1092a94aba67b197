import { assert, ascending } from "../../kernel/index.js";
import { OUTCOME } from "../../record/index.js";
import type { AskedSets } from "./asked-sets.js";
import {
  ANY,
  NO_PREF,
  NODE_LOCAL,
  PROCESS_LOCAL,
  RACK_LOCAL,
  type SparkAttempts,
  type SparkLevel,
} from "./attempts.js";
import { Exclusions } from "./exclusions.js";
import { type Executors, NOWHERE } from "./executors.js";
import { Durations } from "./durations.js";
import { lengthOf, PendingTasks, type PreferredPlace } from "./pending-tasks.js";
import type { Pool, Schedulable } from "./pools.js";
import type { SparkRules } from "./rules.js";
import type { SparkSettings } from "./settings.js";
import type { Stacks } from "./stacks.js";

/**
 * Why a job fails: one of its tasks failed `maxFailures` times; no executor may run a task, since failures excluded
 * them; a barrier stage got room for some of its tasks alone; lost a task in each of its attempts; or has more tasks
 * than executors had room for, at each look.
 */
export type JobFailure = "task" | "excluded" | "barrierStart" | "barrierAttempts" | "barrierRoom" | "barrierDynamic";

/** The tasks of one attempt of a stage. */
export interface TaskSetSpec {
  readonly stage: number;
  readonly attempt: number;
  readonly job: number;
  /** The number of its stage in its job, as in the record; `stage` counts over all jobs. */
  readonly stageOfJob: number;
  /** By task: where it prefers to run; empty: anywhere. */
  readonly places: readonly (readonly PreferredPlace[])[];
  /** All its tasks start at once, or none. */
  readonly isBarrier: boolean;
  /** Only executors of this resource profile are offered to it; undefined: 0, the default one. */
  readonly profile?: number | undefined;
  /** Cores that each of its tasks takes; undefined: those of the settings. */
  readonly taskCores?: number | undefined;
}

const NO_ATTEMPTS: readonly number[] = [];

/**
 * Which task of a stage an executor gets: delay scheduling as Spark has it (`TaskSetManager`). A wait is of the task
 * set, not of a job, and runs by time alone.
 */
export class TaskSet implements Schedulable {
  readonly name: string;
  readonly minShare = 0;
  readonly weight = 1;
  readonly priority: number;
  readonly stage: number;
  readonly tasks: number;
  readonly profile: number;
  readonly coresPerTask: number;
  running = 0;
  /** Tasks that neither run nor have succeeded. */
  waiting: number;
  /** A barrier stage had room for all its tasks, but they could not all start, and so none did. */
  isHeldBack = false;
  /** It starts nothing more: all its tasks succeeded, it was aborted, or a later attempt of its stage is there. */
  isZombie = false;
  /** Why it was aborted; null: it was not. */
  failure: JobFailure | null = null;
  /** Its levels, best first; the last is ANY. */
  levels: readonly SparkLevel[];
  levelIndex = 0;
  /** No offer was refused for locality since the wait was restarted. */
  hasNoRejects = true;

  /** By task: the latest attempt, or NOWHERE. */
  private readonly latest: Int32Array;
  readonly copies: Int32Array;
  readonly failures: Int32Array;
  private readonly hasSucceeded: Uint8Array;
  private successes = 0;
  private readonly pending: PendingTasks;
  private readonly pendingCopies: PendingTasks;
  /** Tasks of which a copy is wanted, and since when. */
  readonly speculatable = new Map<number, number>();
  /** By task that waits since an attempt failed or was lost: the time of that. */
  private readonly waitsSince = new Map<number, number>();
  private readonly submittedUs: number;
  private readonly exclusions: Exclusions | null;
  private lastResetUs: number;
  /** Its number among those that are asked. */
  readonly askedNumber: number;
  /** Running attempts, in the order of launch: the ends of a list through the record. */
  private firstRunning = NOWHERE;
  private lastRunning = NOWHERE;
  /** By attempt, where it is known: the rate at which it processes data. Fast ones are not copied. */
  readonly recordsPerSecond = new Map<number, number>();
  /** Durations of tasks that succeeded. */
  private readonly durations = new Durations();
  /** No executor may run one of its tasks; Infinity: all may go somewhere, as far as is known. */
  private stuckSinceUs = Infinity;
  private foundTask = NOWHERE;
  private foundLevel: SparkLevel = ANY;
  private records = 0;
  private recordedUs = 0;
  private readonly isWaiting = (task: number) => this.copies[task] === 0 && this.hasSucceeded[task] === 0;

  /** @param number among the task sets of its application. */
  constructor(
    readonly spec: TaskSetSpec,
    readonly number: number,
    private readonly rules: SparkRules,
    private readonly settings: SparkSettings,
    private readonly executors: Executors,
    private readonly attempts: SparkAttempts,
    readonly pool: Pool<TaskSet>,
    private readonly askedSets: AskedSets,
    nowUs: number,
  ) {
    const { stage, attempt, job, places } = spec;
    this.name = `TaskSet_${stage}.${attempt}`;
    this.stage = stage;
    this.priority = job;
    this.tasks = places.length;
    this.profile = spec.profile ?? 0;
    this.coresPerTask = spec.taskCores ?? settings.coresPerTask;
    this.waiting = this.tasks;
    this.latest = new Int32Array(this.tasks).fill(NOWHERE);
    this.copies = new Int32Array(this.tasks);
    this.failures = new Int32Array(this.tasks);
    this.hasSucceeded = new Uint8Array(this.tasks);
    this.submittedUs = nowUs;
    this.exclusions = settings.exclusion === null ? null : new Exclusions(settings.exclusion);
    this.askedNumber = askedSets.add();
    const placesOf = (task: number) => places[task];
    const waits = (host: number, rack: number) => askedSets.waits(this.askedNumber, host, rack);
    this.pending = new PendingTasks(executors, placesOf, waits);
    this.pendingCopies = new PendingTasks(executors, placesOf, waits);
    this.pending.addAll(this.tasks);
    this.lastResetUs = nowUs;
    this.levels = this.levelsNow();
  }

  /** All tasks have succeeded or the set was aborted, and no attempt runs. */
  get isFinished(): boolean {
    return this.isZombie && this.running === 0;
  }

  /** A list of waiting tasks has entries, possibly stale ones. */
  get hasPending(): boolean {
    return lengthOf(this.pending.anywhere) > 0 || lengthOf(this.pendingCopies.anywhere) > 0;
  }

  get level(): SparkLevel {
    return this.levels[this.levelIndex];
  }

  /** Whether a round asks it at all. */
  isAsked(): boolean {
    switch (this.rules.queue) {
      case "all":
        return true;
      case "live":
        return !this.isZombie;
      case "pending":
        return !this.isZombie && this.hasPending;
    }
  }

  /** No failure has counted, so that no executor is refused for any. */
  get hasNoExclusions(): boolean {
    return this.exclusions === null || this.exclusions.isEmpty;
  }

  excludes(executor: number, host: number): boolean {
    return this.exclusions !== null && this.exclusions.excludes(executor, host);
  }

  /** None of its tasks that wait may run there. */
  excludesAllWaiting(executor: number, host: number): boolean {
    const { exclusions } = this;
    if (exclusions === null) return false;
    if (exclusions.excludes(executor, host)) return true;
    for (let task = 0; task < this.tasks; task++) {
      if (this.isWaiting(task) && !exclusions.excludesTask(task, executor, host)) return false;
    }
    return true;
  }

  /** The wait of its level; null: its tasks may start anywhere. As of when it was asked last. */
  get wait(): { readonly sinceUs: number; readonly waitUs: number } | null {
    if (this.levelIndex === this.levels.length - 1) return null;
    return { sinceUs: this.lastResetUs, waitUs: this.waitUs(this.level) };
  }

  /**
   * The worst level at which a task may start now. Where the round goes up to NO_PREF the wait is neither looked at nor
   * changed.
   */
  allowedUpTo(worst: SparkLevel, nowUs: number): SparkLevel {
    return worst === NO_PREF ? worst : (Math.min(worst, this.allowedLevel(nowUs)) as SparkLevel);
  }

  /** Whether anything could start on this host at such a level: a way to know at once that nothing can. */
  mayStart(host: number, allowed: SparkLevel): boolean {
    return allowed > NODE_LOCAL || this.speculatable.size > 0 || this.askedSets.waitsOnHost(this.askedNumber, host);
  }

  /** Starts the next task for an executor. @returns the attempt, or NOWHERE. */
  start(executor: number, host: number, allowed: SparkLevel, worst: SparkLevel, nowUs: number): number {
    let isSpeculative = false;
    if (!this.find(this.pending, executor, host, allowed, false)) {
      isSpeculative = true;
      if (this.speculatable.size === 0 || !this.find(this.pendingCopies, executor, host, allowed, true)) return NOWHERE;
    }
    const { attempts, foundTask: task, foundLevel: level } = this;
    const earlier = this.latest[task];
    const number = earlier === NOWHERE ? 0 : attempts.number[earlier] + 1;
    const readyUs = isSpeculative ? (this.speculatable.get(task) ?? nowUs) : this.waitedSince(task);
    const attempt = attempts.add(this.priority, this.spec.stageOfJob, task, number, host, level, readyUs, nowUs);
    attempts.set[attempt] = this.number;
    attempts.executor[attempt] = executor;
    attempts.isSpeculative[attempt] = isSpeculative ? 1 : 0;
    attempts.earlier[attempt] = earlier;
    if (isSpeculative) this.speculatable.delete(task);
    else this.waiting--;
    this.latest[task] = attempt;
    this.copies[task]++;
    this.stuckSinceUs = Infinity;
    this.begin(attempt);
    if (this.settings.resetsOnLaunch && worst !== NO_PREF) this.restartWait(level, nowUs);
    return attempt;
  }

  /** It is asked wherever there is room, until it is asked in vain. */
  reopen(): void {
    this.askedSets.reopen(this.askedNumber);
  }

  /**
   * A round asked it in vain up to ANY: unless its tasks or executors change, offers on hosts without tasks of it
   * change nothing.
   */
  close(): void {
    const { isBarrier } = this.spec;
    const minds = !this.settings.resetsOnLaunch && this.hasNoRejects && this.hasPending;
    if (isBarrier || !this.hasNoExclusions || this.speculatable.size > 0 || minds) return;
    const isLast = this.levelIndex === this.levels.length - 1;
    const untilUs = isLast ? Infinity : this.lastResetUs + this.waitUs(this.level);
    this.askedSets.close(this.askedNumber, untilUs, this.level === RACK_LOCAL);
  }

  /** It is no longer among those that are asked. */
  leave(): void {
    this.askedSets.remove(this.askedNumber);
  }

  /** The wait begins anew, at the level of what was started. */
  restartWait(level: SparkLevel, nowUs: number): void {
    this.lastResetUs = nowUs;
    this.levelIndex = this.indexOf(level);
  }

  /** The attempt that was launched last of all, in this instant, never was. */
  undo(attempt: number): void {
    const { attempts } = this;
    assert(attempt === attempts.length - 1, "an attempt is undone that is not the last");
    const task = attempts.task[attempt];
    this.end(attempt, attempts.launchUs[attempt]);
    this.latest[task] = attempts.earlier[attempt];
    attempts.removeLast();
    this.copies[task]--;
    this.waiting++;
    this.pending.add(task);
    this.reopen();
  }

  /**
   * An attempt has succeeded. @param records what it processed, where that is known.
   * @returns attempts of the same task that must be killed; they run until the driver says that they have ended.
   */
  succeed(
    attempt: number,
    nowUs: number,
    records = 0,
    runUs = nowUs - this.attempts.launchUs[attempt],
  ): readonly number[] {
    const { attempts } = this;
    const task = attempts.task[attempt];
    this.end(attempt, nowUs);
    attempts.outcome[attempt] = OUTCOME.succeeded;
    if (this.hasSucceeded[task] === 0) {
      this.hasSucceeded[task] = 1;
      this.successes++;
      if (this.rules.successClearsFailures) this.failures[task] = 0;
      if (this.settings.speculation !== null) this.noteSuccess(nowUs - attempts.launchUs[attempt], records, runUs);
      if (this.successes === this.tasks) this.isZombie = true;
    }
    if (attempts.number[attempt] === 0 && this.latest[task] === attempt) return NO_ATTEMPTS;
    return this.attemptsOf(task).filter((copy) => attempts.isRunning(copy));
  }

  /**
   * An attempt has ended without success. @param counts whether that counts against its task: a kill does not.
   * @param outcome what the record says became of it.
   */
  fail(attempt: number, nowUs: number, counts = true, outcome: number = OUTCOME.failed): void {
    const { attempts } = this;
    if (!attempts.isRunning(attempt)) return;
    const task = attempts.task[attempt];
    this.end(attempt, nowUs);
    attempts.outcome[attempt] = outcome;
    this.copies[task]--;
    if (this.isWaiting(task)) this.waiting++;
    if (counts && !this.isZombie) {
      this.exclusions?.failed(task, attempts.executor[attempt], attempts.node[attempt]);
      this.failures[task]++;
      if (this.failures[task] >= this.settings.maxFailures) return this.abort("task");
    }
    if (this.hasSucceeded[task] !== 0) return;
    this.pending.add(task);
    this.reopen();
    this.waitsSince.set(task, nowUs);
  }

  /** Attempts at a task, in the order of launch: those that a number counts. */
  attemptsOf(task: number): number[] {
    const attempts: number[] = [];
    for (let attempt = this.latest[task]; attempt !== NOWHERE; attempt = this.attempts.earlier[attempt])
      attempts.push(attempt);
    return attempts.reverse();
  }

  get isAborted(): boolean {
    return this.failure !== null;
  }

  /** It, and with it its job, has failed. */
  abort(failure: JobFailure): void {
    this.failure = failure;
    this.isZombie = true;
  }

  /** Tasks that run or wait, and copies that are wanted. */
  get tasksLeft(): number {
    return this.isZombie ? this.running : this.tasks - this.successes + this.speculatable.size;
  }

  hasSuccess(task: number): boolean {
    return this.hasSucceeded[task] !== 0;
  }

  /** All running attempts, in the order of their launch. */
  allRunning(): number[] {
    const attempts: number[] = [];
    for (let attempt = this.firstRunning; attempt !== NOWHERE; attempt = this.attempts.after[attempt])
      attempts.push(attempt);
    return attempts;
  }

  /**
   * Whether to give up a task set of which a round launched nothing: no executor has been allowed to run its last
   * pending task for `unschedulableUs`. That task was put back last, so it is most likely one that failed.
   */
  isUnschedulable(nowUs: number): boolean {
    const { exclusions } = this;
    if (exclusions === null || exclusions.isEmpty) return false;
    const { anywhere } = this.pending;
    let place = lengthOf(anywhere) - 1;
    while (place >= 0 && !this.isWaiting(anywhere.valueAt(0, place))) place--;
    const isStuck =
      place >= 0 &&
      this.executors.everyAlive((executor, host) =>
        exclusions.excludesTask(anywhere.valueAt(0, place), executor, host),
      );
    if (!isStuck) return false;
    if (this.stuckSinceUs === Infinity) this.stuckSinceUs = nowUs;
    return nowUs - this.stuckSinceUs >= (this.settings.exclusion?.unschedulableUs ?? 0);
  }

  /** Fails the attempts on an executor that is gone. @returns these. */
  executorLost(executor: number, nowUs: number, counts = true): readonly number[] {
    const { executor: executorOf, task, number } = this.attempts;
    const lost = this.allRunning().filter((attempt) => executorOf[attempt] === executor);
    lost.sort((a, b) => task[a] - task[b] || number[a] - number[b]);
    for (const attempt of lost) this.fail(attempt, nowUs, counts, OUTCOME.lost);
    return lost;
  }

  /** Executors came or went: which levels are there now. The wait goes on. */
  recomputeLevels(): void {
    if (this.isZombie && !this.rules.zombiesRecompute) return;
    this.reopen();
    const [before, indexBefore] = [this.levels, this.levelIndex];
    this.levels = this.levelsNow();
    this.levelIndex = this.indexOf(before[indexBefore]);
    if (!this.rules.newLevelsPullDown || this.levelIndex <= indexBefore) return;
    const added = this.levels.find((level) => !before.includes(level));
    if (added !== undefined) this.levelIndex = this.indexOf(added);
  }

  /** Marks what runs for so long that a copy may start elsewhere. @returns whether something was marked. */
  checkSpeculation(nowUs: number, leastRunUs = this.settings.speculation?.leastRunUs ?? 0): boolean {
    const { speculation, executorCores } = this.settings;
    if (speculation === null || this.isZombie || this.spec.isBarrier) return false;
    const { quantile, multiplier, durationThresholdUs } = speculation;
    const hasThreshold = this.rules.hasDurationThreshold && durationThresholdUs < Infinity;
    if (this.tasks === 1 && !(hasThreshold && durationThresholdUs > 0)) return false;
    const needed = Math.max(Math.floor(quantile * this.tasks), 1);
    if (this.durations.count >= needed) {
      return this.mark(
        nowUs,
        Math.max(multiplier * this.durations.median(this.rules.median), leastRunUs),
        this.rules.hasEfficiencyRule,
      );
    }
    if (!hasThreshold || this.tasks > Math.max(1, Math.floor(executorCores / this.coresPerTask))) return false;
    return this.mark(nowUs, durationThresholdUs, false);
  }

  /** Marks a task by hand. */
  markSpeculatable(task: number, nowUs: number): void {
    this.speculatable.set(task, nowUs);
    this.reopen();
    this.pendingCopies.add(task);
  }

  /** Notes the durations that speculation compares others with. */
  private noteSuccess(durationUs: number, records: number, runUs: number): void {
    this.durations.add(durationUs);
    this.records += records;
    this.recordedUs += runUs;
  }

  private mark(nowUs: number, thresholdUs: number, byEfficiency: boolean): boolean {
    const late: number[] = [];
    const { attempts } = this;
    for (let attempt = this.firstRunning; attempt !== NOWHERE; attempt = attempts.after[attempt]) {
      const task = attempts.task[attempt];
      const ranUs = nowUs - attempts.launchUs[attempt];
      if (ranUs <= thresholdUs && !this.executors.anyLeaves) break;
      if (this.copies[task] !== 1 || this.hasSucceeded[task] !== 0 || this.speculatable.has(task)) continue;
      const isLate = ranUs > thresholdUs && (!byEfficiency || this.isSlow(attempt, ranUs, thresholdUs));
      if (isLate || this.goesTooSoon(attempt)) late.push(task);
    }
    for (const task of late.sort(ascending)) this.markSpeculatable(task, nowUs);
    return late.length > 0;
  }

  /** By far too long, or its data flows slower than that of others; without any counts of records it does. */
  private isSlow(attempt: number, ranUs: number, thresholdUs: number): boolean {
    const { processRateMultiplier = 1, longRunTaskFactor = 1 } = this.settings.speculation ?? {};
    if (ranUs > longRunTaskFactor * thresholdUs) return true;
    const meanRate = this.records > 0 && this.recordedUs > 0 ? this.records / (this.recordedUs / 1e6) : Infinity;
    return (this.recordsPerSecond.get(attempt) ?? 0) < processRateMultiplier * meanRate;
  }

  /** Its executor is to go before tasks like it end. */
  private goesTooSoon(attempt: number): boolean {
    const { executor, launchUs } = this.attempts;
    const goesAtUs = this.executors.leavesAtUs(executor[attempt]) + this.settings.decommissionKillUs;
    return this.durations.count > 0 && goesAtUs < launchUs[attempt] + this.durations.median(this.rules.median);
  }

  /**
   * Takes the next task for an executor out of the lists. @returns whether there is one: `foundTask`, at `foundLevel`.
   */
  private find(
    lists: PendingTasks,
    executor: number,
    host: number,
    allowed: SparkLevel,
    isSpeculative: boolean,
  ): boolean {
    if (this.take(lists.ofExecutor, executor, PROCESS_LOCAL, executor, host, isSpeculative)) return true;
    if (allowed >= NODE_LOCAL) {
      if (this.take(lists.ofHost, host, NODE_LOCAL, executor, host, isSpeculative)) return true;
      if (!isSpeculative && lists.ofHost.isEmptyFor(host)) this.askedSets.noneWaitOnHost(this.askedNumber, host);
    }
    // Spark reports these as PROCESS_LOCAL.
    if (allowed >= NO_PREF && this.take(lists.withoutPreference, 0, PROCESS_LOCAL, executor, host, isSpeculative))
      return true;
    if (allowed >= RACK_LOCAL) {
      const rack = this.executors.rackOfHost(host);
      if (rack !== NOWHERE && this.take(lists.ofRack, rack, RACK_LOCAL, executor, host, isSpeculative)) return true;
    }
    return allowed === ANY && this.take(lists.anywhere, 0, ANY, executor, host, isSpeculative);
  }

  /** From the end of a list; what may not run there for an exclusion, or because the host has had an attempt, stays. */
  private take(
    lists: Stacks,
    key: number,
    level: SparkLevel,
    executor: number,
    host: number,
    isSpeculative: boolean,
  ): boolean {
    const list = lists.slotOf(key);
    if (list === NOWHERE) return false;
    for (let place = lists.lengthOf(list) - 1; place >= 0; place--) {
      const task = lists.valueAt(list, place);
      if (this.exclusions?.excludesTask(task, executor, host) === true) continue;
      if (isSpeculative && this.hasHadAttemptOn(task, host)) continue;
      lists.removeAt(list, place);
      if (this.hasSucceeded[task] !== 0 || this.copies[task] !== (isSpeculative ? 1 : 0)) continue;
      this.foundTask = task;
      this.foundLevel = level;
      return true;
    }
    return false;
  }

  private hasHadAttemptOn(task: number, host: number): boolean {
    return this.attemptsOf(task).some((attempt) => this.attempts.node[attempt] === host);
  }

  private waitedSince(task: number): number {
    if (this.waitsSince.size === 0) return this.submittedUs;
    return this.waitsSince.get(task) ?? this.submittedUs;
  }

  /**
   * Up to which level tasks may start now. Levels without waiting tasks are passed; the others take their wait each.
   */
  private allowedLevel(nowUs: number): SparkLevel {
    while (this.levelIndex < this.levels.length - 1) {
      const waitUs = this.waitUs(this.level);
      if (!this.hasTasksAt(this.level)) {
        this.lastResetUs = nowUs;
      } else if (nowUs - this.lastResetUs >= waitUs) {
        this.lastResetUs += waitUs;
      } else {
        break;
      }
      this.levelIndex++;
    }
    return this.level;
  }

  /** Asked of every level but the last, which has whatever waits. */
  private hasTasksAt(level: SparkLevel): boolean {
    switch (level) {
      case PROCESS_LOCAL:
        return this.pending.ofExecutor.anyHolds(this.isWaiting);
      case NODE_LOCAL:
        return this.pending.ofHost.anyHolds(this.isWaiting);
      case NO_PREF:
        return lengthOf(this.pending.withoutPreference) > 0;
      case RACK_LOCAL:
        return this.pending.ofRack.anyHolds(this.isWaiting);
      case ANY:
        return true;
    }
  }

  private waitUs(level: SparkLevel): number {
    const { waitProcessUs, waitNodeUs, waitRackUs, resetsOnLaunch } = this.settings;
    // A wait that each launch restarts might never let a barrier stage start whole.
    if (this.spec.isBarrier && resetsOnLaunch && this.rules.partialBarrier === "undo") return 0;
    switch (level) {
      case PROCESS_LOCAL:
        return waitProcessUs;
      case NODE_LOCAL:
        return waitNodeUs;
      case RACK_LOCAL:
        return waitRackUs;
      default:
        return 0;
    }
  }

  private levelsNow(): SparkLevel[] {
    const { pending, executors } = this;
    const levels: SparkLevel[] = [];
    if (pending.ofExecutor.someKey((executor) => executors.countsExecutor(executor))) levels.push(PROCESS_LOCAL);
    if (pending.ofHost.someKey((host) => executors.countsHost(host))) levels.push(NODE_LOCAL);
    if (lengthOf(pending.withoutPreference) > 0) levels.push(NO_PREF);
    if (pending.ofRack.someKey((rack) => executors.countsRack(rack))) levels.push(RACK_LOCAL);
    return [...levels, ANY];
  }

  /** Returns the index of a level in `levels`, or of the next worse level if that one is missing. */
  private indexOf(level: SparkLevel): number {
    return this.levels.findIndex((known) => known >= level);
  }

  private begin(attempt: number): void {
    const { before, after } = this.attempts;
    const last = this.lastRunning;
    before[attempt] = last;
    after[attempt] = NOWHERE;
    if (last === NOWHERE) this.firstRunning = attempt;
    else after[last] = attempt;
    this.lastRunning = attempt;
    this.runningChanged(1);
  }

  private end(attempt: number, nowUs: number): void {
    const { attempts } = this;
    assert(attempts.isRunning(attempt), "an attempt ends that does not run");
    attempts.endUs[attempt] = nowUs;
    const [before, after] = [attempts.before[attempt], attempts.after[attempt]];
    if (before === NOWHERE) this.firstRunning = after;
    else attempts.after[before] = after;
    if (after === NOWHERE) this.lastRunning = before;
    else attempts.before[after] = before;
    this.runningChanged(-1);
  }

  private runningChanged(change: number): void {
    this.running += change;
    this.pool.runningChanged(change, this);
  }
}
