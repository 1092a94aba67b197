import {
  sumOver,
  assert,
  counterHash,
  FAILED,
  FINISHED,
  KILLED,
  LAUNCHED,
  LOST,
  scaled,
  seedWord,
} from "../../kernel/index.js";
import {
  AgendaSimulation,
  NO_LEVEL,
  OUTCOME,
  PreemptionLog,
  type SimulationProgress,
  type StageWaits,
} from "../../record/index.js";
import {
  countsAsFailure,
  USUAL_MAX_ATTEMPTS,
  type YarnCluster,
  type YarnJobRow,
  type YarnRecord,
  type YarnStageRow,
} from "./application.js";
import { NODE_LOCAL, OFF_SWITCH, type YarnLevel } from "./asks.js";
import { YarnAttempts } from "./attempts.js";
import { CapacityScheduler } from "./capacity/scheduler.js";
import { type Container, inOrder, type SchedulerApp, type YarnNode } from "./containers.js";
import { FairScheduler } from "./fair/scheduler.js";
import { MasterWork, type RampUp, type StageWork } from "./master.js";
import { NO_PREEMPTION } from "./no-preemption.js";
import { ANYWHERE } from "./places.js";
import type { ContainerScheduler } from "./scheduler.js";
import { FreeNodes, holdWords, YarnWaits } from "./waits.js";

/** Kinds of event, in the order in which those of one instant happen. */
const NODE_COMES = 0;
const NODE_GOES = 1;
const TASK_ENDS = 2;
const APPLICATION_COMES = 3;
const UPDATE = 4;
const KILL = 5;
const MASTER_REPORTS = 6;
const NODE_REPORTS = 7;
const ROUND = 8;
const APPLICATION_ENDS = 9;

/** At which a master's own container is asked for. */
const MASTER_PRIORITY = 0;
/** Reports of every node, without anything given or ended, after which nothing more is to be expected. */
const IDLE_REPORTS = 10;

/** In fingerprints, by outcome. */
const NOTED_AS = [FINISHED, KILLED, FAILED, LOST, KILLED];

// Classes and plain literals: what is put together of several objects is slow to read.

class NodeState {
  node: YarnNode | null = null;
  /** Places in the record of containers that have ended since it reported last. */
  ended: number[] = [];
  isReporting = false;

  constructor(readonly phaseUs: number) {}
}

/** A submitted application that has not ended, under one attempt of its master. */
class Running {
  /** Containers given since the last report of the master; `givenUs` has their times. */
  inbox: Container[] = [];
  givenUs: number[] = [];
  /** Its place among masters; -1: it has no container yet. */
  master = -1;
  /** The master has reported. */
  hasReported = false;
  /** Nothing is left to do but its own end, which is planned. */
  isEnding = false;

  /**
   * @param lost stage and task of each task that lost its container since the last report.
   * @param stageRows by stage; null: the stage has no row yet.
   */
  constructor(
    readonly number: number,
    readonly work: MasterWork,
    readonly app: SchedulerApp,
    public lost: [number, number][],
    readonly stageRows: (YarnStageRow | null)[],
  ) {}
}

