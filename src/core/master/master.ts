import type { CommandsOf } from "../cluster/protocol.js";
import type { Topology } from "../cluster/topology.js";
import type { CachedFiles } from "../jobs/cached-files.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import type { EventSet } from "../kernel/event-set.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import type { Recorder } from "../metrics/recorder.js";
import type { Sampler } from "../metrics/sampler.js";
import type { AllocationsSpec, Scenario, SchedulerSpec } from "../scenario/scenario.js";
import { buildScheduler } from "../scheduler/build-scheduler.js";
import type { BuildKind, BuiltScheduler, Scheduler } from "../scheduler/scheduler.js";
import type { Workload } from "../workload/job.js";
import type { CopyingReduces } from "./admission.js";
import { AttemptReports, Commits, StrayAttempts } from "./attempt-ends.js";
import { type Attempts, type FreeSlots, type NodeNotes, TOLD } from "./attempts.js";
import { buildDynamicReplication, buildSampler, layGroundwork } from "./build-master.js";
import { JobChores, JobLifecycle } from "./job-lifecycle.js";
import { type LaunchDetails, type OpenReads, readShare } from "./launch-details.js";
import type { Launches } from "./launches.js";
import type { MapProgress } from "./map-outputs.js";
import { NodeLosses } from "./node-losses.js";
import type { DynamicReplication } from "../replication/replication-rule.js";
import type { ReplicaTraffic } from "../replication/replicas.js";
import type { Speculation } from "./speculation.js";
import { isStranded, StuckWatch } from "./stuck.js";

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

/** Own events of the master at one instant happen in this order, before any heartbeat of that instant. */
const SAMPLE = 0;

const RELOAD = 1;

const EXPIRY = 2;

const UPDATE = 3;

const SPECULATE = 4;

const REPLICATE = 5;

const JOB_READY = 6;

const JOB_END = 7;

const SUBMIT = 8;

const LOOK_IF_STUCK = 9;

interface RepliesParts {
  readonly attempts: Attempts;
  /** Reduces to be told that their maps are all done, and attempts to be killed. */
  readonly notices: NodeNotes;
  readonly killOrders: NodeNotes;
  readonly progress: MapProgress | null;
  readonly details: LaunchDetails | null;
  readonly commandsOf: CommandsOf;
}

/** What replies to heartbeats say of running attempts. */
class Replies {
  constructor(private readonly parts: RepliesParts) {}

  /** Nodes of word `w` with an attempt that must be told something. */
  awaitedNodes(w: number): number {
    const { notices, killOrders, progress } = this.parts;
    const bits = notices.nodeBits[w] | killOrders.nodeBits[w];
    return progress === null ? bits : bits | progress.notes.nodeBits[w];
  }

  /** The heartbeat of the node is answered; returns how many attempts it was told to kill. */
  tell(node: number, nowUs: number): number {
    const { attempts, notices, killOrders, progress, details } = this.parts;
    const commands = this.parts.commandsOf(node);
    if (progress !== null) {
      for (const slot of progress.notes.take(node)) {
        commands.mapsAdvanced(node, nowUs, slot, progress.availableFor(slot));
      }
    }
    for (const slot of notices.take(node)) {
      commands.mapsFinished(node, nowUs, slot);
      attempts.knowsMapsDone[slot] = 1;
    }
    const doomed = killOrders.take(node);
    for (const place of doomed) {
      commands.kill(node, nowUs, place);
      details?.reads.killed(node, place, nowUs);
      attempts.fate[place] = TOLD;
    }
    return doomed.length;
  }
}

/**
 * New allocations in their turn. Each takes effect at the first update at or after its time; of several that one update
 * would meet, only the last, as if a file had been written over before anybody read it.
 */
export class ReloadTimes {
  /** Virtual time of the next reload, Infinity for none. */
  nextUs: number;
  private next = 0;

  constructor(private readonly scheduler: SchedulerSpec) {
    this.nextUs = this.timeOf(0);
  }

  /** The allocations of the next reload, which is past now. */
  take(): AllocationsSpec {
    const atUs = this.nextUs;
    while (this.timeOf(this.next + 1) === atUs) this.next++;
    const { allocations } = this.scheduler.reloads[this.next++];
    this.nextUs = this.timeOf(this.next);
    return allocations;
  }

  private timeOf(reload: number): number {
    const { kind, reloads, updateIntervalUs } = this.scheduler;
    // Other kinds know no allocations.
    if (kind !== "hfs" || reload >= reloads.length) return Infinity;
    const { atUs } = reloads[reload];
    return updateIntervalUs > 0 ? Math.ceil(atUs / updateIntervalUs) * updateIntervalUs : atUs;
  }
}
