import {
  sumOver,
  type Agenda,
  assert,
  counterHash,
  exponential,
  FAILED,
  FINISHED,
  type Fingerprint,
  fractionOf,
  KILLED,
  LAUNCHED,
  LOST,
  seedWord,
  ascending,
  tally,
} from "../../kernel/index.js";
import { OUTCOME } from "../../record/index.js";
import type { RecordedFailure } from "../../workload/index.js";
import { ALLOCATION_STEP_US, Wanted } from "./allocation.js";
import {
  countsAsFailure,
  type ExecutorRow,
  type JobRow,
  type SparkApplication,
  type SparkRecord,
  type SparkStage,
  type SparkTask,
  type StageRow,
} from "./application.js";
import type { SparkAttempts, SparkLevel } from "./attempts.js";
import { awayFactor, type StageInput } from "./away.js";
import { NOWHERE } from "./executors.js";
import type { CoresRequest, HostCores } from "./host-cores.js";
import type { PreferredPlace } from "./pending-tasks.js";
import type { JobFailure, TaskSet } from "./task-set.js";
import { type Profiles, TaskScheduler } from "./task-scheduler.js";
import { type FreeExecutor, SparkWaits } from "./waits.js";

/** Kinds of event, in the order in which those of one instant happen. */
const EXECUTOR_COMES = 0;
const EXECUTOR_GOES = 1;
const ATTEMPT_ENDS = 2;
const JOB_COMES = 3;
const SPECULATION = 4;
const REVIVE = 5;
const SUBMIT_STAGE = 6;
const ALLOCATION = 7;
const STAGE_STARTS = 8;
const EXECUTOR_LOST = 9;
const RESULT_COMES = 10;
const JOB_ENDS = 11;

/**
 * Time after which a stage that failed is tried again, and the attempts that may fail:
 * `spark.stage.maxConsecutiveAttempts`.
 */
const RESUBMIT_US = 200_000;
const MOST_STAGE_ATTEMPTS = 4;

/**
 * A job with a barrier stage of more tasks than the executors have room for is looked at again so often before it
 * fails, at such a distance: `spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures` and `.interval`.
 */
const MOST_ROOM_CHECKS = 40;
const ROOM_CHECK_US = 15_000_000;

/** Tasks of a reduce stage prefer hosts with such a part of their input, if maps and reduces are fewer than so many. */
const LEAST_PART = 0.2;
const MOST_WITH_PREFERENCE = 1000;

/** The most executors of an application: a word of 32 bits and the place of an executor are one number. */
const MOST_EXECUTORS = 2 ** 20;

interface SubmittedStage {
  readonly job: number;
  readonly stage: number;
  readonly row: StageRow;
}

interface RunningStage extends SubmittedStage {
  readonly set: TaskSet;
}

/** The driver's state of a job; lists are by stage. */
interface JobState {
  /** Checks that found too little room for one of its barrier stages. */
  roomChecks: number;
  /**
   * Number of its first stage over all jobs: Spark numbers all stages of a job when the job comes, parents before
   * children.
   */
  firstNumber: number;
  readonly isSubmitted: boolean[];
  /** By stage: task sets that failed. */
  readonly failedAttempts: number[];
  readonly hasEnded: boolean[];
  /** By host: of how many tasks it has the output. */
  readonly outputs: Map<number, number>[];
}

/**
 * One application in virtual time. Offers are made when a task set comes, when a task ends (of its executor alone),
 * when executors come or go, when the check for speculation marks something, and at each revive interval.
 */
export class Driver {
  jobsEnded = 0;
  attemptsEnded = 0;
  /** When an attempt or a job ended last; one that was lost has not got anywhere. */
  lastEndUs = 0;
  readonly jobs: JobRow[];
  readonly scheduler: TaskScheduler;
  private readonly shuffleSeed: number;
  private rounds = 0;
  private readonly executors: ExecutorRow[];
  private readonly isUp: boolean[];
  /** Since when nothing runs on an executor that is there; Infinity: something does. */
  private readonly idleSinceUs: number[];
  private readonly wanted: Wanted | null;
  /** Allocated executors that are on their way, and how many of those will not be needed any more. */
  private coming = 0;
  private unneeded = 0;
  /** Allocated executors that are there, in the order of their numbers; and all executors that are, by host. */
  private readonly allocatedUp = new Set<number>();
  private readonly upOnHost: number[] = [];
  /** When the number of executors was looked at last, and when it is next; Infinity: nothing would change. */
  private lookedAtUs = -1;
  private looksAtUs = Infinity;
  private readonly freeCores: number[];
  /** Executors that go as soon as they run no task: they are offered none. */
  private readonly goingWhenIdle = new Set<number>();
  /** By executor: its resource profile. */
  private readonly profileOf: number[];
  /** The fewest cores that a task takes. */
  private readonly leastCores: number;
  private readonly states: JobState[];
  private readonly dependants: number[][];
  private readonly stages: StageRow[] = [];
  private readonly running = new Map<TaskSet, RunningStage>();
  private readonly attempts: SparkAttempts;
  /** By their numbers; undefined: nothing of it runs, and nothing will. */
  private readonly sets: (TaskSet | undefined)[] = [];
  /** Attempts that were launched so far. */
  private launched = 0;
  /** Executors with room that a round of all is shown, and by what words they are shuffled. */
  private free = new Int32Array(16);
  private words = new Float64Array(16);
  private stagesSoFar = 0;
  /** Stages whose tasks are not offered yet, by the place of their row in the record. */
  private readonly starting = new Map<number, SubmittedStage>();
  /** Stages that are to be submitted later: for the first time, or again. */
  private readonly toSubmit: { readonly job: number; readonly stage: number }[] = [];
  /** Attempts that will not end well, by their places. */
  private readonly failing = new Set<number>();
  /** Attempts that fail as a log recorded, and why. */
  private readonly failingAsRecorded = new Map<number, RecordedFailure>();
  /** Attempts whose core is free, while their result is on its way to the driver. */
  private readonly resultsToCome = new Set<number>();
  private readonly plannedFailures = new Map<string, number>();
  /** By executor: attempts that were launched there, where the length of later ones depends on it. */
  private readonly launchedOn: number[] = [];
  private readonly failureSeed: number;
  private readonly lossSeed: number;
  /** By executor: when its schedule has it go; Infinity: never. */
  private readonly goesUs: number[];
  private executorsUp = 0;
  private executorsToCome: number;
  private endedUs = 0;
  private revivesAtUs = Infinity;
  private checksAtUs = Infinity;
  /** By executor: it waits for cores of its host, or has them and comes now. */
  private readonly requests = new Map<number, CoresRequest>();
  private readonly hasCores = new Set<number>();
  /**
   * Allocated executors that wait for cores, and hosts of those that have them and are on their way, in the order of
   * their coming.
   */
  private readonly askedAny = new Set<CoresRequest>();
  private readonly comingTo: number[] = [];
  private hasLeft = false;
  /** The log of what stages wait for; null: it is not asked for. */
  private waits: SparkWaits | null = null;

