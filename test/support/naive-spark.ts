import {
  counterHash,
  exponential,
  FAILED,
  FINISHED,
  Fingerprint,
  fractionOf,
  KILLED,
  LAUNCHED,
  LOST,
  seedWord,
} from "../../dist/core/kernel/index.js";
import type {
  PreferredPlace,
  ExecutorSpec,
  PoolSpec,
  SparkApplication,
  SparkStage,
  SparkTask,
} from "../../dist/core/platforms/spark/index.js";
import type { AttemptOutcome } from "../../dist/core/record/index.js";

const [PROCESS, NODE, NO_PREF, RACK, ANY] = [0, 1, 2, 3, 4];

interface NaiveAttempt {
  readonly set: NaiveSet;
  readonly task: number;
  readonly number: number;
  readonly executor: number;
  readonly level: number;
  readonly isSpeculative: boolean;
  readonly readyUs: number;
  readonly launchUs: number;
  endUs: number;
  outcome: AttemptOutcome;
  /** It will fail, unless it is killed or lost before. */
  fails: boolean;
  /** Why, as a log recorded it. */
  reason: string;
  /** Its core is free, though the driver does not count it as ended. */
  hasLeft: boolean;
}

/** A task as its task set sees it. */
interface NaiveTask {
  readonly given: SparkTask;
  readonly attempts: NaiveAttempt[];
  copies: number;
  hasSucceeded: boolean;
  failures: number;
  readyUs: number;
  /** Since when a copy is wanted; null: none is. */
  markedUs: number | null;
}

interface NaiveSet {
  readonly id: number;
  readonly job: number;
  readonly stage: number;
  readonly isBarrier: boolean;
  readonly pool: string;
  readonly tasks: NaiveTask[];
  /** Stacks of tasks: "executor 3", "host 2", "rack 1", "none", "all"; those of copies begin with "copy ". */
  readonly lists: Map<string, number[]>;
  levels: number[];
  index: number;
  resetUs: number;
  hasNoRejects: boolean;
  isZombie: boolean;
  isAborted: boolean;
  readonly durations: number[];
  /** Failures that count: task, executor. */
  readonly counted: [number, number][];
  /** Of its stage. */
  readonly attempt: number;
  stuckSinceUs: number | null;
}

type Member = { name: string; spec: PoolSpec } | { name: string; set: NaiveSet };

interface NaiveEvent {
  readonly atUs: number;
  readonly kind: number;
  readonly happen: () => void;
}

/** The twin of Spark's driver: everything is looked for anew, as the rules say it. One application alone. */
export class NaiveSpark {
  readonly attempts: NaiveAttempt[] = [];
  readonly fingerprint = new Fingerprint();
  private nowUs = 0;
  private readonly events: NaiveEvent[] = [];
  private readonly sets: NaiveSet[] = [];
  /** Executors in the order in which they came. */
  private readonly up: number[] = [];
  private readonly known = new Set<number>();
  /** Offered no more tasks: they go when they run none. */
  private readonly letGoWhenIdle = new Set<number>();
  private toCome: number;
  private rounds = 0;
  private setsSoFar = 0;
  private aborted: NaiveSet[] = [];
  private readonly stageIds = new Map<string, number>();
  private readonly failedAttempts = new Map<string, number>();
  private readonly stageState = new Map<string, "submitted" | "waits" | "ended">();
  private readonly endedJobs = new Set<number>();
  private readonly pools: PoolSpec[];
  private revives = false;
  private checks = false;

  /** Those that are given, and those that came in their places. */
  private readonly executors: ExecutorSpec[];

  constructor(
    private readonly application: SparkApplication,
    private readonly seed: string,
  ) {
    this.pools = [...application.pools];
    this.executors = [...application.executors];
    this.toCome = application.executors.length;
    for (const { executor, atUs } of application.losses?.events ?? []) this.plan(9, atUs, () => this.crash(executor));
    application.executors.forEach((_, executor) => this.expect(executor));
    application.jobs.forEach(({ submitAtUs, after }, job) => {
      if (after === undefined) this.plan(3, submitAtUs, () => this.submitJob(job));
    });
  }

  private expect(executor: number): void {
    const { fromUs, untilUs } = this.executors[executor]!;
    this.plan(0, fromUs, () => {
      this.toCome--;
      this.up.push(executor);
      const { meanUs, untilUs: lastUs } = this.application.losses ?? { meanUs: Infinity, untilUs: 0 };
      const word = counterHash(seedWord(this.seed, "spark/losses/0"), executor, 0);
      const lostUs = this.nowUs + Math.max(1, Math.round(exponential(fractionOf(word), meanUs)));
      if (lostUs < lastUs) this.plan(9, lostUs, () => this.crash(executor));
      this.round([executor], false);
    });
    if (untilUs < Infinity) this.plan(1, untilUs, () => this.letGo(executor));
  }

