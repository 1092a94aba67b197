import { type JobTable, MAP, PREP, RUNNING, type SlotType } from "../jobs/job-table.js";
import { OFF_RACK } from "../jobs/nearness.js";
import { widened } from "../kernel/growing-arrays.js";
import type { AllocationsSpec } from "../scenario/scenario.js";
import { buildFlatWith, buildHierarchical, buildWait } from "./build-pool-scheduler.js";
import { buildCapacity, CapacityScheduler, type CapacitySchedulerParts } from "./capacity/capacity-scheduler.js";
import { buildDsfs } from "./dsfs.js";
import { buildKill, KillScheduler } from "./kill.js";
import type { LocalityWait, WaitLevels, WaitUnit } from "./locality-wait.js";
import { poolScheduler } from "./plain-pool-scheduler.js";
import type { PoolScheduler } from "./pool-scheduler.js";
import type { PoolSchedulerParts } from "./pool-state.js";
import { type Pools, TOP } from "./pools.js";
import { RULES } from "./rules.js";
import type { BuildKind, BuiltScheduler, Launcher, Scheduler, VisitAttempt } from "./scheduler.js";

/** Why a job with pending maps launched none, in the order of the codes; the last two are instants, not waits. */
export const DECISIONS = [
  "setup",
  "limit",
  "offer",
  "locality",
  "node",
  "slot",
  "max",
  "cap",
  "update",
  "busy",
  "user",
  "ready",
  "launch",
] as const;
export type Decision = (typeof DECISIONS)[number];

const SETUP = 0;
const LIMIT = 1;
const OFFER = 2;
const LOCALITY = 3;
const NODE = 4;
const SLOT = 5;
const MAX = 6;
const CAP = 7;
const UPDATE = 8;
const BUSY = 9;
const USER = 10;
const READY = 11;
const LAUNCH = 12;
const NONE = -1;
/** In place of the pool or job that got a slot: the job that waits, for another map. */
const ITSELF = -2;

/** The decision log as columns; -1: no value. Jobs are ranks in submission order. */
export interface DecisionColumns {
  readonly rows: number;
  readonly job: Int32Array;
  readonly fromUs: Float64Array;
  readonly toUs: Float64Array;
  /** Index into `DECISIONS`. */
  readonly decision: Uint8Array;
  /** Opportunities that the job passed up, or did not get. */
  readonly count: Float64Array;
  /** Of the last one: how far the job might go, or of a launch how far it went; the node. */
  readonly level: Int8Array;
  readonly node: Int32Array;
  /** The last job to get a slot of the pool, or the job, that got most of them. */
  readonly takenBy: Int32Array;
}

/** The kinds of scheduler whose decisions can be logged. */
export const LOGGED_KINDS: readonly string[] = ["fifo", "fair", "delay", "hfs", "capacity", "dsfs", "kill"];

/**
 * What each job with pending maps waited for, from its submission to the launch of its last map. At every instant a job waits for one
 * thing; from one opportunity to the next that is the reason why it did not get the first. Equal reasons in a row are one row.
 */
export class DecisionLog {
  /** The scheduler that a scenario names, writing this log. */
  readonly build: BuildKind = (spec, context) => {
    const { jobs } = context;
    this.jobs = jobs;
    this.byPool = spec.kind === "hfs" || spec.kind === "capacity";
    const seen = new SeenHeartbeat(jobs, this, context.launcher);
    const around = { ...context, launcher: new LoggedLauncher(context.launcher, seen) };
    const shown = <Parts extends { readonly wait: LocalityWait }>(parts: Parts): Parts => {
      seen.wait = parts.wait;
      return { ...parts, wait: new LoggedWait(parts.wait, seen) };
    };
    let standing: Standing | null = null;
    const inPools = (parts: PoolSchedulerParts, make: (parts: PoolSchedulerParts) => PoolScheduler): PoolScheduler => {
      const scheduler = make(shown(parts));
      standing = new PoolStanding(scheduler, parts);
      return scheduler;
    };
    const pooled = (parts: PoolSchedulerParts): PoolScheduler => inPools(parts, poolScheduler);
    const byCapacities = (parts: CapacitySchedulerParts): CapacityScheduler => {
      const scheduler = new CapacityScheduler(shown(parts));
      standing = new CapacityStanding(scheduler, jobs);
      return scheduler;
    };
    const built = ((): BuiltScheduler => {
      switch (spec.kind) {
        case "hfs":
          return buildHierarchical(spec, around, pooled);
        case "capacity":
          return buildCapacity(spec, around, byCapacities);
        case "dsfs":
          return buildDsfs(spec, around, pooled);
        case "kill":
          return buildKill(spec, around, (parts, heartbeatUs) =>
            inPools(parts, (own) => new KillScheduler(own, heartbeatUs)),
          );
        default:
          return buildFlatWith(buildWait(spec, RULES.paper, around), spec, around, pooled);
      }
    })();
    if (standing === null) throw new Error("a scheduler that the decision log does not know");
    seen.isHeldBack = built.isHeldBack;
    return { ...built, scheduler: new LoggedScheduler(built, standing, jobs, seen, this) };
  };

