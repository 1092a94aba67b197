import { type JobTable, MAP, PREP, RUNNING, type SlotType } from "../jobs/job-table.js";
import { OFF_RACK } from "../jobs/nearness.js";
import { assert, namesOf, widened, wrapped } from "../../../kernel/index.js";
import { PreemptionLog } from "../../../record/index.js";
import { SCHEDULER_KINDS, type SchedulerSpec } from "../../../scenario/index.js";
import { builderWith } from "./build-scheduler.js";
import { CapacityScheduler } from "./capacity/capacity-scheduler.js";
import { CODE, type DecisionLog, NONE, type WaitingJobs } from "./decision-log.js";
import type { LocalityWait } from "./locality-wait.js";
import { NoPreemption } from "./no-preemption.js";
import { HFS_NO_PREEMPTION } from "./no-preemption-reasons.js";
import type { OfferScheduler } from "./offers.js";
import type { SchedulerPlugin } from "./plugin/plugin-face.js";
import { type OfferWatch, PluginAdapter } from "./plugin/plugin-scheduler.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { type Pools, TOP } from "./pools.js";
import { EventDriven } from "./quincy/quincy-scheduler.js";
import type { BuildKind, BuiltScheduler, Launcher, Scheduler, SchedulerContext } from "./scheduler.js";

/**
 * Builds the scheduler that a scenario names, built-in or plugin, with its decisions written to the log. The log does
 * not change its decisions.
 */
export function loggedBuilder(log: DecisionLog, plugins: readonly SchedulerPlugin[], seed: string): BuildKind {
  const build = builderWith(plugins, seed);
  return (spec, context) => {
    if (spec.kind === "offers") return loggedOffers(log, spec, context, build);
    if (spec.kind === "partition") {
      const buildLogged: BuildLogged = (inner, around, isOwn) =>
        new SchedulerLog(log, around, { byPool: false, isOwn }, inner).built;
      return build(spec, { ...context, buildLogged });
    }
    if (spec.kind === "hfs") log.preemption = new PreemptionLog(HFS_NO_PREEMPTION);
    const kinds = [...SCHEDULER_KINDS.filter(({ dividesSlots }) => dividesSlots), ...plugins];
    const byPool = namesOf(kinds).includes(spec.kind);
    return new SchedulerLog(log, context, { byPool, spec }, (around) => build(spec, around)).built;
  };
}

type BuildLogged = NonNullable<SchedulerContext["buildLogged"]>;

/** The log's view of the jobs that wait. */
interface Standing {
  /** All map slots that the jobs may have are taken. */
  areAllTaken(): boolean;
  /** A heartbeat has ended. */
  heartbeatEnded?(): void;
  /** Why a job that may run launched nothing on that heartbeat, and was not passed over. */
  whyNotVisited(job: number): number;
}

/** Returns the view of a scheduler. @param areAllTaken the test of schedulers that do not know it themselves. */
function standingOf(
  { scheduler, pools }: BuiltScheduler,
  { jobs }: SchedulerContext,
  seen: SeenHeartbeat,
  areAllTaken: () => boolean,
  isInner: boolean,
): Standing {
  if (scheduler instanceof PoolScheduler) {
    return new PoolStanding(scheduler, jobs, pools, seen, isInner ? areAllTaken : undefined);
  }
  if (scheduler instanceof CapacityScheduler) {
    const whyNotVisited = (job: number) => {
      if (scheduler.isFull(jobs.pool[job], MAP)) return CODE.max;
      if (!scheduler.isBelowLimit(job, MAP)) return CODE.user;
      return seen.hasTaker ? CODE.slot : CODE.cap;
    };
    return { areAllTaken: () => scheduler.areAllTaken(MAP), whyNotVisited };
  }
  if (scheduler instanceof EventDriven) {
    // Quincy and its greedy rival visit no job: they go by a plan, or by queues.
    const whyNotVisited = (job: number) => {
      const why = scheduler.whyNotServed(job, seen.node);
      return CODE[why === "unplanned" && seen.hasTaker ? "slot" : why];
    };
    return { areAllTaken, whyNotVisited };
  }
  assert(scheduler instanceof PluginAdapter, "a scheduler whose decisions cannot be logged");
  const standing = new PluginStanding(areAllTaken, seen);
  scheduler.watch = standing;
  return standing;
}