  private letGo(executor: number): void {
    const { isLetGo, cores } = this.executors[executor]!;
    const isGiven = executor < this.application.executors.length;
    const isBusy = this.up.includes(executor) && this.freeCores(executor) < cores;
    if (isBusy && isGiven && isLetGo === true) this.letGoWhenIdle.add(executor);
    else this.lose(executor, false);
  }

  /** Another comes in the place of an executor that is lost before its time, if that was not over by then. */
  private crash(executor: number): void {
    if (!this.up.includes(executor)) return;
    const { backUs, counts } = this.application.losses!;
    const next = { ...this.executors[executor]!, fromUs: this.nowUs + backUs };
    if (next.fromUs < next.untilUs) {
      this.toCome++;
      this.expect(this.executors.push(next) - 1);
    }
    this.lose(executor, counts);
  }

  run(): this {
    const { jobs } = this.application;
    while (this.endedJobs.size < jobs.length && (this.toCome > 0 || this.up.length > 0)) {
      // The earliest, of several the lowest kind, of several the first planned.
      const next = this.events.reduce((a, b) => (b.atUs < a.atUs || (b.atUs === a.atUs && b.kind < a.kind) ? b : a));
      this.events.splice(this.events.indexOf(next), 1);
      this.nowUs = next.atUs;
      next.happen();
    }
    return this;
  }

  private plan(kind: number, atUs: number, happen: () => void): void {
    this.events.push({ atUs, kind, happen });
  }

  // Jobs and stages.

  /** A job with a barrier stage that is too wide is looked at 41 times, each 15 s after the last, before it fails. */
  private submitJob(job: number, looks = 1): void {
    if (looks === 1) {
      this.application.jobs[job]!.stages.forEach((_, stage) => {
        this.stageIds.set(`${job}.${stage}`, this.setsSoFar++);
      });
    }
    const { executors } = this;
    const { jobs, settings } = this.application;
    const { stages } = jobs[job]!;
    const fits = ({ isBarrier, tasks, profile = 0, taskCores = settings.coresPerTask }: SparkStage): boolean => {
      const own = this.up.filter((one) => (executors[one]!.profile ?? 0) === profile);
      return (
        !isBarrier || tasks.length <= own.reduce((sum, one) => sum + Math.floor(executors[one]!.cores / taskCores), 0)
      );
    };
    if (stages.length === 0) this.endJob(job);
    else if (stages.every(fits)) this.submitStages(job);
    else if (looks <= 40) this.plan(3, this.nowUs + 15e6, () => this.submitJob(job, looks + 1));
    else {
      this.fingerprint.add(this.nowUs, FAILED, job, 0, 0, 0, 0);
      this.endJob(job);
    }
  }

  private submitStages(job: number): void {
    this.application.jobs[job]!.stages.forEach(({ parents, beforeUs = 0 }, stage) => {
      const hasEnded = (of: number): boolean => this.stageState.get(`${job}.${of}`) === "ended";
      const name = `${job}.${stage}`;
      if (this.endedJobs.has(job) || this.stageState.has(name) || !parents.every(hasEnded)) return;
      if (beforeUs === 0) return this.submitStage(job, stage);
      this.stageState.set(name, "waits");
      this.plan(6, this.nowUs + beforeUs, () => {
        if (!this.endedJobs.has(job)) this.submitStage(job, stage);
        this.keepTimers();
      });
    });
    this.keepTimers();
  }

  /** Tasks are offered once the driver has packed them up; a stage without tasks has nothing to pack. */
  private submitStage(job: number, stage: number): void {
    this.stageState.set(`${job}.${stage}`, "submitted");
    const { tasks, driverUs = this.application.timing.stageStartUs } = this.application.jobs[job]!.stages[stage]!;
    if (driverUs === 0 || tasks.length === 0) {
      return this.startStage(job, stage);
    }
    this.plan(8, this.nowUs + driverUs, () => {
      if (this.endedJobs.has(job)) return;
      this.startStage(job, stage);
      this.keepTimers();
    });
  }

  private startStage(job: number, stage: number): void {
    const { stages, pool } = this.application.jobs[job]!;
    const { tasks, isBarrier } = stages[stage]!;
    const name = `${job}.${stage}`;
    const set: NaiveSet = {
      id: this.stageIds.get(name)!,
      attempt: this.failedAttempts.get(name) ?? 0,
      job,
      stage,
      isBarrier,
      pool: pool ?? "default",
      lists: new Map(),
      tasks: tasks.map((task) => ({
        given: { runUs: task.runUs, places: this.placesLeft(job, stage, task) },
        attempts: [],
        copies: 0,
        hasSucceeded: false,
        failures: 0,
        readyUs: this.nowUs,
        markedUs: null,
      })),
      levels: [],
      index: 0,
      resetUs: this.nowUs,
      hasNoRejects: true,
      isZombie: false,
      isAborted: false,
      durations: [],
      counted: [],
      stuckSinceUs: null,
    };
    if (this.application.settings.mode === "FAIR" && this.findPool(set.pool) === undefined) {
      this.pools.push({ name: set.pool, mode: "FIFO", minShare: 0, weight: 1 });
    }
    this.fillLists(set);
    set.levels = this.levelsOf(set);
    this.sets.push(set);
    if (tasks.length === 0) this.endStage(set);
    else this.roundOfAll();
  }