  /** The rows written so far; all blocks but the last are full. */
  private readonly blocks: RowBlock[] = [];
  private block = new RowBlock();
  private used = 0;

  /** Of the open row of each job, by handle. */
  private readonly open: OpenRow[] = [];
  /** Handles with an open row, in any order. */
  readonly waiting: number[] = [];
  private jobs: JobTable | null = null;
  /** Rows tell pools that got slots apart, not jobs. */
  private byPool = false;

  /** What the job waits for from now on; nothing has been offered to it. `holder`: the job that is in its way, if one is. */
  turn(job: number, decision: number, nowUs: number, holder = NONE): void {
    const row = this.rowOf(job);
    if (row.decision === decision) return;
    this.change(job, row, decision, nowUs);
    if (holder >= 0) row.takenBy = this.table.id[holder];
  }

  /** The job did not get `count` opportunities of `nowUs` and after, for that reason. */
  missed(
    job: number,
    decision: number,
    nowUs: number,
    count: number,
    level: number,
    node: number,
    taker: number,
  ): void {
    const row = this.rowOf(job);
    const { pool, id } = this.table;
    const by = taker < 0 ? NONE : taker === job ? ITSELF : this.byPool ? pool[taker] : id[taker];
    if (row.decision !== decision || (row.key !== by && row.count >= MOST_MIXED)) {
      this.change(job, row, decision, nowUs);
    }
    row.count += count;
    row.level = level;
    row.node = node;
    // The majority vote of Boyer and Moore: whoever got more than half of the slots stands at the end.
    if (row.key === by) row.votes += count;
    else if (row.votes >= count) {
      row.votes -= count;
      return;
    } else {
      row.votes = count - row.votes;
      row.key = by;
    }
    row.takenBy = taker < 0 ? NONE : id[taker];
  }

  /** The maps of the job may be launched from now on. */
  ready(job: number, nowUs: number): void {
    this.instant(job, READY, NONE, NONE, nowUs);
  }

  /** The job launched a map. Only the first launch is a row of its own; what it waits for now, the rest of the heartbeat tells. */
  launched(job: number, node: number, level: number, nowUs: number): void {
    const row = this.rowOf(job);
    if (!row.hasLaunched) {
      this.change(job, row, NONE, nowUs);
      row.hasLaunched = true;
      this.instant(job, LAUNCH, node, level, nowUs);
    }
    if (this.table.pending[MAP][job] <= 0) this.left(job, nowUs);
    else if (row.decision < 0) this.turn(job, OFFER, nowUs);
  }

  /** The job waits no more. */
  left(job: number, nowUs: number): void {
    const { waiting } = this;
    const row = this.rowOf(job);
    this.change(job, row, NONE, nowUs);
    if (row.place < 0) return;
    const last = waiting[waiting.length - 1];
    waiting[row.place] = last;
    this.rowOf(last).place = row.place;
    waiting.pop();
    row.place = NONE;
  }

  /** A new job takes the handle. */
  entered(job: number): void {
    this.rowOf(job).hasLaunched = false;
  }

  /** What the job waits for; -1: it has no open row. */
  decisionOf(job: number): number {
    return this.rowOf(job).decision;
  }