class PoolStanding implements Standing {
  private someAreFull = false;
  private defaultCode = CODE.slot;

  constructor(
    private readonly scheduler: PoolScheduler,
    private readonly jobs: JobTable,
    private readonly pools: Pools,
    private readonly seen: SeenHeartbeat,
    private readonly areOthersTaken?: () => boolean,
  ) {}

  areAllTaken(): boolean {
    if (this.areOthersTaken !== undefined) return this.areOthersTaken();
    const { state } = this.scheduler;
    return state.candidates.runningTotal[MAP] >= state.slotsNow[MAP];
  }

  heartbeatEnded(): void {
    const { state } = this.scheduler;
    this.someAreFull = state.candidates.order[MAP].fullPools > 0;
    this.defaultCode = this.seen.hasTaker ? CODE.slot : state.isOpen(MAP) ? CODE.cap : CODE.update;
  }

  whyNotVisited(job: number): number {
    return this.someAreFull && this.isInFullPool(job) ? CODE.max : this.defaultCode;
  }

  private isInFullPool(job: number): boolean {
    const { scheduler, jobs, pools } = this;
    const order = scheduler.state.candidates.order[MAP];
    for (let pool = jobs.pool[job]; pool !== TOP; pool = pools.parent[pool]) if (order.isFull(pool)) return true;
    return false;
  }
}

/** The standing under a user's plugin, of which only its offers, its look-ups and its choices are known. */
class PluginStanding implements Standing, OfferWatch {
  /**
   * The heartbeat, by `SeenHeartbeat.beat`, that offered a map slot last, to anybody or to each job; and the last to
   * leave one free.
   */
  private servedOn = 0;
  private keptOn = 0;
  private readonly offeredOn: number[] = [];

  constructor(
    readonly areAllTaken: () => boolean,
    private readonly seen: SeenHeartbeat,
  ) {}

  mapSlot(jobs: readonly number[], passedUp: readonly number[], isTaken: boolean): void {
    const { seen } = this;
    this.servedOn = seen.beat;
    for (const job of jobs) this.offeredOn[job] = seen.beat;
    for (const job of passedUp) seen.passed(job, CODE.locality, NONE, 1);
    if (!isTaken && jobs.length > 0) this.keptOn = seen.beat;
  }

  whyNotVisited(job: number): number {
    const { beat } = this.seen;
    if (this.servedOn !== beat) return CODE.cap;
    if (this.offeredOn[job] !== beat) return CODE.node;
    return this.keptOn === beat ? CODE.kept : CODE.slot;
  }
}

/**
 * Offers, with a log of each framework: of the offers that it answers, and of the heartbeats that offer it no map slot.
 */
function loggedOffers(
  log: DecisionLog,
  spec: SchedulerSpec,
  context: SchedulerContext,
  build: BuildKind,
): BuiltScheduler {
  const frameworks: SchedulerLog[] = [];
  /** Frameworks that the present heartbeat has shown map slots, and the job that launched the last map. */
  const shown = new Set<SchedulerLog>();
  let lastTaker = NONE;
  const onShown = (framework: SchedulerLog) => {
    shown.add(framework);
    if (framework.lastTaker >= 0) ({ lastTaker } = framework);
  };
  const holders = new Holders(context.jobs, (job) => offers.innerOf(job));
  const buildLogged: BuildLogged = (inner, around, isOwn) => {
    const framework = new SchedulerLog(log, around, { byPool: false, isOwn, holders, onShown }, inner);
    frameworks.push(framework);
    return framework.built;
  };
  const built = build(spec, { ...context, buildLogged });
  const offers = built.scheduler as OfferScheduler;
  const heartbeat: Scheduler["heartbeat"] = (node, nowUs, freeMaps, freeReduces) => {
    shown.clear();
    lastTaker = NONE;
    offers.heartbeat(node, nowUs, freeMaps, freeReduces);
    if (freeMaps === 0) return;
    for (const framework of offers.active) {
      if (shown.has(frameworks[framework])) continue;
      const why = offers.whyNotOffered(framework, node, nowUs, freeMaps, freeReduces);
      const isTaken = why === null && lastTaker >= 0;
      const decision = CODE[isTaken ? "slot" : (why ?? "answer")];
      frameworks[framework].notOffered(node, nowUs, decision, isTaken ? lastTaker : NONE);
    }
  };
  return { ...built, scheduler: wrapped<Scheduler>(offers, { heartbeat }) };
}

