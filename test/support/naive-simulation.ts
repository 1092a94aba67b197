import { BlockStore, placementOf, buildTopology, type Topology } from "../../dist/core/cluster/index.js";
import type { Scenario, SchedulerSpec } from "../../dist/core/scenario/index.js";
import type { Workload } from "../../dist/core/workload/index.js";
import { askToCommit, endOf, mapUs, placeOf, reduceUs, tellOfMaps, type NaiveAttempt } from "./naive-attempt.js";
import { NaiveHadoopFifo } from "./naive-hadoop-fifo.js";
import { NaiveHeartbeats } from "./naive-heartbeats.js";
import { NaiveCapacity } from "./naive-capacity.js";
import { NaiveSetupTasks } from "./naive-setup-tasks.js";
import { NaiveJob, type NaiveTask, type TaskType } from "./naive-job.js";
import { NaiveLongTasks } from "./naive-long-tasks.js";
import { sortEvents, type OwnEvent } from "./own-events.js";
import { reloadEffectUs } from "./naive-placement.js";
import { specInForce } from "./naive-rules.js";
import { NaiveScheduler, type NaiveCluster } from "./naive-scheduler.js";
import { sum } from "./naive-shares.js";
import { noSigns, type JobWaits, type RunRecord, type RunRecords, type Signs } from "./run-records.js";

/**
 * The whole simulation a second time, as plainly as possible: every heartbeat of every node, every update, every order
 * from scratch. It shares with the real one only the cluster's shape, the placement of blocks, and its inputs.
 */
export function simulateNaively(scenario: Scenario, workload: Workload): RunRecords & { readonly signs: Signs } {
  const { scheduler } = scenario;
  const inForce = isHadoopFifo(scheduler) ? { ...scheduler, updateIntervalUs: 0 } : scheduler;
  const simulation = new NaiveSimulation({ ...scenario, scheduler: inForce }, workload);
  simulation.run();
  const { records, endUs, signs, waits } = simulation;
  return { records, endUs, signs, waits };
}

/** FIFO of a Hadoop release. */
function isHadoopFifo({ kind, rules }: SchedulerSpec): boolean {
  return kind === "fifo" && rules !== "paper";
}

