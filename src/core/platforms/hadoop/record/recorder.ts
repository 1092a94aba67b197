import type { Topology } from "../../../cluster/index.js";
import { MAP, REDUCE, type SetupTask, type SlotType } from "../jobs/job-table.js";
import { levelOf, LEVELS, NO_INPUT } from "../jobs/nearness.js";
import {
  FAILED,
  Fingerprint,
  FINISHED,
  KILLED,
  LAUNCHED,
  LOST,
  OUTPUT_LOST,
  SOURCE_GONE,
  widened,
  DOUBLE_ZERO,
  US_PER_SECOND,
} from "../../../kernel/index.js";
import type { WaitUnit } from "../scheduler/locality-wait.js";
import type { Workload } from "../../../workload/index.js";
import { GrowingColumns, LogLinearCounts, NO_LEVEL, type Summary, UseMeter } from "../../../record/index.js";

const NEVER = -1;

/**
 * Ends of attempts, by code in the fingerprint and outcome in tables: it succeeded; was killed for another pool,
 * because its job had ended, or because another attempt of its task was first; failed by itself; its source of input or
 * its node was lost.
 */
const ENDS = {
  finished: { code: FINISHED, outcome: 0 },
  killed: { code: KILLED, outcome: 1 },
  orphaned: { code: KILLED, outcome: 1 },
  redundant: { code: KILLED, outcome: 1 },
  failed: { code: FAILED, outcome: 2 },
  sourceLost: { code: SOURCE_GONE, outcome: 3 },
  lost: { code: LOST, outcome: 3 },
} as const;
export type AttemptEnd = keyof typeof ENDS;

const TASK_COLUMNS = {
  job: Int32Array,
  type: Uint8Array,
  index: Int32Array,
  attempt: Int32Array,
  node: Int32Array,
  level: Uint8Array,
  launchAtUs: Float64Array,
  finishAtUs: Float64Array,
  outcome: Uint8Array,
};

/**
 * Everything that is kept of a run while it goes on, and the fingerprint over it. Records name an attempt by the job's
 * rank in submission order, the slot type, the task's index within job and type, and the number of the attempt; `level`
 * is a label of nearness.ts.
 */
export class Recorder {
  readonly fingerprint = new Fingerprint();
  readonly firstLaunchUs: Float64Array;
  readonly fairShareUs: Float64Array;
  /** The pool that the job runs in; empty where there are none, and for a refused job. */
  readonly placedIn: string[];
  readonly slotTime: PoolSlotTime;
  readonly endUs: Float64Array;
  /**
   * By job: time from its submission to its end, or that of the run, in which the map or the reduce slots were
   * saturated; counted twice where both were.
   */
  readonly saturatedUs: Float64Array;
  /** By label of how near their blocks: maps launched per job. */
  readonly mapsAt: readonly Int32Array[];
  /** The same over all jobs. */
  readonly mapsAtTotal = new Array<number>(LEVELS).fill(0);
  /** By job and type of slot (`2 * job + type`): time that its attempts that ended had run, whatever became of them. */
  readonly ranUs: Float64Array;
  /** By job: its attempts that were killed for another pool, and how long they had run. */
  readonly killsOf: Int32Array;
  readonly killedUsOf: Float64Array;
  readonly waits: MapWaits;
  readonly headway = new Headway();
  readonly use: readonly [UseMeter, UseMeter];
  /** Launch to finish, in milliseconds. */
  readonly attemptMs = [new LogLinearCounts(), new LogLinearCounts()] as const;
  readonly tasksEnded = [0, 0];
  readonly tasksSubmitted = [0, 0];
  /** Attempts killed by preemption, and how long they had run. */
  kills = 0;
  killedUs = 0;
  /** By handle of the pool that they made room for: those of them of which the scheduler says it. */
  readonly killsFor: number[] = [];
  /** Attempts killed because their job had ended. */
  orphansKilled = 0;
  /** Second attempts launched, how many of them succeeded first, and how long the losers of each two had run. */
  copiesLaunched = 0;
  copiesWon = 0;
  redundantUs = DOUBLE_ZERO;
  /** Attempts that failed by themselves, and how long they had run. */
  failures = 0;
  failedUs = DOUBLE_ZERO;
  /** Attempts whose source of input went away. */
  sourcesLost = 0;
  /** Nodes given up, one by one as often as it happened. */
  nodesGivenUp = 0;
  /** Attempts lost with their nodes, and finished maps that run again because their output was. */
  attemptsLost = 0;
  outputsLost = 0;
  jobsSubmitted = 0;
  /** Whether they succeeded or not. */
  jobsEnded = 0;
  jobsFailed = 0;
  /** By job: 1 if one of its tasks failed too often. */
  readonly hasFailed: Uint8Array;
  /** Refused at submission: they name a pool that takes no jobs of theirs. */
  jobsRefused = 0;
  readonly refusedRanks: number[] = [];
  lastRefusalUs = 0;
  readonly tasks: GrowingColumns<typeof TASK_COLUMNS> | null;