  /** The output of maps goes with the executors of its host; a task that was recorded away from its data stays away. */
  private placesLeft(job: number, stage: number, { places, level }: SparkTask): readonly PreferredPlace[] {
    const { reads } = this.application.jobs[job]!.stages[stage]!;
    const hosts = this.up.map((executor) => this.executors[executor]!.host);
    const left = places.filter(({ host }) => reads !== "shuffle" || level !== undefined || hosts.includes(host));
    return left.length > 0 ? left : this.placesOfInput(job, stage);
  }

  /** Section 7: hosts with a fifth of the output of a parent's tasks. Small stages alone. */
  private placesOfInput(job: number, stage: number): { host: number }[] {
    const { stages } = this.application.jobs[job]!;
    if (this.application.reduceLocality !== true) return [];
    for (const parent of stages[stage]!.parents) {
      const attempt = this.failedAttempts.get(`${job}.${parent}`) ?? 0;
      const maps = stages[parent]!.tasks.length;
      const hosts = this.attempts
        .filter(({ set }) => set.job === job && set.stage === parent && set.attempt === attempt)
        .filter(({ outcome }) => outcome === "succeeded")
        .map(({ executor }) => this.executors[executor]!.host);
      const found = [...new Set(hosts)].filter((host) => hosts.filter((one) => one === host).length >= 0.2 * maps);
      if (found.length > 0) return found.sort((a, b) => a - b).map((host) => ({ host }));
    }
    return [];
  }

  private endStage(set: NaiveSet): void {
    const name = `${set.job}.${set.stage}`;
    if (!this.isLive(set)) return;
    this.stageState.set(name, "ended");
    if (set.tasks.length === 0) this.forget(set);
    const stages = this.application.jobs[set.job]!.stages;
    const all = stages.every((_, stage) => this.stageState.get(`${set.job}.${stage}`) === "ended");
    const { endUs = 0 } = this.application.jobs[set.job]!;
    if (all && endUs > 0) this.plan(11, this.nowUs + endUs, () => this.endJob(set.job));
    else if (all) this.endJob(set.job);
    else this.submitStages(set.job);
  }

  private endJob(job: number): void {
    this.endedJobs.add(job);
    this.application.jobs.forEach(({ after, submitAtUs }, next) => {
      if (after?.job !== job) return;
      this.plan(3, Math.max(submitAtUs, this.nowUs + after.delayUs), () => this.submitJob(next));
    });
  }

  private failJob(set: NaiveSet): void {
    if (this.endedJobs.has(set.job)) return;
    for (const other of this.sets) if (other.job === set.job) other.isZombie = true;
    this.kill(this.attempts.filter((one) => one.set.job === set.job));
    for (const one of [...this.sets]) if (this.isDone(one)) this.forget(one);
    this.fingerprint.add(this.nowUs, FAILED, set.job, 0, 0, 0, 0);
    this.endJob(set.job);
  }

  private kill(attempts: readonly NaiveAttempt[]): void {
    const { launchUs, reportUs } = this.application.timing;
    for (const one of attempts) {
      if (one.endUs >= 0 || one.outcome !== "running") continue;
      one.outcome = "killed";
      this.plan(2, this.nowUs + launchUs + reportUs, () => this.endAttempt(one));
    }
  }

  /** All tasks of a barrier stage are tried again 200 ms after one was lost, and four times at most. */
  private retryStage(set: NaiveSet): void {
    const name = `${set.job}.${set.stage}`;
    const failed = (this.failedAttempts.get(name) ?? 0) + 1;
    this.failedAttempts.set(name, failed);
    if (failed === 4) return this.failJob(set);
    set.isZombie = true;
    this.stageState.set(name, "waits");
    this.kill(this.attempts.filter((one) => one.set === set));
    this.plan(6, this.nowUs + 200_000, () => {
      if (!this.endedJobs.has(set.job)) this.submitStage(set.job, set.stage);
      this.keepTimers();
    });
  }

  private forget(set: NaiveSet): void {
    if (this.sets.includes(set)) this.sets.splice(this.sets.indexOf(set), 1);
  }

  private isDone(set: NaiveSet): boolean {
    return set.isZombie && this.runningOf(set) === 0;
  }

  private isLive(set: NaiveSet): boolean {
    return (
      !this.endedJobs.has(set.job) &&
      this.stageState.get(`${set.job}.${set.stage}`) === "submitted" &&
      set.attempt === (this.failedAttempts.get(`${set.job}.${set.stage}`) ?? 0)
    );
  }

  // Ends of attempts.

