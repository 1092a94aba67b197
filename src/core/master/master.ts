import { BlockStore } from "../cluster/block-store.js";
import type { CommandSink } from "../cluster/commands.js";
import { hdfsPlacement, uniformPlacement } from "../cluster/placement.js";
import type { Topology } from "../cluster/topology.js";
import { JobTable, MAP, REDUCE, RUNNING, type SlotType } from "../jobs/job-table.js";
import { NO_INPUT, PendingMaps } from "../jobs/pending-maps.js";
import { EventSet } from "../kernel/event-set.js";
import { seedWord } from "../kernel/hash.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import { Recorder } from "../metrics/recorder.js";
import { Sampler } from "../metrics/sampler.js";
import type { Scenario } from "../scenario/scenario.js";
import { buildScheduler, type BuiltScheduler } from "../scheduler/build-scheduler.js";
import type { Launcher } from "../scheduler/scheduler.js";
import type { Workload } from "../workload/job.js";
import { Attempts } from "./attempts.js";
import { FreeSlots } from "./free-slots.js";
import { ReduceNotices } from "./reduce-notices.js";

/** Own events of the master at one instant happen in this order, before any heartbeat of that instant. */
const SAMPLE = 0;
const UPDATE = 1;
const JOB_READY = 2;
const JOB_END = 3;
const SUBMIT = 4;

/**
 * What the master knows and does: jobs from submission to end, which slots are free, which attempts run, and the
 * scheduler's decisions turned into commands. It is told of heartbeats in the one total order of the run.
 */