  constructor(
    readonly workload: Workload,
    readonly topology: Topology,
    recordTasks: boolean,
  ) {
    const n = workload.jobs.length;
    this.firstLaunchUs = new Float64Array(n).fill(NEVER);
    this.fairShareUs = new Float64Array(n).fill(NEVER);
    this.endUs = new Float64Array(n).fill(NEVER);
    this.saturatedUs = new Float64Array(n);
    this.hasFailed = new Uint8Array(n);
    this.ranUs = new Float64Array(2 * n);
    this.killsOf = new Int32Array(n);
    this.killedUsOf = new Float64Array(n);
    this.placedIn = new Array<string>(n).fill("");
    this.slotTime = new PoolSlotTime(n);
    this.mapsAt = Array.from({ length: LEVELS }, () => new Int32Array(n));
    this.waits = new MapWaits(n);
    this.use = [new UseMeter(topology.totalMapSlots), new UseMeter(topology.totalReduceSlots)];
    this.tasks = recordTasks ? new GrowingColumns(TASK_COLUMNS) : null;
  }

  /** Jobs that have been submitted and have not ended; a refused one never is. */
  get jobsActive(): number {
    return this.jobsSubmitted - this.jobsRefused - this.jobsEnded;
  }

  /** Sections of the summary, as far as they are counted here. */
  sections() {
    return {
      preemption: { kills: this.kills, lostSeconds: this.killedUs / US_PER_SECOND },
      failures: {
        attempts: this.failures,
        sourcesLost: this.sourcesLost,
        kills: this.orphansKilled,
        lostSeconds: this.failedUs / US_PER_SECOND,
      },
      faults: { nodesGivenUp: this.nodesGivenUp, attemptsLost: this.attemptsLost, outputsLost: this.outputsLost },
      speculation: {
        launched: this.copiesLaunched,
        won: this.copiesWon,
        wastedSeconds: this.redundantUs / US_PER_SECOND,
      },
    } satisfies Partial<Summary>;
  }

  submitted(job: number, nowUs: number): void {
    this.jobsSubmitted++;
    this.waits.submittedUs[job] = nowUs;
    this.saturatedUs[job] = -this.saturatedUntil(nowUs);
    this.tasksSubmitted[MAP] += this.workload.jobs[job].maps;
    this.tasksSubmitted[REDUCE] += this.workload.jobs[job].reduces;
  }

  refused(job: number, nowUs: number): void {
    this.jobsRefused++;
    this.refusedRanks.push(job);
    this.lastRefusalUs = nowUs;
  }

  launched(
    job: number,
    type: SlotType,
    task: number,
    attempt: number,
    node: number,
    level: number,
    nowUs: number,
  ): void {
    this.fingerprint.add(nowUs, LAUNCHED + (type << 4), job, task, attempt, node, level);
    if (this.firstLaunchUs[job] < 0) this.firstLaunchUs[job] = nowUs;
    this.use[type].change(nowUs, 1);
    this.slotTime.holdsChanged(job, type, 1, nowUs);
    this.headway.launches++;
    if (type === REDUCE) return;
    this.mapsAt[level][job]++;
    this.mapsAtTotal[level]++;
  }

