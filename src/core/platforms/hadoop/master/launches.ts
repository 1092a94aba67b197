import type { CachedFiles } from "../jobs/cached-files.js";
import { type JobTable, MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/nearness.js";
import type { RequeuedTasks } from "../jobs/requeued-tasks.js";
import { assert, DOUBLE_ZERO } from "../../../kernel/index.js";
import type { Recorder } from "../record/recorder.js";
import type { MapLaunchWatcher } from "../replication/replication-rule.js";
import type { SeenWait } from "../scheduler/locality-wait.js";
import type { HeldSlots, Launcher, VisitAttempt, VisitHeld } from "../scheduler/scheduler.js";
import type { Admission, CopyingReduces, DiskUse, LongTaskBalance } from "./admission.js";
import { attemptsOn, KILL_NONE, KILL_ORDERED, type MasterTables, NO_POOL } from "./attempts.js";
import type { LaunchDetails } from "./launch-details.js";
import type { MapOutputs, MapProgress } from "./map-outputs.js";
import type { Speculation } from "./speculation.js";

/** Features that only some runs have; null in the others. */
export interface Features {
  /** Racks simulate attempts in stages. */
  readonly details: LaunchDetails | null;
  /** Running reduces are notified of finished maps before the last one. */
  readonly progress: MapProgress | null;
  /** Nodes can be lost. */
  readonly outputs: MapOutputs | null;
  /** Jobs need files on their nodes. */
  readonly cached: CachedFiles | null;
  /** Long maps must not crowd on few nodes. */
  readonly balance: LongTaskBalance | null;
  /** Reduces copy and compute in separate slots. */
  readonly copying: CopyingReduces | null;
  /** Some node has a disk of limited size. */
  readonly disk: DiskUse | null;
  /** Slow tasks get a second attempt. */
  readonly speculation: Speculation | null;
}

/**
 * Carries out the decisions of the scheduler at once: takes slots, launches attempts and orders kills. It also tells
 * the scheduler which attempts hold slots.
 */
export class Launches implements Launcher, HeldSlots {
  readonly isSelective: boolean;
  readonly slotCount: number;
  nowUs = DOUBLE_ZERO;
  /** Notified of maps before they are launched; null: no watcher. */
  watcher: MapLaunchWatcher | null = null;
  /** Attempts launched so far, of both types. */
  launched = 0;
  readonly requeuedReduces: RequeuedTasks;
  private lastSlot = 0;
  /** Slot of the attempt that the next launch copies; -1: the launch is no copy. */
  private copied = -1;
  /** Tasks handed out on the present heartbeat, per type. */
  private readonly handedOut = [0, 0];
  private readonly jobs: JobTable;
  private readonly recorder: Recorder;

  constructor(
    private readonly parts: MasterTables &
      Features & {
        readonly admission: Admission;
        readonly initialise: (job: number) => void;
        /** The view of a job's wait for locality. */
        readonly waitOf: (job: number) => SeenWait;
      },
  ) {
    this.isSelective = parts.admission.isSelective;
    this.requeuedReduces = parts.reduces.requeued;
    this.jobs = parts.jobs;
    this.recorder = parts.recorder;
    this.slotCount = parts.attempts.slots;
  }

  /** A heartbeat begins. */
  begin(nowUs: number): void {
    this.nowUs = nowUs;
    this.handedOut[MAP] = 0;
    this.handedOut[REDUCE] = 0;
  }

  private recordWait(job: number, task: number, isPending: boolean): void {
    const wait = this.parts.waitOf(job);
    const clock = wait.waited(job);
    this.recorder.waits.launched(this.jobs.id[job], clock, wait.passedUpUs(job), isPending, this.nowUs);
    if (this.watcher !== null) this.watcher.mapLaunched(job, task, clock);
  }

  private launch(job: number, type: SlotType, task: number, number: number, node: number, level: number): void {
    const { slots, attempts } = this.parts;
    const { jobs, nowUs } = this;
    const slot = slots.take(node, type);
    const id = jobs.id[job];
    this.lastSlot = slot;
    this.launched++;
    this.handedOut[type]++;
    jobs.pending[type][job]--;
    jobs.running[type][job]++;
    attempts.begin(slot, job, id, task, number, level, nowUs);
    this.recorder.launched(id, type, task, number, node, level, nowUs);
    this.noteLaunch(job, type, slot, node);
  }

  private noteLaunch(job: number, type: SlotType, slot: number, node: number): void {
    const { balance, speculation } = this.parts;
    if (balance !== null && type === MAP) balance.launched(job, slot, node);
    if (speculation === null) return;
    speculation.launched(slot);
    if (this.copied < 0) return;
    speculation.seconds.copyLaunched(this.copied, slot);
    this.parts.recorder.copiesLaunched++;
    this.copied = -1;
  }

  launchMap(job: number, task: number, node: number, nearness: number): void {
    const { jobs, pending, recorder, commandsOf, workload, details, cached } = this.parts;
    // The scheduler may have gone by the file that the job needs: what is read, and counted, is input.
    const level = cached === null ? nearness : pending.levelOn(job, task, node);
    const prepareUs = cached === null ? 0 : cached.use(job, node, this.nowUs);
    const isPending = pending.isPending(job, task);
    this.recordWait(job, task, isPending);
    if (isPending) pending.take(job, task);
    else this.beginCopy(job, MAP, task, node, pending.requeued);
    const number = pending.requeued.timesOf(job, task);
    this.launch(job, MAP, task, number, node, level);
    const id = jobs.id[job];
    recorder.checkFairShare(id, jobs.running[MAP][job], jobs.size, this.nowUs);
    const lengthUs = workload.jobs[id].mapLengths.lengthUs(task);
    const detail = details === null ? null : details.map(job, task, number, node, lengthUs, prepareUs);
    commandsOf(node).launchMap(node, this.nowUs, this.lastSlot, level, lengthUs, detail);
    if (detail === null || detail.sourceNode < 0) return;
    details?.reads.begin(node, this.lastSlot, detail.sourceNode, detail.inputBytes, this.nowUs);
  }

  /** The next launch is that of a copy of the task. */
  private beginCopy(job: number, type: SlotType, task: number, node: number, tries: RequeuedTasks): void {
    this.copied = this.parts.speculation?.seconds.firstFor(job, type, node) ?? -1;
    assert(this.copied >= 0 && this.parts.attempts.taskOf(this.copied) === task, "a task runs that needs no copy");
    tries.triedBeside(job, task);
  }

  launchReduce(job: number, node: number): void {
    const { scenario, jobs, attempts, commandsOf, workload, details, progress, reduces, cached } = this.parts;
    const task = reduces.hasFor(job, node) ? reduces.take(job, node) : this.reduceToCopy(job, node);
    const number = this.requeuedReduces.timesOf(job, task);
    this.launch(job, REDUCE, task, number, node, NO_INPUT);
    const spec = workload.jobs[jobs.id[job]];
    const copyUs = spec.copyLengths.lengthUs(task);
    const tailUs = Math.round(copyUs / Math.max(1, spec.maps));
    const mapsDone = jobs.done[MAP][job] === jobs.total[MAP][job];
    attempts.linkReduce(this.lastSlot, mapsDone);
    const reduceUs = spec.reduceLengths.lengthUs(task);
    const prepareUs = cached === null ? 0 : cached.use(job, node, this.nowUs);
    const detail = details === null ? null : details.reduce(job, task, number, copyUs, prepareUs);
    commandsOf(node).launchReduce(node, this.nowUs, this.lastSlot, copyUs, reduceUs, tailUs, mapsDone, detail);
    if (detail === null || progress === null) return;
    const fromUs = this.nowUs + prepareUs + scenario.runtime.io.taskStartUs;
    progress.launched(job, this.lastSlot, detail.available, detail.fetchBytes, fromUs, this.nowUs);
  }

  private reduceToCopy(job: number, node: number): number {
    const { speculation, attempts } = this.parts;
    const first = speculation?.seconds.firstFor(job, REDUCE, node) ?? -1;
    assert(first >= 0, "no reduce waits that the node may have");
    this.beginCopy(job, REDUCE, attempts.taskOf(first), node, this.requeuedReduces);
    return attempts.taskOf(first);
  }

  kill(attempt: number, forPool = NO_POOL): void {
    const { attempts, killOrders } = this.parts;
    if (attempts.killStateOf(attempt) !== KILL_NONE) return;
    attempts.setKillState(attempt, KILL_ORDERED);
    attempts.setKilledFor(attempt, forPool);
    killOrders.add(attempts.node[attempt], attempt);
  }

  initialise(job: number): void {
    this.parts.initialise(job);
  }

  accepts(job: number, type: SlotType, node: number): boolean {
    return this.parts.admission.accepts(job, type, node);
  }

  reportedOn(node: number, type: SlotType): number {
    return this.slotsOf(node, type) - this.parts.slots.free[type][node] - this.handedOut[type];
  }

  slotsOf(node: number, type: SlotType): number {
    const { topology } = this.parts;
    return type === MAP ? topology.mapSlots[node] : topology.reduceSlots[node];
  }

  forEachReported(type: SlotType, visit: VisitAttempt): void {
    const { attempts, slots, topology } = this.parts;
    for (let node = 0; node < topology.nodes; node++) {
      for (const attempt of attemptsOn(this.parts, node)) {
        const job = attempts.jobOf(attempt);
        if (job < 0 || slots.typeOf(node, attempt) !== type || !this.isReported(attempt)) continue;
        visit(attempt, job, attempts.taskOf(attempt), attempts.launchUsOf(attempt));
      }
    }
  }

  /** The node has reported the attempt at least once. */
  private isReported(attempt: number): boolean {
    return this.parts.attempts.launchUsOf(attempt) + this.parts.topology.heartbeatUs < this.nowUs;
  }

  freeOn(node: number, type: SlotType): number {
    return this.parts.slots.free[type][node];
  }

  takenSlots(type: SlotType): number {
    return this.parts.slots.takenSlots[type];
  }

  forEach(type: SlotType, visit: VisitHeld): void {
    const { attempts, slots, topology } = this.parts;
    for (let node = 0; node < topology.nodes; node++) {
      for (const slot of attemptsOn(this.parts, node)) {
        const job = attempts.jobOf(slot);
        if (job < 0 || slot >= attempts.slots || slots.typeOf(node, slot) !== type) continue;
        visit(slot, job, attempts.taskOf(slot), node, attempts.launchUsOf(slot), this.isReported(slot));
      }
    }
  }

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    this.parts.reduces.jobEntered(job);
    this.parts.attempts.jobAdded(job);
    this.parts.failures.forget(job);
    this.parts.progress?.jobEntered(job);
    this.parts.cached?.jobEntered(job);
    this.parts.balance?.jobEntered(job);
  }
}