  private endAttempt(attempt: NaiveAttempt): void {
    if (attempt.endUs >= 0) return;
    const { set, executor } = attempt;
    const { resultUs = 0 } = this.stageOf(set).tasks[attempt.task]!;
    const isFirst = !attempt.hasLeft;
    attempt.hasLeft = true;
    if (isFirst) this.goIfIdle(executor);
    if (isFirst && resultUs > 0 && attempt.outcome === "running" && !attempt.fails) {
      this.plan(10, this.nowUs + resultUs, () => {
        if (attempt.endUs < 0 && attempt.outcome === "running") this.endWell(attempt);
      });
      this.offerOne(executor);
      return;
    }
    if (attempt.outcome === "running" && !attempt.fails) return this.endWell(attempt, executor);
    attempt.endUs = this.nowUs;
    if (attempt.outcome === "killed") {
      this.note(KILLED, attempt);
      this.fail(attempt, false);
    } else if (attempt.fails) {
      attempt.outcome = "failed";
      this.note(FAILED, attempt);
      this.fail(attempt, !["TaskKilled", "FetchFailed", "TaskCommitDenied"].includes(attempt.reason));
      if (set.isAborted) this.failJob(set);
      else if (set.isBarrier && !set.isZombie) this.retryStage(set);
    }
    this.offerOne(executor);
    const isBack = attempt.outcome === "failed" && !set.isZombie && !set.tasks[attempt.task]!.hasSucceeded;
    if (isBack) this.roundOfAll();
    this.endIfDone(set);
  }

  /** @param executor is offered again; undefined: its core was free before. */
  private endWell(attempt: NaiveAttempt, executor?: number): void {
    const { set } = attempt;
    attempt.endUs = this.nowUs;
    attempt.outcome = "succeeded";
    this.note(FINISHED, attempt);
    const task = set.tasks[attempt.task]!;
    if (!task.hasSucceeded) {
      task.hasSucceeded = true;
      if (this.application.rules.successClearsFailures) task.failures = 0;
      set.durations.push(this.nowUs - attempt.launchUs);
      if (set.tasks.every((one) => one.hasSucceeded)) set.isZombie = true;
    }
    this.kill(task.attempts);
    if (executor !== undefined) this.offerOne(executor);
    this.endIfDone(set);
  }

  private endIfDone(set: NaiveSet): void {
    if (set.isZombie && !set.isAborted) this.endStage(set);
    if (this.isDone(set)) this.forget(set);
  }

  private offerOne(executor: number): void {
    if (this.up.includes(executor) && !this.letGoWhenIdle.has(executor)) this.round([executor], false);
  }

  private goIfIdle(executor: number): void {
    if (this.freeCores(executor) < this.executors[executor]!.cores || !this.letGoWhenIdle.delete(executor)) return;
    this.plan(1, this.nowUs, () => this.letGo(executor));
  }

  private stageOf({ job, stage }: NaiveSet): SparkStage {
    return this.application.jobs[job]!.stages[stage]!;
  }

  private coresOf(set: NaiveSet): number {
    return this.stageOf(set).taskCores ?? this.application.settings.coresPerTask;
  }

  private suits(set: NaiveSet, executor: number): boolean {
    return (this.executors[executor]!.profile ?? 0) === (this.stageOf(set).profile ?? 0);
  }

  private fail({ set, task, executor }: NaiveAttempt, counts: boolean): void {
    const of = set.tasks[task]!;
    of.copies--;
    if (counts && !set.isZombie) {
      set.counted.push([task, executor]);
      of.failures++;
      if (of.failures >= this.application.settings.maxFailures) {
        set.isAborted = true;
        set.isZombie = true;
        return;
      }
    }
    if (of.hasSucceeded) return;
    of.readyUs = this.nowUs;
    this.push(set, task, "", true);
  }

  private lose(executor: number, counts: boolean): void {
    if (!this.up.includes(executor)) return;
    this.up.splice(this.up.indexOf(executor), 1);
    const lost = this.attempts.filter((one) => one.endUs < 0 && one.executor === executor);
    for (const one of lost) {
      one.endUs = this.nowUs;
      one.outcome = "lost";
      this.note(LOST, one);
    }
    this.known.delete(executor);
    for (const set of this.sets) {
      const own = lost.filter((one) => one.set === set).sort((a, b) => a.task - b.task || a.number - b.number);
      for (const one of own) this.fail(one, counts);
      this.recompute(set);
    }
    for (const set of [...this.sets]) {
      if (set.isAborted) this.failJob(set);
      else if (set.isBarrier && !set.isZombie && lost.some((one) => one.set === set)) this.retryStage(set);
    }
    for (const one of [...this.sets]) if (this.isDone(one)) this.forget(one);
    this.roundOfAll();
  }

  // Timers.

  private keepTimers(): void {
    if (!this.sets.some((set) => this.isLive(set))) return;
    const { reviveUs, speculationUs } = this.application.timing;
    if (!this.revives) {
      this.revives = true;
      this.plan(5, (Math.floor(this.nowUs / reviveUs) + 1) * reviveUs, () => {
        this.revives = false;
        this.roundOfAll();
        this.keepTimers();
      });
    }
    if (this.application.settings.speculation === null || this.checks) return;
    this.checks = true;
    this.plan(4, this.nowUs + speculationUs, () => {
      this.checks = false;
      const found = this.sets.filter((set) => this.isLive(set) && this.markCopies(set));
      if (found.length > 0) this.roundOfAll();
      this.keepTimers();
    });
  }