/** Runs applications on one cluster in virtual time. */
export class YarnSimulation extends AgendaSimulation<YarnRecord> {
  readonly scheduler: ContainerScheduler;
  private readonly nodes: NodeState[];
  private readonly jobs: YarnJobRow[];
  private readonly stages: YarnStageRow[] = [];
  private readonly attempts = new YarnAttempts();
  /** By place of an attempt; undefined: its node has reported its end. */
  private readonly containers: (Container | undefined)[] = [];
  /** By node. */
  private readonly rackOf: Int32Array;
  /** By number of the scheduler's application: of those that have not ended. */
  private readonly runningOf: (Running | undefined)[] = [];
  /** The same, in the order in which they came. */
  private readonly running = new Set<Running>();
  /** The same by job. */
  private readonly current: (Running | undefined)[] = [];
  private readonly masters: Running[] = [];
  private readonly dependants: number[][];
  private readonly stallUs: number;
  private readonly lastSubmitUs: number;
  private readonly rampUp: RampUp | null;
  private alive = 0;
  private jobsEnded = 0;
  private tasksEnded = 0;
  private lastEndUs = 0;
  private endedUs = 0;
  /** Events to come that change something by themselves; and when anything was given or ended last. */
  private certain = 0;
  private lastMovedUs = 0;
  /** Containers were given or released, since the log of waits asked last. */
  private hasMoved = false;
  private isUpdating = false;
  private isRounding = false;
  private killsAtUs = Infinity;
  /** Records waits of stages; null: they are not recorded. */
  private waits: YarnWaits | null = null;
  /** Beside them: why preemption takes nothing. */
  private watchPreemption: (() => void) | null = null;

  constructor(
    private readonly cluster: YarnCluster,
    seed: string,
  ) {
    super();
    const { scheduler, nodes, applications } = cluster;
    this.scheduler =
      scheduler.kind === "yarn-fair"
        ? new FairScheduler(scheduler.settings, scheduler.allocations)
        : new CapacityScheduler(scheduler.settings, scheduler.queues);
    this.rackOf = Int32Array.from(nodes, ({ rack }) => rack);
    const phases = seedWord(seed, "yarn/heartbeats");
    this.nodes = nodes.map(
      ({ heartbeatUs = cluster.timing.nodeHeartbeatUs }, nodeIndex) =>
        new NodeState(scaled(counterHash(phases, nodeIndex, 0), heartbeatUs)),
    );
    this.jobs = applications.map(() => {
      return { submittedUs: -1, masterUs: -1, firstLaunchUs: -1, endedUs: -1, masters: 0 };
    });
    this.dependants = applications.map(() => []);
    const { nodeHeartbeatUs, masterHeartbeatUs, reducePreemptionUs, reduceRampUp } = cluster.timing;
    this.rampUp = reduceRampUp === undefined ? null : { limit: reduceRampUp, roomMb: () => this.freeMb() };
    const slowestUs = nodes.reduce(
      (longestUs, { heartbeatUs = 0 }) => Math.max(longestUs, heartbeatUs),
      nodeHeartbeatUs,
    );
    this.lastSubmitUs = applications.reduce((latest, { submitAtUs }) => Math.max(latest, submitAtUs), 0);
    this.stallUs =
      this.scheduler.patienceUs + reducePreemptionUs + IDLE_REPORTS * Math.max(slowestUs, masterHeartbeatUs);
    nodes.forEach(({ fromUs, untilUs }, node) => {
      this.planCertain(NODE_COMES, node, fromUs);
      if (untilUs < Infinity) this.planCertain(NODE_GOES, node, untilUs);
    });
    applications.forEach(({ submitAtUs, after }, number) => {
      if (after === undefined) this.planCertain(APPLICATION_COMES, number, submitAtUs);
      else this.dependants[after.application].push(number);
    });
  }

  progress(): SimulationProgress {
    const { jobsEnded, tasksEnded, lastSubmitUs, lastEndUs } = this;
    return { jobsEnded, jobsTotal: this.jobs.length, lastSubmitUs, tasksEnded, lastEndUs };
  }

  record(): YarnRecord {
    const stopped = this.jobsEnded === this.jobs.length ? "all-jobs-ended" : this.hasStalled ? "stalled" : "until";
    return {
      fingerprint: this.fingerprint.hex(),
      endedUs: stopped === "all-jobs-ended" ? this.endedUs : this.nowUs,
      stopped,
      jobs: this.jobs,
      stages: this.stages,
      attempts: this.attempts,
    };
  }

  protected get isOver(): boolean {
    return this.jobsEnded === this.jobs.length || this.hasStalled;
  }

