import type { CommandsOf } from "../cluster/commands.js";
import type { Topology } from "../cluster/topology.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import type { CachedFiles } from "../jobs/cached-files.js";
import type { MapSource } from "../jobs/map-source.js";
import type { EventSet } from "../kernel/event-set.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import type { Recorder } from "../metrics/recorder.js";
import type { Sampler } from "../metrics/sampler.js";
import type { Scenario } from "../scenario/scenario.js";
import { buildScheduler } from "../scheduler/build-scheduler.js";
import type { BuildKind, BuiltScheduler } from "../scheduler/built-scheduler.js";
import type { Scheduler } from "../scheduler/scheduler.js";
import type { Workload } from "../workload/job.js";
import type { Attempts } from "./attempts.js";
import { AttemptReports } from "./attempt-reports.js";
import { buildSampler } from "./build-sampler.js";
import { Commits } from "./commits.js";
import type { CopyingReduces } from "./copying-reduces.js";
import { buildDynamicReplication, type DynamicReplication } from "./dynamic-replication.js";
import type { FreeSlots } from "./free-slots.js";
import {
  EXPIRY,
  JOB_END,
  JOB_READY,
  LOOK_IF_STUCK,
  RELOAD,
  REPLICATE,
  SAMPLE,
  SPECULATE,
  SUBMIT,
  UPDATE,
} from "./event-order.js";
import { layGroundwork } from "./groundwork.js";
import { JobChores } from "./job-chores.js";
import { JobLifecycle } from "./job-lifecycle.js";
import type { Launches } from "./launches.js";
import { NodeLosses } from "./node-losses.js";
import type { NodeNotes } from "./node-notes.js";
import type { OpenReads } from "./open-reads.js";
import { readShare } from "./read-share.js";
import { ReloadTimes } from "./reload-times.js";
import type { ReplicaTraffic } from "./replica-traffic.js";
import { Replies } from "./replies.js";
import { isStranded } from "./stranded.js";
import type { Speculation } from "./speculation.js";
import { StuckWatch } from "./stuck.js";
import { StrayAttempts } from "./stray-attempts.js";

/**
 * What the master knows and does: jobs from submission to end, which slots are free, which attempts run, and the
 * scheduler's decisions turned into commands. It is told of heartbeats in the one total order of the run.
 */
