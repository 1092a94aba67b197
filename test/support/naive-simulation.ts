import { BlockStore } from "../../dist/core/cluster/block-store.js";
import { hdfsPlacement, uniformPlacement } from "../../dist/core/cluster/placement.js";
import { buildTopology, type Topology } from "../../dist/core/cluster/topology.js";
import { seedWord } from "../../dist/core/kernel/hash.js";
import type { Scenario } from "../../dist/core/scenario/scenario.js";
import type { Workload } from "../../dist/core/workload/job.js";
import { NaiveJob, type NaiveTask, type TaskType } from "./naive-job.js";
import { NaiveScheduler, type NaiveCluster } from "./naive-scheduler.js";
import type { RunRecord, RunRecords } from "./run-records.js";

interface NaiveAttempt {
  readonly job: NaiveJob;
  readonly type: TaskType;
  readonly task: NaiveTask;
  readonly node: number;
  readonly level: number;
  /** Within the node: map slots first, then reduce slots. */
  readonly slot: number;
  /** When its copying ends, of a reduce that does not know yet that all maps are done. */
  readonly copiedUs: number;
  finishUs: number | null;
}

/** The master's own events at one instant, in the order in which they happen, before any heartbeat of that instant. */
const KINDS = ["update", "ready", "end", "submit"] as const;

interface OwnEvent {
  readonly atUs: number;
  readonly kind: (typeof KINDS)[number];
  readonly rank: number;
}

/**
 * The whole simulation a second time, as plainly as possible: every heartbeat of every node, every update, every order
 * from scratch. It shares with the real one only the cluster's shape, the placement of blocks, and its inputs.
 */
export function simulateNaively(scenario: Scenario, workload: Workload): RunRecords {
  const simulation = new NaiveSimulation(scenario, workload);
  simulation.run();
  return { records: simulation.records, endUs: simulation.endUs };
}

