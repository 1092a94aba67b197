import { assert } from "../../kernel/index.js";
import type { AskedSets } from "./asked-sets.js";
import { Exclusions } from "./exclusions.js";
import { type Executors, NOWHERE } from "./executors.js";
import { Durations } from "./durations.js";
import { anyHasWaiting, PendingTasks, type PreferredPlace } from "./pending-tasks.js";
import type { Pool, Schedulable } from "./pools.js";
import type { JobFailure, SparkRules, SparkSettings } from "./rules.js";

/** Locality levels, best first. */
export const PROCESS_LOCAL = 0;
export const NODE_LOCAL = 1;
export const NO_PREF = 2;
export const RACK_LOCAL = 3;
export const ANY = 4;

export type SparkLevel = typeof PROCESS_LOCAL | typeof NODE_LOCAL | typeof NO_PREF | typeof RACK_LOCAL | typeof ANY;

export const SPARK_LEVELS = ["PROCESS_LOCAL", "NODE_LOCAL", "NO_PREF", "RACK_LOCAL", "ANY"] as const;

/** The tasks of one attempt of a stage. */
export interface TaskSetSpec {
  readonly stage: number;
  readonly attempt: number;
  readonly job: number;
  /** What the record calls its stage; `stage` counts over all jobs. */
  readonly stageOfJob: number;
  /** By task: where it prefers to run; empty: anywhere. */
  readonly places: readonly (readonly PreferredPlace[])[];
  /** All its tasks start at once, or none. */
  readonly isBarrier: boolean;
}

/** One try at a task. -1 in a time: has not happened. */
export interface AttemptRow {
  readonly job: number;
  readonly stage: number;
  readonly stageAttempt: number;
  readonly task: number;
  /** Of the task in this attempt of its stage, from 0 on. */
  readonly number: number;
  readonly executor: number;
  readonly host: number;
  readonly level: SparkLevel;
  readonly isSpeculative: boolean;
  /** Since when it could have been launched: its stage came, an attempt before it failed or was lost, or a copy was wanted. */
  readonly readyUs: number;
  readonly launchUs: number;
  /** When the driver knew. */
  endUs: number;
  outcome: AttemptOutcome;
}

export type AttemptOutcome = "running" | "succeeded" | "failed" | "killed" | "lost";

/** An attempt as its task set knows it. */
export interface Attempt extends AttemptRow {
  /** Where the run's record has it; NOWHERE: it is not there yet. */
  place: number;
  /** Unset: nobody knows, and it counts as 0. */
  recordsPerSecond?: number;
}

/** What an offer brought. */
export interface OfferAnswer {
  readonly attempt: Attempt | null;
  /** Nothing was started though any level was allowed for and tasks wait: only the wait for locality kept them. */
  readonly isDelayReject: boolean;
}

const NO_ATTEMPTS: readonly Attempt[] = [];
const NOTHING: OfferAnswer = { attempt: null, isDelayReject: false };
const DELAY_REJECT: OfferAnswer = { attempt: null, isDelayReject: true };

/**
 * Which task of a stage an executor gets: delay scheduling as Spark has it (`TaskSetManager`). A wait is of the task set, not of a job, and runs
 * by time alone.
 */
export class TaskSet implements Schedulable {
  readonly name: string;
  readonly minShare = 0;
  readonly weight = 1;
  readonly priority: number;
  readonly stage: number;
  readonly tasks: number;
  running = 0;
  /** It starts nothing more: all its tasks succeeded, it was aborted, or a later attempt of its stage is there. */
  isZombie = false;
  /** Why it was aborted; null: it was not. */
  failure: JobFailure | null = null;
  /** Its levels, best first; the last is ANY. */
  levels: readonly SparkLevel[];
  levelIndex = 0;
  /** No offer was refused for locality since the wait was restarted. */
  hasNoRejects = true;