export class Master implements Launcher {
  readonly jobs = new JobTable();
  readonly slots: FreeSlots;
  readonly recorder: Recorder;
  readonly sampler: Sampler;
  readonly built: BuiltScheduler;
  readonly notices: ReduceNotices;
  private readonly store: BlockStore;
  private readonly pending: PendingMaps;
  private readonly attempts: Attempts;
  private readonly ready = new EventSet(64);
  private readonly ends = new EventSet(64);
  private readonly handleOf: Int32Array;
  private readonly nextReduce: number[] = [];
  private nextSubmission = 0;
  private nextSubmissionUs: number;
  private nextSampleUs = DOUBLE_ZERO;
  private nowUs = DOUBLE_ZERO;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    private readonly topology: Topology,
    private readonly commands: CommandSink,
    recordTasks: boolean,
  ) {
    const { storage, run } = scenario;
    const placement = storage.placement === "hdfs" ? hdfsPlacement : uniformPlacement;
    const place = placement(topology, storage.replication, seedWord(run.seed, "block placement"));
    const sizes = workload.files.map((file) => file.blocks);
    this.store = new BlockStore(sizes, topology, place, storage.replication);
    this.pending = new PendingMaps(this.jobs, this.store, topology);
    this.slots = new FreeSlots(topology);
    this.attempts = new Attempts(topology);
    this.notices = new ReduceNotices(topology.nodes);
    this.recorder = new Recorder(workload, topology, recordTasks);
    this.sampler = new Sampler(workload, this.jobs, topology, scenario.scheduler.pools);
    this.handleOf = new Int32Array(workload.jobs.length);
    this.nextSubmissionUs = this.submissionUs();
    this.built = buildScheduler(scenario.scheduler, {
      jobs: this.jobs,
      pending: this.pending,
      rackOf: topology.rackOf,
      launcher: this,
      // Attempts neither fail nor are they killed.
      mapsMayReturn: false,
    });
  }

  /** Every job has been submitted and has ended. */
  get allEnded(): boolean {
    return this.recorder.jobsEnded === this.workload.jobs.length;
  }

  /** When the last job so far ended, virtual time. */
  get lastEndUs(): number {
    return this.recorder.endUs.reduce((latest, endUs) => Math.max(latest, endUs), 0);
  }

  /** Nodes of word `w` (32 nodes) whose heartbeat may matter although it brings no news. */
  wantedNodes(w: number): number {
    const { scheduler } = this.built;
    const { nodeBits } = this.slots;
    return (
      (scheduler.wantsMapSlots() ? nodeBits[MAP][w] : 0) | (scheduler.wantsReduceSlots() ? nodeBits[REDUCE][w] : 0)
    );
  }

  /** Among them, those on which jobs would only wait for locality: candidates for `passOverRun`. */
  waitingNodes(w: number): number {
    const { nodeBits } = this.slots;
    const bits = nodeBits[MAP][w] & ~this.pending.bits.any[w];
    return this.built.scheduler.hasReduces() ? bits & ~nodeBits[REDUCE][w] : bits;
  }

  /** Heartbeats in a row, the last at `lastUs`, of nodes that `waitingNodes` named; false if each must be visited. */
  passOverRun(heartbeats: number, lastUs: number): boolean {
    return this.built.scheduler.passOverRun(heartbeats, lastUs);
  }

  /**
   * No report can make the master send anything before `nextWorkUs()`: no task is pending, and no job has reduces that
   * wait for its last map. Replies up to then are known to be empty.
   */
  isIdle(): boolean {
    const { jobs } = this;
    if (!this.notices.isEmpty) return false;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      if (jobs.pending[MAP][job] > 0 || jobs.pending[REDUCE][job] > 0) return false;
      if (jobs.total[REDUCE][job] > 0 && jobs.done[MAP][job] < jobs.total[MAP][job]) return false;
    }
    return true;
  }

  /** Virtual time of the next own event, Infinity for none. */
  nextEventUs(): number {
    let atUs = this.nextWorkUs();
    if (this.nextSampleUs < atUs) atUs = this.nextSampleUs;
    const updateUs = this.built.scheduler.nextUpdateUs();
    if (updateUs < atUs) atUs = updateUs;
    const endUs = this.ends.peekAtUs();
    return endUs < atUs ? endUs : atUs;
  }

  /** Virtual time of the next own event that can give nodes something to do: a submission or the end of a set-up. */
  nextWorkUs(): number {
    const readyUs = this.ready.peekAtUs();
    return readyUs < this.nextSubmissionUs ? readyUs : this.nextSubmissionUs;
  }

  /** Performs the next own event. */
  runEvent(): void {
    const atUs = this.nextEventUs();
    this.nowUs = atUs;
    switch (this.kindOfEventAt(atUs)) {
      case SAMPLE:
        this.nextSampleUs += this.scenario.run.sampleUs;
        return this.sampler.sample(atUs, this.recorder.mapsAtTotal);
      case UPDATE:
        return this.built.scheduler.update();
      case JOB_READY:
        return this.makeReady(this.handleOf[this.ready.pop()]);
      case JOB_END:
        return this.recorder.jobEnded(this.ends.pop(), atUs);
      case SUBMIT:
        return this.submit(this.nextSubmission);
    }
  }

  /** The heartbeat of a node at `atUs` begins: its reports follow, then `endHeartbeat`. */
  beginHeartbeat(atUs: number): void {
    this.nowUs = atUs;
  }

  /** The heartbeat reports that the attempt in the slot succeeded at `finishUs`. */
  attemptFinished(node: number, slot: number, finishUs: number): void {
    const { attempts, jobs, nowUs } = this;
    const type = this.slots.release(node, slot);
    const job = attempts.job[slot];
    jobs.running[type][job]--;
    jobs.done[type][job]++;
    const { task, level, launchUs } = attempts;
    this.recorder.finished(jobs.id[job], type, task[slot], 0, node, level[slot], launchUs[slot], finishUs, nowUs);
    if (type === REDUCE) attempts.unlinkReduce(slot);
    else if (jobs.done[MAP][job] === jobs.total[MAP][job]) {
      for (const waiting of attempts.reducesOf(job)) this.notices.add(attempts.node[waiting], waiting);
    }
    this.built.scheduler.attemptEnded(job, type, nowUs);
    if (jobs.done[MAP][job] === jobs.total[MAP][job] && jobs.done[REDUCE][job] === jobs.total[REDUCE][job]) {
      this.retire(job);
    }
  }

  /** All reports of the heartbeat are in: notices go out and free slots are offered. */
  endHeartbeat(node: number): void {
    this.notices.send(node, this.nowUs, this.commands);
    const { scheduler } = this.built;
    const maps = this.slots.free[MAP][node];
    const reduces = this.slots.free[REDUCE][node];
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, this.nowUs, maps, reduces);
    }
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    const { jobs, nowUs } = this;
    this.pending.take(job, task);
    this.begin(job, MAP, task, node, level);
    const id = jobs.id[job];
    this.recorder.checkFairShare(id, jobs.running[MAP][job], jobs.size, nowUs);
    const slot = this.lastSlot;
    this.commands.launchMap(node, nowUs, slot, level, this.workload.jobs[id].mapLengths.lengthUs(task));
  }

  launchReduce(job: number, node: number): void {
    const { jobs, nowUs } = this;
    const task = this.nextReduce[job]++;
    this.begin(job, REDUCE, task, node, NO_INPUT);
    this.attempts.linkReduce(this.lastSlot);
    const spec = this.workload.jobs[jobs.id[job]];
    const copyUs = spec.copyLengths.lengthUs(task);
    const tailUs = Math.round(copyUs / Math.max(1, spec.maps));
    const mapsDone = jobs.done[MAP][job] === jobs.total[MAP][job];
    const reduceUs = spec.reduceLengths.lengthUs(task);
    this.commands.launchReduce(node, nowUs, this.lastSlot, copyUs, reduceUs, tailUs, mapsDone);
  }

  runningOn(node: number, type: SlotType): number {
    const slots = type === MAP ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
    return slots - this.slots.free[type][node];
  }

  private lastSlot = 0;

  private begin(job: number, type: SlotType, task: number, node: number, level: number): void {
    const { jobs, nowUs } = this;
    const slot = this.slots.take(node, type);
    this.lastSlot = slot;
    jobs.pending[type][job]--;
    jobs.running[type][job]++;
    this.attempts.begin(slot, job, task, level, nowUs);
    this.recorder.launched(jobs.id[job], type, task, 0, node, level, nowUs);
  }

  private kindOfEventAt(atUs: number): 0 | 1 | 2 | 3 | 4 {
    if (this.nextSampleUs === atUs) return SAMPLE;
    if (this.built.scheduler.nextUpdateUs() === atUs) return UPDATE;
    if (this.ready.peekAtUs() === atUs) return JOB_READY;
    if (this.ends.peekAtUs() === atUs) return JOB_END;
    return SUBMIT;
  }

  private submit(id: number): void {
    const spec = this.workload.jobs[id];
    const { jobs, store, nowUs } = this;
    this.nextSubmission = id + 1;
    this.nextSubmissionUs = this.submissionUs();
    const job = jobs.enter({
      id,
      pool: this.built.poolOf(spec.pool),
      priority: spec.priority,
      startUs: nowUs,
      maps: spec.maps,
      reduces: spec.reduces,
      slowStartMaps: slowStartMaps(this.scenario.runtime.slowStart, spec.maps),
      firstBlock: spec.input === null ? -1 : store.fileStart[spec.input.file] + spec.input.firstBlock,
    });
    this.handleOf[id] = job;
    this.nextReduce[job] = 0;
    this.attempts.jobAdded(job);
    this.recorder.submitted(id);
    this.built.scheduler.jobAdded(job);
    const setupUs = this.scenario.runtime.jobSetupUs;
    if (setupUs > 0) this.ready.add(id, nowUs + setupUs);
    else this.makeReady(job);
  }

  private submissionUs(): number {
    const { jobs } = this.workload;
    return this.nextSubmission < jobs.length ? jobs[this.nextSubmission].submitAtUs : Infinity;
  }

  private makeReady(job: number): void {
    this.jobs.state[job] = RUNNING;
    this.pending.add(job);
    this.built.scheduler.jobReady(job, this.nowUs);
  }

  /** The last task of a job is done: the scheduler forgets it; it ends after its clean-up. */
  private retire(job: number): void {
    const id = this.jobs.id[job];
    this.built.scheduler.jobRemoved(job);
    this.pending.remove(job);
    this.jobs.leave(job);
    const cleanupUs = this.scenario.runtime.jobCleanupUs;
    if (cleanupUs > 0) this.ends.add(id, this.nowUs + cleanupUs);
    else this.recorder.jobEnded(id, this.nowUs);
  }
}

/** ceil(slow start * maps) in single precision, as Hadoop computes it (semantics section 11). */
function slowStartMaps(slowStart: number, maps: number): number {
  return Math.ceil(Math.fround(Math.fround(slowStart) * maps));
}