  /** Section 9, without counts of records and decommissioning, which no application has. */
  private markCopies(set: NaiveSet): boolean {
    const { rules, settings } = this.application;
    const { speculation, executorCores } = settings;
    const coresPerTask = this.coresOf(set);
    if (speculation === null || set.isZombie || set.isBarrier) return false;
    const limit = rules.hasDurationThreshold ? speculation.durationThresholdUs : Infinity;
    if (set.tasks.length === 1 && !(limit > 0 && limit < Infinity)) return false;
    let threshold: number;
    if (set.durations.length >= Math.max(Math.floor(speculation.quantile * set.tasks.length), 1)) {
      const sorted = [...set.durations].sort((a, b) => a - b);
      const upper = sorted[Math.floor(sorted.length / 2)]!;
      const lower = sorted[Math.floor((sorted.length - 1) / 2)]!;
      const median = rules.median === "upper" ? upper : (lower + upper) / 2;
      threshold = Math.max(speculation.multiplier * median, speculation.leastRunUs);
    } else {
      if (limit === Infinity || set.tasks.length > Math.max(1, Math.floor(executorCores / coresPerTask))) return false;
      threshold = limit;
    }
    let found = false;
    set.tasks.forEach((task, at) => {
      const running = task.attempts.find(({ endUs }) => endUs < 0);
      if (task.copies !== 1 || task.hasSucceeded || task.markedUs !== null || running === undefined) return;
      if (this.nowUs - running.launchUs <= threshold) return;
      task.markedUs = this.nowUs;
      this.push(set, at, "copy ", true);
      found = true;
    });
    return found;
  }

  // Rounds: section 3.

  private roundOfAll(): void {
    const seed = seedWord(this.seed, "spark/offers/0");
    const round = this.rounds++;
    const word = (executor: number): number => counterHash(seed, executor, round);
    this.round(
      this.up.filter((one) => !this.letGoWhenIdle.has(one)).sort((a, b) => word(a) - word(b) || a - b),
      true,
    );
  }

  private freeCores(executor: number): number {
    const running = this.attempts.filter((one) => one.endUs < 0 && !one.hasLeft && one.executor === executor);
    return this.executors[executor]!.cores - running.reduce((sum, { set }) => sum + this.coresOf(set), 0);
  }

  private round(offers: readonly number[], isAllFree: boolean): void {
    const isNew = offers.filter((executor) => !this.known.has(executor));
    for (const one of isNew) this.known.add(one);
    if (isNew.length > 0) for (const set of this.order()) if (this.isAsked(set)) this.recompute(set);
    for (const set of this.order()) {
      if (!offers.some((one) => this.hasRoom(one, this.leastCores()))) break;
      if (this.isAsked(set)) this.serve(set, offers, isAllFree);
    }
    for (const set of this.aborted.splice(0)) this.failJob(set);
  }

  /** The fewest that a task of any stage takes. */
  private leastCores(): number {
    const { jobs, settings } = this.application;
    const all = jobs.flatMap(({ stages }) => stages.map(({ taskCores = settings.coresPerTask }) => taskCores));
    return Math.min(settings.coresPerTask, ...all);
  }

  private hasRoom(executor: number, cores: number): boolean {
    return this.freeCores(executor) >= cores;
  }

  private isAsked(set: NaiveSet): boolean {
    const { queue } = this.application.rules;
    return (queue === "all" || !set.isZombie) && (queue !== "pending" || this.hasPending(set));
  }

  private hasPending(set: NaiveSet): boolean {
    return this.list(set, "all").length > 0 || this.list(set, "copy all").length > 0;
  }