  /** By task; undefined: none was made. */
  readonly attempts: (Attempt[] | undefined)[];
  readonly copies: Int32Array;
  readonly failures: Int32Array;
  private readonly hasSucceeded: Uint8Array;
  private successes = 0;
  private readonly pending: PendingTasks;
  private readonly pendingCopies: PendingTasks;
  /** Tasks of which a copy is wanted, and since when. */
  private readonly speculatable = new Map<number, number>();
  private readonly waitsSince: Float64Array;
  private readonly exclusions: Exclusions | null;
  private lastResetUs: number;
  /** Its number among those that are asked. */
  readonly asked: number;
  /** What runs: by executor, and, where speculation looks for what runs long, in the order of launch. */
  private readonly runningOn = new Map<number, Attempt[]>();
  private readonly inOrder: Set<Attempt> | null;
  /** Of tasks that succeeded, and what they processed in that time. */
  private readonly durations = new Durations();
  /** No executor may run one of its tasks; Infinity: all may go somewhere, as far as is known. */
  private stuckSinceUs = Infinity;
  private foundTask = NOWHERE;
  private foundLevel: SparkLevel = ANY;
  private records = 0;
  private recordedUs = 0;
  private readonly isWaiting = (task: number): boolean => this.copies[task] === 0 && this.hasSucceeded[task] === 0;

  constructor(
    readonly spec: TaskSetSpec,
    private readonly rules: SparkRules,
    private readonly settings: SparkSettings,
    private readonly executors: Executors,
    readonly pool: Pool<TaskSet>,
    private readonly askedSets: AskedSets,
    nowUs: number,
  ) {
    const { stage, attempt, job, places } = spec;
    this.name = `TaskSet_${String(stage)}.${String(attempt)}`;
    this.stage = stage;
    this.priority = job;
    this.tasks = places.length;
    this.attempts = new Array<undefined>(this.tasks).fill(undefined);
    this.copies = new Int32Array(this.tasks);
    this.failures = new Int32Array(this.tasks);
    this.hasSucceeded = new Uint8Array(this.tasks);
    this.waitsSince = new Float64Array(this.tasks).fill(nowUs);
    this.exclusions = settings.exclusion === null ? null : new Exclusions(settings.exclusion);
    this.inOrder = settings.speculation === null ? null : new Set();
    this.asked = askedSets.add();
    const placesOf = (task: number): readonly PreferredPlace[] => places[task];
    const waits = (host: number, rack: number): void => askedSets.waits(this.asked, host, rack);
    this.pending = new PendingTasks(executors, placesOf, waits);
    this.pendingCopies = new PendingTasks(executors, placesOf, waits);
    this.pending.addAll(this.tasks);
    this.lastResetUs = nowUs;
    this.levels = this.levelsNow();
  }

  /** All succeeded, or it was aborted, and nothing of it runs. */
  get isFinished(): boolean {
    return this.isZombie && this.running === 0;
  }