  /**
   * @param number of the application among those of the run. @param cores of hosts, which all share; null: there is
   *   always room.
   */
  constructor(
    private readonly application: SparkApplication,
    private readonly number: number,
    seed: string,
    private readonly agenda: Agenda,
    private readonly fingerprint: Fingerprint,
    private readonly cores: HostCores | null = null,
  ) {
    const { rules, settings, pools, executors, racks, jobs } = application;
    const rackOf = (host: number) => racks[host] ?? NOWHERE;
    this.profileOf = executors.map(({ profile = 0 }) => profile);
    this.scheduler = new TaskScheduler({ rules, settings, pools, rackOf, ...this.profilesOf(application) });
    this.leastCores = this.scheduler.leastCores;
    this.attempts = this.scheduler.attempts;
    this.failureSeed = seedWord(seed, `spark/failures/${number}`);
    this.lossSeed = seedWord(seed, `spark/losses/${number}`);
    this.goesUs = executors.map(({ untilUs }) => untilUs);
    for (const { executor, atUs } of application.losses?.events ?? []) this.plan(EXECUTOR_LOST, executor, atUs);
    for (const { job, stage, task, number: attemptNumber, afterUs } of application.failures?.planned ?? []) {
      this.plannedFailures.set([job, stage, task, attemptNumber].join(), afterUs);
    }
    this.shuffleSeed = seedWord(seed, `spark/offers/${number}`);
    assert(executors.length <= MOST_EXECUTORS, "an application has more executors than words have room for");
    this.executors = executors.map(({ host, cores }) => ({ host, cores, cameUs: -1, wentUs: -1 }));
    this.isUp = executors.map(() => false);
    this.idleSinceUs = executors.map(() => Infinity);
    this.wanted = application.allocation === undefined ? null : new Wanted(application.allocation);
    this.freeCores = executors.map(({ cores }) => cores);
    this.executorsToCome = executors.length;
    this.jobs = jobs.map(() => ({ submittedUs: -1, firstLaunchUs: -1, endedUs: -1, failure: null }));
    this.states = jobs.map(({ stages }) => ({
      roomChecks: 0,
      firstNumber: NOWHERE,
      isSubmitted: stages.map(() => false),
      failedAttempts: stages.map(() => 0),
      hasEnded: stages.map(() => false),
      outputs: stages.map(() => new Map<number, number>()),
    }));
    this.dependants = jobs.map(() => []);
    if (application.allocation !== undefined) {
      assert(application.allocation.hosts.length > 0, "executors are allocated on no host");
      this.lookBy(application.startUs ?? 0);
    }
    executors.forEach(({ fromUs, untilUs }, executor) => {
      this.plan(EXECUTOR_COMES, executor, fromUs);
      if (untilUs < Infinity) this.plan(EXECUTOR_GOES, executor, untilUs);
    });
    jobs.forEach(({ submitAtUs, after }, job) => {
      if (after === undefined) this.plan(JOB_COMES, job, submitAtUs);
      else this.dependants[after.job].push(job);
    });
  }

  /** Nothing where all stages and executors have the default profile. */
  private profilesOf({ jobs, executors, settings, allocation }: SparkApplication): { profiles?: Profiles } {
    const stages = jobs.flatMap((job) => job.stages);
    const hasOwn = stages.some(({ profile = 0, taskCores }) => profile !== 0 || taskCores !== undefined);
    if (allocation !== undefined || (!hasOwn && executors.every(({ profile = 0 }) => profile === 0))) return {};
    let leastCores = settings.coresPerTask;
    for (const { taskCores } of stages) leastCores = Math.min(leastCores, taskCores ?? leastCores);
    return { profiles: { leastCores, profileOf: (executor) => this.profileOf[executor] } };
  }

  /** All its jobs have ended, or nothing can end them. */
  get isOver(): boolean {
    return this.jobsEnded === this.jobs.length || this.nobodyIsLeft();
  }

  record(): SparkRecord {
    const stopped =
      this.jobsEnded === this.jobs.length ? "all-jobs-ended" : this.nobodyIsLeft() ? "no-executors-left" : "until";
    return {
      fingerprint: this.fingerprint.hex(),
      endedUs: stopped === "until" ? this.nowUs : this.endedUs,
      stopped,
      jobs: this.jobs,
      stages: this.stages,
      executors: this.executors,
      attempts: this.attempts,
    };
  }