/** The jobs that hold map slots. */
class Holders {
  private readonly present = new Set<number>();

  /** @param groupOf the pool of a job, or the framework. */
  constructor(
    private readonly jobs: JobTable,
    private readonly groupOf: (job: number) => number,
  ) {}

  add(job: number): void {
    this.present.add(job);
  }

  remove(job: number): void {
    this.present.delete(job);
  }

  /**
   * The job that holds the most map slots of the pool that does, or of all where jobs choose no pools; of equals the
   * oldest.
   */
  largest(): number {
    const { jobs, present, groupOf } = this;
    const running = jobs.running[MAP];
    const heldByGroup = new Map<number, number>();
    const heldBy = (job: number) => heldByGroup.get(groupOf(job)) ?? 0;
    for (const job of present) heldByGroup.set(groupOf(job), heldBy(job) + running[job]);
    let largest = NONE;
    for (const job of present) {
      if (running[job] === 0) continue;
      const change = largest < 0 ? 1 : heldBy(job) - heldBy(largest);
      const inPool = largest < 0 ? 1 : running[job] - running[largest];
      const older = largest < 0 ? 1 : jobs.id[largest] - jobs.id[job];
      if ((change || inPool || older) > 0) largest = job;
    }
    return largest;
  }
}

/** The way in which a scheduler is logged. */
interface Logged {
  /** Rows distinguish pools that got slots, not jobs. */
  readonly byPool: boolean;
  /** Of a scheduler that has all slots. */
  readonly spec?: SchedulerSpec;
  /** Of one of an owner: the nodes whose slots it may have. */
  readonly isOwn?: (node: number) => boolean;
  /** Undefined: jobs that hold slots are told apart by pool. */
  readonly holders?: Holders;
  /** Called after each heartbeat that showed it map slots. */
  readonly onShown?: (log: SchedulerLog) => void;
}

/** Builds a scheduler, and tells the log what became of each opportunity of each of its jobs. */
class SchedulerLog {
  /** Decides as without the log. */
  readonly built: BuiltScheduler;
  private readonly jobs: JobTable;
  private readonly standing: Standing;
  private readonly holders: Holders;
  private readonly waiting: WaitingJobs;
  private readonly seen: SeenHeartbeat;

  constructor(
    log: DecisionLog,
    context: SchedulerContext,
    { byPool, spec, isOwn, holders, onShown }: Logged,
    build: (around: SchedulerContext) => BuiltScheduler,
  ) {
    const { jobs, launcher, heldSlots, topology } = context;
    const waiting = log.rowsOf(jobs, byPool);
    const seen = new SeenHeartbeat(jobs, waiting, launcher);
    const showing = (wait: LocalityWait) => showingWait(wait, seen);
    const built = build({ ...context, launcher: showingLaunches(launcher, seen), showing });
    const { scheduler: inner, pools } = built;
    holders ??= new Holders(jobs, (job) => jobs.pool[job]);
    this.jobs = jobs;
    this.holders = holders;
    this.waiting = waiting;
    this.seen = seen;
    seen.isHeldBack = built.isHeldBack;
    if (log.preemption !== null && spec !== undefined && inner instanceof PoolScheduler) {
      const { preemption } = spec;
      seen.preemption = new NoPreemption({ log: log.preemption, spec: preemption, jobs, pools }, inner.state);
    }
    /** No map slot of its nodes is free. */
    const areAllTaken = () => {
      for (let node = 0; node < topology.nodes; node++) {
        if (isOwn?.(node) !== false && heldSlots.freeOn(node, MAP) > 0) return false;
      }
      return true;
    };
    this.standing = standingOf(built, context, seen, areAllTaken, spec === undefined);
    const scheduler = wrapped(inner, {
      jobAdded: (job, nowUs) => {
        waiting.entered(job);
        holders.add(job);
        if (jobs.pending[MAP][job] > 0) waiting.turn(job, CODE.setup, nowUs);
        inner.jobAdded(job, nowUs);
        this.turnAll(nowUs);
        seen.preemption?.look(nowUs);
      },
      jobReady: (job, nowUs) => {
        inner.jobReady(job, nowUs);
        this.turnAll(nowUs);
        if (jobs.pending[MAP][job] > 0) waiting.ready(job, nowUs);
      },
      jobRemoved: (job, nowUs) => {
        waiting.stoppedWaiting(job, nowUs);
        holders.remove(job);
        inner.jobRemoved(job, nowUs);
        this.turnAll(nowUs);
      },
      attemptLeft: (job, type, requeued, nowUs) => {
        inner.attemptLeft(job, type, requeued, nowUs);
        if (requeued) this.mayWaitAgain(job, nowUs);
      },
      pendingChanged: (job, type, change, nowUs) => {
        inner.pendingChanged(job, type, change, nowUs);
        this.mayWaitAgain(job, nowUs);
      },
      update: (nowUs) => {
        inner.update(nowUs);
        this.turnAll(nowUs);
      },
      checkPreemption: (nowUs) => {
        seen.preemption?.checkComes(nowUs);
        inner.checkPreemption?.(nowUs);
        seen.preemption?.checked(nowUs);
      },
      skipHeartbeats: (heartbeats, firstUs, lastUs) => {
        seen.begin(NONE, firstUs);
        if (!inner.skipHeartbeats(heartbeats, firstUs, lastUs)) return false;
        this.heartbeatEnded(heartbeats);
        return true;
      },
      heartbeat: (node, nowUs, freeMaps, freeReduces) => {
        seen.begin(node, nowUs);
        inner.heartbeat(node, nowUs, freeMaps, freeReduces);
        if (freeMaps > 0) this.heartbeatEnded(1);
        seen.preemption?.heartbeatEnded(nowUs);
        if (freeMaps > 0) onShown?.(this);
      },
    });
    this.built = { ...built, scheduler };
  }