  private serve(set: NaiveSet, offers: readonly number[], isAllFree: boolean): void {
    const { settings, rules } = this.application;
    if (set.isBarrier) {
      const own = offers.filter((one) => this.suits(set, one));
      const slots = own.map((one) => Math.floor(this.freeCores(one) / this.coresOf(set)));
      if (slots.reduce((sum, one) => sum + one, 0) < set.tasks.length) return;
    }
    const launched: NaiveAttempt[] = [];
    let hasRejects = false;
    for (const most of [...set.levels]) {
      for (let before = -1; before < launched.length;) {
        before = launched.length;
        for (const executor of offers) {
          if (
            !this.hasRoom(executor, this.coresOf(set)) ||
            !this.suits(set, executor) ||
            set.isZombie ||
            this.isExcluded(set, executor)
          )
            continue;
          const one = this.offer(set, executor, most);
          if (one !== null) launched.push(one);
          else if (most === ANY && this.hasPending(set)) hasRejects = true;
        }
      }
    }
    const best = Math.min(...launched.map(({ level }) => level));
    if (!settings.resetsOnLaunch) {
      if (hasRejects) set.hasNoRejects = false;
      else if (launched.length > 0 && (isAllFree || set.hasNoRejects)) {
        set.resetUs = this.nowUs;
        set.index = indexOf(set, best);
        set.hasNoRejects = true;
      }
    }
    if (set.isBarrier && launched.length > 0 && launched.length < set.tasks.length) {
      for (const one of launched.reverse()) {
        const task = set.tasks[one.task]!;
        task.attempts.pop();
        task.copies--;
        this.attempts.splice(this.attempts.indexOf(one), 1);
        this.push(set, one.task, "", true);
      }
      if (rules.partialBarrier === "undo" && !settings.resetsOnLaunch) return;
      set.isAborted = true;
      set.isZombie = true;
      this.aborted.push(set);
      return;
    }
    for (const one of launched) this.begin(one);
    if (launched.length > 0) set.stuckSinceUs = null;
    else if (this.isStuck(set)) {
      set.stuckSinceUs ??= this.nowUs;
      if (this.nowUs - set.stuckSinceUs < settings.exclusion!.unschedulableUs) return;
      set.isAborted = true;
      set.isZombie = true;
      this.aborted.push(set);
    }
  }

  /** The last task of the list of all may run nowhere, because attempts failed. */
  private isStuck(set: NaiveSet): boolean {
    const waiting = this.list(set, "all").filter((at) => set.tasks[at]!.copies === 0 && !set.tasks[at]!.hasSucceeded);
    const last = waiting.at(-1);
    if (set.counted.length === 0 || last === undefined) return false;
    return [...this.known].every((one) => this.isExcluded(set, one) || this.isTaskExcluded(set, last, one));
  }

  private begin(attempt: NaiveAttempt): void {
    const { timing, jobs, failures } = this.application;
    const { set, task, level, number } = attempt;
    this.note(LAUNCHED, attempt);
    const { reads, tasks } = jobs[set.job]!.stages[set.stage]!;
    const given = tasks[task]!;
    const before = set.tasks[task]!.attempts.filter((one) => one !== attempt && one.outcome === "failed");
    const again = attempt.isSpeculative ? undefined : given.failures?.[before.length];
    if (again !== undefined) {
      attempt.fails = true;
      attempt.reason = again.reason;
      this.plan(2, this.nowUs + again.heldUs, () => this.endAttempt(attempt));
      return;
    }
    const factorAt = (at: number): number => {
      const { rackFactor, anyFactor, cachedNodeFactor, cachedAnyFactor, shuffleAnyFactor } = timing.away;
      if (reads === "cached") return [1, cachedNodeFactor, 1, cachedAnyFactor, cachedAnyFactor][at]!;
      if (reads === "shuffle") return at > NO_PREF ? shuffleAnyFactor : 1;
      return [1, 1, 1, rackFactor, anyFactor][at]!;
    };
    const lengthUs = Math.max(1, Math.round((given.runUs * factorAt(level)) / factorAt(given.level ?? 0)));
    const planned = failures?.planned.findLast(
      (one) => one.job === set.job && one.stage === set.stage && one.task === task && one.number === number,
    );
    const seed = seedWord(this.seed, "spark/failures/0");
    const ofTask = counterHash(counterHash(seed, set.job, set.stage), set.attempt, task);
    const [first, second] = [0, 1].map((draw) => fractionOf(counterHash(ofTask, number, draw)));
    const chance = failures?.chances?.[this.executors[attempt.executor]!.host] ?? failures?.chance ?? 0;
    const drawnUs = first! < chance ? Math.floor(second! * lengthUs) : Infinity;
    const failsAfterUs = planned?.afterUs ?? drawnUs;
    attempt.fails = failsAfterUs < lengthUs;
    const delayUs = given.delayUs ?? timing.launchUs + timing.reportUs;
    const endUs = this.nowUs + Math.min(lengthUs, failsAfterUs) + delayUs;
    this.plan(2, endUs, () => this.endAttempt(attempt));
  }

  // What a task set gives to an offer: sections 5 and 6.