  /** From now on it notes what stages wait for. @param firstJob its number among the jobs of all applications. */
  logWaits(firstJob: number): SparkWaits["log"] {
    this.waits = new SparkWaits(firstJob);
    return this.waits.log;
  }

  private get nowUs(): number {
    return this.agenda.nowUs;
  }

  /** No executor is there, and none will come: no further job can end. */
  private nobodyIsLeft(): boolean {
    if ((this.application.allocation?.max ?? 0) > 0) return false;
    return this.executorsToCome === 0 && this.executorsUp === 0;
  }

  /** @param target an executor, a job, or an attempt. */
  handle(kind: number, target: number): void {
    if (this.isOver) return;
    this.endedUs = this.nowUs;
    this.happen(kind, target);
    if (this.waits !== null) this.lookAtWaits(this.waits);
    if (this.cores !== null && this.isOver && !this.hasLeft) this.leave(this.cores);
  }

  /** Its cores are there for other applications. */
  private leave(cores: HostCores): void {
    this.hasLeft = true;
    for (const request of [...this.requests.values(), ...this.askedAny]) cores.cancel(request);
    for (const executor of this.hasCores) cores.giveBack(this.executors[executor].host, this.executors[executor].cores);
    for (const host of this.comingTo) cores.giveBack(host, this.application.settings.executorCores);
    this.executors.forEach(({ host, cores: executorCores }, executor) => {
      if (this.isUp[executor]) cores.giveBack(host, executorCores);
    });
  }

  private happen(kind: number, target: number): void {
    if (kind !== ALLOCATION && kind !== REVIVE && kind !== SPECULATION) this.lookBy(this.nowUs);
    switch (kind) {
      case EXECUTOR_COMES:
        return this.welcome(target);
      case EXECUTOR_GOES:
        this.stopAsking(target);
        return this.letGo(target);
      case EXECUTOR_LOST:
        return this.crash(target);
      case ATTEMPT_ENDS:
        return this.endAttempt(target);
      case RESULT_COMES:
        return this.takeResult(target);
      case JOB_ENDS:
        return this.endJob(target, null);
      case JOB_COMES:
        return this.submitJob(target);
      case SPECULATION:
        return this.checkSpeculation();
      case REVIVE:
        this.revivesAtUs = Infinity;
        this.offerAll();
        return this.keepTimers();
      case ALLOCATION:
        // An earlier look may have taken its place.
        if (this.looksAtUs !== this.nowUs) return;
        this.looksAtUs = Infinity;
        this.lookedAtUs = this.nowUs;
        return this.allocate();
      case SUBMIT_STAGE: {
        const { job, stage } = this.toSubmit[target];
        if (this.jobs[job].endedUs < 0) this.submitStage(job, stage);
        return this.keepTimers();
      }
      case STAGE_STARTS: {
        const submitted = this.starting.get(target);
        // Its job failed meanwhile.
        if (submitted === undefined) return;
        this.starting.delete(target);
        this.startStage(submitted);
        return this.keepTimers();
      }
    }
  }

  private lookAtWaits(waits: SparkWaits): void {
    const { executors, freeCores: coresOf, isUp, scheduler, profileOf, leastCores } = this;
    const hasRoom = (executor: number) =>
      isUp[executor] && coresOf[executor] >= leastCores && !this.goingWhenIdle.has(executor);
    let freeCores = 0;
    for (let executor = 0; executor < executors.length; executor++) {
      if (hasRoom(executor)) freeCores += coresOf[executor];
    }
    const free = (): FreeExecutor[] =>
      executors.flatMap(({ host }, executor) =>
        hasRoom(executor) ? [{ executor, host, cores: coresOf[executor], profile: profileOf[executor] }] : [],
      );
    const holder = () => scheduler.holder();
    const { hasProfiles } = scheduler;
    waits.look(this.running, { executors: this.executorsUp, freeCores, hasProfiles, free, holder }, this.nowUs);
  }

  /** An executor is there. @param listed NOWHERE: an allocated one, of which the number is new. */
  private welcome(listed: number): void {
    let executor = listed;
    if (listed === NOWHERE) {
      this.coming--;
      const cores = this.application.settings.executorCores;
      const [host] = this.comingTo.splice(0, 1);
      if (this.unneeded > 0) {
        this.unneeded--;
        this.cores?.giveBack(host, cores);
        return;
      }
      executor = this.executors.push({ host, cores, cameUs: -1, wentUs: -1 }) - 1;
      this.freeCores.push(cores);
      this.profileOf.push(0);
      this.allocatedUp.add(executor);
    } else {
      if (this.cores !== null && !this.hasCores.delete(listed)) return this.askFor(listed, this.cores);
      this.executorsToCome--;
    }
    this.countUp(executor, 1);
    this.isUp[executor] = true;
    this.idleSinceUs[executor] = this.nowUs;
    this.executors[executor].cameUs = this.nowUs;
    this.planLoss(executor);
    this.offerOne(executor);
  }

  /** A listed executor comes when its host has its cores. */
  private askFor(executor: number, cores: HostCores): void {
    const { host, cores: executorCores } = this.executors[executor];
    const request: CoresRequest = {
      cores: executorCores,
      choose: (hasRoom) => (hasRoom(host) ? host : NOWHERE),
      granted: () => {
        this.requests.delete(executor);
        this.hasCores.add(executor);
        this.plan(EXECUTOR_COMES, executor, this.nowUs);
      },
    };
    this.requests.set(executor, request);
    cores.ask(request);
  }

  /** Its time is over while it waits for room. */
  private stopAsking(executor: number): void {
    const request = this.requests.get(executor);
    if (request === undefined) return;
    this.cores?.cancel(request);
    this.requests.delete(executor);
    this.executorsToCome--;
  }