  /** The job that launched a map last on the last heartbeat; -1: none did. */
  get lastTaker(): number {
    return this.seen.lastTaker;
  }

  /** A heartbeat of the node with a free map slot was not for these jobs, for that reason. */
  notOffered(node: number, nowUs: number, decision: number, taker: number): void {
    this.seen.begin(node, nowUs);
    this.settle(1, () => decision, taker);
  }

  private heartbeatEnded(count: number): void {
    const { standing, seen } = this;
    standing.heartbeatEnded?.();
    this.settle(count, (job) => standing.whyNotVisited(job), seen.lastTaker);
  }

  /**
   * Records the jobs that were not visited on this heartbeat, and the reason; `taker`: the job that got a slot of it
   * last.
   */
  private settle(count: number, whyNotVisited: (job: number) => number, taker: number): void {
    const { seen, waiting, jobs } = this;
    const { list } = waiting;
    for (let i = 0; i < list.length; i++) {
      const job = list[i];
      if (seen.wasVisited(job)) continue;
      const isHeld = seen.isHeldBack(job);
      const decision = isHeld ? CODE.limit : jobs.state[job] === PREP ? CODE.setup : whyNotVisited(job);
      waiting.missed(job, decision, seen.nowUs, count, NONE, seen.node, decision === CODE.slot ? taker : NONE);
    }
  }

  private mayWaitAgain(job: number, nowUs: number): void {
    const { jobs, waiting } = this;
    if (jobs.state[job] !== RUNNING) return;
    if (jobs.pending[MAP][job] <= 0) waiting.stoppedWaiting(job, nowUs);
    else if (waiting.decisionOf(job) < 0) waiting.turn(job, CODE.offer, nowUs);
  }

  /** Set-ups end and limits give way without any heartbeat. */
  private turnAll(nowUs: number): void {
    const { waiting, jobs, seen } = this;
    const isBusy = this.standing.areAllTaken();
    for (const job of waiting.list) {
      const now = waiting.decisionOf(job);
      if (now !== CODE.setup && now !== CODE.limit && now !== CODE.offer && now !== CODE.busy) continue;
      if (seen.isHeldBack(job)) waiting.turn(job, CODE.limit, nowUs);
      else if (jobs.state[job] === PREP) waiting.turn(job, CODE.setup, nowUs);
      else if (!isBusy) waiting.turn(job, CODE.offer, nowUs);
      else if (now !== CODE.busy) waiting.turn(job, CODE.busy, nowUs, this.holders.largest());
    }
  }
}

/** The events of a heartbeat so far. */
class SeenHeartbeat {
  nowUs = 0;
  node = NONE;
  /** The job that launched the last map; -1: none did. */
  lastTaker = NONE;
  /** A number of its own for every heartbeat, from 1 on. */
  beat = 0;
  isHeldBack: (job: number) => boolean = () => false;
  /** The reasons of a scheduler that may preempt. */
  preemption: NoPreemption | null = null;
  private visitedOn = new Float64Array(64);