  /** The run has stopped. */
  columns(stoppedUs: number): DecisionColumns {
    for (const job of [...this.waiting]) this.left(job, stoppedUs);
    const blocks = [...this.blocks, this.block];
    const rows = this.blocks.length * ROWS_PER_BLOCK + this.used;
    const joined = <A extends Int32Array | Float64Array | Uint8Array | Int8Array>(
      all: A,
      of: (b: RowBlock) => A,
    ): A => {
      blocks.forEach((block, i) => {
        const first = i * ROWS_PER_BLOCK;
        all.set(of(block).subarray(0, Math.min(ROWS_PER_BLOCK, rows - first)), first);
      });
      return all;
    };
    return {
      rows,
      job: joined(new Int32Array(rows), ({ job }) => job),
      fromUs: joined(new Float64Array(rows), ({ fromUs }) => fromUs),
      toUs: joined(new Float64Array(rows), ({ toUs }) => toUs),
      decision: joined(new Uint8Array(rows), ({ decision }) => decision),
      count: joined(new Float64Array(rows), ({ count }) => count),
      level: joined(new Int8Array(rows), ({ level }) => level),
      node: joined(new Int32Array(rows), ({ node }) => node),
      takenBy: joined(new Int32Array(rows), ({ takenBy }) => takenBy),
    };
  }

  private get table(): JobTable {
    if (this.jobs === null) throw new Error("the decision log of no run");
    return this.jobs;
  }

  private rowOf(job: number): OpenRow {
    return (this.open[job] ??= new OpenRow());
  }

  /** The open row ends, if there is one, and the next begins; -1: none does. */
  private change(job: number, row: OpenRow, decision: number, nowUs: number): void {
    if (row.decision >= 0) {
      if (nowUs > row.fromUs || row.count > 0) this.write(job, row.fromUs, nowUs, row);
    } else if (decision >= 0 && row.place < 0) row.place = this.waiting.push(job) - 1;
    row.decision = decision;
    row.fromUs = nowUs;
    row.key = NONE;
    row.votes = 0;
    row.count = 0;
    row.level = NONE;
    row.node = NONE;
    row.takenBy = NONE;
  }

  private instant(job: number, decision: number, node: number, level: number, nowUs: number): void {
    this.write(job, nowUs, nowUs, { decision, node, level, count: 0, takenBy: NONE });
  }

  private write(job: number, fromUs: number, toUs: number, row: WrittenRow): void {
    if (this.used === ROWS_PER_BLOCK) {
      this.blocks.push(this.block);
      this.block = new RowBlock();
      this.used = 0;
    }
    const { block } = this;
    const i = this.used++;
    block.job[i] = this.table.id[job];
    block.fromUs[i] = fromUs;
    block.toUs[i] = toUs;
    block.decision[i] = row.decision;
    block.count[i] = row.count;
    block.level[i] = row.level;
    block.node[i] = row.node;
    block.takenBy[i] = row.takenBy;
  }
}

/** Opportunities of a row that went to several pools, or jobs, at least: with 200 busy pools each heartbeat would begin one. */
const MOST_MIXED = 16;

const ROWS_PER_BLOCK = 16_384;

/** So many rows; more of them never move the rows before. */
class RowBlock {
  readonly job = new Int32Array(ROWS_PER_BLOCK);
  readonly fromUs = new Float64Array(ROWS_PER_BLOCK);
  readonly toUs = new Float64Array(ROWS_PER_BLOCK);
  readonly decision = new Uint8Array(ROWS_PER_BLOCK);
  readonly count = new Float64Array(ROWS_PER_BLOCK);
  readonly level = new Int8Array(ROWS_PER_BLOCK);
  readonly node = new Int32Array(ROWS_PER_BLOCK);
  readonly takenBy = new Int32Array(ROWS_PER_BLOCK);
}

interface WrittenRow {
  /** -1: there is no open row. */
  decision: number;
  count: number;
  level: number;
  node: number;
  takenBy: number;
}

class OpenRow implements WrittenRow {
  decision = NONE;
  count = 0;
  level = NONE;
  node = NONE;
  takenBy = NONE;
  fromUs = 0;
  /** The pool, or the job, that the row says got the slots, and by how many votes. */
  key = NONE;
  votes = 0;
  /** Where the job is in `waiting`; -1: nowhere. */
  place = NONE;
  /** The job has launched a map. */
  hasLaunched = false;
}

/** What the log asks about the jobs that wait. */
interface Standing {
  /** All map slots of the cluster are taken. */
  areAllTaken(): boolean;
  /** A heartbeat has ended; `hasTaker`: some job launched a map on it. */
  heartbeatEnded(hasTaker: boolean): void;
  /** Why a job that may run was not asked on that heartbeat. */
  whyNotAsked(job: number): number;
}

class PoolStanding implements Standing {
  private someAreFull = false;
  private rest = SLOT;