  /** An allocated executor starts when any host has its cores. */
  private askForAny(startUs: number, cores: HostCores): void {
    const request: CoresRequest = {
      cores: this.application.settings.executorCores,
      choose: (hasRoom) => this.emptiestHost(hasRoom),
      granted: (host) => {
        this.askedAny.delete(request);
        this.expect(host, startUs);
      },
    };
    this.askedAny.add(request);
    cores.ask(request);
  }

  /**
   * An allocated executor is on its way. Its host was chosen when it was asked for, so that one on its own and one
   * among others come alike.
   */
  private expect(host: number, startUs: number): void {
    this.comingTo.push(host);
    this.plan(EXECUTOR_COMES, NOWHERE, this.nowUs + startUs);
  }

  private planLoss(executor: number): void {
    const { meanUs, untilUs } = this.application.losses ?? { meanUs: Infinity, untilUs: 0 };
    if (meanUs === Infinity) return;
    const fraction = fractionOf(counterHash(this.lossSeed, executor, 0));
    const atUs = this.nowUs + Math.max(1, Math.round(exponential(fraction, meanUs)));
    if (atUs < untilUs) this.plan(EXECUTOR_LOST, executor, atUs);
  }

  /** It is lost before its time, and another comes in its place. */
  private crash(executor: number): void {
    const { losses } = this.application;
    if (losses === undefined || !this.isUp[executor]) return;
    const comesUs = this.nowUs + losses.backUs;
    const goesUs = this.goesUs[executor];
    // Those that are allocated come as they are needed.
    if (!this.allocatedUp.has(executor) && comesUs < goesUs) {
      const { host, cores } = this.executors[executor];
      const next = this.executors.push({ host, cores, cameUs: -1, wentUs: -1 }) - 1;
      this.freeCores.push(cores);
      this.profileOf.push(this.profileOf[executor]);
      this.goesUs[next] = goesUs;
      this.executorsToCome++;
      this.plan(EXECUTOR_COMES, next, comesUs);
      if (goesUs < Infinity) this.plan(EXECUTOR_GOES, next, goesUs);
    }
    this.loseExecutor(executor, losses.counts);
  }

  /**
   * Returns the host of the next executor: the one with the fewest of them, of several the one that is listed first;
   * NOWHERE: none may have it.
   */
  private emptiestHost(mayHave: (host: number) => boolean = () => true): number {
    const hosts = this.application.allocation?.hosts ?? [];
    const onTheirWay = (host: number) => sumOver(this.comingTo, (to) => (to === host ? 1 : 0));
    const executorsOn = (host: number) => (this.upOnHost[host] ?? 0) + onTheirWay(host);
    let [best, fewest] = [NOWHERE, Infinity];
    for (const host of hosts) {
      if (!mayHave(host)) continue;
      const count = executorsOn(host);
      if (count < fewest) [best, fewest] = [host, count];
    }
    return best;
  }

  private countUp(executor: number, by: number): void {
    const { host } = this.executors[executor];
    this.executorsUp += by;
    this.upOnHost[host] = (this.upOnHost[host] ?? 0) + by;
  }

  /**
   * The number of executors is looked at on a grid, at the first of its times that is no earlier: in between nothing
   * would change.
   */
  private lookBy(atUs: number): void {
    if (this.wanted === null || atUs === Infinity) return;
    let lookUs = Math.ceil(atUs / ALLOCATION_STEP_US) * ALLOCATION_STEP_US;
    if (lookUs <= this.lookedAtUs) lookUs = this.lookedAtUs + ALLOCATION_STEP_US;
    if (lookUs >= this.looksAtUs) return;
    this.looksAtUs = lookUs;
    this.plan(ALLOCATION, 0, lookUs);
  }

  /** Executors are asked for and let go, as the number of those that are wanted says. */
  private allocate(): void {
    const { wanted } = this;
    const { allocation, settings } = this.application;
    if (wanted === null || allocation === undefined) return;
    const sets = [...this.running.values()].map(({ set }) => set);
    const unfinishedTasks = sumOver(sets, ({ tasksLeft }) => tasksLeft);
    const running = sumOver(sets, (set) => set.running);
    const slots = Math.max(1, Math.floor(settings.executorCores / settings.coresPerTask));
    wanted.update(this.nowUs, Math.ceil(unfinishedTasks / slots), unfinishedTasks > running, this.executorsUp);
    const missing = wanted.executors - this.executorsUp - (this.coming - this.unneeded);
    if (missing < 0) this.unneeded = Math.min(this.coming, this.unneeded - missing);
    // Requests that wait for room are cancelled at once, so that none waits behind them.
    for (const request of this.unneeded > 0 ? [...this.askedAny].reverse() : []) {
      if (this.unneeded === 0) break;
      this.cores?.cancel(request);
      this.askedAny.delete(request);
      this.unneeded--;
      this.coming--;
    }
    for (let more = 0; more < missing; more++) {
      // An executor that is on its way and was not needed is needed again.
      if (this.unneeded > 0) {
        this.unneeded--;
        continue;
      }
      this.coming++;
      if (this.cores === null) this.expect(this.emptiestHost(), allocation.startUs);
      else this.askForAny(allocation.startUs, this.cores);
    }
    const least = Math.max(allocation.min, wanted.executors);
    for (const executor of this.allocatedUp) {
      if (this.executorsUp <= least) break;
      const goesUs = this.idleSinceUs[executor] + allocation.idleUs;
      if (goesUs <= this.nowUs) this.loseExecutor(executor);
      else this.lookBy(goesUs);
    }
    this.lookBy(wanted.addsAtUs);
  }