  constructor(
    private readonly jobs: JobTable,
    private readonly waiting: WaitingJobs,
    private readonly launcher: Launcher,
  ) {}

  get hasTaker(): boolean {
    return this.lastTaker >= 0;
  }

  begin(node: number, nowUs: number): void {
    this.nowUs = nowUs;
    this.node = node;
    this.lastTaker = NONE;
    this.beat++;
    while (this.visitedOn.length < this.jobs.capacity) this.visitedOn = widened(this.visitedOn);
  }

  wasVisited(job: number): boolean {
    return this.visitedOn[job] === this.beat;
  }

  /**
   * The job was visited for a map, `count` times in a row, and launched none for that reason; `level` is the farthest
   * it might use.
   */
  passed(job: number, decision: number, level: number, count: number): void {
    if (this.wasVisited(job) || this.waiting.decisionOf(job) < 0) return;
    this.visitedOn[job] = this.beat;
    this.waiting.missed(job, decision, this.nowUs, count, level, this.node, NONE);
  }

  /** The same by that wait. */
  waited(job: number, wait: LocalityWait, count = 1): void {
    const { launcher } = this;
    const level = wait.levels.allowedLevel(job);
    const isRefused = launcher.isSelective && this.node >= 0 && !launcher.accepts(job, MAP, this.node);
    // A job that may go anywhere and does not has only maps that failed here.
    this.passed(job, isRefused || level === OFF_RACK ? CODE.node : CODE.locality, level, count);
  }

  allWaited(wait: LocalityWait, count = 1): void {
    const { state } = this.jobs;
    for (const job of this.waiting.list)
      if (state[job] === RUNNING && !this.isHeldBack(job)) this.waited(job, wait, count);
  }

  launched(job: number, node: number, level: number): void {
    this.lastTaker = job;
    this.preemption?.launched(job);
    this.waiting.launched(job, node, level, this.nowUs);
  }
}

/** A launcher that shows the launches of maps. */
function showingLaunches(launcher: Launcher, seen: SeenHeartbeat): Launcher {
  /** Type and launch times of the attempts that were looked at last: those of a check, before it kills some. */
  let reportedType: SlotType = MAP;
  const launchedUs = new Map<number, number>();
  /** Ordered kills, by attempt, with its launch: a check may choose an attempt again, which is killed once. */
  const orderedUs = new Map<number, number>();
  return wrapped(launcher, {
    launchMap: (job, task, node, level) => {
      launcher.launchMap(job, task, node, level);
      seen.launched(job, node, level);
    },
    launchReduce: (job, node) => {
      launcher.launchReduce(job, node);
      seen.preemption?.launched(job);
    },
    forEachReported: (type, visit) => {
      if (seen.preemption === null) return launcher.forEachReported(type, visit);
      reportedType = type;
      launchedUs.clear();
      launcher.forEachReported(type, (attempt, job, task, launchUs) => {
        launchedUs.set(attempt, launchUs);
        visit(attempt, job, task, launchUs);
      });
    },
    kill: (attempt, forPool) => {
      launcher.kill(attempt, forPool);
      const launchUs = launchedUs.get(attempt);
      if (seen.preemption === null || forPool === undefined || launchUs === undefined) return;
      seen.preemption.killed(forPool, reportedType, orderedUs.get(attempt) !== launchUs);
      orderedUs.set(attempt, launchUs);
    },
  });
}

/** A wait that shows who was passed over, before it counts that. */
function showingWait(wait: LocalityWait, seen: SeenHeartbeat): LocalityWait {
  return wrapped(wait, {
    passedOver: (jobs, count) => {
      for (let i = 0; i < count; i++) seen.waited(jobs[i], wait);
      wait.passedOver(jobs, count);
    },
    allPassedOver: (safeBelow) => {
      seen.allWaited(wait);
      wait.allPassedOver(safeBelow);
    },
    skipHeartbeats: (heartbeats, firstUs, lastUs, nothingPending) => {
      const areSkipped = wait.skipHeartbeats(heartbeats, firstUs, lastUs, nothingPending);
      if (areSkipped) seen.allWaited(wait, heartbeats);
      return areSkipped;
    },
  });
}