  /** Only reports that change nothing are to come. */
  private get hasStalled(): boolean {
    if (this.certain > 0 || this.killsAtUs < Infinity) return false;
    return this.nowUs - this.lastMovedUs > this.stallUs || this.agenda.nextUs() === Infinity;
  }

  private freeMb(): number {
    let sum = 0;
    for (const { free } of this.scheduler.nodes) sum += free.memory;
    return sum;
  }

  /** The job that holds most memory; of several the first that came. -1: none holds any. */
  private holder(): number {
    let [largest, blocked] = [0, -1];
    for (const { app, number } of this.running) {
      if (app.used.memory <= largest) continue;
      largest = app.used.memory;
      blocked = number;
    }
    return blocked;
  }

  /**
   * Jobs that have come and not ended, in the order in which they came, and why the first container that each asks for
   * is not there.
   */
  protected waitingNumbers(limit: number): { readonly job: number; readonly waitsFor: string }[] {
    const running = [...this.running];
    running.sort((a, b) => a.number - b.number);
    const free = new FreeNodes(this.scheduler.nodes);
    return running.slice(0, limit).map(({ number, app }) => {
      const ask = app.asks.find(({ wanted }) => wanted > 0);
      const hold = ask === undefined ? null : this.scheduler.whyWaits(app, ask, free, this.nowUs);
      return { job: number, waitsFor: hold === null ? "asks for nothing" : `waits ${holdWords(hold, free)}` };
    });
  }

  /** From now on, before anything has happened, it notes what stages wait for. */
  logWaits(): StageWaits {
    const { scheduler, running } = this;
    const holder = () => this.holder();
    this.waits = new YarnWaits({ scheduler, masterPriority: MASTER_PRIORITY, waiting: running, holder });
    return this.waits.log;
  }

  /** For the agenda: what is planned happens. */
  handle(kind: number, entity: number): void {
    if (this.waits === null) this.happen(kind, entity);
    else this.happenLogged(kind, entity, this.waits);
  }

  /** The same of why preemption takes nothing for each leaf. */
  logPreemption(): PreemptionLog {
    const log = new PreemptionLog(NO_PREEMPTION);
    const watch = this.scheduler.preemptionWatch();
    this.watchPreemption = () => {
      for (const [queue, why] of watch(this.nowUs)) log.is(queue, why, this.nowUs);
    };
    this.watchPreemption();
    return log;
  }

  private happenLogged(kind: number, entity: number, waits: YarnWaits): void {
    const offers = this.offersOf(kind, entity);
    const reservations = this.reservationsOf(kind, entity);
    this.hasMoved = false;
    this.happen(kind, entity);
    const { nowUs } = this;
    if (kind === TASK_ENDS || kind === MASTER_REPORTS) {
      const running = kind === TASK_ENDS ? this.current[this.attempts.job[entity]] : this.masters[entity];
      if (this.hasMoved) waits.lookAtAll(0, nowUs);
      else if (running !== undefined && this.running.has(running)) waits.lookAt(running, 0, nowUs);
    } else if (kind === NODE_REPORTS || kind === ROUND) {
      const hasMoved = this.hasMoved || reservations !== this.reservationsOf(kind, entity);
      if (hasMoved) waits.lookAtAll(offers, nowUs);
      else if (offers > 0) waits.offeredInVain(offers, nowUs);
    } else waits.lookAtAll(0, nowUs);
  }

  /** Nodes with room that an event is going to offer. */
  private offersOf(kind: number, entity: number): number {
    if (kind === ROUND) return this.scheduler.nodes.filter(hasRoom).length;
    if (kind !== NODE_REPORTS) return 0;
    const { node, ended } = this.nodes[entity];
    return hasRoom(node) && this.scheduler.givesAtReports(ended.length > 0) ? 1 : 0;
  }