  private submitJob(job: number): void {
    const row = this.jobs[job];
    if (row.submittedUs < 0) {
      row.submittedUs = this.nowUs;
      this.states[job].firstNumber = this.stagesSoFar;
      this.stagesSoFar += this.application.jobs[job].stages.length;
    }
    if (this.application.jobs[job].stages.length === 0) return this.endJob(job, null);
    const hasBarrier = this.application.jobs[job].stages.some(({ isBarrier }) => isBarrier);
    // DAGScheduler.checkBarrierStageWithDynamicAllocation, in all releases that have barrier stages.
    if (hasBarrier && this.wanted !== null) return this.refuseJob(job, "barrierDynamic");
    if (this.hasRoomForBarriers(job)) {
      this.waits?.log.ended(job, NOWHERE, this.nowUs);
      return this.submitStages(job);
    }
    if (++this.states[job].roomChecks > MOST_ROOM_CHECKS) return this.refuseJob(job, "barrierRoom");
    this.waits?.log.is(job, NOWHERE, { reason: "room" }, 0, this.nowUs);
    this.plan(JOB_COMES, job, this.nowUs + ROOM_CHECK_US);
  }

  /** It fails before any of its stages is submitted. */
  private refuseJob(job: number, failure: JobFailure): void {
    this.fingerprint.add(this.nowUs, FAILED + 16 * this.number, job, 0, 0, 0, 0);
    this.endJob(job, failure);
  }

  /** Each barrier stage could run whole on the executors that are there, were they idle. */
  private hasRoomForBarriers(job: number): boolean {
    const { jobs, settings } = this.application;
    const barriers = jobs[job].stages.filter(({ isBarrier }) => isBarrier);
    return barriers.every(({ tasks, profile = 0, taskCores = settings.coresPerTask }) => {
      const rooms = this.executors.map(({ cores }, executor) =>
        this.isUp[executor] && this.profileOf[executor] === profile ? Math.floor(cores / taskCores) : 0,
      );
      return sumOver(rooms) >= tasks.length;
    });
  }

  /** All stages of a job whose parents have ended, in the order of their numbers. */
  private submitStages(job: number): void {
    const { isSubmitted, hasEnded } = this.states[job];
    this.application.jobs[job].stages.forEach(({ parents, beforeUs = 0 }, stage) => {
      // A barrier stage may have failed the job just now.
      if (this.jobs[job].endedUs >= 0) return;
      if (isSubmitted[stage] || !parents.every((parent) => hasEnded[parent])) return;
      isSubmitted[stage] = true;
      if (beforeUs === 0) this.submitStage(job, stage);
      else {
        this.plan(SUBMIT_STAGE, this.toSubmit.push({ job, stage }) - 1, this.nowUs + beforeUs);
        this.waits?.log.is(job, stage, { reason: "driver" }, 0, this.nowUs);
      }
    });
    this.keepTimers();
  }

  private submitStage(job: number, stage: number): void {
    const attempt = this.states[job].failedAttempts[stage];
    const row: StageRow = { job, stage, attempt, submittedUs: this.nowUs, endedUs: -1 };
    const place = this.stages.push(row) - 1;
    this.states[job].outputs[stage].clear();
    const { tasks, driverUs = this.application.timing.stageStartUs } = this.application.jobs[job].stages[stage];
    if (driverUs === 0 || tasks.length === 0) {
      this.startStage({ job, stage, row });
    } else {
      this.starting.set(place, { job, stage, row });
      this.waits?.log.is(job, stage, { reason: "start" }, 0, this.nowUs);
      this.plan(STAGE_STARTS, place, this.nowUs + driverUs);
    }
  }

  /** The task set of a stage is there: its waits count from now on. */
  private startStage({ job, stage, row }: SubmittedStage): void {
    const { stages, pool } = this.application.jobs[job];
    const { tasks, reads, isBarrier, profile, taskCores } = stages[stage];
    const { attempt } = row;
    const fromMaps = this.application.reduceLocality === true ? this.placesOfOutput(job, stage) : [];
    const places = tasks.map((task) => {
      const recorded = reads === "shuffle" ? this.placesLeft(task) : task.places;
      return recorded.length > 0 || task.prefersMaps === false ? recorded : fromMaps;
    });
    const number = this.states[job].firstNumber + stage;
    const spec = { stage: number, attempt, job, stageOfJob: stage, places, isBarrier, profile, taskCores };
    const set = this.scheduler.submit(spec, pool, this.nowUs);
    const running = { job, stage, row, set };
    this.running.set(set, running);
    this.waits?.touch(running);
    this.sets[set.number] = set;
    if (tasks.length === 0) this.endStage(set);
    else this.offerAll();
  }

  /**
   * Places of a task that reads shuffles: output of maps goes with the executors of its host. A task that was recorded
   * away from its data stays away.
   */
  private placesLeft({ level, places }: SparkTask): readonly PreferredPlace[] {
    if (level !== undefined || places.length === 0) return places;
    return places.filter(({ host }) => (this.upOnHost[host] ?? 0) > 0);
  }