  constructor(
    private readonly scheduler: PoolScheduler,
    private readonly parts: Pick<PoolSchedulerParts, "jobs" | "pools">,
  ) {}

  areAllTaken(): boolean {
    const { state } = this.scheduler;
    return state.candidates.runningTotal[MAP] >= state.slotsNow[MAP];
  }

  heartbeatEnded(hasTaker: boolean): void {
    const { state } = this.scheduler;
    this.someAreFull = state.candidates.order[MAP].fullPools > 0;
    this.rest = hasTaker ? SLOT : state.isOpen(MAP) ? CAP : UPDATE;
  }

  whyNotAsked(job: number): number {
    return this.someAreFull && this.isInFullPool(job) ? MAX : this.rest;
  }

  private isInFullPool(job: number): boolean {
    const order = this.scheduler.state.candidates.order[MAP];
    const { jobs, pools } = this.parts;
    for (let pool = jobs.pool[job]; pool !== TOP; pool = pools.parent[pool]) if (order.isFull(pool)) return true;
    return false;
  }
}

/** Of the capacity scheduler, whose queues and their users have limits. */
class CapacityStanding implements Standing {
  private rest = SLOT;

  constructor(
    private readonly scheduler: CapacityScheduler,
    private readonly jobs: JobTable,
  ) {}

  areAllTaken(): boolean {
    return this.scheduler.state.areAllTaken(MAP);
  }

  heartbeatEnded(hasTaker: boolean): void {
    this.rest = hasTaker ? SLOT : CAP;
  }

  whyNotAsked(job: number): number {
    const { state } = this.scheduler;
    if (state.isFull(this.jobs.pool[job], MAP)) return MAX;
    return state.isBelowLimit(job, MAP) ? this.rest : USER;
  }
}

/** A scheduler that tells the log what became of each opportunity of each job. It decides as without the log. */
class LoggedScheduler implements Scheduler {
  private readonly scheduler: Scheduler;
  private readonly pools: Pools;
  private readonly isHeldBack: (job: number) => boolean;

  constructor(
    { scheduler, pools, isHeldBack }: BuiltScheduler,
    private readonly standing: Standing,
    private readonly jobs: JobTable,
    private readonly seen: SeenHeartbeat,
    private readonly log: DecisionLog,
  ) {
    this.scheduler = scheduler;
    this.pools = pools;
    this.isHeldBack = isHeldBack;
  }

  jobAdded(job: number, nowUs: number): void {
    this.log.entered(job);
    if (this.jobs.pending[MAP][job] > 0) this.log.turn(job, SETUP, nowUs);
    this.scheduler.jobAdded(job, nowUs);
    this.turnAll(nowUs);
  }

  jobReady(job: number, nowUs: number): void {
    this.scheduler.jobReady(job, nowUs);
    this.turnAll(nowUs);
    if (this.jobs.pending[MAP][job] > 0) this.log.ready(job, nowUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    this.log.left(job, nowUs);
    this.scheduler.jobRemoved(job, nowUs);
    this.turnAll(nowUs);
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.scheduler.attemptEnded(job, type, nowUs);
  }

  attemptRequeued(job: number, type: SlotType, nowUs: number): void {
    this.scheduler.attemptRequeued(job, type, nowUs);
    this.mayWaitAgain(job, nowUs);
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    this.scheduler.pendingChanged(job, type, change, nowUs);
    this.mayWaitAgain(job, nowUs);
  }

  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.scheduler.slotsChanged(maps, reduces, nowUs);
  }

  nextUpdateUs(): number {
    return this.scheduler.nextUpdateUs();
  }

  update(nowUs: number): void {
    this.scheduler.update(nowUs);
    this.turnAll(nowUs);
  }

  checkPreemption(nowUs: number): void {
    this.scheduler.checkPreemption(nowUs);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    this.scheduler.reload(allocations, nowUs);
  }

  wantsMapSlots(): boolean {
    return this.scheduler.wantsMapSlots();
  }

  wantsReduceSlots(): boolean {
    return this.scheduler.wantsReduceSlots();
  }

  hasReduces(): boolean {
    return this.scheduler.hasReduces();
  }

  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean {
    if (!this.scheduler.skipHeartbeats(heartbeats, firstUs, lastUs)) return false;
    this.seen.begin(NONE, firstUs);
    this.seen.everybodyPassed(heartbeats);
    this.settle(heartbeats);
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.seen.begin(node, nowUs);
    this.scheduler.heartbeat(node, nowUs, freeMaps, freeReduces);
    if (freeMaps > 0) this.settle(1);
  }