class NaiveSimulation implements NaiveCluster<NaiveAttempt> {
  readonly records: RunRecord[] = [];
  readonly signs: Signs = noSigns();
  readonly endUs: number[];
  readonly nodes: number;
  readonly heartbeatUs: number;
  readonly slots: Record<TaskType, number>;
  private readonly topology: Topology;
  private readonly store: BlockStore;
  private readonly scheduler: NaiveScheduler<NaiveAttempt>;
  private readonly refused = new Set<number>();
  private readonly submitted: NaiveJob[] = [];
  private readonly setupTasks: NaiveSetupTasks;
  private readonly longTasks: NaiveLongTasks;
  private attempts: NaiveAttempt[] = [];
  private events: OwnEvent[] = [];
  private nowUs = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
  ) {
    this.topology = buildTopology(scenario.cluster);
    this.nodes = this.topology.nodes;
    this.heartbeatUs = this.topology.heartbeatUs;
    this.slots = { map: this.topology.totalMapSlots, reduce: this.topology.totalReduceSlots };
    const sizes = workload.files.map((file) => file.blocks);
    const place = placementOf(scenario.storage, this.topology, sizes, scenario.run.seed);
    this.store = new BlockStore(sizes, this.topology, place, scenario.storage.replication);
    const { scheduler } = scenario;
    this.scheduler = this.schedulerOf(scheduler);
    this.endUs = workload.jobs.map(() => -1);
    this.longTasks = new NaiveLongTasks(scenario.scheduler.longTasks, [...this.topology.mapSlots]);
    this.setupTasks = new NaiveSetupTasks({
      runtime: scenario.runtime,
      records: this.records,
      speedOf: (node) => this.topology.speed[node],
      freeSlot: (node, type) =>
        this.running(node, type) < this.slotsOf(node, type) ? this.lowestFreeSlot(node, type) : null,
      startUs: (node, slot) => this.startUs(node, slot),
      ended: (job, nowUs) => (this.endUs[job.rank] = nowUs),
    });
    this.events = workload.jobs.map((job, rank) => ({ atUs: job.submitAtUs, kind: "submit", rank }));
    const { reloads } = specInForce(scenario.scheduler);
    const effectUs = reloads.map(({ atUs }) => reloadEffectUs(scenario.scheduler, atUs));
    effectUs.forEach((atUs, rank) => {
      // Of several that one update would meet, the last has overwritten the others.
      if (effectUs[rank + 1] === atUs) return;
      this.events.push({ atUs, kind: "reload", rank });
    });
    if (scenario.scheduler.updateIntervalUs > 0) this.events.push({ atUs: 0, kind: "update", rank: -1 });
  }

  run(): void {
    const { cluster, run } = this.scenario;
    const heartbeats = new NaiveHeartbeats(this.topology, cluster.heartbeatJitter, run.seed);
    for (;;) {
      const { atUs, node } = heartbeats.take();
      this.runEvents(Math.min(atUs, run.untilUs - 1));
      if (this.isOver || atUs >= run.untilUs) return;
      this.nowUs = atUs;
      this.heartbeat(node);
    }
  }

  holders(job: NaiveJob, task: NaiveTask): number[] {
    const { input } = job.spec;
    if (input === null) return [];
    const block = this.store.fileStart[input.file] + input.firstBlock + task.index;
    return Array.from({ length: this.topology.nodes }, (_, node) => node).filter((n) => this.store.holdsOn(block, n));
  }

  rackOf(node: number): number {
    return this.topology.rackOf[node];
  }

  rowOf(node: number): number | null {
    const { rowNames, rowOfRack } = this.topology;
    return rowNames.length === 0 ? null : rowOfRack[this.rackOf(node)];
  }

  slotsOf(node: number, type: TaskType): number {
    return type === "map" ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
  }

  running(node: number, type: TaskType): number {
    return this.on(node).filter((held) => held.type === type).length;
  }

  accepts(job: NaiveJob, type: TaskType, node: number): boolean {
    return type === "reduce" || this.longTasks.accepts(job, node, this.attempts);
  }

  launch(job: NaiveJob, type: TaskType, task: NaiveTask, node: number, level: number): void {
    const copyUs = type === "map" ? 0 : job.spec.copyLengths.lengthUs(task.index);
    const slot = this.lowestFreeSlot(node, type);
    const startUs = this.startUs(node, slot);
    const attempt: NaiveAttempt = {
      job,
      type,
      task,
      node,
      level,
      number: task.attempts,
      slot,
      launchUs: this.nowUs,
      copiedUs: startUs + copyUs,
      finishUs: null,
      aside: false,
      reported: false,
      killOrdered: false,
      killedUs: null,
    };
    const speed = this.topology.speed[node];
    if (type === "map") attempt.finishUs = startUs + mapUs(attempt, this.scenario.runtime, speed);
    else if (job.allMapsDone) attempt.finishUs = attempt.copiedUs + reduceUs(attempt, speed);
    this.attempts.push(attempt);
    task.attempts++;
    task.state = "running";
    this.record("launch", attempt);
  }

  reported(type: TaskType): NaiveAttempt[] {
    return this.attempts.filter((attempt) => attempt.type === type && attempt.reported);
  }

  reportedInAll(type: TaskType): number {
    let held = 0;
    for (let node = 0; node < this.nodes; node++) held += this.running(node, type);
    return held - this.attempts.filter((attempt) => attempt.type === type && !attempt.reported).length;
  }

  kill(attempt: NaiveAttempt): void {
    attempt.killOrdered = true;
  }

  get waits(): (JobWaits | null)[] {
    const { wait, dsfs, kind, rules } = this.scenario.scheduler;
    // Under these the clock goes on while a job has nothing to launch, and what comes back to it ignores locality:
    // nobody sees it.
    const isUnseen = kind === "hfs" && (rules === "1.2" || rules === "branch-1");
    return this.workload.jobs.map((_, rank) => {
      const job = this.submitted.at(rank);
      if (job === undefined || job.state === "prep" || (wait.kind === "none" && dsfs === undefined)) return null;
      const { localityWaitsUs, waitClocks } = job;
      const clock = isUnseen && job.tasks.map.some((task) => task.requeued > 0) ? null : sum(waitClocks);
      return { localityUs: sum(localityWaitsUs), longestLocalityUs: Math.max(0, ...localityWaitsUs), clock };
    });
  }

  private schedulerOf(spec: SchedulerSpec): NaiveScheduler<NaiveAttempt> {
    if (spec.capacity !== undefined) {
      return new NaiveCapacity(spec, this, this.signs, (job) => this.initialise(job));
    }
    return new (isHadoopFifo(spec) ? NaiveHadoopFifo : NaiveScheduler)(spec, this, this.signs);
  }

  private get isOver(): boolean {
    return this.endUs.every((endUs, rank) => endUs >= 0 || this.refused.has(rank));
  }

  /** What holds a slot on the node. */
  private on(node: number): readonly { readonly type: TaskType; readonly slot: number }[] {
    const attempts = this.attempts.filter((attempt) => attempt.node === node && !attempt.aside);
    return [...attempts, ...this.setupTasks.running.filter((setupTask) => setupTask.node === node)];
  }

  /** An attempt in the slot waits for one that still commits. */
  private startUs(node: number, slot: number): number {
    return Math.max(this.nowUs, ...this.attempts.filter((of) => of.node === node && of.slot === slot).map(endOf));
  }

  private lowestFreeSlot(node: number, type: TaskType): number {
    const taken = this.on(node).map(({ slot }) => slot);
    let slot = type === "map" ? 0 : this.slotsOf(node, "map");
    while (taken.includes(slot)) slot++;
    return slot;
  }

  private record(what: RunRecord["what"], { job, type, task, number, node, level }: NaiveAttempt): void {
    const attempt = number;
    this.records.push({ atUs: this.nowUs, what, type, job: job.rank, task: task.index, attempt, node, level });
  }

  /** All own events up to and including `untilUs`, in order, those included that come up meanwhile. */
  private runEvents(untilUs: number): void {
    for (;;) {
      if (this.isOver) return;
      const [next] = sortEvents(this.events);
      if (this.events.length === 0 || next.atUs > untilUs) return;
      this.events.shift();
      this.nowUs = next.atUs;
      this.keepFresh();
      this.runEvent(next);
      this.keepFresh();
    }
  }

  private runEvent({ kind, rank }: OwnEvent): void {
    switch (kind) {
      case "reload":
        this.scheduler.reload(this.scenario.scheduler.reloads[rank].allocations, this.nowUs);
        return;
      case "update": {
        this.update();
        this.checkPreemption();
        const atUs = this.nowUs + this.scenario.scheduler.updateIntervalUs;
        this.events.push({ atUs, kind: "update", rank: -1 });
        return;
      }
      case "ready":
        for (const job of this.scheduler.jobs) if (job.rank === rank) job.state = "running";
        return;
      case "end":
        this.endUs[rank] = this.nowUs;
        return;
      case "submit":
        this.submit(rank);
    }
  }

  private submit(rank: number): void {
    const job = new NaiveJob(rank, this.workload.jobs[rank], this.scenario.runtime.slowStart);
    this.submitted[rank] = job;
    if (!this.scheduler.add(job, this.nowUs)) {
      this.refused.add(rank);
      this.signs.refused++;
      return;
    }
    this.update();
    if (this.scheduler.eagerInit) this.initialise(job);
  }

  /** Jobs that it hands over and that need no set-up are RUNNING right after it. */
  private update(): readonly NaiveJob[] {
    const handedOver = this.scheduler.update(this.nowUs);
    for (const job of handedOver) this.initialise(job);
    return handedOver;
  }

  private initialise(job: NaiveJob): void {
    const { jobSetupUs, setupTasks } = this.scenario.runtime;
    job.handedOver = true;
    if (jobSetupUs === 0) job.state = "running";
    else if (setupTasks) this.setupTasks.want("set-up", job);
    else this.events.push({ atUs: this.nowUs + jobSetupUs, kind: "ready", rank: job.rank });
  }

  /** With an update interval of 0, all that an update takes is always as of now. */
  private keepFresh(): void {
    if (this.scenario.scheduler.updateIntervalUs > 0) return;
    while (this.update().length > 0);
  }

  /** At those updates that lie on the grid of checks: their interval, made a whole number of update intervals. */
  private checkPreemption(): void {
    const { updateIntervalUs } = this.scenario.scheduler;
    const { mode, intervalUs } = specInForce(this.scenario.scheduler).preemption;
    if (mode === "off" || this.nowUs === 0) return;
    if (this.nowUs % (Math.ceil(intervalUs / updateIntervalUs) * updateIntervalUs) !== 0) return;
    this.scheduler.checkPreemption(this.nowUs);
  }

  private heartbeat(node: number): void {
    this.keepFresh();
    const here = this.attempts.filter((attempt) => attempt.node === node);
    for (const attempt of here) attempt.reported = true;
    const ended = here.filter((attempt) => endOf(attempt) <= this.nowUs);
    const done = this.setupTasks.running.filter(
      (setupTask) => setupTask.node === node && setupTask.finishUs <= this.nowUs,
    );
    const reports = [
      ...ended.map((attempt) => ({ endUs: endOf(attempt), slot: placeOf(attempt), tell: () => this.report(attempt) })),
      ...done.map((setupTask) => ({
        endUs: setupTask.finishUs,
        slot: setupTask.slot,
        tell: () => this.setupTasks.done(setupTask, this.nowUs),
      })),
    ];
    for (const { tell } of reports.sort((a, b) => a.endUs - b.endUs || a.slot - b.slot)) tell();
    const running = here.filter((attempt) => this.attempts.includes(attempt));
    for (const attempt of running) tellOfMaps(attempt, this.nowUs, this.topology.speed[node]);
    for (const attempt of running) if (attempt.killOrdered) attempt.killedUs = this.nowUs;
    this.keepFresh();
    if (!this.setupTasks.giveTo(node, this.nowUs)) this.scheduler.heartbeat(node, this.nowUs);
    this.keepFresh();
  }

  private report(attempt: NaiveAttempt): void {
    const { job, task } = attempt;
    if (askToCommit(attempt, this.scenario.runtime, this.nowUs)) return;
    this.attempts = this.attempts.filter((other) => other !== attempt);
    if (attempt.killedUs !== null) {
      this.record("kill", attempt);
      if (attempt.aside) this.signs.killedCommits++;
      task.state = "pending";
      task.requeued = ++this.signs.kills;
      return;
    }
    this.record("finish", attempt);
    task.state = "done";
    if (attempt.type === "map") this.longTasks.finished(job, (attempt.finishUs ?? 0) - attempt.launchUs);
    if (!job.allDone) return;
    job.state = "over";
    this.scheduler.remove(job);
    const { jobCleanupUs, setupTasks } = this.scenario.runtime;
    if (jobCleanupUs === 0) this.endUs[job.rank] = this.nowUs;
    else if (setupTasks) this.setupTasks.want("clean-up", job);
    else this.events.push({ atUs: this.nowUs + jobCleanupUs, kind: "end", rank: job.rank });
  }
}