  /** The reservations that an event may change: that of a node, or in a round their number. */
  private reservationsOf(kind: number, entity: number): unknown {
    if (kind === NODE_REPORTS) return this.nodes[entity].node?.reservation;
    if (kind !== ROUND) return null;
    return sumOver(this.scheduler.nodes, ({ reservation }) => (reservation === null ? 0 : 1));
  }

  private happen(kind: number, entity: number): void {
    switch (kind) {
      case NODE_COMES:
        return this.bringNode(entity);
      case NODE_GOES:
        return this.loseNode(entity);
      case TASK_ENDS:
        this.certain--;
        return this.endTask(entity);
      case APPLICATION_COMES:
        return this.submit(entity);
      case UPDATE:
        this.isUpdating = false;
        this.scheduler.update(this.nowUs);
        this.watchPreemption?.();
        this.planKills();
        return this.keepTimers(this.nowUs);
      case KILL:
        this.killsAtUs = Infinity;
        for (const victim of this.scheduler.takeVictims(this.nowUs)) this.kill(victim, OUTCOME.killed);
        return this.planKills();
      case MASTER_REPORTS:
        return this.masterReports(entity);
      case NODE_REPORTS:
        return this.nodeReports(entity);
      case ROUND:
        this.isRounding = false;
        for (const containers of this.scheduler.continuousRound(this.nowUs)) this.takeGiven(containers);
        return this.keepTimers(this.nowUs);
      case APPLICATION_ENDS:
        this.certain--;
        // Its master may have gone in between: the next one ends it.
        if (this.runningOf[this.masters[entity].app.index] === this.masters[entity]) this.end(this.masters[entity]);
    }
  }

  private submit(number: number): void {
    this.certain--;
    this.lastMovedUs = this.nowUs;
    const application = this.cluster.applications[number];
    this.jobs[number].submittedUs = this.nowUs;
    const work = new MasterWork(application, this.rackOf);
    if (this.alive++ === 0) this.nodes.forEach((_, node) => this.planReport(node, this.nowUs - 1));
    this.startAttempt(
      number,
      work,
      [],
      application.stages.map(() => null),
    );
    this.keepTimers(this.nowUs - 1);
  }

  /** The scheduler gets to know of it, or of another run of it, and that its master wants a container. */
  private startAttempt(
    number: number,
    work: MasterWork,
    lost: [number, number][],
    stageRows: (YarnStageRow | null)[],
  ): void {
    const { name, queue, user, priority, master } = this.cluster.applications[number];
    const app = this.scheduler.submit({ name, queue, user, priority, master }, this.nowUs);
    const running = new Running(number, work, app, lost, stageRows);
    this.runningOf[app.index] = running;
    this.running.add(running);
    this.current[number] = running;
    this.scheduler.ask(app, MASTER_PRIORITY, ANYWHERE, 1, master, true);
  }

  private nodeReports(nodeIndex: number): void {
    const state = this.nodes[nodeIndex];
    const { node, ended } = state;
    state.isReporting = false;
    if (node === null) return;
    const hasEnded = ended.length > 0;
    for (const row of ended) {
      const container = this.containers[row];
      this.containers[row] = undefined;
      if (container?.isReleased === false) this.release(container);
    }
    if (hasEnded) ended.length = 0;
    if (this.scheduler.givesAtReports(hasEnded)) this.takeGiven(this.scheduler.heartbeat(node, this.nowUs));
    this.planReport(nodeIndex, this.nowUs);
  }

  /**
   * Its next report keeps to the grid of the node, so that idle time changes nothing. @param afterUs the instant itself
   * does not count.
   */
  private planReport(nodeIndex: number, afterUs: number): void {
    const state = this.nodes[nodeIndex];
    if (state.isReporting || state.node === null || this.alive === 0) return;
    state.isReporting = true;
    const everyUs = this.cluster.nodes[nodeIndex].heartbeatUs ?? this.cluster.timing.nodeHeartbeatUs;
    const { phaseUs } = state;
    const next = Math.floor((afterUs - phaseUs) / everyUs) + 1;
    this.plan(NODE_REPORTS, nodeIndex, next * everyUs + phaseUs);
  }