  /** A list of tasks that wait has entries, be they stale. */
  get hasPending(): boolean {
    return this.pending.all.length > 0 || this.pendingCopies.all.length > 0;
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

  /** An executor with room for a task asks. @param most the worst level that the round allows now. */
  offer(executor: number, host: number, most: SparkLevel, nowUs: number): OfferAnswer {
    if (this.isZombie || this.excludes(executor, host)) return NOTHING;
    const attempt = this.start(executor, host, this.allowedUpTo(most, nowUs), most, nowUs);
    if (attempt !== null) return { attempt, isDelayReject: false };
    return most === ANY && this.hasPending ? DELAY_REJECT : NOTHING;
  }

  /** The worst level at which a task may start now. Where the round goes up to NO_PREF the wait is neither looked at nor changed. */
  allowedUpTo(most: SparkLevel, nowUs: number): SparkLevel {
    return most === NO_PREF ? most : (Math.min(most, this.allowedLevel(nowUs)) as SparkLevel);
  }

  /** Whether anything could start on this host at such a level: a way to know at once that nothing can. */
  mayStart(host: number, allowed: SparkLevel): boolean {
    return allowed > NODE_LOCAL || this.speculatable.size > 0 || this.askedSets.waitsOnHost(this.asked, host);
  }

  /** Starts the next task for an executor, if there is one. */
  start(executor: number, host: number, allowed: SparkLevel, most: SparkLevel, nowUs: number): Attempt | null {
    let isSpeculative = false;
    if (!this.find(this.pending, executor, host, allowed, false)) {
      isSpeculative = true;
      if (this.speculatable.size === 0 || !this.find(this.pendingCopies, executor, host, allowed, true)) return null;
    }
    const task = this.foundTask;
    const level = this.foundLevel;
    let readyUs = this.waitsSince[task];
    if (isSpeculative) {
      readyUs = this.speculatable.get(task) ?? nowUs;
      this.speculatable.delete(task);
    }
    const earlier = this.attempts[task];
    const attempt: Attempt = {
      job: this.priority,
      stage: this.spec.stageOfJob,
      stageAttempt: this.spec.attempt,
      task,
      number: earlier === undefined ? 0 : earlier.length,
      executor,
      host,
      level,
      isSpeculative,
      readyUs,
      launchUs: nowUs,
      endUs: -1,
      outcome: "running",
      place: NOWHERE,
    };
    if (earlier === undefined) this.attempts[task] = [attempt];
    else earlier.push(attempt);
    this.copies[task]++;
    this.stuckSinceUs = Infinity;
    this.begin(attempt);
    if (this.settings.resetsOnLaunch && most !== NO_PREF) this.restartWait(level, nowUs);
    return attempt;
  }

  /** It is asked wherever there is room, until it is asked in vain. */
  reopen(): void {
    this.askedSets.reopen(this.asked);
  }

  /** A round asked it in vain up to ANY: unless its tasks or executors change, offers on hosts without tasks of it change nothing. */
  close(): void {
    const { isBarrier } = this.spec;
    const minds = !this.settings.resetsOnLaunch && this.hasNoRejects && this.hasPending;
    if (isBarrier || !this.hasNoExclusions || this.speculatable.size > 0 || minds) return;
    const isLast = this.levelIndex === this.levels.length - 1;
    const untilUs = isLast ? Infinity : this.lastResetUs + this.waitUs(this.level);
    this.askedSets.close(this.asked, untilUs, this.level === RACK_LOCAL);
  }

  /** It is no longer among those that are asked. */
  leave(): void {
    this.askedSets.remove(this.asked);
  }

  /** The wait begins anew, at the level of what was started. */
  restartWait(level: SparkLevel, nowUs: number): void {
    this.lastResetUs = nowUs;
    this.levelIndex = this.indexOf(level);
  }

  /** An attempt that was launched in this instant never was. */
  undo(attempt: Attempt): void {
    const { task, launchUs } = attempt;
    const last = this.attempts[task]?.pop();
    assert(last === attempt, "an attempt is undone that is not the last of its task");
    this.end(attempt, launchUs);
    this.copies[task]--;
    this.pending.add(task);
    this.reopen();
  }

  /**
   * An attempt has succeeded. @param records what it processed, where that is known.
   * @returns attempts of the same task that must be killed; they run until somebody says that they have ended.
   */
  succeed(attempt: Attempt, nowUs: number, records = 0, runUs = nowUs - attempt.launchUs): readonly Attempt[] {
    const { task } = attempt;
    this.end(attempt, nowUs);
    if (this.hasSucceeded[task] === 0) {
      this.hasSucceeded[task] = 1;
      this.successes++;
      if (this.rules.successClearsFailures) this.failures[task] = 0;
      if (this.settings.speculation !== null) this.noteSuccess(nowUs - attempt.launchUs, records, runUs);
      if (this.successes === this.tasks) this.isZombie = true;
    }
    const all = this.attempts[task] ?? NO_ATTEMPTS;
    return all.length === 1 ? NO_ATTEMPTS : all.filter(isRunning);
  }

  /** An attempt has ended without success. @param counts whether that counts against its task: a kill does not. */
  fail(attempt: Attempt, nowUs: number, counts = true): void {
    if (!isRunning(attempt)) return;
    const { task, executor, host } = attempt;
    this.end(attempt, nowUs);
    this.copies[task]--;
    if (counts && !this.isZombie) {
      this.exclusions?.failed(task, executor, host);
      this.failures[task]++;
      if (this.failures[task] >= this.settings.maxFailures) return this.abort("task");
    }
    if (this.hasSucceeded[task] !== 0) return;
    this.pending.add(task);
    this.reopen();
    this.waitsSince[task] = nowUs;
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

  /** All that runs, in no order. */
  allRunning(): Attempt[] {
    return [...this.runningOn.values()].flat();
  }

  /**
   * A round started nothing of it: whether it is to be given up. The task that was put back last is looked at, as one that failed most likely has
   * nowhere to go; none of the executors may run it, and so it has been for the time that is set.
   */
  isUnschedulable(nowUs: number): boolean {
    const { exclusions } = this;
    if (exclusions === null || exclusions.isEmpty) return false;
    const { all } = this.pending;
    let at = all.length - 1;
    while (at >= 0 && !this.isWaiting(all[at])) at--;
    const isStuck =
      at >= 0 && this.executors.everyAlive((executor, host) => exclusions.excludesTask(all[at], executor, host));
    if (!isStuck) return false;
    if (this.stuckSinceUs === Infinity) this.stuckSinceUs = nowUs;
    return nowUs - this.stuckSinceUs >= (this.settings.exclusion?.unschedulableUs ?? 0);
  }

  /** What ran on an executor that is gone has failed. @returns that. */
  executorLost(executor: number, nowUs: number, counts = true): readonly Attempt[] {
    const lost = [...(this.runningOn.get(executor) ?? [])].sort((a, b) => a.task - b.task || a.number - b.number);
    for (const attempt of lost) this.fail(attempt, nowUs, counts);
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
    const { speculation, coresPerTask, executorCores } = this.settings;
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
    if (!hasThreshold || this.tasks > Math.max(1, Math.floor(executorCores / coresPerTask))) return false;
    return this.mark(nowUs, durationThresholdUs, false);
  }

  /** Marks a task by hand. */
  markSpeculatable(task: number, nowUs: number): void {
    this.speculatable.set(task, nowUs);
    this.reopen();
    this.pendingCopies.add(task);
  }

  isSpeculatable(task: number): boolean {
    return this.speculatable.has(task);
  }

  /** What speculation judges others by. */
  private noteSuccess(durationUs: number, records: number, runUs: number): void {
    this.durations.add(durationUs);
    this.records += records;
    this.recordedUs += runUs;
  }

  private mark(nowUs: number, thresholdUs: number, byEfficiency: boolean): boolean {
    const found: number[] = [];
    for (const attempt of this.inOrder ?? []) {
      const { task, launchUs } = attempt;
      const ranUs = nowUs - launchUs;
      if (ranUs <= thresholdUs && !this.executors.anyLeaves) break;
      if (this.copies[task] !== 1 || this.hasSucceeded[task] !== 0 || this.speculatable.has(task)) continue;
      const isLate = ranUs > thresholdUs && (!byEfficiency || this.isSlow(attempt, ranUs, thresholdUs));
      if (isLate || this.goesTooSoon(attempt)) found.push(task);
    }
    for (const task of found.sort((a, b) => a - b)) this.markSpeculatable(task, nowUs);
    return found.length > 0;
  }

  /** By far too long, or its data flows slower than that of others; without any counts of records it does. */
  private isSlow({ recordsPerSecond = 0 }: Attempt, ranUs: number, thresholdUs: number): boolean {
    const { processRateMultiplier = 1, longRunTaskFactor = 1 } = this.settings.speculation ?? {};
    if (ranUs > longRunTaskFactor * thresholdUs) return true;
    const meanRate = this.records > 0 && this.recordedUs > 0 ? this.records / (this.recordedUs / 1e6) : Infinity;
    return recordsPerSecond < processRateMultiplier * meanRate;
  }

  /** Its executor is to go before tasks like it end. */
  private goesTooSoon({ executor, launchUs }: Attempt): boolean {
    const goesAtUs = this.executors.leavesAtUs(executor) + this.settings.decommissionKillUs;
    return this.durations.count > 0 && goesAtUs < launchUs + this.durations.median(this.rules.median);
  }

  /** Takes the next task for an executor out of the lists. @returns whether there is one: `foundTask`, at `foundLevel`. */
  private find(
    lists: PendingTasks,
    executor: number,
    host: number,
    allowed: SparkLevel,
    isSpeculative: boolean,
  ): boolean {
    if (this.take(lists.ofExecutor.get(executor), PROCESS_LOCAL, executor, host, isSpeculative)) return true;
    if (allowed >= NODE_LOCAL) {
      const ofHost = lists.ofHost.get(host);
      if (this.take(ofHost, NODE_LOCAL, executor, host, isSpeculative)) return true;
      if (!isSpeculative && (ofHost === undefined || ofHost.length === 0))
        this.askedSets.noneWaitOnHost(this.asked, host);
    }
    // Spark reports these as PROCESS_LOCAL.
    if (allowed >= NO_PREF && this.take(lists.withoutPreference, PROCESS_LOCAL, executor, host, isSpeculative))
      return true;
    if (allowed >= RACK_LOCAL) {
      const rack = this.executors.rackOfHost(host);
      if (rack !== NOWHERE && this.take(lists.ofRack.get(rack), RACK_LOCAL, executor, host, isSpeculative)) return true;
    }
    return allowed === ANY && this.take(lists.all, ANY, executor, host, isSpeculative);
  }

  private take(
    list: number[] | undefined,
    level: SparkLevel,
    executor: number,
    host: number,
    isSpeculative: boolean,
  ): boolean {
    if (list === undefined || list.length === 0) return false;
    this.foundTask = this.takeFrom(list, executor, host, isSpeculative);
    this.foundLevel = level;
    return this.foundTask !== NOWHERE;
  }

  /** From the end of a list; what may not run there for an exclusion, or because the host has had an attempt, stays. */
  private takeFrom(list: number[], executor: number, host: number, isSpeculative: boolean): number {
    for (let at = list.length - 1; at >= 0; at--) {
      const task = list[at];
      if (this.exclusions?.excludesTask(task, executor, host) === true) continue;
      if (isSpeculative && (this.attempts[task] ?? NO_ATTEMPTS).some((one) => one.host === host)) continue;
      if (at === list.length - 1) list.pop();
      else list.splice(at, 1);
      if (this.hasSucceeded[task] === 0 && this.copies[task] === (isSpeculative ? 1 : 0)) return task;
    }
    return NOWHERE;
  }

  /** Up to which level tasks may start now. Levels without waiting tasks are passed; the others take their wait each. */
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
        return anyHasWaiting(this.pending.ofExecutor, this.isWaiting);
      case NODE_LOCAL:
        return anyHasWaiting(this.pending.ofHost, this.isWaiting);
      case NO_PREF:
        return this.pending.withoutPreference.length > 0;
      case RACK_LOCAL:
        return anyHasWaiting(this.pending.ofRack, this.isWaiting);
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
    const has = (lists: Map<number, number[]>, counts: (key: number) => boolean) => [...lists.keys()].some(counts);
    const found: SparkLevel[] = [];
    if (has(pending.ofExecutor, (executor) => executors.countsExecutor(executor))) found.push(PROCESS_LOCAL);
    if (has(pending.ofHost, (host) => executors.countsHost(host))) found.push(NODE_LOCAL);
    if (pending.withoutPreference.length > 0) found.push(NO_PREF);
    if (has(pending.ofRack, (rack) => executors.countsRack(rack))) found.push(RACK_LOCAL);
    return [...found, ANY];
  }

  /** Of the level, or of the next worse one that is there. */
  private indexOf(level: SparkLevel): number {
    return this.levels.findIndex((one) => one >= level);
  }

  private begin(attempt: Attempt): void {
    const here = this.runningOn.get(attempt.executor);
    if (here === undefined) this.runningOn.set(attempt.executor, [attempt]);
    else here.push(attempt);
    this.inOrder?.add(attempt);
    this.runningChanged(1);
  }

  private end(attempt: Attempt, nowUs: number): void {
    assert(isRunning(attempt), "an attempt ends that does not run");
    attempt.endUs = nowUs;
    const here = this.runningOn.get(attempt.executor) ?? [];
    const last = here.pop();
    if (last !== undefined && last !== attempt) here[here.indexOf(attempt)] = last;
    this.inOrder?.delete(attempt);
    this.runningChanged(-1);
  }

  private runningChanged(change: number): void {
    this.running += change;
    this.pool.runningChanged(change, this);
  }
}

export function isRunning({ endUs }: AttemptRow): boolean {
  return endUs < 0;
}