class NaiveSimulation implements NaiveCluster {
  readonly records: RunRecord[] = [];
  readonly endUs: number[];
  private readonly topology: Topology;
  private readonly store: BlockStore;
  private readonly scheduler: NaiveScheduler;
  private attempts: NaiveAttempt[] = [];
  private events: OwnEvent[] = [];
  private nowUs = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
  ) {
    const { replication, placement } = scenario.storage;
    this.topology = buildTopology(scenario.cluster);
    const place = placement === "hdfs" ? hdfsPlacement : uniformPlacement;
    const seed = seedWord(scenario.run.seed, "block placement");
    const sizes = workload.files.map((file) => file.blocks);
    this.store = new BlockStore(sizes, this.topology, place(this.topology, replication, seed), replication);
    this.scheduler = new NaiveScheduler(scenario.scheduler, this);
    this.endUs = workload.jobs.map(() => -1);
    this.events = workload.jobs.map((job, rank) => ({ atUs: job.submitAtUs, kind: "submit", rank }));
    if (scenario.scheduler.updateIntervalUs > 0) this.events.push({ atUs: 0, kind: "update", rank: -1 });
  }

  run(): void {
    const { heartbeatUs, nodes, phaseUs } = this.topology;
    const { untilUs } = this.scenario.run;
    for (let round = 0; round * heartbeatUs < untilUs; round++) {
      for (let node = 0; node < nodes; node++) {
        const atUs = round * heartbeatUs + phaseUs[node];
        this.runEvents(Math.min(atUs, untilUs - 1));
        if (this.isOver || atUs >= untilUs) return;
        this.nowUs = atUs;
        this.heartbeat(node);
      }
    }
    this.runEvents(untilUs - 1);
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

  free(node: number, type: TaskType): number {
    return this.slotsOf(node, type) - this.running(node, type);
  }

  running(node: number, type: TaskType): number {
    return this.attempts.filter((attempt) => attempt.node === node && attempt.type === type).length;
  }

  launch(job: NaiveJob, type: TaskType, task: NaiveTask, node: number, level: number): void {
    const copyUs = type === "map" ? 0 : job.spec.copyLengths.lengthUs(task.index);
    const finishUs = type === "map" ? this.nowUs + this.mapUs(job, task, node, level) : null;
    const copiedUs = this.nowUs + copyUs;
    const attempt = { job, type, task, node, level, slot: this.lowestFreeSlot(node, type), copiedUs, finishUs };
    if (type === "reduce" && job.allMapsDone) attempt.finishUs = copiedUs + this.reduceUs(attempt);
    this.attempts.push(attempt);
    task.state = "running";
    this.record("launch", attempt);
  }

  private get isOver(): boolean {
    return this.endUs.every((endUs) => endUs >= 0);
  }

  private slotsOf(node: number, type: TaskType): number {
    return type === "map" ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
  }

  private lowestFreeSlot(node: number, type: TaskType): number {
    const taken = this.attempts.filter((attempt) => attempt.node === node).map((attempt) => attempt.slot);
    let slot = type === "map" ? 0 : this.slotsOf(node, "map");
    while (taken.includes(slot)) slot++;
    return slot;
  }

  private mapUs(job: NaiveJob, task: NaiveTask, node: number, level: number): number {
    const factors = this.scenario.runtime.localityFactor;
    const factor = [factors.node, factors.rack, factors.any, factors.node][level];
    const us = (job.spec.mapLengths.lengthUs(task.index) * factor) / this.topology.speed[node];
    return Math.max(1, Math.round(us));
  }

  private reduceUs({ job, task, node }: Pick<NaiveAttempt, "job" | "task" | "node">): number {
    const us = job.spec.reduceLengths.lengthUs(task.index) / this.topology.speed[node];
    return Math.max(1, Math.round(us));
  }

  private record(what: RunRecord["what"], { job, type, task, node, level }: NaiveAttempt): void {
    this.records.push({ atUs: this.nowUs, what, type, job: job.rank, task: task.index, node, level });
  }

  /** All own events up to and including `untilUs`, in order, those included that come up meanwhile. */
  private runEvents(untilUs: number): void {
    for (;;) {
      if (this.isOver) return;
      const [next] = this.events.sort(
        (a, b) => a.atUs - b.atUs || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.rank - b.rank,
      );
      if (this.events.length === 0 || next.atUs > untilUs) return;
      this.events.shift();
      this.nowUs = next.atUs;
      this.runEvent(next);
    }
  }

  private runEvent({ kind, rank }: OwnEvent): void {
    switch (kind) {
      case "update": {
        this.scheduler.update();
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
    const spec = this.workload.jobs[rank];
    const { jobSetupUs, slowStart } = this.scenario.runtime;
    const job = new NaiveJob(rank, spec, this.scheduler.poolOf(spec.pool), slowStart);
    this.scheduler.jobs.push(job);
    this.scheduler.update();
    if (jobSetupUs === 0) job.state = "running";
    else this.events.push({ atUs: this.nowUs + jobSetupUs, kind: "ready", rank });
  }

  private heartbeat(node: number): void {
    const here = this.attempts.filter((attempt) => attempt.node === node);
    const finished = here.filter(({ finishUs }) => finishUs !== null && finishUs <= this.nowUs);
    finished.sort((a, b) => (a.finishUs ?? 0) - (b.finishUs ?? 0) || a.slot - b.slot);
    for (const attempt of finished) this.report(attempt);
    this.tellOfMaps(here);
    this.scheduler.heartbeat(node, this.nowUs);
  }

  private report(attempt: NaiveAttempt): void {
    const { job, task } = attempt;
    this.record("finish", attempt);
    this.attempts = this.attempts.filter((other) => other !== attempt);
    task.state = "done";
    if (!job.allDone) return;
    job.state = "over";
    this.scheduler.jobs.splice(this.scheduler.jobs.indexOf(job), 1);
    const { jobCleanupUs } = this.scenario.runtime;
    if (jobCleanupUs === 0) this.endUs[job.rank] = this.nowUs;
    else this.events.push({ atUs: this.nowUs + jobCleanupUs, kind: "end", rank: job.rank });
  }

  /** In the reply to the node: the maps of these reduces are all done; the last one's share must still be fetched. */
  private tellOfMaps(attempts: readonly NaiveAttempt[]): void {
    for (const attempt of attempts) {
      const { job, task, type, finishUs, copiedUs } = attempt;
      if (type === "map" || finishUs !== null || !job.allMapsDone) continue;
      const tailUs = Math.round(job.spec.copyLengths.lengthUs(task.index) / Math.max(1, job.spec.maps));
      attempt.finishUs = Math.max(copiedUs, this.nowUs + tailUs) + this.reduceUs(attempt);
    }
  }
}