  private offer(set: NaiveSet, executor: number, most: number): NaiveAttempt | null {
    const allowed = most === NO_PREF ? NO_PREF : Math.min(most, this.allowedLevel(set));
    const { host } = this.executors[executor]!;
    for (const prefix of ["", "copy "]) {
      if (prefix === "copy " && set.tasks.every(({ markedUs }) => markedUs === null)) continue;
      const places: [string, number, number][] = [
        [`executor ${executor}`, PROCESS, PROCESS],
        [`host ${host}`, NODE, NODE],
        ["none", NO_PREF, PROCESS],
        [`rack ${this.rackOf(host)}`, RACK, RACK],
        ["all", ANY, ANY],
      ];
      for (const [key, needs, level] of places) {
        if (allowed < needs) continue;
        const number = this.take(set, prefix + key, executor, prefix === "copy ");
        if (number === undefined) continue;
        const task = set.tasks[number]!;
        // An entry of an earlier copy counts while any copy is wanted.
        const readyUs = prefix === "" ? task.readyUs : (task.markedUs ?? this.nowUs);
        if (prefix !== "") task.markedUs = null;
        const attempt: NaiveAttempt = {
          set,
          task: number,
          number: task.attempts.length,
          executor,
          level,
          isSpeculative: prefix !== "",
          readyUs,
          launchUs: this.nowUs,
          endUs: -1,
          outcome: "running",
          fails: false,
          reason: "",
          hasLeft: false,
        };
        task.attempts.push(attempt);
        task.copies++;
        this.attempts.push(attempt);
        if (this.application.settings.resetsOnLaunch && most !== NO_PREF) {
          set.resetUs = this.nowUs;
          set.index = indexOf(set, level);
        }
        return attempt;
      }
    }
    return null;
  }

  private take(set: NaiveSet, key: string, executor: number, isCopy: boolean): number | undefined {
    const list = this.list(set, key);
    const { host } = this.executors[executor]!;
    for (const task of [...list].reverse()) {
      const of = set.tasks[task]!;
      const hosts = of.attempts.map((one) => this.executors[one.executor]!.host);
      if (this.isTaskExcluded(set, task, executor) || (isCopy && hosts.includes(host))) continue;
      list.splice(list.lastIndexOf(task), 1);
      if (!of.hasSucceeded && of.copies === (isCopy ? 1 : 0)) return task;
    }
    return undefined;
  }

  private allowedLevel(set: NaiveSet): number {
    while (set.index < set.levels.length - 1) {
      const level = set.levels[set.index]!;
      const waitUs = this.waitOf(set, level);
      if (!this.hasTasks(set, level)) set.resetUs = this.nowUs;
      else if (this.nowUs - set.resetUs >= waitUs) set.resetUs += waitUs;
      else break;
      set.index++;
    }
    return set.levels[set.index]!;
  }

  private waitOf({ isBarrier }: NaiveSet, level: number): number {
    const { settings, rules } = this.application;
    if (isBarrier && settings.resetsOnLaunch && rules.partialBarrier === "undo") return 0;
    if (level === PROCESS) return settings.waitProcessUs;
    if (level === NODE) return settings.waitNodeUs;
    return level === RACK ? settings.waitRackUs : 0;
  }

  private hasTasks(set: NaiveSet, level: number): boolean {
    if (level === NO_PREF) return this.list(set, "none").length > 0;
    const word = ["executor ", "host ", "", "rack "][level]!;
    for (const key of [...set.lists.keys()].filter((one) => one.startsWith(word))) {
      const list = this.list(set, key);
      const waits = (task: number): boolean => set.tasks[task]!.copies === 0 && !set.tasks[task]!.hasSucceeded;
      while (list.length > 0 && !waits(list.at(-1)!)) list.pop();
      if (list.length > 0) return true;
      set.lists.delete(key);
    }
    return false;
  }

  private levelsOf(set: NaiveSet): number[] {
    const isHostUp = (host: number): boolean =>
      [...this.known].some((executor) => this.executors[executor]!.host === host);
    const racksUp = [...this.known].map((executor) => this.rackOf(this.executors[executor]!.host));
    const has = (word: string, counts: (key: number) => boolean): boolean =>
      [...set.lists.keys()].some((key) => key.startsWith(word) && counts(Number(key.slice(word.length))));
    const found: number[] = [];
    if (has("executor ", (executor) => this.known.has(executor))) found.push(PROCESS);
    if (has("host ", isHostUp)) found.push(NODE);
    if (this.list(set, "none").length > 0) found.push(NO_PREF);
    if (has("rack ", (rack) => racksUp.includes(rack))) found.push(RACK);
    return [...found, ANY];
  }

  private recompute(set: NaiveSet): void {
    const { rules } = this.application;
    if (set.isZombie && !rules.zombiesRecompute) return;
    const [before, indexBefore] = [set.levels, set.index];
    set.levels = this.levelsOf(set);
    set.index = indexOf(set, before[indexBefore]!);
    const added = set.levels.find((level) => !before.includes(level));
    if (rules.newLevelsPullDown && set.index > indexBefore && added !== undefined) set.index = indexOf(set, added);
  }

  // Pending lists: section 5.1.

  private list(set: NaiveSet, key: string): number[] {
    return set.lists.get(key) ?? [];
  }

  private put(set: NaiveSet, key: string, task: number): void {
    set.lists.set(key, [...(set.lists.get(key) ?? []), task]);
  }