  /** Nodes that have not been given up have so many slots from `nowUs` on. */
  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.use[MAP].setSlots(maps, nowUs);
    this.use[REDUCE].setSlots(reduces, nowUs);
  }

  /**
   * Records the first time at which the job has an equal share of the slots: it runs min(its maps, slots / jobs with
   * unfinished tasks).
   * @param running maps that it runs now.
   */
  checkFairShare(job: number, running: number, unfinishedJobs: number, nowUs: number): void {
    if (this.fairShareUs[job] >= 0) return;
    const share = Math.floor(this.use[MAP].slots / unfinishedJobs);
    if (running >= Math.min(this.workload.jobs[job].maps, Math.max(1, share))) this.fairShareUs[job] = nowUs;
  }

  /** The master learned at `nowUs` that an attempt of the job had left its slot: it ended, or it only commits. */
  slotLeft(job: number, type: SlotType, nowUs: number): void {
    this.use[type].change(nowUs, -1);
    this.slotTime.holdsChanged(job, type, -1, nowUs);
  }

  /** The master learned at `nowUs` that the attempt, launched at `launchUs`, ended at `endUs`, and how. */
  attemptEnded(
    how: AttemptEnd,
    job: number,
    type: SlotType,
    task: number,
    attempt: number,
    node: number,
    level: number,
    launchUs: number,
    endUs: number,
    nowUs: number,
  ): void {
    const { code, outcome } = ENDS[how];
    const ranUs = endUs - launchUs;
    this.fingerprint.add(nowUs, code + (type << 4), job, task, attempt, node, level);
    this.ranUs[2 * job + type] += ranUs;
    this.tasks?.append(job, type, task, attempt, node, levelOf(level), launchUs, endUs, outcome);
    switch (how) {
      case "finished":
        this.tasksEnded[type]++;
        this.headway.done(this.tasksEnded[MAP] + this.tasksEnded[REDUCE], nowUs);
        this.attemptMs[type].add(Math.round(ranUs / 1000));
        return;
      case "killed":
        this.headway.setBack(job, "killed");
        this.kills++;
        this.killedUs += ranUs;
        this.killsOf[job]++;
        this.killedUsOf[job] += ranUs;
        return;
      case "orphaned":
        this.orphansKilled++;
        return;
      case "redundant":
        this.redundantUs += ranUs;
        return;
      case "failed":
        this.headway.made(nowUs);
        this.failures++;
        this.failedUs += ranUs;
        return;
      case "sourceLost":
        this.headway.setBack(job, "sourcesLost");
        this.sourcesLost++;
        return;
      case "lost":
        this.headway.setBack(job, "lost");
        this.attemptsLost++;
    }
  }

  /** The attempt that `attemptEnded` recorded last was killed for that pool; negative: the pool is unknown. */
  killedForPool(pool: number): void {
    while (this.killsFor.length <= pool) this.killsFor.push(0);
    if (pool >= 0) this.killsFor[pool]++;
  }

  /** A set-up or clean-up took a slot of that type. It counts in slot use, but neither as a task nor for locality. */
  setupTaskLaunched(job: number, kind: SetupTask, type: SlotType, node: number, nowUs: number): void {
    this.fingerprint.add(nowUs, LAUNCHED + (kind << 4), job, 0, 0, node, NO_INPUT);
    this.use[type].change(nowUs, 1);
    this.headway.launches++;
  }

  /** The master learned at `nowUs` that the set-up task, launched at `launchUs`, succeeded at `endUs`, or was lost. */
  setupTaskEnded(
    how: "finished" | "lost",
    job: number,
    kind: SetupTask,
    type: SlotType,
    node: number,
    launchUs: number,
    endUs: number,
    nowUs: number,
  ): void {
    const { code, outcome } = ENDS[how];
    this.fingerprint.add(nowUs, code + (kind << 4), job, 0, 0, node, NO_INPUT);
    this.use[type].change(nowUs, -1);
    this.tasks?.append(job, kind, 0, 0, node, NO_LEVEL, launchUs, endUs, outcome);
    if (how === "finished") return;
    this.headway.setBack(job, "lost");
    this.attemptsLost++;
  }

  /** The job has failed, and ends by and by. */
  jobFailed(job: number, nowUs: number): void {
    this.headway.made(nowUs);
    this.jobsFailed++;
    this.waits.ended(job, nowUs);
    this.hasFailed[job] = 1;
  }

  /** The map must run again: the node had its output. */
  outputLost(job: number, task: number, node: number, nowUs: number): void {
    this.fingerprint.add(nowUs, OUTPUT_LOST, job, task, 0, node, 0);
    this.tasksEnded[MAP]--;
    this.headway.setBack(job, "outputsLost");
    this.outputsLost++;
    this.waits.began(job, 1, nowUs);
  }

  jobEnded(job: number, nowUs: number): void {
    this.headway.made(nowUs);
    this.jobsEnded++;
    this.endUs[job] = nowUs;
    this.saturatedUs[job] += this.saturatedUntil(nowUs);
  }

  /** The run is over at `nowUs`. */
  close(nowUs: number): void {
    this.waits.close(nowUs);
    const saturatedUs = this.saturatedUntil(nowUs);
    for (let job = 0; job < this.jobsSubmitted; job++) if (this.endUs[job] < 0) this.saturatedUs[job] += saturatedUs;
  }

  /** Sum over both types of slots. */
  private saturatedUntil(nowUs: number): number {
    return this.use[MAP].saturatedUntil(nowUs) + this.use[REDUCE].saturatedUntil(nowUs);
  }
}