  private takeGiven(containers: readonly Container[]): void {
    if (containers.length > 0) this.hasMoved = true;
    for (const container of containers) {
      this.lastMovedUs = this.nowUs;
      const running = this.runningOf[container.app.index];
      assert(running !== undefined, "a container is given to an application that has ended");
      if (container.isMaster) this.startMaster(running, container);
      else {
        running.inbox.push(container);
        running.givenUs.push(this.nowUs);
      }
    }
  }

  private release(container: Container): void {
    this.hasMoved = true;
    this.scheduler.release(container);
  }

  private startMaster(running: Running, container: Container): void {
    const job = this.jobs[running.number];
    if (job.masterUs < 0) job.masterUs = this.nowUs;
    const number = job.masters++;
    const master = this.masters.push(running) - 1;
    const { submittedUs } = job;
    this.addRow(running.number, -1, -1, number, container, container.level, submittedUs, this.nowUs);
    running.master = master;
    const { launchUs, masterStartUs } = this.cluster.timing;
    const { masterStartUs: recordedUs } = this.cluster.applications[running.number];
    const startUs =
      recordedUs === undefined ? this.nowUs + launchUs + masterStartUs : this.recordedStartUs(job, recordedUs);
    this.planCertain(MASTER_REPORTS, master, startUs);
  }

  /**
   * A log counts from the submission: what the resource manager took to give a container is in that, at most one report
   * of a node where there was room. Whoever waits longer than that here, or runs again, starts later by as much.
   */
  private recordedStartUs({ submittedUs, masters }: YarnJobRow, recordedUs: number): number {
    const ownUs = Math.max(0, recordedUs - this.cluster.timing.nodeHeartbeatUs);
    return Math.max(masters > 1 ? 0 : submittedUs + recordedUs, this.nowUs + ownUs);
  }

  /** Reports containers received and lost since the last report; then sends requests. */
  private masterReports(appIndex: number): void {
    const running = this.masters[appIndex];
    const { app, work } = running;
    if (!running.hasReported) {
      running.hasReported = true;
      this.certain--;
      this.lastMovedUs = this.nowUs;
    }
    // It is gone, and another runs in its place, or is to.
    if (this.runningOf[app.index] !== running || running.isEnding) return;
    for (const [stage, task] of running.lost) work.stages[stage].lose(task, this.nowUs);
    running.lost = [];
    const { inbox, givenUs } = running;
    if (inbox.length > 0) {
      running.inbox = [];
      running.givenUs = [];
    }
    for (let index = 0; index < inbox.length; index++) {
      const container = inbox[index];
      // One that went before its master knew of it is asked for again.
      if (container.isReleased) work.stages[work.stageAt(container.priority)].forgetAsks();
      else this.launch(running, container, givenUs[index]);
    }
    work.open(this.nowUs, this.rampUp);
    this.noteStages(running);
    this.giveBackWhatBlocks(running);
    if (work.hasEnded || this.jobs[running.number].hasFailed === true) return this.end(running);
    for (const stage of work.stages) {
      if (!stage.asksOtherwise) continue;
      const { priority, size } = stage.spec;
      stage.tellPlaces(app.askAt(priority));
      this.scheduler.ask(app, priority, ANYWHERE, stage.waiting, size, true);
    }
    this.plan(MASTER_REPORTS, appIndex, this.nowUs + this.cluster.timing.masterHeartbeatUs);
  }