  /** Who was not asked on this heartbeat, and why. */
  private settle(count: number): void {
    const { seen, log, standing, jobs } = this;
    const { waiting } = log;
    standing.heartbeatEnded(seen.lastTaker >= 0);
    for (let i = 0; i < waiting.length; i++) {
      const job = waiting[i];
      if (seen.wasAsked(job)) continue;
      const isHeld = this.isHeldBack(job);
      const decision = isHeld ? LIMIT : jobs.state[job] === PREP ? SETUP : standing.whyNotAsked(job);
      const taker = decision === SLOT ? seen.lastTaker : NONE;
      log.missed(job, decision, seen.nowUs, count, NONE, seen.node, taker);
    }
  }

  private mayWaitAgain(job: number, nowUs: number): void {
    const { jobs, log } = this;
    if (jobs.state[job] !== RUNNING) return;
    if (jobs.pending[MAP][job] <= 0) log.left(job, nowUs);
    else if (log.decisionOf(job) < 0) log.turn(job, OFFER, nowUs);
  }

  /** Set-ups end and limits give way without any heartbeat. */
  private turnAll(nowUs: number): void {
    const { log, jobs } = this;
    const isBusy = this.standing.areAllTaken();
    for (const job of log.waiting) {
      const now = log.decisionOf(job);
      if (now !== SETUP && now !== LIMIT && now !== OFFER && now !== BUSY) continue;
      if (this.isHeldBack(job)) log.turn(job, LIMIT, nowUs);
      else if (jobs.state[job] === PREP) log.turn(job, SETUP, nowUs);
      else if (!isBusy) log.turn(job, OFFER, nowUs);
      else if (now !== BUSY) log.turn(job, BUSY, nowUs, this.largestHolder());
    }
  }

  /** The job that holds the most map slots of the pool that does, or of all where jobs choose no pools; of equals the oldest. */
  private largestHolder(): number {
    const { jobs, pools } = this;
    const held = new Float64Array(pools.size);
    for (let job = 0; job < jobs.handles; job++)
      if (jobs.running[MAP][job] > 0) held[jobs.pool[job]] += jobs.running[MAP][job];
    let largest = NONE;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.running[MAP][job] === 0) continue;
      const change = largest < 0 ? 1 : held[jobs.pool[job]] - held[jobs.pool[largest]];
      const inPool = largest < 0 ? 1 : jobs.running[MAP][job] - jobs.running[MAP][largest];
      const older = largest < 0 ? 1 : jobs.id[largest] - jobs.id[job];
      if ((change || inPool || older) > 0) largest = job;
    }
    return largest;
  }
}

/** What a heartbeat has shown so far. */
class SeenHeartbeat {
  nowUs = 0;
  node = NONE;
  /** The job that launched the last map; -1: none did. */
  lastTaker = NONE;
  isHeldBack: (job: number) => boolean = () => false;
  /** Of the scheduler; null: it has none yet. */
  wait: LocalityWait | null = null;
  private beat = 0;
  private askedOn = new Float64Array(64);

  constructor(
    private readonly jobs: JobTable,
    private readonly log: DecisionLog,
    private readonly launcher: Launcher,
  ) {}

  begin(node: number, nowUs: number): void {
    this.nowUs = nowUs;
    this.node = node;
    this.lastTaker = NONE;
    this.beat++;
    while (this.askedOn.length < this.jobs.capacity) this.askedOn = widened(this.askedOn);
  }

  wasAsked(job: number): boolean {
    return this.askedOn[job] === this.beat;
  }

  /** The job was asked for a map, `count` times in a row, and launched none. */
  passed(job: number, count = 1): void {
    if (this.wasAsked(job) || this.log.decisionOf(job) < 0) return;
    this.askedOn[job] = this.beat;
    const { launcher, wait } = this;
    const level = wait === null ? OFF_RACK : wait.allowedLevel(job);
    const isRefused = launcher.isSelective && this.node >= 0 && !launcher.accepts(job, MAP, this.node);
    // Whoever may go anywhere and goes not has only maps that failed here.
    const decision = isRefused || level === OFF_RACK ? NODE : LOCALITY;
    this.log.missed(job, decision, this.nowUs, count, level, this.node, NONE);
  }