  private endAttempt(attempt: number): void {
    const { attempts } = this;
    const set = this.sets[attempts.set[attempt]];
    // Its executor went first, or it was killed.
    if (set === undefined || !attempts.isRunning(attempt)) return;
    this.waits?.touch(this.running.get(set));
    const [executor, task] = [attempts.executor[attempt], attempts.task[attempt]];
    // Its core is free already where it is killed while its result is on its way.
    if (!this.resultsToCome.delete(attempt)) this.freeCore(set, executor);
    const isKilled = attempts.outcome[attempt] === OUTCOME.killed;
    const isFailing = this.failing.delete(attempt);
    const { resultUs = 0 } = this.stageOf(attempt).tasks[task];
    if (resultUs > 0 && !isKilled && !isFailing) {
      this.resultsToCome.add(attempt);
      this.plan(RESULT_COMES, attempt, this.nowUs + resultUs);
      return this.offerOne(executor);
    }
    this.attemptsEnded++;
    this.lastEndUs = this.nowUs;
    if (isKilled) {
      set.fail(attempt, this.nowUs, false, OUTCOME.killed);
      this.note(KILLED, attempt);
    } else if (isFailing) {
      const recorded = this.failingAsRecorded.get(attempt);
      this.note(FAILED, attempt);
      set.fail(attempt, this.nowUs, recorded === undefined || countsAsFailure(recorded.reason));
      if (set.isAborted) this.failJob(set);
      else if (set.spec.isBarrier) this.retryStage(set);
    } else {
      this.succeed(set, attempt);
    }
    this.offerOne(executor);
    if (isFailing && !isKilled && !set.isZombie && !set.hasSuccess(task)) this.offerAll();
    this.endIfDone(set);
  }

  private freeCore({ coresPerTask }: TaskSet, executor: number): void {
    this.freeCores[executor] += coresPerTask;
    if (this.freeCores[executor] < this.executors[executor].cores) return;
    this.idleSinceUs[executor] = this.nowUs;
    if (this.goingWhenIdle.delete(executor)) this.plan(EXECUTOR_GOES, executor, this.nowUs);
  }

  /** The driver has the result of a task whose core was free before. */
  private takeResult(attempt: number): void {
    const set = this.sets[this.attempts.set[attempt]];
    // Its executor was lost meanwhile, or it was killed.
    if (set === undefined || !this.resultsToCome.has(attempt) || !this.attempts.isRunning(attempt)) return;
    if (this.attempts.outcome[attempt] === OUTCOME.killed) return;
    this.resultsToCome.delete(attempt);
    this.attemptsEnded++;
    this.lastEndUs = this.nowUs;
    this.succeed(set, attempt);
    this.endIfDone(set);
  }

  private succeed(set: TaskSet, attempt: number): void {
    const { attempts } = this;
    this.note(FINISHED, attempt);
    if (!set.hasSuccess(attempts.task[attempt])) this.noteOutput(set, attempts.node[attempt]);
    for (const copy of set.succeed(attempt, this.nowUs)) this.kill(copy);
  }

  private endIfDone(set: TaskSet): void {
    if (set.isZombie && !set.isAborted) this.endStage(set);
    if (set.isFinished) this.forget(set);
  }

  private stageOf(attempt: number): SparkStage {
    const { job, stage } = this.attempts;
    return this.application.jobs[job[attempt]].stages[stage[attempt]];
  }

  private noteOutput({ spec: { job, stageOfJob } }: TaskSet, host: number): void {
    const output = this.states[job].outputs[stageOfJob];
    tally(output, host);
  }

  /**
   * Hosts with much of a stage's input: of the first of its parents for which there are some. Each task's output counts
   * alike.
   */
  private placesOfOutput(job: number, stage: number): readonly PreferredPlace[] {
    const { stages } = this.application.jobs[job];
    const { parents, tasks } = stages[stage];
    for (const parent of parents) {
      const maps = stages[parent].tasks.length;
      if (maps >= MOST_WITH_PREFERENCE || tasks.length >= MOST_WITH_PREFERENCE) continue;
      const hosts = [...this.states[job].outputs[parent]].filter(([, count]) => count >= LEAST_PART * maps);
      if (hosts.length > 0) return hosts.map(([host]) => ({ host })).sort((a, b) => a.host - b.host);
    }
    return [];
  }

  /** A copy is not needed any more: the order travels, and so does the answer. */
  private kill(attempt: number): void {
    this.attempts.outcome[attempt] = OUTCOME.killed;
    const { launchUs, reportUs } = this.application.timing;
    this.plan(ATTEMPT_ENDS, attempt, this.nowUs + launchUs + reportUs);
  }

  /** A barrier stage has lost a task: the others are killed, and all are tried again. */
  private retryStage(set: TaskSet): void {
    const failed = this.running.get(set);
    if (failed === undefined || set.isZombie) return;
    const { job, stage } = failed;
    const { failedAttempts } = this.states[job];
    failed.row.endedUs = this.nowUs;
    if (++failedAttempts[stage] >= MOST_STAGE_ATTEMPTS) return this.failJob(set, "barrierAttempts");
    this.running.delete(set);
    set.isZombie = true;
    this.killAll(set.allRunning());
    this.waits?.log.is(job, stage, { reason: "again" }, 0, this.nowUs);
    this.plan(SUBMIT_STAGE, this.toSubmit.push({ job, stage }) - 1, this.nowUs + RESUBMIT_US);
  }

  /** @param attempts in the order of launch. Those that are being killed need no second order. */
  private killAll(attempts: readonly number[]): void {
    const { outcome } = this.attempts;
    for (const attempt of attempts) if (outcome[attempt] === OUTCOME.running) this.kill(attempt);
  }

  private endStage(set: TaskSet): void {
    const ended = this.running.get(set);
    if (ended === undefined) return;
    this.running.delete(set);
    if (set.tasks === 0) this.forget(set);
    ended.row.endedUs = this.nowUs;
    const { job, stage } = ended;
    this.waits?.log.ended(job, stage, this.nowUs);
    const state = this.states[job];
    state.hasEnded[stage] = true;
    const { endUs = 0 } = this.application.jobs[job];
    if (!state.hasEnded.every(Boolean)) this.submitStages(job);
    else if (endUs === 0) this.endJob(job, null);
    else {
      this.plan(JOB_ENDS, job, this.nowUs + endUs);
      this.waits?.log.is(job, NOWHERE, { reason: "driver" }, 0, this.nowUs);
    }
  }