  private launch(running: Running, container: Container, givenUs: number): void {
    const { work, number } = running;
    const stage = work.stageAt(container.priority);
    const state = work.stages[stage];
    const task = state.take(container.node.index);
    // More came than is wanted by now.
    if (task < 0) return this.release(container);
    const level = state.takenLevel;
    state.lastServedUs = this.nowUs;
    const job = this.jobs[number];
    if (job.firstLaunchUs < 0) job.firstLaunchUs = this.nowUs;
    const row = this.addRow(
      number,
      stage,
      task,
      state.attempts[task]++,
      container,
      level,
      state.readyUs[task],
      givenUs,
    );
    this.waits?.log.launched(number, stage, state.hasPlaces(task) ? level : NO_LEVEL, this.nowUs);
    const failure = state.nextFailure(task);
    // One that fails does so while it waits for others, too.
    if (failure !== undefined) this.planCertain(TASK_ENDS, row, this.nowUs + failure.heldUs);
    else if (work.haveParentsEnded(state)) this.planEnd(row, state, this.nowUs + this.cluster.timing.launchUs);
    else state.blocked.push(row);
  }

  private planEnd(row: number, state: StageWork, fromUs: number): void {
    const task = this.attempts.task[row];
    this.planCertain(TASK_ENDS, row, fromUs + this.lengthUs(state, task, this.attempts.level[row] as YarnLevel));
  }

  private lengthUs(state: StageWork, task: number, level: YarnLevel): number {
    const runUs = state.runUs[task];
    if (!state.hasPlaces(task)) return runUs;
    const factor = this.factorAt(level);
    const recorded = this.factorAt(state.tasks[task].level ?? NODE_LOCAL);
    return factor === recorded ? runUs : Math.max(1, Math.round((runUs * factor) / recorded));
  }

  private factorAt(level: YarnLevel): number {
    const { rackFactor, offSwitchFactor } = this.cluster.timing;
    return level === NODE_LOCAL ? 1 : level === OFF_SWITCH ? offSwitchFactor : rackFactor;
  }

  private addRow(
    job: number,
    stage: number,
    task: number,
    number: number,
    container: Container,
    level: YarnLevel,
    readyUs: number,
    givenUs: number,
  ): number {
    const node = container.node.index;
    const row = this.attempts.add(job, stage, task, number, node, level, readyUs, this.nowUs);
    this.attempts.givenUs[row] = givenUs;
    container.row = row;
    this.containers.push(container);
    this.note(LAUNCHED, row);
    return row;
  }

  private endTask(row: number): void {
    const { attempts } = this;
    // It went before its time.
    if (attempts.outcome[row] !== OUTCOME.running) return;
    this.lastMovedUs = this.nowUs;
    this.nodes[attempts.node[row]].ended.push(row);
    const [stage, task] = [attempts.stage[row], attempts.task[row]];
    const running = this.current[attempts.job[row]];
    assert(running !== undefined, "a task ends after its application");
    const { work, stageRows } = running;
    const state = work.stages[stage];
    const failure = state.nextFailure(task);
    if (failure !== undefined) {
      const counts = countsAsFailure(failure);
      this.close(row, counts ? OUTCOME.failed : OUTCOME.stopped);
      const failed = state.fail(task);
      if (counts && failed >= this.maxAttempts(state)) return this.failJob(running);
      running.lost.push([stage, task]);
      return;
    }
    this.close(row, OUTCOME.succeeded);
    state.finish(task);
    if (!state.haveTasksEnded) return;
    const stageRow = stageRows[stage];
    if (stageRow !== null) stageRow.endedUs = this.nowUs;
    // Stages without tasks that came after it are over, too.
    this.noteStages(running);
    for (const otherStage of work.stages) this.unblock(otherStage, work);
    const { masterEndUs } = this.cluster.applications[running.number];
    if (masterEndUs !== undefined && work.hasEnded) this.planOwnEnd(running, masterEndUs);
  }

  private maxAttempts({ spec }: StageWork): number {
    const { mapMaxAttempts, reduceMaxAttempts } = this.cluster.timing;
    return (spec.parents.length === 0 ? mapMaxAttempts : reduceMaxAttempts) ?? USUAL_MAX_ATTEMPTS;
  }