  somePassed(jobs: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) this.passed(jobs[i]);
  }

  everybodyPassed(count = 1): void {
    const { state } = this.jobs;
    for (const job of this.log.waiting) if (state[job] === RUNNING && !this.isHeldBack(job)) this.passed(job, count);
  }

  launched(job: number, node: number, level: number): void {
    this.lastTaker = job;
    this.log.launched(job, node, level, this.nowUs);
  }
}

/** A launcher that shows the launches of maps. */
class LoggedLauncher implements Launcher {
  constructor(
    private readonly launcher: Launcher,
    private readonly seen: SeenHeartbeat,
  ) {}

  get isSelective(): boolean {
    return this.launcher.isSelective;
  }
  accepts(job: number, type: SlotType, node: number): boolean {
    return this.launcher.accepts(job, type, node);
  }
  launchMap(job: number, task: number, node: number, level: number): void {
    this.launcher.launchMap(job, task, node, level);
    this.seen.launched(job, node, level);
  }
  launchReduce(job: number, node: number): void {
    this.launcher.launchReduce(job, node);
  }
  reportedOn(node: number, type: SlotType): number {
    return this.launcher.reportedOn(node, type);
  }
  slotsOf(node: number, type: SlotType): number {
    return this.launcher.slotsOf(node, type);
  }
  initialise(job: number): void {
    this.launcher.initialise(job);
  }
  forEachReported(type: SlotType, visit: VisitAttempt): void {
    this.launcher.forEachReported(type, visit);
  }
  kill(attempt: number, forPool?: number): void {
    this.launcher.kill(attempt, forPool);
  }
}

/** A wait that shows who was asked in vain, before it counts that. */
class LoggedWait implements LocalityWait {
  readonly unit: WaitUnit | null;
  readonly levels: WaitLevels;
  readonly coversIdleJobs: boolean;
  readonly movedByReduceSlots: boolean;
  readonly countsEachSearch: boolean;
  readonly listsVisits: boolean;

  constructor(
    private readonly wait: LocalityWait,
    private readonly seen: SeenHeartbeat,
  ) {
    this.unit = wait.unit;
    this.levels = wait.levels;
    this.coversIdleJobs = wait.coversIdleJobs;
    this.movedByReduceSlots = wait.movedByReduceSlots;
    this.countsEachSearch = wait.countsEachSearch;
    this.listsVisits = wait.listsVisits;
  }

  launched(job: number, level: number, jobs: Int32Array, count: number): void {
    this.seen.somePassed(jobs, count);
    this.wait.launched(job, level, jobs, count);
  }
  foundNothing(everybody: boolean, jobs: Int32Array, count: number, safeBelow: number): void {
    if (everybody) this.seen.everybodyPassed();
    else this.seen.somePassed(jobs, count);
    this.wait.foundNothing(everybody, jobs, count, safeBelow);
  }
  allJobsSkip(): void {
    this.seen.everybodyPassed();
    this.wait.allJobsSkip();
  }
  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number, nothingPending: boolean): boolean {
    return this.wait.skipHeartbeats(heartbeats, firstUs, lastUs, nothingPending);
  }
  add(job: number, anywhere: boolean): void {
    this.wait.add(job, anywhere);
  }
  enter(job: number): void {
    this.wait.enter(job);
  }
  resume(job: number): void {
    this.wait.resume(job);
  }
  leave(job: number): void {
    this.wait.leave(job);
  }
  drop(job: number): void {
    this.wait.drop(job);
  }
  hasMarks(): boolean {
    return this.wait.hasMarks();
  }
  begin(nowUs: number): void {
    this.wait.begin(nowUs);
  }
  nobodyMayLeave(): boolean {
    return this.wait.nobodyMayLeave();
  }
  allowedLevel(job: number): number {
    return this.wait.allowedLevel(job);
  }
  isNodeOnly(job: number): boolean {
    return this.wait.isNodeOnly(job);
  }
  leavesNodeAt(job: number): number {
    return this.wait.leavesNodeAt(job);
  }
  lastLevel(job: number): number {
    return this.wait.lastLevel(job);
  }
  waited(job: number): number {
    return this.wait.waited(job);
  }
  passedUpUs(job: number): number {
    return this.wait.passedUpUs(job);
  }
  isMarked(job: number): boolean {
    return this.wait.isMarked(job);
  }
}