  private endJob(job: number, failure: JobRow["failure"]): void {
    const state = this.jobs[job];
    if (state.endedUs >= 0) return;
    state.endedUs = this.nowUs;
    state.failure = failure;
    this.waits?.log.jobEnded(job, this.nowUs);
    this.jobsEnded++;
    this.lastEndUs = this.nowUs;
    for (const next of this.dependants[job]) {
      const { submitAtUs, after } = this.application.jobs[next];
      this.plan(JOB_COMES, next, Math.max(submitAtUs, this.nowUs + (after?.delayUs ?? 0)));
    }
  }

  /** The time of an executor of the schedule is over. */
  private letGo(executor: number): void {
    const isBusy = this.isUp[executor] && this.freeCores[executor] < this.executors[executor].cores;
    if (isBusy && this.application.executors[executor]?.isLetGo === true) this.goingWhenIdle.add(executor);
    else this.loseExecutor(executor);
  }

  /** @param counts as a failure of the tasks that ran there. */
  private loseExecutor(executor: number, counts = false): void {
    if (!this.isUp[executor]) return;
    this.isUp[executor] = false;
    this.countUp(executor, -1);
    this.allocatedUp.delete(executor);
    this.executors[executor].wentUs = this.nowUs;
    this.cores?.giveBack(this.executors[executor].host, this.executors[executor].cores);
    this.waits?.touchAll();
    const lost = this.scheduler.executorLost(executor, this.nowUs, counts).sort(ascending);
    for (const attempt of lost) {
      this.attemptsEnded++;
      this.failing.delete(attempt);
      this.resultsToCome.delete(attempt);
      this.note(LOST, attempt);
    }
    const { attempts } = this;
    for (const { set, job, stage } of [...this.running.values()]) {
      const isOfStage = (attempt: number) => attempts.job[attempt] === job && attempts.stage[attempt] === stage;
      if (set.isAborted) this.failJob(set);
      else if (set.spec.isBarrier && lost.some(isOfStage)) this.retryStage(set);
    }
    this.forgetFinished();
    this.offerAll();
  }

  private checkSpeculation(): void {
    this.checksAtUs = Infinity;
    let hasMarked = false;
    for (const { set } of this.running.values()) hasMarked = set.checkSpeculation(this.nowUs) || hasMarked;
    if (hasMarked) this.offerAll();
    this.keepTimers();
  }

  /**
   * Timers run only while a task set is there. The revive timer keeps to its grid, so that idle time changes nothing.
   */
  private keepTimers(): void {
    if (this.running.size === 0) return;
    const { reviveUs, speculationUs } = this.application.timing;
    if (this.revivesAtUs === Infinity) {
      this.revivesAtUs = (Math.floor(this.nowUs / reviveUs) + 1) * reviveUs;
      this.plan(REVIVE, 0, this.revivesAtUs);
    }
    if (this.application.settings.speculation === null || this.checksAtUs < Infinity) return;
    this.checksAtUs = this.nowUs + speculationUs;
    this.plan(SPECULATION, 0, this.checksAtUs);
  }

  /** Offers the free cores of all executors, in a random order: that of a hash of executor and round. */
  private offerAll(): void {
    const { isUp, freeCores, executors, shuffleSeed, leastCores, goingWhenIdle } = this;
    const round = this.rounds++;
    if (this.words.length < isUp.length) {
      this.words = new Float64Array(2 * isUp.length);
      this.free = new Int32Array(2 * isUp.length);
    }
    let offers = 0;
    for (let executor = 0; executor < isUp.length; executor++) {
      if (!isUp[executor] || freeCores[executor] < leastCores || goingWhenIdle.has(executor)) continue;
      this.words[offers] = counterHash(shuffleSeed, executor, round) * MOST_EXECUTORS + offers;
      this.free[offers++] = executor;
    }
    for (const word of this.words.subarray(0, offers).sort(ascending)) {
      const executor = this.free[word % MOST_EXECUTORS];
      this.scheduler.show(executor, executors[executor].host, freeCores[executor]);
    }
    this.match(true);
  }

  private offerOne(executor: number): void {
    if (!this.isUp[executor] || this.goingWhenIdle.has(executor)) return;
    this.scheduler.show(executor, this.executors[executor].host, this.freeCores[executor]);
    this.match(false);
  }

  private match(isAllFree: boolean): void {
    if (this.scheduler.hasOffers) this.waits?.roundHeld();
    this.scheduler.offer(isAllFree, this.nowUs);
    while (this.launched < this.attempts.length) this.launch(this.launched++);
    for (const set of this.scheduler.takeAborted()) this.failJob(set);
  }

  private launch(attempt: number): void {
    const { attempts } = this;
    const { timing, failures } = this.application;
    const job = attempts.job[attempt];
    const executor = attempts.executor[attempt];
    const set = this.sets[attempts.set[attempt]] as TaskSet;
    this.idleSinceUs[executor] = Infinity;
    this.lookBy(this.nowUs);
    this.freeCores[executor] -= set.coresPerTask;
    assert(this.freeCores[executor] >= 0, "an executor runs more tasks than it has cores for");
    this.note(LAUNCHED, attempt);
    this.waits?.launched(this.running.get(set), attempts.level[attempt], this.nowUs);
    if (this.jobs[job].firstLaunchUs < 0) this.jobs[job].firstLaunchUs = this.nowUs;
    const { reads, tasks } = this.stageOf(attempt);
    const task = tasks[attempts.task[attempt]];
    const before = this.launchedOn[executor] ?? 0;
    this.launchedOn[executor] = before + 1;
    const recorded = attempts.isSpeculative[attempt] === 0 ? this.failureAsRecorded(attempt, task.failures) : undefined;
    if (recorded !== undefined) {
      this.failing.add(attempt);
      this.failingAsRecorded.set(attempt, recorded);
      this.plan(ATTEMPT_ENDS, attempt, this.nowUs + recorded.heldUs);
      return;
    }
    const lengthUs = this.stretchedUs(this.lengthUs(task, reads, attempt), attempt, before);
    const failsAfterUs = failures === undefined ? Infinity : this.failsAfterUs(attempt, set.spec.attempt, lengthUs);
    if (failsAfterUs < lengthUs) this.failing.add(attempt);
    const delayUs = task.delayUs ?? timing.launchUs + timing.reportUs;
    this.plan(ATTEMPT_ENDS, attempt, this.nowUs + Math.min(lengthUs, failsAfterUs) + delayUs);
  }

