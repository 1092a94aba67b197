import { BlockStore } from "../cluster/block-store.js";
import { mayGoWrong } from "../cluster/build-rack.js";
import type { CommandsOf } from "../cluster/commands.js";
import { placementOf } from "../cluster/placement.js";
import type { Topology } from "../cluster/topology.js";
import { JobTable, MAP, REDUCE, RUNNING } from "../jobs/job-table.js";
import { NearestMaps } from "../jobs/nearest-maps.js";
import { PendingMaps } from "../jobs/pending-maps.js";
import { PendingReduces } from "../jobs/pending-reduces.js";
import { TaskFailures } from "../jobs/task-failures.js";
import type { EventSet } from "../kernel/event-set.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import { Recorder } from "../metrics/recorder.js";
import { namedPools, Sampler } from "../metrics/sampler.js";
import type { Scenario } from "../scenario/scenario.js";
import { buildScheduler, type BuiltScheduler } from "../scheduler/build-scheduler.js";
import { RULES } from "../scheduler/rules.js";
import type { Workload } from "../workload/job.js";
import { Admission } from "./admission.js";
import { Attempts, TOLD } from "./attempts.js";
import { AttemptReports } from "./attempt-reports.js";
import { Commits } from "./commits.js";
import { buildDiskUse, type DiskUse } from "./disk-use.js";
import { FreeSlots } from "./free-slots.js";
import { JobChores } from "./job-chores.js";
import { JobLifecycle } from "./job-lifecycle.js";
import { buildLaunchDetails, type LaunchDetails } from "./launch-details.js";
import { Launches } from "./launches.js";
import { buildMapProgress, type MapProgress } from "./map-progress.js";
import { NodeNotes } from "./node-notes.js";
import { ReloadTimes } from "./reload-times.js";
import { StrayAttempts } from "./stray-attempts.js";

/** Own events of the master at one instant happen in this order, before any heartbeat of that instant. */
const SAMPLE = 0;
const RELOAD = 1;
const UPDATE = 2;
const JOB_READY = 3;
const JOB_END = 4;
const SUBMIT = 5;

/**
 * What the master knows and does: jobs from submission to end, which slots are free, which attempts run, and the
 * scheduler's decisions turned into commands. It is told of heartbeats in the one total order of the run.
 */