export class Master {
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly recorder: Recorder;
  readonly sampler: Sampler;
  readonly built: BuiltScheduler;
  /** null: no node can be lost. */
  readonly losses: NodeLosses | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
  /** null: there are no second attempts. */
  readonly speculation: Speculation | null;
  /** null: reduce slots are for copying and computing alike. */
  readonly copying: CopyingReduces | null;
  /** null: no job needs files on its nodes. */
  readonly cached: CachedFiles | null;
  readonly attempts: Attempts;
  readonly reports: AttemptReports;
  /** null: racks are light. */
  readonly reads: OpenReads | null;
  /** Whether the run will never end. */
  readonly stuck: StuckWatch;
  private readonly source: MapSource;
  private readonly lifecycle: JobLifecycle;
  private readonly chores: JobChores;
  private readonly ready: EventSet;
  private readonly ends: EventSet;
  private readonly reloads: ReloadTimes;
  private readonly notices: NodeNotes;
  private readonly killOrders: NodeNotes;
  private readonly replies: Replies;
  readonly launches: Launches;
  private readonly tasksMayReturn: boolean;
  /** null: replication is fixed. */
  private readonly replication: DynamicReplication | null;
  private readonly scheduler: Scheduler;
  /** Nodes can be lost, replicas be made, or maps report their progress: more than notices and kills awaits heartbeats. */
  private readonly awaitsMore: boolean;
  /** There are events that most runs know nothing of. */
  private readonly hasRareEvents: boolean;
  private nextSampleUs = DOUBLE_ZERO;
  private nowUs = DOUBLE_ZERO;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    topology: Topology,
    commandsOf: CommandsOf,
    recordTasks: boolean,
    build: BuildKind = buildScheduler,
  ) {
    const { scheduler, runtime } = scenario;
    const ground = layGroundwork({
      ...{ scenario, workload, topology, commandsOf, recordTasks },
      initialise: (job) => this.lifecycle.initialise(job, this.built, this.nowUs),
      waitOf: (job) => this.built.waitOf(job),
      onPendingChanged: (job, type, change, nowUs) => {
        this.built.scheduler.pendingChanged(job, type, change, nowUs);
      },
    });
    const { jobs, slots, attempts, recorder, source, launches, killOrders, notices, records } = ground;
    this.jobs = jobs;
    this.slots = slots;
    this.attempts = attempts;
    this.recorder = recorder;
    this.source = source;
    this.launches = launches;
    this.killOrders = killOrders;
    this.notices = notices;
    this.traffic = ground.traffic;
    this.speculation = ground.speculation;
    this.reads = ground.details && ground.details.reads;
    [this.copying, this.cached] = [ground.copying, ground.cached];
    this.tasksMayReturn = ground.tasksMayReturn;
    const onEntered = (job: number): void => launches.jobEntered(job);
    const chores = new JobChores({ runtime, commandsOf, recorder, slots, attempts });
    const outputs = records && records.outputs;
    this.lifecycle = new JobLifecycle({ ...ground, workload, runtime, chores, onEntered, outputs });
    [this.ready, this.ends, this.chores] = [this.lifecycle.ready, this.lifecycle.ends, chores];
    this.reloads = new ReloadTimes(scheduler);
    this.built = build(scheduler, {
      ...{ ...ground, launcher: launches, topology, workload, blockBytes: scenario.storage.blockBytes },
      slots: [topology.totalMapSlots, topology.totalReduceSlots],
      ...{ heartbeatUs: topology.heartbeatUs, nodes: topology.nodes, hasRows: topology.rowNames.length > 0 },
      readShareOf: (job) => readShare(scenario, workload.jobs[jobs.id[job]]),
      mapsMayReturn: scheduler.preemption.mode === "kill" || this.tasksMayReturn,
      mapsMayBeCopied: runtime.speculation !== null,
    });
    ground.serving.serves = this.built.serves ?? null;
    const { lifecycle, built } = this;
    const commits = new Commits({ ...ground, isOn: runtime.commit !== null, commandsOf });
    const strays = new StrayAttempts({ ...ground, topology });
    const ends = { ...ground, ...runtime.attempts, lifecycle, chores, built, commits, strays, outputs };
    const reports = (this.reports = new AttemptReports(ends));
    this.replies = new Replies({ ...ground, commandsOf });
    this.losses = records && new NodeLosses({ ...ground, ...records, topology, commandsOf, reports, built });
    this.replication = buildDynamicReplication({ ...ground, scenario, topology });
    launches.watcher = this.replication && this.replication.watcher;
    this.scheduler = built.scheduler;
    this.awaitsMore = [this.losses, this.traffic, ground.progress].some((part) => part !== null);
    this.hasRareEvents = [this.losses, this.speculation, this.replication].some((part) => part !== null);
    this.stuck = new StuckWatch({ ...ground, scenario, workload, topology, lifecycle, chores, losses: this.losses });
    this.sampler = buildSampler(scheduler, workload, jobs, topology, built);
  }

  /** Every job has been submitted and has ended, or was refused. */
  get allEnded(): boolean {
    return this.recorder.jobsEnded + this.recorder.jobsRefused === this.workload.jobs.length;
  }

  /** See `isStranded`. */
  get isStranded(): boolean {
    const { jobs, recorder, lifecycle, losses } = this;
    return losses !== null && isStranded({ jobs, recorder, lifecycle, losses });
  }

  /** Nodes of word `w` (32 nodes) that must be told something in the reply to their next heartbeat. */
  awaitedNodes(w: number): number {
    if (!this.awaitsMore) return this.notices.nodeBits[w] | this.killOrders.nodeBits[w];
    let bits = this.replies.awaitedNodes(w);
    if (this.traffic !== null) bits |= this.traffic.awaitedNodes(w);
    return this.losses === null ? bits : bits | this.losses.awaitedNodes(w);
  }

  /** Nodes of word `w` whose heartbeat may matter although it brings no news. */
  wantedNodes(w: number): number {
    const { scheduler } = this;
    const { nodeBits } = this.slots;
    if (this.chores.waiting > 0) return nodeBits[MAP][w] | nodeBits[REDUCE][w];
    return (
      (scheduler.wantsMapSlots() ? nodeBits[MAP][w] : 0) | (scheduler.wantsReduceSlots() ? nodeBits[REDUCE][w] : 0)
    );
  }

  /** Among them, those on which jobs would only wait for locality: candidates for `skipHeartbeats`. */
  waitingNodes(w: number): number {
    if (this.chores.waiting > 0) return 0;
    const { nodeBits } = this.slots;
    const bits = nodeBits[MAP][w] & ~this.source.localNodes(w);
    return bits !== 0 && this.scheduler.hasReduces() ? bits & ~nodeBits[REDUCE][w] : bits;
  }

  /** Heartbeats in a row, the last at `lastUs`, of nodes that `waitingNodes` named; false if each must be visited. */
  skipHeartbeats(heartbeats: number, lastUs: number): boolean {
    return this.scheduler.skipHeartbeats(heartbeats, lastUs);
  }

  /**
   * No report can make the master send anything before `nextWorkUs()`: no task is pending or about to be, and no job has
   * reduces that wait for its last map. Replies up to then are known to be empty. A node that can be lost, or is to get a replica,
   * can always bring work.
   */
  isIdle(): boolean {
    const { jobs } = this;
    if (this.traffic !== null) return false;
    if (!this.notices.isEmpty || !this.killOrders.isEmpty || this.reports.dying > 0) return false;
    if (this.lifecycle.uninitialised > 0 || this.chores.waiting > 0) return false;
    // The end of a set-up brings tasks, the end of a job a clean-up; and who asks leave to commit is answered.
    const { setupTasks, commit } = this.scenario.runtime;
    if ((setupTasks || commit !== null || this.tasksMayReturn) && jobs.size > 0) return false;
    return !jobs.awaitSlotsOrMaps;
  }

  /** Virtual time of the next own event, Infinity for none. */
  nextEventUs(): number {
    let atUs = this.nextWorkUs();
    if (this.nextSampleUs < atUs) atUs = this.nextSampleUs;
    const updateUs = this.scheduler.nextUpdateUs();
    if (updateUs < atUs) atUs = updateUs;
    if (this.reloads.nextUs < atUs) atUs = this.reloads.nextUs;
    const endUs = this.ends.peekAtUs();
    if (endUs < atUs) atUs = endUs;
    if (this.stuck.nextUs < atUs) atUs = this.stuck.nextUs;
    return this.hasRareEvents ? this.nextRareEventUs(atUs) : atUs;
  }

  private nextRareEventUs(otherUs: number): number {
    let atUs = otherUs;
    if (this.losses !== null && this.losses.nextUs() < atUs) atUs = this.losses.nextUs();
    if (this.speculation !== null && this.speculation.nextCheckUs < atUs) atUs = this.speculation.nextCheckUs;
    if (this.replication !== null && this.replication.nextLookUs < atUs) atUs = this.replication.nextLookUs;
    return atUs;
  }

  /** Virtual time of the next own event that can give nodes something to do: a submission or the end of a set-up. */
  nextWorkUs(): number {
    const readyUs = this.ready.peekAtUs();
    return readyUs < this.lifecycle.nextSubmissionUs ? readyUs : this.lifecycle.nextSubmissionUs;
  }

  /** Performs the next own event. */
  runEvent(): void {
    const atUs = this.nextEventUs();
    const { built, lifecycle } = this;
    this.nowUs = atUs;
    this.launches.nowUs = atUs;
    this.reports.nowUs = atUs;
    switch (this.kindOfEventAt(atUs)) {
      case SAMPLE:
        this.nextSampleUs += this.scenario.run.sampleUs;
        return this.sampler.sample(atUs, this.recorder.jobsActive, this.recorder.mapsAtTotal);
      case RELOAD:
        built.scheduler.reload(this.reloads.take(), atUs);
        return this.update();
      case EXPIRY:
        return this.losses?.giveUp(atUs);
      case UPDATE:
        return this.update();
      case SPECULATE:
        return this.speculation?.check(atUs);
      case REPLICATE:
        return this.replication?.look(atUs);
      case JOB_READY:
        return lifecycle.endSetup(built, atUs);
      case JOB_END:
        return this.recorder.jobEnded(this.ends.pop(), atUs);
      case SUBMIT:
        return lifecycle.submit(built, atUs);
      case LOOK_IF_STUCK:
        return this.stuck.look(atUs);
    }
  }

  /** The heartbeat of a node at `atUs` begins: its reports follow, then `endHeartbeat`. */
  beginHeartbeat(atUs: number): void {
    this.nowUs = atUs;
    this.reports.nowUs = atUs;
    this.launches.begin(atUs);
  }

  /** All reports of the heartbeat are in: notices and kill orders go out and free slots are offered. */
  endHeartbeat(node: number): void {
    if (this.losses !== null) this.losses.heard(node, this.nowUs);
    if (this.traffic !== null) this.traffic.tell(node, this.nowUs);
    if (((this.awaitedNodes(node >> 5) >>> (node & 31)) & 1) !== 0) {
      this.reports.dying += this.replies.tell(node, this.nowUs);
    }
    // Whoever is given a chore is given nothing else on that heartbeat (semantics section 8).
    if (this.chores.waiting > 0 && this.chores.giveTo(node, this.nowUs)) return;
    const { scheduler } = this;
    const maps = this.slots.offered(node, MAP);
    const reduces = this.slots.offered(node, REDUCE);
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, this.nowUs, maps, reduces);
    }
  }

  private update(): void {
    this.built.scheduler.update(this.nowUs);
    this.built.scheduler.checkPreemption(this.nowUs);
  }

  private kindOfEventAt(atUs: number): 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 {
    if (this.nextSampleUs === atUs) return SAMPLE;
    if (this.reloads.nextUs === atUs) return RELOAD;
    if (this.losses !== null && this.losses.nextUs() === atUs) return EXPIRY;
    if (this.built.scheduler.nextUpdateUs() === atUs) return UPDATE;
    if (this.speculation !== null && this.speculation.nextCheckUs === atUs) return SPECULATE;
    if (this.replication !== null && this.replication.nextLookUs === atUs) return REPLICATE;
    if (this.ready.peekAtUs() === atUs) return JOB_READY;
    if (this.ends.peekAtUs() === atUs) return JOB_END;
    return this.lifecycle.nextSubmissionUs === atUs ? SUBMIT : LOOK_IF_STUCK;
  }
}