  /** A task has failed too often: what still runs is killed, and the job ends. */
  private failJob(running: Running): void {
    const { number, app, stageRows } = running;
    this.jobs[number].hasFailed = true;
    for (const container of inOrder(app.containers)) {
      if (container.isMaster || container.isReleased) continue;
      if (container.row >= 0 && this.attempts.outcome[container.row] === OUTCOME.running)
        this.close(container.row, OUTCOME.stopped);
      this.scheduler.release(container);
    }
    for (const row of stageRows) if (row !== null && row.endedUs < 0) row.endedUs = this.nowUs;
    this.planOwnEnd(running, this.cluster.applications[number].masterEndUs ?? 0);
  }

  private planOwnEnd(running: Running, afterUs: number): void {
    running.isEnding = true;
    this.planCertain(APPLICATION_ENDS, running.master, this.nowUs + afterUs);
  }

  /** Tasks that waited for others in their containers go on. */
  private unblock(state: StageWork, work: MasterWork): void {
    if (state.blocked.length === 0 || !work.haveParentsEnded(state)) return;
    for (const row of state.blocked.splice(0)) {
      if (this.attempts.outcome[row] !== OUTCOME.running) continue;
      this.planEnd(row, state, Math.max(this.nowUs, this.attempts.launchUs[row] + this.cluster.timing.launchUs));
    }
  }

  private giveBackWhatBlocks({ work, app }: Running): void {
    const stage = work.blocker(this.nowUs, this.cluster.timing.reducePreemptionUs);
    const row = stage?.blocked.pop();
    const container = row === undefined ? undefined : this.containers[row];
    if (stage === null || row === undefined || container === undefined || container.isReleased) return;
    assert(container.app === app, "a master gives back what it has not");
    stage.giveBack(this.attempts.task[row]);
    this.close(row, OUTCOME.killed);
    this.release(container);
  }

  private noteStages({ number, work, stageRows }: Running): void {
    work.stages.forEach((state, stage) => {
      if (stageRows[stage] !== null) return;
      const isOver = work.isOver(state);
      if (!isOver && state.waiting + state.containerCount + state.done === 0) return;
      const row = { job: number, stage, submittedUs: this.nowUs, endedUs: isOver ? this.nowUs : -1 };
      stageRows[stage] = row;
      this.stages.push(row);
    });
  }

  private end(running: Running): void {
    const { number, app } = running;
    this.closeAll(app, OUTCOME.succeeded);
    this.forget(running);
    this.jobs[number].endedUs = this.nowUs;
    this.waits?.jobEnded(running, this.nowUs);
    this.endedUs = this.nowUs;
    this.lastMovedUs = this.nowUs;
    this.alive--;
    this.jobsEnded++;
    this.lastEndUs = this.nowUs;
    for (const next of this.dependants[number]) {
      const { submitAtUs, after } = this.cluster.applications[next];
      this.planCertain(APPLICATION_COMES, next, Math.max(submitAtUs, this.nowUs + (after?.delayUs ?? 0)));
    }
  }

  private forget(running: Running): void {
    const { app, number } = running;
    this.hasMoved = true;
    this.runningOf[app.index] = undefined;
    this.running.delete(running);
    this.current[number] = undefined;
    this.scheduler.remove(app);
  }

  /**
   * A container goes before its time. Its master hears of it at its next report; if it is the master's, a new one has
   * to come.
   */
  private kill(container: Container, outcome: number): void {
    if (container.isReleased) return;
    this.lastMovedUs = this.nowUs;
    const running = this.runningOf[container.app.index];
    assert(running !== undefined, "a container is killed after its application");
    if (container.isMaster) return this.restart(running, outcome);
    // Without a row, its master does not know it yet. If the task has ended, the node has not reported that.
    const { row } = container;
    if (row >= 0 && this.attempts.outcome[row] === OUTCOME.running) {
      this.close(row, outcome);
      running.lost.push([this.attempts.stage[row], this.attempts.task[row]]);
    }
    this.release(container);
  }