/**
 * Slot time of each pool, as the master sees it: from launches until it learns that the slots are free. A job counts
 * for the pool that it was placed in first. Set-ups and clean-ups count for none.
 */
export class PoolSlotTime {
  /** By job: handle of its pool; -1: none. */
  private readonly poolOf: Int32Array;
  /**
   * By pool and type (`2 * pool + type`): the instants at which slots were left less those at which they were taken,
   * and slots held. Whole numbers: of a slot that was left that is a duration, of one that is held an instant, so the
   * sum stays far below 2^53.
   */
  private sumUs = new Float64Array(16);
  private holds = new Int32Array(16);
  /** Returns the handle of the pool that a submitted job names; for schedulers without pools. */
  poolNamedBy: ((job: number) => number) | null = null;

  constructor(jobs: number) {
    this.poolOf = new Int32Array(jobs).fill(NEVER);
    // Once: see `widened`.
    this.widen();
  }

  placed(job: number, pool: number): void {
    this.poolOf[job] = pool;
    while (2 * pool + 1 >= this.holds.length) this.widen();
  }

  /** An attempt of the job took a slot, or left it: then `change` is -1. */
  holdsChanged(job: number, type: SlotType, change: 1 | -1, nowUs: number): void {
    const pool = this.poolOfJob(job);
    if (pool < 0) return;
    this.holds[2 * pool + type] += change;
    this.sumUs[2 * pool + type] -= change * nowUs;
  }

  /** Returns the slot time of the pool for the type until `nowUs`. */
  heldUs(pool: number, type: SlotType, nowUs: number): number {
    const cell = 2 * pool + type;
    return cell < this.holds.length ? this.sumUs[cell] + this.holds[cell] * nowUs : 0;
  }

  private widen(): void {
    this.sumUs = widened(this.sumUs);
    this.holds = widened(this.holds);
  }

  private poolOfJob(job: number): number {
    if (this.poolOf[job] < 0 && this.poolNamedBy !== null) this.placed(job, this.poolNamedBy(job));
    return this.poolOf[job];
  }
}

/**
 * Waits of maps before their launch, per job: the *locality wait*, virtual time from the first opportunity that the job
 * passed up since it launched a map last; the *wait clock*, the wait as the scheduler counted it; and the time from
 * being pending on, whatever the reason. The last means the same under every scheduler; the first is known where jobs
 * wait, the clock where the scheduler shows it.
 */