export class Master {
  readonly jobs = new JobTable();
  readonly slots: FreeSlots;
  readonly recorder: Recorder;
  readonly sampler: Sampler;
  readonly built: BuiltScheduler;
  private readonly pending: PendingMaps;
  readonly attempts: Attempts;
  private readonly lifecycle: JobLifecycle;
  private readonly chores: JobChores;
  private readonly ready: EventSet;
  private readonly ends: EventSet;
  private readonly reloads: ReloadTimes;
  /** Reduces to be told that their maps are all done, and attempts to be killed. */
  private readonly notices: NodeNotes;
  private readonly killOrders: NodeNotes;
  readonly reports: AttemptReports;
  private readonly launches: Launches;
  private readonly details: LaunchDetails | null;
  /** What runs may have to run again. */
  private readonly tasksMayReturn: boolean;
  private readonly disk: DiskUse | null;
  private readonly progress: MapProgress | null;
  private nextSampleUs = DOUBLE_ZERO;
  private nowUs = DOUBLE_ZERO;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    private readonly topology: Topology,
    private readonly commandsOf: CommandsOf,
    recordTasks: boolean,
  ) {
    const { storage, run, scheduler, runtime } = scenario;
    const { jobs } = this;
    const rules = RULES[scheduler.rules];
    const sizes = workload.files.map((file) => file.blocks);
    const place = placementOf(storage, topology, sizes, run.seed);
    const store = new BlockStore(sizes, topology, place, storage.replication);
    this.slots = new FreeSlots(topology);
    this.attempts = new Attempts(topology);
    this.notices = new NodeNotes(topology.nodes);
    this.killOrders = new NodeNotes(topology.nodes);
    this.recorder = new Recorder(workload, topology, recordTasks);
    const { recorder, attempts, killOrders } = this;
    this.details = buildLaunchDetails(scenario, workload, topology, jobs, store, commandsOf);
    this.tasksMayReturn = mayGoWrong(scenario.faults);
    const failures = new TaskFailures(runtime.attempts.maxFailuresPerNode, () => topology.nodes);
    const refusals = this.tasksMayReturn ? failures : null;
    this.pending = new PendingMaps(jobs, store, topology, rules.returnedIgnoreLocality, refusals);
    this.progress = buildMapProgress(runtime, topology, attempts, this.details);
    const { pending, details, progress } = this;
    const reduces = new PendingReduces(jobs, failures, rules.returnedIgnoreLocality);
    const { slots } = this;
    this.disk = buildDiskUse(topology, jobs, slots, attempts, details);
    const mayFail = this.tasksMayReturn;
    const ofAttempts = { topology, jobs, slots, attempts, failures, workload };
    const admission = new Admission({ ...ofAttempts, rules: runtime.attempts, reduces, disk: this.disk, mayFail });
    this.launches = new Launches({
      ...{ ...ofAttempts, recorder, killOrders, progress, commandsOf, pending, details, reduces, admission },
      initialise: (job) => this.lifecycle.initialise(job, this.built, this.nowUs),
    });
    const onEntered = (job: number): void => this.launches.jobEntered(job);
    this.chores = new JobChores({ runtime, commandsOf, recorder, slots: this.slots, attempts: this.attempts });
    const { chores } = this;
    this.lifecycle = new JobLifecycle({ workload, runtime, jobs, store, pending, recorder, chores, onEntered });
    this.ready = this.lifecycle.ready;
    this.ends = this.lifecycle.ends;
    this.reloads = new ReloadTimes(scheduler);
    this.built = buildScheduler(scheduler, {
      ...{ jobs, source: new NearestMaps(pending, topology), launcher: this.launches },
      slots: [topology.totalMapSlots, topology.totalReduceSlots],
      ...{ heartbeatUs: topology.heartbeatUs, nodes: topology.nodes, hasRows: topology.rowNames.length > 0 },
      mapsMayReturn: scheduler.preemption.mode === "kill" || this.tasksMayReturn,
      mapsMayBeCopied: runtime.speculation !== null,
    });
    this.reports = this.buildReports(failures);
    this.sampler = this.samplerOf(topology, rules.scalesMinShares);
  }

  private buildReports(failures: TaskFailures): AttemptReports {
    const { jobs, pending, recorder, slots, attempts, launches, notices, killOrders, progress, details } = this;
    const { lifecycle, chores, built, commandsOf, scenario, topology } = this;
    const { commit, attempts: rules } = scenario.runtime;
    const strayParts = { topology, jobs, slots, attempts, killOrders, notices, progress };
    return new AttemptReports({
      ...{ jobs, pending, recorder, slots, attempts, launches, notices, killOrders, lifecycle, chores, built, details },
      ...{ failures, maxPerTask: rules.maxPerTask, strays: new StrayAttempts(strayParts), progress, disk: this.disk },
      commits: new Commits({ isOn: commit !== null, commandsOf, jobs, recorder, slots, attempts, killOrders }),
    });
  }

  /** Every job has been submitted and has ended, or was refused. */
  get allEnded(): boolean {
    return this.recorder.jobsEnded + this.recorder.jobsRefused === this.workload.jobs.length;
  }

  /** When the last job so far ended or was refused, virtual time. */
  get lastEndUs(): number {
    return this.recorder.endUs.reduce((latest, endUs) => Math.max(latest, endUs), this.recorder.lastRefusalUs);
  }

  /** Nodes of word `w` (32 nodes) that must be told something in the reply to their next heartbeat. */
  awaitedNodes(w: number): number {
    const bits = this.notices.nodeBits[w] | this.killOrders.nodeBits[w];
    return this.progress === null ? bits : bits | this.progress.notes.nodeBits[w];
  }

  /** Nodes of word `w` whose heartbeat may matter although it brings no news. */
  wantedNodes(w: number): number {
    const { scheduler } = this.built;
    const { nodeBits } = this.slots;
    if (this.chores.waiting > 0) return nodeBits[MAP][w] | nodeBits[REDUCE][w];
    return (
      (scheduler.wantsMapSlots() ? nodeBits[MAP][w] : 0) | (scheduler.wantsReduceSlots() ? nodeBits[REDUCE][w] : 0)
    );
  }

  /** Among them, those on which jobs would only wait for locality: candidates for `passOverRun`. */
  waitingNodes(w: number): number {
    if (this.pending.hasRestless || this.chores.waiting > 0) return 0;
    const { nodeBits } = this.slots;
    const bits = nodeBits[MAP][w] & ~this.pending.bits.any[w];
    return this.built.scheduler.hasReduces() ? bits & ~nodeBits[REDUCE][w] : bits;
  }

  /** Heartbeats in a row, the last at `lastUs`, of nodes that `waitingNodes` named; false if each must be visited. */
  passOverRun(heartbeats: number, lastUs: number): boolean {
    return this.built.scheduler.passOverRun(heartbeats, lastUs);
  }

  /**
   * No report can make the master send anything before `nextWorkUs()`: no task is pending or about to be, and no job has
   * reduces that wait for its last map. Replies up to then are known to be empty.
   */
  isIdle(): boolean {
    const { jobs } = this;
    if (!this.notices.isEmpty || !this.killOrders.isEmpty || this.reports.dying > 0) return false;
    if (this.lifecycle.uninitialised > 0 || this.chores.waiting > 0) return false;
    // The end of a set-up brings tasks, the end of a job a clean-up; and who asks leave to commit is answered.
    const { setupTasks, commit } = this.scenario.runtime;
    if ((setupTasks || commit !== null || this.tasksMayReturn) && jobs.size > 0) return false;
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
    if (this.reloads.nextUs < atUs) atUs = this.reloads.nextUs;
    const endUs = this.ends.peekAtUs();
    return endUs < atUs ? endUs : atUs;
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
    switch (this.kindOfEventAt(atUs)) {
      case SAMPLE:
        this.nextSampleUs += this.scenario.run.sampleUs;
        return this.sampler.sample(atUs, this.recorder.mapsAtTotal);
      case RELOAD:
        built.scheduler.reload(this.reloads.take(), atUs);
        return this.update();
      case UPDATE:
        return this.update();
      case JOB_READY:
        return lifecycle.endSetup(built, atUs);
      case JOB_END:
        return this.recorder.jobEnded(this.ends.pop(), atUs);
      case SUBMIT:
        return lifecycle.submit(built, atUs);
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
    if (((this.awaitedNodes(node >> 5) >>> (node & 31)) & 1) !== 0) this.tell(node);
    // Whoever is given a chore is given nothing else on that heartbeat (semantics section 8).
    if (this.chores.waiting > 0 && this.chores.giveTo(node, this.nowUs)) return;
    const { scheduler } = this.built;
    const maps = this.slots.offered(node, MAP);
    const reduces = this.slots.offered(node, REDUCE);
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, this.nowUs, maps, reduces);
    }
  }

  private samplerOf(topology: Topology, scalesMinShares: boolean): Sampler {
    const { jobs, workload } = this;
    const { scheduler } = this.scenario;
    const { pools, scheduler: built } = this.built;
    const isHeldBack = (job: number): boolean => built.view.isHeldBack(job);
    const own = { pools, poolOf: (job: number) => jobs.pool[job], isHeldBack, scalesMinShares };
    const slots: [number, number] = [topology.totalMapSlots, topology.totalReduceSlots];
    return new Sampler(jobs, topology, scheduler.kind === "hfs" ? own : namedPools(scheduler, workload, jobs, slots));
  }

  private tell(node: number): void {
    if (this.progress !== null) {
      for (const slot of this.progress.notes.take(node)) {
        this.commandsOf(node).mapsAdvanced(node, this.nowUs, slot, this.progress.availableFor(slot));
      }
    }
    for (const slot of this.notices.take(node)) this.commandsOf(node).mapsFinished(node, this.nowUs, slot);
    for (const slot of this.killOrders.take(node)) {
      this.commandsOf(node).kill(node, this.nowUs, slot);
      this.details?.reads.killed(node, slot, this.nowUs);
      this.attempts.fate[slot] = TOLD;
      this.reports.dying++;
    }
  }

  private update(): void {
    this.built.scheduler.update(this.nowUs);
    this.built.scheduler.checkPreemption(this.nowUs);
  }

  private kindOfEventAt(atUs: number): 0 | 1 | 2 | 3 | 4 | 5 {
    if (this.nextSampleUs === atUs) return SAMPLE;
    if (this.reloads.nextUs === atUs) return RELOAD;
    if (this.built.scheduler.nextUpdateUs() === atUs) return UPDATE;
    if (this.ready.peekAtUs() === atUs) return JOB_READY;
    if (this.ends.peekAtUs() === atUs) return JOB_END;
    return SUBMIT;
  }
}
