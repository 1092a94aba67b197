import { assert } from "../../kernel/index.js";
import { Exclusions } from "./exclusions.js";
import { type Executors, NOWHERE } from "./executors.js";
import { anyHasWaiting, PendingTasks, type PreferredPlace } from "./pending-tasks.js";
import type { Pool, Schedulable } from "./pools.js";
import type { SparkRules, SparkSettings } from "./rules.js";

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
  /** By task: where it prefers to run; empty: anywhere. */
  readonly places: readonly (readonly PreferredPlace[])[];
  /** All its tasks start at once, or none. */
  readonly isBarrier: boolean;
}

/** One try at a task. */
export interface Attempt {
  readonly task: number;
  /** Of its task, from 0 on. */
  readonly number: number;
  readonly executor: number;
  readonly host: number;
  readonly level: SparkLevel;
  readonly isSpeculative: boolean;
  /** Since when its task waited, or a copy of it was wanted. */
  readonly readyUs: number;
  readonly launchUs: number;
  isRunning: boolean;
  /** Where the run's record has it. */
  row: number;
  /** Null: nobody knows, and it counts as 0. */
  recordsPerSecond: number | null;
}

/** What an offer brought. */
export interface OfferAnswer {
  readonly attempt: Attempt | null;
  /** Nothing was started though any level was allowed for and tasks wait: only the wait for locality kept them. */
  readonly isDelayReject: boolean;
}

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
  isAborted = false;
  /** Its levels, best first; the last is ANY. */
  levels: readonly SparkLevel[];
  levelIndex = 0;
  /** No offer was refused for locality since the wait was restarted. */
  hasNoRejects = true;

  readonly attempts: Attempt[][];
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
  /** Of tasks that succeeded, sorted, and what they processed in that time. */
  private readonly durationsUs: number[] = [];
  private records = 0;
  private recordedUs = 0;
  private readonly isWaiting = (task: number): boolean => this.copies[task] === 0 && this.hasSucceeded[task] === 0;

  constructor(
    readonly spec: TaskSetSpec,
    private readonly rules: SparkRules,
    private readonly settings: SparkSettings,
    private readonly executors: Executors,
    readonly pool: Pool<TaskSet>,
    nowUs: number,
  ) {
    const { stage, attempt, job, places } = spec;
    this.name = `TaskSet_${String(stage)}.${String(attempt)}`;
    this.stage = stage;
    this.priority = job;
    this.tasks = places.length;
    this.attempts = places.map(() => []);
    this.copies = new Int32Array(this.tasks);
    this.failures = new Int32Array(this.tasks);
    this.hasSucceeded = new Uint8Array(this.tasks);
    this.waitsSince = new Float64Array(this.tasks).fill(nowUs);
    this.exclusions = settings.exclusion === null ? null : new Exclusions(settings.exclusion);
    const placesOf = (task: number): readonly PreferredPlace[] => places[task];
    this.pending = new PendingTasks(executors, placesOf);
    this.pendingCopies = new PendingTasks(executors, placesOf);
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

  /** An executor with room for a task asks. @param most the worst level that the round allows now. */
  offer(executor: number, host: number, most: SparkLevel, nowUs: number): OfferAnswer {
    if (this.isZombie || this.exclusions?.excludes(executor, host) === true) return NOTHING;
    const allowed = most === NO_PREF ? most : (Math.min(most, this.allowedLevel(nowUs)) as SparkLevel);
    const found =
      this.take(this.pending, executor, host, allowed, false) ??
      (this.speculatable.size > 0 ? this.take(this.pendingCopies, executor, host, allowed, true) : null);
    if (found === null) return most === ANY && this.hasPending ? DELAY_REJECT : NOTHING;
    const { task, level, isSpeculative } = found;
    const readyUs = isSpeculative ? (this.speculatable.get(task) ?? nowUs) : this.waitsSince[task];
    if (isSpeculative) this.speculatable.delete(task);
    const number = this.attempts[task].length;
    const attempt: Attempt = {
      ...{ task, number, executor, host, level, isSpeculative, readyUs, launchUs: nowUs, isRunning: true },
      ...{ row: NOWHERE, recordsPerSecond: null },
    };
    this.attempts[task].push(attempt);
    this.copies[task]++;
    this.runningChanged(1);
    if (this.settings.resetsOnLaunch && most !== NO_PREF) this.restartWait(level, nowUs);
    return { attempt, isDelayReject: false };
  }

  /** The wait begins anew, at the level of what was started. */
  restartWait(level: SparkLevel, nowUs: number): void {
    this.lastResetUs = nowUs;
    this.levelIndex = this.indexOf(level);
  }

  /** An attempt that was launched in this instant never was. */
  undo(attempt: Attempt): void {
    const { task } = attempt;
    assert(this.attempts[task].at(-1) === attempt, "an attempt is undone that is not the last of its task");
    this.attempts[task].pop();
    attempt.isRunning = false;
    this.copies[task]--;
    this.runningChanged(-1);
    this.pending.add(task);
  }

  /**
   * An attempt has succeeded. @param records what it processed, where that is known.
   * @returns attempts of the same task that must be killed; they run until somebody says that they have ended.
   */
  succeed(attempt: Attempt, nowUs: number, records = 0, runUs = nowUs - attempt.launchUs): Attempt[] {
    const { task } = attempt;
    this.end(attempt);
    if (this.hasSucceeded[task] === 0) {
      this.hasSucceeded[task] = 1;
      this.successes++;
      if (this.rules.successClearsFailures) this.failures[task] = 0;
      if (this.settings.speculation !== null) this.noteSuccess(nowUs - attempt.launchUs, records, runUs);
      if (this.successes === this.tasks) this.isZombie = true;
    }
    return this.attempts[task].filter(({ isRunning }) => isRunning);
  }

  /** An attempt has ended without success. @param counts whether that counts against its task: a kill does not. */
  fail(attempt: Attempt, nowUs: number, counts = true): void {
    if (!attempt.isRunning) return;
    const { task, executor, host } = attempt;
    this.end(attempt);
    this.copies[task]--;
    if (counts && !this.isZombie) {
      this.exclusions?.failed(task, executor, host);
      this.failures[task]++;
      if (this.failures[task] >= this.settings.maxFailures) return this.abort();
    }
    if (this.hasSucceeded[task] !== 0) return;
    this.pending.add(task);
    this.waitsSince[task] = nowUs;
  }

  /** It, and with it its job, has failed. */
  abort(): void {
    this.isAborted = true;
    this.isZombie = true;
  }

  /** What ran on an executor that is gone has failed. */
  executorLost(executor: number, nowUs: number, counts = true): void {
    for (const attempts of this.attempts) {
      for (const attempt of attempts) {
        if (attempt.isRunning && attempt.executor === executor) this.fail(attempt, nowUs, counts);
      }
    }
  }

  /** Executors came or went: which levels are there now. The wait goes on. */
  recomputeLevels(): void {
    if (this.isZombie && !this.rules.zombiesRecompute) return;
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
    if (this.durationsUs.length >= needed) {
      return this.mark(nowUs, Math.max(multiplier * this.medianUs(), leastRunUs), this.rules.hasEfficiencyRule);
    }
    if (!hasThreshold || this.tasks > Math.max(1, Math.floor(executorCores / coresPerTask))) return false;
    return this.mark(nowUs, durationThresholdUs, false);
  }

  /** Marks a task by hand. */
  markSpeculatable(task: number, nowUs: number): void {
    this.speculatable.set(task, nowUs);
    this.pendingCopies.add(task);
  }

  isSpeculatable(task: number): boolean {
    return this.speculatable.has(task);
  }

  /** What speculation judges others by. */
  private noteSuccess(durationUs: number, records: number, runUs: number): void {
    insertSorted(this.durationsUs, durationUs);
    this.records += records;
    this.recordedUs += runUs;
  }

  private mark(nowUs: number, thresholdUs: number, byEfficiency: boolean): boolean {
    let found = false;
    for (let task = 0; task < this.tasks; task++) {
      if (this.copies[task] !== 1 || this.hasSucceeded[task] !== 0 || this.speculatable.has(task)) continue;
      const attempt = this.attempts[task].find(({ isRunning }) => isRunning);
      if (attempt === undefined) continue;
      const ranUs = nowUs - attempt.launchUs;
      const isLate = ranUs > thresholdUs && (!byEfficiency || this.isSlow(attempt, ranUs, thresholdUs));
      if (!isLate && !this.goesTooSoon(attempt)) continue;
      this.markSpeculatable(task, nowUs);
      found = true;
    }
    return found;
  }

  /** By far too long, or its data flows slower than that of others; without any counts of records it does. */
  private isSlow({ recordsPerSecond }: Attempt, ranUs: number, thresholdUs: number): boolean {
    const { processRateMultiplier = 1, longRunTaskFactor = 1 } = this.settings.speculation ?? {};
    if (ranUs > longRunTaskFactor * thresholdUs) return true;
    const meanRate = this.records > 0 && this.recordedUs > 0 ? this.records / (this.recordedUs / 1e6) : Infinity;
    return (recordsPerSecond ?? 0) < processRateMultiplier * meanRate;
  }

  /** Its executor is to go before tasks like it end. */
  private goesTooSoon({ executor, launchUs }: Attempt): boolean {
    const goesAtUs = this.executors.leavesAtUs(executor) + this.settings.decommissionKillUs;
    return this.durationsUs.length > 0 && goesAtUs < launchUs + this.medianUs();
  }

  private medianUs(): number {
    const { durationsUs } = this;
    const middle = durationsUs.length >> 1;
    const upper = durationsUs[middle];
    return durationsUs.length % 2 === 1 || this.rules.median === "upper"
      ? upper
      : (durationsUs[middle - 1] + upper) / 2;
  }

  private take(
    lists: PendingTasks,
    executor: number,
    host: number,
    allowed: SparkLevel,
    isSpeculative: boolean,
  ): { readonly task: number; readonly level: SparkLevel; readonly isSpeculative: boolean } | null {
    const from = (list: number[] | undefined, level: SparkLevel) => {
      const task = list === undefined ? NOWHERE : this.takeFrom(list, executor, host, isSpeculative);
      return task === NOWHERE ? null : { task, level, isSpeculative };
    };
    const rack = this.executors.rackOfHost(host);
    return (
      from(lists.ofExecutor.get(executor), PROCESS_LOCAL) ??
      (allowed >= NODE_LOCAL ? from(lists.ofHost.get(host), NODE_LOCAL) : null) ??
      // Spark reports these as PROCESS_LOCAL.
      (allowed >= NO_PREF ? from(lists.withoutPreference, PROCESS_LOCAL) : null) ??
      (allowed >= RACK_LOCAL && rack !== NOWHERE ? from(lists.ofRack.get(rack), RACK_LOCAL) : null) ??
      (allowed === ANY ? from(lists.all, ANY) : null)
    );
  }

  /** From the end of a list; what may not run there for an exclusion, or because the host has had an attempt, stays. */
  private takeFrom(list: number[], executor: number, host: number, isSpeculative: boolean): number {
    for (let at = list.length - 1; at >= 0; at--) {
      const task = list[at];
      if (this.exclusions?.excludesTask(task, executor, host) === true) continue;
      if (isSpeculative && this.attempts[task].some((one) => one.host === host)) continue;
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

  private end(attempt: Attempt): void {
    assert(attempt.isRunning, "an attempt ends that does not run");
    attempt.isRunning = false;
    this.runningChanged(-1);
  }

  private runningChanged(change: number): void {
    this.running += change;
    this.pool.runningChanged(change);
  }
}

function insertSorted(values: number[], value: number): void {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  values.splice(low, 0, value);
}