  /** All its containers go with the master; what has ended stays done. */
  private restart(running: Running, outcome: number): void {
    const { app, work, number, stageRows, lost } = running;
    for (const { row, isMaster } of inOrder(app.containers)) {
      if (row < 0 || isMaster || this.attempts.outcome[row] !== OUTCOME.running) continue;
      lost.push([this.attempts.stage[row], this.attempts.task[row]]);
    }
    this.closeAll(app, outcome);
    this.forget(running);
    for (const stage of work.stages) {
      stage.blocked.length = 0;
      stage.forgetAsks();
    }
    this.startAttempt(number, work, lost, stageRows);
  }

  private bringNode(nodeIndex: number): void {
    this.certain--;
    this.lastMovedUs = this.nowUs;
    const { rack, memory, vcores } = this.cluster.nodes[nodeIndex];
    this.nodes[nodeIndex].node = this.scheduler.addNode(nodeIndex, rack, { memory, vcores });
    this.planReport(nodeIndex, this.nowUs - 1);
  }

  private loseNode(nodeIndex: number): void {
    this.certain--;
    this.lastMovedUs = this.nowUs;
    const state = this.nodes[nodeIndex];
    const { node } = state;
    assert(node !== null, "a node goes that is not there");
    for (const container of inOrder(node.containers)) this.kill(container, OUTCOME.lost);
    this.scheduler.removeNode(node);
    state.node = null;
    state.ended = [];
  }

  private closeAll(app: SchedulerApp, outcome: number): void {
    for (const { row } of inOrder(app.containers)) {
      if (row >= 0 && this.attempts.outcome[row] === OUTCOME.running) this.close(row, outcome);
    }
  }

  private close(row: number, outcome: number): void {
    const { attempts } = this;
    attempts.endUs[row] = this.nowUs;
    attempts.outcome[row] = outcome;
    if (attempts.stage[row] >= 0) {
      this.tasksEnded++;
      this.lastEndUs = this.nowUs;
    }
    this.note(NOTED_AS[outcome], row);
  }

  private note(event: number, row: number): void {
    const { job, stage, task, number, node, level } = this.attempts;
    const attempt = ((stage[row] + 1) << 8) | number[row];
    this.fingerprint.add(this.nowUs, event, job[row], task[row], attempt, node[row], level[row]);
  }

  /** Plans an event; at one time those of a kind go by entity. */
  private plan(kind: number, entity: number, atUs: number): void {
    this.agenda.plan(this, kind, entity, atUs, entity);
  }

  private planCertain(kind: number, entity: number, atUs: number): void {
    this.certain++;
    this.plan(kind, entity, atUs);
  }

  private planKills(): void {
    const atUs = Math.max(this.scheduler.nextKillUs, this.nowUs);
    if (atUs >= this.killsAtUs) return;
    this.killsAtUs = atUs;
    this.plan(KILL, 0, atUs);
  }

  /**
   * Timers and reports run only while an application is there, on their grids. @param afterUs that instant itself does
   * not count.
   */
  private keepTimers(afterUs: number): void {
    if (this.alive === 0) return;
    const { updateUs, continuousUs } = this.scheduler;
    const next = (everyUs: number) => (Math.floor(afterUs / everyUs) + 1) * everyUs;
    if (!this.isUpdating && updateUs < Infinity) {
      this.isUpdating = true;
      this.plan(UPDATE, 0, next(updateUs));
    }
    if (!this.isRounding && continuousUs < Infinity) {
      this.isRounding = true;
      this.plan(ROUND, 0, next(continuousUs));
    }
  }
}

function hasRoom(node: YarnNode | null): boolean {
  return node !== null && node.free.memory > 0;
}
