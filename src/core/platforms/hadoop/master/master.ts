import {
  AT_GATE,
  type CommandsOf,
  HAS_COPIED,
  HAS_FAILED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../racks/protocol.js";
import type { Topology } from "../../../cluster/index.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import { type EventSet, DOUBLE_ZERO } from "../../../kernel/index.js";
import type { Recorder } from "../record/recorder.js";
import type { ReplicaTraffic } from "../replication/replicas.js";
import type { AllocationsSpec, Scenario, SchedulerSpec } from "../../../scenario/index.js";
import { buildScheduler } from "../scheduler/build-scheduler.js";
import type { BuildKind, BuiltScheduler, Scheduler } from "../scheduler/scheduler.js";
import type { Workload } from "../../../workload/index.js";
import type { AttemptReports } from "./attempt-reports.js";
import { type Attempts, type FreeSlots, KILL_SENT } from "./attempts.js";
import { buildMaster } from "./build-master.js";
import type { SetupTasks, Submissions } from "./job-lifecycle.js";
import type { Launches } from "./launches.js";
import type { NodeLosses } from "./node-losses.js";

/** Millionths: all of it. */
const ALL = 1_000_000;
/** Bits of `wantedTypes`. */
const WANTS_MAPS = 1;
const WANTS_REDUCES = 2;

/**
 * The master of a cluster: it receives heartbeats in the one total order of the run, and answers each with commands.
 *
 * A heartbeat in reading order: `beginHeartbeat`; `report` for each report, which hands those of attempts to `reports`:
 * that frees the slot and tells the scheduler (attempt-reports.ts); `endHeartbeat` answers: pending replies, set-up and
 * clean-up tasks, then the scheduler assigns each free slot, and `launches` carries out its decisions (launches.ts).
 * `runEvent` performs the master's own events between heartbeats. All parts are built in build-master.ts.
 *
 * The master knows jobs, blocks, slots and attempts, all by reports. It may not know racks, frames, threads or clocks.
 */
export class Master {
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
  readonly built: BuiltScheduler;
  readonly reports: AttemptReports;
  readonly launches: Launches;
  /** null: no node can be lost. */
  readonly losses: NodeLosses | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
  /** The parts that build-master.ts makes. */
  readonly parts: ReturnType<typeof buildMaster>;
  private readonly scheduler: Scheduler;
  private readonly source: MapSource;
  private readonly submissions: Submissions;
  /** Heartbeats move few of the events, as most runs have it. */
  private readonly fewMove: boolean;
  private readonly setupTasks: SetupTasks;
  private readonly ready: EventSet;
  private readonly ends: EventSet;
  private readonly reloads: ReloadTimes;
  /**
   * By node, from the tables: has a free slot of a type, has a pending notice that maps are done, has something to
   * kill.
   */
  private readonly mapBits: Int32Array;
  private readonly reduceBits: Int32Array;
  private readonly noticeBits: Int32Array;
  private readonly killBits: Int32Array;
  /** Sources of replies to nodes beside notices and kills. */
  private readonly tellers: readonly { awaitedNodes(w: number): number }[];
  /** The master's own events; at one instant, in this order. */
  private readonly events: readonly OwnEvent[];
  /** The next of those that heartbeats do not move. */
  private nextSteadyUs = DOUBLE_ZERO;
  private nextSampleUs = DOUBLE_ZERO;
  private nowUs = DOUBLE_ZERO;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    topology: Topology,
    private readonly commandsOf: CommandsOf,
    recordTasks: boolean,
    build: BuildKind = buildScheduler,
  ) {
    const parts = buildMaster(scenario, workload, topology, commandsOf, recordTasks, build);
    this.jobs = parts.jobs;
    this.slots = parts.slots;
    this.attempts = parts.attempts;
    this.recorder = parts.recorder;
    this.built = parts.built;
    this.reports = parts.reports;
    this.launches = parts.launches;
    this.losses = parts.losses;
    this.traffic = parts.traffic;
    this.parts = parts;
    this.scheduler = parts.built.scheduler;
    this.source = parts.source;
    this.submissions = parts.submissions;
    this.fewMove = parts.losses === null && !parts.submissions.hasFollowers;
    this.setupTasks = parts.setupTasks;
    this.ready = parts.lifecycle.ready;
    this.ends = parts.lifecycle.ends;
    this.reloads = new ReloadTimes(scenario.scheduler);
    [this.mapBits, this.reduceBits] = this.slots.nodeBits;
    this.noticeBits = parts.notices.nodeBits;
    this.killBits = parts.killOrders.nodeBits;
    const { losses, traffic, progress } = parts;
    this.tellers = [
      ...(progress === null ? [] : [{ awaitedNodes: (w: number) => progress.replies.nodeBits[w] }]),
      ...(traffic === null ? [] : [traffic]),
      ...(losses === null ? [] : [losses]),
    ];
    this.events = this.ownEvents();
    this.nextSteadyUs = this.steadyUs();
  }

  /** The heartbeat of a node at `atUs` begins: its reports follow, then `endHeartbeat`. */
  beginHeartbeat(atUs: number): void {
    this.nowUs = atUs;
    this.reports.nowUs = atUs;
    this.launches.begin(atUs);
  }

  /** A report on the node's heartbeat, which has begun. */
  report(kind: number, node: number, place: number, value: number): void {
    const { losses, reports, traffic, nowUs } = this;
    if (losses !== null && kind <= WANTS_COMMIT && losses.zombieEnded(node, place, kind === WANTS_COMMIT)) return;
    switch (kind) {
      case SUCCEEDED:
        return reports.finished(node, place, nowUs - value);
      case WAS_KILLED:
        return reports.cutOff("killed", node, place, nowUs - value);
      case HAS_FAILED:
        return reports.cutOff("failed", node, place, nowUs - value);
      case SOURCE_LOST:
        return reports.cutOff("sourceLost", node, place, nowUs - value);
      case WANTS_COMMIT:
        return reports.commitPending(node, place);
      case HAS_PROGRESSED:
        return this.parts.speculation?.progressed(place, value);
      case IS_LOADED:
        return this.slots.loaded(node, value);
      case AT_GATE:
        return this.parts.copying?.atGate(place, value === 1, nowUs);
      case HAS_RETURNED:
        return losses?.restarted(node, nowUs);
      case HAS_COPIED:
        return traffic?.copies.copied(node, place);
      case HAS_NOT_COPIED:
        return traffic?.copies.notCopied(node, place);
    }
  }

  /** All reports of the heartbeat are in: sends pending replies, then offers the free slots to the scheduler. */
  endHeartbeat(node: number): void {
    if (this.losses !== null) this.losses.heartbeatReceived(node, this.nowUs);
    if (this.traffic !== null) this.traffic.tell(node, this.nowUs);
    if (((this.awaitedNodes(node >> 5) >>> (node & 31)) & 1) !== 0) {
      this.tell(node);
    }
    // A node that is given a set-up or clean-up task is given nothing else on that heartbeat (semantics section 8).
    if (this.setupTasks.waiting > 0 && this.setupTasks.giveTo(node, this.nowUs)) return;
    const { scheduler } = this;
    const maps = this.slots.available(node, MAP);
    const reduces = this.slots.available(node, REDUCE);
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, this.nowUs, maps, reduces);
    }
  }

  /** Sends the replies that await the node's heartbeat: notices that maps are done, and kills. */
  private tell(node: number): void {
    const { attempts, nowUs } = this;
    const { notices, killOrders, progress, details } = this.parts;
    const commands = this.commandsOf(node);
    if (progress !== null) {
      for (const slot of progress.replies.take(node)) {
        const available = progress.availableFor(slot);
        progress.send(slot, available, nowUs);
        commands.mapsAdvanced(node, nowUs, slot, available);
      }
    }
    for (const slot of notices.take(node)) {
      progress?.send(slot, ALL, nowUs);
      commands.mapsFinished(node, nowUs, slot);
      attempts.knowsMapsDone[slot] = 1;
    }
    for (const attempt of killOrders.take(node)) {
      commands.kill(node, nowUs, attempt);
      details?.reads.killed(node, attempt, nowUs);
      progress?.killed(attempt, nowUs);
      attempts.setKillState(attempt, KILL_SENT);
      this.reports.dying++;
    }
  }

  /** Returns the nodes of word `w` (32 nodes) with something pending for the reply to their next heartbeat. */
  awaitedNodes(w: number): number {
    const { tellers } = this;
    let bits = this.noticeBits[w] | this.killBits[w];
    for (let i = 0; i < tellers.length; i++) bits |= tellers[i].awaitedNodes(w);
    return bits;
  }

  /**
   * Free slots of which types make a heartbeat matter although it brings no news; holds until the next heartbeat or
   * event.
   */
  wantedTypes(): number {
    if (this.setupTasks.waiting > 0) return WANTS_MAPS | WANTS_REDUCES;
    const { scheduler } = this;
    return (scheduler.wantsMapSlots() ? WANTS_MAPS : 0) | (scheduler.wantsReduceSlots() ? WANTS_REDUCES : 0);
  }

  /** Nodes of word `w` that have such slots. @param types of `wantedTypes`. */
  wantedNodes(w: number, types: number): number {
    return (
      ((types & WANTS_MAPS) !== 0 ? this.mapBits[w] : 0) | ((types & WANTS_REDUCES) !== 0 ? this.reduceBits[w] : 0)
    );
  }

  /** Among them, those on which jobs would only wait for locality: candidates for `skipHeartbeats`. */
  waitingNodes(w: number): number {
    if (this.setupTasks.waiting > 0) return 0;
    const bits = this.mapBits[w] & ~this.source.localNodes(w);
    return bits !== 0 && this.scheduler.hasReduces() ? bits & ~this.reduceBits[w] : bits;
  }

  /**
   * Heartbeats in a row, the first at `firstUs` and the last at `lastUs`, of nodes that `waitingNodes` named; false if
   * each must be visited.
   */
  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean {
    return this.scheduler.skipHeartbeats(heartbeats, firstUs, lastUs);
  }

  /**
   * No report can make the master send anything before `nextWorkUs()`: no task is pending or about to be, and no job
   * has reduces that wait for its last map. Replies up to then are known to be empty. A node that can be lost, or is to
   * get a replica, can always bring work.
   */
  isIdle(): boolean {
    const { jobs } = this;
    const { notices, killOrders, lifecycle, tasksMayReturn } = this.parts;
    if (this.traffic !== null) return false;
    if (!notices.isEmpty || !killOrders.isEmpty || this.reports.dying > 0) return false;
    if (lifecycle.uninitialised > 0 || this.setupTasks.waiting > 0) return false;
    if (this.submissions.awaitsEnds && (jobs.size > 0 || this.ends.size > 0)) return false;
    // The end of a set-up brings tasks, the end of a job a clean-up; and who asks leave to commit is answered.
    const { setupTasks, commit } = this.scenario.runtime;
    if ((setupTasks || commit !== null || tasksMayReturn) && jobs.size > 0) return false;
    return !jobs.awaitSlotsOrMaps;
  }

  /** Every job has been submitted and has ended, or was refused. */
  get allEnded(): boolean {
    return this.recorder.jobsEnded + this.recorder.jobsRefused === this.workload.jobs.length;
  }

  /** Virtual time of the next own event, Infinity for none. */
  nextEventUs(): number {
    let atUs = this.nextSteadyUs;
    // Asked after each heartbeat: what heartbeats move is read here, not through the table.
    const updateUs = this.scheduler.nextUpdateUs();
    if (updateUs < atUs) atUs = updateUs;
    const readyUs = this.ready.peekAtUs();
    if (readyUs < atUs) atUs = readyUs;
    const endUs = this.ends.peekAtUs();
    if (endUs < atUs) atUs = endUs;
    if (this.fewMove) return atUs;
    const lossUs = this.losses === null ? Infinity : this.losses.nextUs();
    return Math.min(atUs, lossUs, this.submissions.hasFollowers ? this.submissions.nextUs : Infinity);
  }

  /** Virtual time of the next own event that can give nodes something to do: a submission or the end of a set-up. */
  nextWorkUs(): number {
    const readyUs = this.ready.peekAtUs();
    return Math.min(readyUs, this.submissions.nextUs);
  }

  /**
   * Performs the next own event. Those of one instant come in the order of the table, before any heartbeat of that
   * instant.
   */
  runEvent(): void {
    const atUs = this.nextEventUs();
    this.nowUs = atUs;
    this.launches.nowUs = atUs;
    this.reports.nowUs = atUs;
    this.events.find(({ dueUs }) => dueUs() === atUs)?.happen(atUs);
    this.nextSteadyUs = this.steadyUs();
  }

  private steadyUs(): number {
    let atUs = Infinity;
    for (const { moves, dueUs } of this.events) if (!moves) atUs = Math.min(atUs, dueUs());
    return atUs;
  }

  private ownEvents(): OwnEvent[] {
    const { reloads, scheduler } = this;
    const { lifecycle, losses, speculation, replication, stuck, submissions } = this.parts;
    const { ready, ends } = lifecycle;
    const events: (OwnEvent | null)[] = [
      due(
        () => this.nextSampleUs,
        (atUs) => this.sample(atUs),
      ),
      due(
        () => reloads.nextUs,
        (atUs) => this.reload(atUs),
      ),
      losses &&
        due(
          () => losses.nextUs(),
          (atUs) => losses.giveUp(atUs),
          true,
        ),
      due(
        () => scheduler.nextUpdateUs(),
        () => this.update(),
        true,
      ),
      speculation &&
        due(
          () => speculation.nextCheckUs,
          (atUs) => speculation.check(atUs),
        ),
      replication &&
        due(
          () => replication.nextLookUs,
          (atUs) => replication.look(atUs),
        ),
      due(
        () => ready.peekAtUs(),
        (atUs) => lifecycle.endSetup(atUs),
        true,
      ),
      due(
        () => ends.peekAtUs(),
        (atUs) => lifecycle.endCleanup(atUs),
        true,
      ),
      due(
        () => submissions.nextUs,
        (atUs) => lifecycle.submit(atUs),
        submissions.hasFollowers,
      ),
      due(
        () => stuck.nextUs,
        (atUs) => stuck.look(atUs),
      ),
    ];
    return events.filter((event) => event !== null);
  }

  private sample(atUs: number): void {
    this.nextSampleUs += this.scenario.run.sampleUs;
    const { recorder, traffic } = this;
    const extraReplicas = traffic?.ordered?.use.extraNow;
    this.parts.sampler.sample(atUs, recorder.jobsActive, recorder.mapsAtTotal, recorder.slotTime, extraReplicas);
  }

  private reload(atUs: number): void {
    this.scheduler.reload?.(this.reloads.take(), atUs);
    this.update();
  }

  private update(): void {
    this.scheduler.update(this.nowUs);
    this.scheduler.checkPreemption?.(this.nowUs);
  }
}

/** An event of the master's own. */
interface OwnEvent {
  /** Virtual time at which it is next due, Infinity for never. */
  readonly dueUs: () => number;
  readonly happen: (atUs: number) => void;
  /** Heartbeats may move it, not only other events. */
  readonly moves: boolean;
}

function due(dueUs: () => number, happen: (atUs: number) => void, moves = false): OwnEvent {
  return { dueUs, happen, moves };
}

/**
 * Reloads of allocations, in order. Each takes effect at the first update at or after its time. If several are due at
 * one update, only the last takes effect, as if the file had been overwritten before it was read.
 */
class ReloadTimes {
  /** Virtual time of the next reload, Infinity for none. */
  nextUs: number;
  private next = 0;

  constructor(private readonly scheduler: SchedulerSpec) {
    this.nextUs = this.timeOf(0);
  }

  /** Returns the allocations of the next reload, and goes on to the one after it. */
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