  private push(set: NaiveSet, task: number, prefix: string, withRacks: boolean): void {
    const { places } = set.tasks[task]!.given;
    for (const { host, executor, isHdfsCache } of places) {
      if (executor !== undefined) this.put(set, `${prefix}executor ${executor}`, task);
      const here = [...this.known].filter((one) => this.executors[one]!.host === host);
      if (isHdfsCache === true) for (const one of here) this.put(set, `${prefix}executor ${one}`, task);
      this.put(set, `${prefix}host ${host}`, task);
    }
    if (places.length === 0) this.put(set, `${prefix}none`, task);
    this.put(set, `${prefix}all`, task);
    if (!withRacks) return;
    for (const { host } of places) {
      const rack = this.rackOf(host);
      if (rack >= 0) this.put(set, `${prefix}rack ${rack}`, task);
    }
  }

  private fillLists(set: NaiveSet): void {
    for (let task = set.tasks.length - 1; task >= 0; task--) this.push(set, task, "", false);
    const hosts = [...set.lists.keys()].filter((key) => key.startsWith("host ")).map((key) => Number(key.slice(5)));
    for (const host of hosts.sort((a, b) => b - a)) {
      if (this.rackOf(host) < 0) continue;
      for (const task of this.list(set, `host ${host}`)) this.put(set, `rack ${this.rackOf(host)}`, task);
    }
  }

  private rackOf(host: number): number {
    return this.application.racks[host] ?? -1;
  }

  // Exclusion: section 10.

  private isExcluded(set: NaiveSet, executor: number): boolean {
    const limits = this.application.settings.exclusion;
    if (limits === null) return false;
    const isBad = (one: number): boolean =>
      new Set(set.counted.filter(([, on]) => on === one).map(([task]) => task)).size >= limits.tasksPerExecutor;
    if (isBad(executor)) return true;
    const { host } = this.executors[executor]!;
    const onHost = this.executors.filter((one, at) => one.host === host && isBad(at));
    return onHost.length >= limits.executorsPerHost;
  }

  private isTaskExcluded(set: NaiveSet, task: number, executor: number): boolean {
    const limits = this.application.settings.exclusion;
    if (limits === null) return false;
    const { executors } = this;
    const own = set.counted.filter(([of]) => of === task).map(([, on]) => on);
    const onHost = own.filter((on) => executors[on]!.host === executors[executor]!.host);
    const onExecutor = own.filter((on) => on === executor);
    return onExecutor.length >= limits.attemptsPerExecutor || onHost.length >= limits.attemptsPerHost;
  }

  // Order of task sets: section 4.

  private runningOf(set: NaiveSet): number {
    return this.attempts.filter((one) => one.set === set && one.endUs < 0).length;
  }

  private order(): NaiveSet[] {
    const { mode } = this.application.settings;
    if (mode === "FIFO") return [...this.sets].sort(byJob);
    return this.membersOf({ name: "", mode: "FAIR", minShare: 0, weight: 1, pools: this.pools });
  }

  private membersOf(pool: PoolSpec): NaiveSet[] {
    const own: Member[] = this.sets
      .filter((set) => set.pool === pool.name && pool === this.findPool(set.pool))
      .map((set) => ({ name: `TaskSet_${set.id}.${set.attempt}`, set }));
    const inner: Member[] = (pool.pools ?? []).map((spec) => ({ name: spec.name, spec }));
    const members = [...own, ...inner];
    if (pool.mode === "FIFO") {
      const key = (one: Member): [number, number] => ("set" in one ? [one.set.job, one.set.id] : [0, -1]);
      members.sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]);
    } else {
      members.sort((a, b) => this.fairly(a, b));
    }
    return members.flatMap((one) => ("set" in one ? [one.set] : this.membersOf(one.spec)));
  }

  private fairly(a: Member, b: Member): number {
    const running = (one: Member): number => ("set" in one ? this.runningOf(one.set) : this.runningIn(one.spec));
    const least = (one: Member): number => ("set" in one ? 0 : one.spec.minShare);
    const weight = (one: Member): number => ("set" in one ? 1 : one.spec.weight);
    const needs = [a, b].map((one) => running(one) < least(one));
    if (needs[0] !== needs[1]) return needs[0] === true ? -1 : 1;
    const part = (one: Member): number => running(one) / (needs[0] === true ? Math.max(least(one), 1) : weight(one));
    if (part(a) !== part(b)) return part(a) - part(b);
    return a.name < b.name ? -1 : 1;
  }

  private runningIn(pool: PoolSpec): number {
    return this.membersOf(pool).reduce((sum, set) => sum + this.runningOf(set), 0);
  }

  private findPool(name: string): PoolSpec | undefined {
    const all = (pools: readonly PoolSpec[]): PoolSpec[] => pools.flatMap((one) => [one, ...all(one.pools ?? [])]);
    return all(this.pools).find((one) => one.name === name);
  }

  private note(what: number, { set, task, number, executor, level }: NaiveAttempt): void {
    this.fingerprint.add(this.nowUs, what, set.job, task, (set.stage << 8) | number, executor, level);
  }
}

function byJob(a: NaiveSet, b: NaiveSet): number {
  return a.job - b.job || a.id - b.id;
}

/** Of a level, or of the next worse one that is there. */
function indexOf({ levels }: NaiveSet, level: number): number {
  return levels.findIndex((one) => one >= level);
}