class MapWaits {
  /** By job: what its scheduler counts; null: nothing, or the job never turned ready. */
  readonly clockOf: (WaitUnit | null)[];
  /** By job; no map is pending earlier. */
  readonly submittedUs: Float64Array;
  /** By job: locality wait at each launch of a map, summed, and the longest. */
  readonly localityUs: Float64Array;
  readonly longestLocalityUs: Float64Array;
  /** By job: wait clock at each launch of a map, summed, in what `clockOf` says. */
  readonly clock: Float64Array;
  /** By job: time from being pending to launch, summed over its maps. A map that is never launched waits to the end. */
  readonly pendingUs: Float64Array;
  /** Maps of a job that are pending. */
  private readonly pending: Int32Array;

  constructor(jobs: number) {
    this.submittedUs = new Float64Array(jobs);
    this.clockOf = new Array<WaitUnit | null>(jobs).fill(null);
    this.localityUs = new Float64Array(jobs);
    this.longestLocalityUs = new Float64Array(jobs);
    this.clock = new Float64Array(jobs);
    this.pendingUs = new Float64Array(jobs);
    this.pending = new Int32Array(jobs);
  }

  /** Adds pending maps of the job from now on. */
  began(job: number, maps: number, nowUs: number): void {
    this.pending[job] += maps;
    this.pendingUs[job] -= maps * this.sinceSubmission(job, nowUs);
  }

  /**
   * A map of the job was launched, at so much on the wait clock. `passedUpUs`: when the job first passed up an
   * opportunity since its last launch, -1 if it has not. `wasPending`: the map is no second attempt.
   */
  launched(job: number, clock: number, passedUpUs: number, wasPending: boolean, nowUs: number): void {
    this.clock[job] += clock;
    if (passedUpUs >= 0) {
      const waitUs = nowUs - passedUpUs;
      this.localityUs[job] += waitUs;
      if (waitUs > this.longestLocalityUs[job]) this.longestLocalityUs[job] = waitUs;
    }
    if (!wasPending) return;
    this.pending[job]--;
    this.pendingUs[job] += this.sinceSubmission(job, nowUs);
  }

  /** Maps of the job that are still pending wait no longer: it has failed, or the run is over. */
  ended(job: number, nowUs: number): void {
    this.pendingUs[job] += this.pending[job] * this.sinceSubmission(job, nowUs);
    this.pending[job] = 0;
  }

  /** The run is over. */
  close(nowUs: number): void {
    for (let job = 0; job < this.pending.length; job++) this.ended(job, nowUs);
  }

  /** Small numbers keep sums exact. */
  private sinceSubmission(job: number, nowUs: number): number {
    return nowUs - this.submittedUs[job];
  }
}

/** The setbacks of a job since the run last came closer to its end. */
export interface Setbacks {
  killed: number;
  lost: number;
  outputsLost: number;
  sourcesLost: number;
}

/**
 * The time at which the run last came closer to its end: a job was submitted, set up, failed or ended, a task ended
 * that had not ended before, or an attempt failed (a task may do so only so often). All of these happen a limited
 * number of times. A map that runs again because its output was lost comes no closer: only beyond the most tasks that
 * were ever done at once does the count go on.
 */
class Headway {
  lastUs = DOUBLE_ZERO;
  /** Attempts launched since then. */
  launches = 0;
  /** By rank of the job. */
  readonly setbacks = new Map<number, Setbacks>();
  private mostDone = 0;

  made(nowUs: number): void {
    this.lastUs = nowUs;
    this.launches = 0;
    if (this.setbacks.size > 0) this.setbacks.clear();
  }

  /** Records the number of tasks that are done now. */
  done(tasks: number, nowUs: number): void {
    if (tasks <= this.mostDone) return;
    this.mostDone = tasks;
    this.made(nowUs);
  }

  setBack(job: number, how: keyof Setbacks): void {
    let setbacks = this.setbacks.get(job);
    if (setbacks === undefined) {
      setbacks = { killed: 0, lost: 0, outputsLost: 0, sourcesLost: 0 };
      this.setbacks.set(job, setbacks);
    }
    setbacks[how]++;
  }
}