  /** The failure that an attempt repeats: the first of the task's that has not happened yet. */
  private failureAsRecorded(
    attempt: number,
    failures: readonly RecordedFailure[] | undefined,
  ): RecordedFailure | undefined {
    if (failures === undefined) return undefined;
    const { earlier, outcome } = this.attempts;
    let failed = 0;
    for (let prior = earlier[attempt]; prior !== NOWHERE; prior = earlier[prior])
      if (outcome[prior] === OUTCOME.failed) failed++;
    return failures[failed];
  }

  /** Returns the time after which an attempt breaks off; Infinity: it comes to its end. */
  private failsAfterUs(attempt: number, stageAttempt: number, lengthUs: number): number {
    const { attempts } = this;
    const [job, stage, task] = [attempts.job[attempt], attempts.stage[attempt], attempts.task[attempt]];
    const [number, host] = [attempts.number[attempt], attempts.node[attempt]];
    const planned = this.plannedFailures.get([job, stage, task, number].join());
    if (planned !== undefined) return planned;
    const ofStage = counterHash(counterHash(this.failureSeed, job, stage), stageAttempt, task);
    const fraction = (draw: number) => fractionOf(counterHash(ofStage, number, draw));
    const { failures } = this.application;
    const chance = failures?.chances?.[host] ?? failures?.chance ?? 0;
    return fraction(0) < chance ? Math.floor(fraction(1) * lengthUs) : Infinity;
  }

  /**
   * Returns the length of an attempt. A recorded time holds the factor of the level at which it was recorded, and the
   * speed of its host.
   */
  private lengthUs(
    { runUs, level, host: recordedHost = NOWHERE }: SparkTask,
    reads: StageInput | undefined,
    attempt: number,
  ): number {
    const { timing, speeds, recordedSpeeds } = this.application;
    const { node, level: levels } = this.attempts;
    const speed = (speeds?.[node[attempt]] ?? 1) / (recordedSpeeds?.[recordedHost] ?? 1);
    const ranAt = levels[attempt] as SparkLevel;
    if (level === ranAt && speed === 1) return Math.max(1, runUs);
    const factor =
      awayFactor(timing.away, reads, ranAt) / (level === undefined ? 1 : awayFactor(timing.away, reads, level));
    return Math.max(1, Math.round((runUs * factor) / speed));
  }

  /** @param before attempts that its executor had begun. */
  private stretchedUs(lengthUs: number, attempt: number, before: number): number {
    const { stretch, timing } = this.application;
    const { warmUp } = timing;
    if (stretch === undefined && warmUp === undefined) return lengthUs;
    const { attempts } = this;
    const [job, stage, executor] = [attempts.job[attempt], attempts.stage[attempt], attempts.executor[attempt]];
    const [task, number] = [attempts.task[attempt], attempts.number[attempt]];
    const { wave: recorded = Infinity } = this.application.jobs[job].stages[stage].tasks[task];
    const wave = Math.floor(before / this.executors[executor].cores);
    const warm = (warmUp?.[wave] ?? 1) / (warmUp?.[recorded] ?? 1);
    const times = warm * (stretch?.({ job, stage, task, number, executor, before }) ?? 1);
    return times === 1 ? lengthUs : Math.max(1, Math.round(lengthUs * times));
  }

  private failJob(set: TaskSet, failure = set.failure): void {
    const failed = this.running.get(set);
    if (failed === undefined) return;
    const { job } = failed;
    this.running.delete(set);
    for (const sibling of [...this.running.values()]) {
      if (sibling.job !== job) continue;
      sibling.set.isZombie = true;
      sibling.row.endedUs = this.nowUs;
      this.running.delete(sibling.set);
    }
    for (const [place, { job: owner, row }] of this.starting) {
      if (owner !== job) continue;
      row.endedUs = this.nowUs;
      this.starting.delete(place);
    }
    failed.row.endedUs = this.nowUs;
    set.isZombie = true;
    this.killAll(this.scheduler.runningOf(job));
    this.forgetFinished();
    this.fingerprint.add(this.nowUs, FAILED + 16 * this.number, job, 0, 0, 0, 0);
    this.endJob(job, failure);
  }

  /** Nothing of it runs, and nothing will. */
  private forget(set: TaskSet): void {
    this.scheduler.forget(set);
    this.sets[set.number] = undefined;
  }

  private forgetFinished(): void {
    for (const set of this.scheduler.finished()) this.forget(set);
  }

  private note(event: number, attempt: number): void {
    const { attempts } = this;
    const attemptWord = (attempts.stage[attempt] << 8) | attempts.number[attempt];
    const [job, task, executor] = [attempts.job[attempt], attempts.task[attempt], attempts.executor[attempt]];
    const word = event + 16 * this.number;
    this.fingerprint.add(this.nowUs, word, job, task, attemptWord, executor, attempts.level[attempt]);
  }

  private plan(kind: number, target: number, atUs: number): void {
    this.agenda.plan(this, kind, target, atUs);
  }
}
