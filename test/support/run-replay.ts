import { buildTopology, type Topology } from "../../dist/core/cluster/index.js";
import type { Scenario } from "../../dist/core/scenario/index.js";
import type { Workload } from "../../dist/core/workload/index.js";
import { SETUP_TASKS, type SetupTaskType } from "./naive-setup-tasks.js";
import { TYPES, type TaskType } from "./naive-job.js";
import { allocationsAt, placeJob } from "./naive-placement.js";
import { specInForce } from "./naive-rules.js";
import type { RunRecord } from "./run-records.js";

/** Heartbeats that are looked at after the last record and the last job, for slots that nobody was given. */
const ROUNDS_AFTERWARDS = 150;

/** Counts of one job while a run is gone through again. */
export interface ReplayedJob {
  readonly rank: number;
  /** Full name, null if no pool took it. */
  readonly pool: string | null;
  /** No launch before that; Infinity if no pool took it. */
  readyUs: number;
  /** Nothing is left to do for it but its tasks. */
  isCleanedUp: boolean;
  readonly slowStartMaps: number;
  readonly total: Record<TaskType, number>;
  readonly launched: Record<TaskType, number>;
  readonly done: Record<TaskType, number>;
}

/**
 * Goes through what a run recorded, heartbeat by heartbeat, with nothing but counts: no scheduler is asked. `each` is
 * told before a record is counted; `heartbeatOver` when a node's heartbeat is.
 */
export class RunReplay {
  readonly topology: Topology;
  readonly jobs: readonly ReplayedJob[];
  private readonly free: Record<TaskType, number[]>;
  /** The slots that set-up tasks hold, by set-up task and job. */
  private readonly held = new Map<string, TaskType>();

  constructor(
    private readonly scenario: Scenario,
    workload: Workload,
    private readonly records: readonly RunRecord[],
  ) {
    const { slowStart, jobSetupUs, jobCleanupUs, setupTasks } = scenario.runtime;
    const hasSetups = setupTasks && jobSetupUs > 0;
    const spec = specInForce(scenario.scheduler);
    const inner = new Set(spec.allocations.pools.map(({ parent }) => parent));
    const pools = workload.jobs.map((job) => {
      const name = placeJob(spec, allocationsAt(spec, job.submitAtUs), job);
      return inner.has(name) ? null : name;
    });
    this.topology = buildTopology(scenario.cluster);
    this.free = { map: [...this.topology.mapSlots], reduce: [...this.topology.reduceSlots] };
    this.jobs = workload.jobs.map((job, rank) => ({
      rank,
      pool: pools[rank],
      readyUs: pools[rank] === null || hasSetups ? Infinity : job.submitAtUs + jobSetupUs,
      isCleanedUp: !setupTasks || jobCleanupUs === 0,
      slowStartMaps: Math.ceil(Math.fround(Math.fround(slowStart) * job.maps)),
      total: { map: job.maps, reduce: job.reduces },
      launched: { map: 0, reduce: 0 },
      done: { map: 0, reduce: 0 },
    }));
  }

  /** Ends with the first problem that one of the two finds, with the scenario, or when nothing more can come. */
  firstProblem(
    each: (record: RunRecord) => string | null,
    heartbeatOver: (node: number, atUs: number) => string | null = () => null,
  ): string | null {
    const { heartbeatUs, nodes, phaseUs } = this.topology;
    const lastUs = Math.max(
      0,
      ...this.jobs.map((job) => job.readyUs).filter((readyUs) => readyUs < Infinity),
      ...this.records.slice(-1).map(({ atUs }) => atUs),
    );
    let next = 0;
    for (let round = 0; (round - ROUNDS_AFTERWARDS) * heartbeatUs < lastUs && !this.isComplete; round++) {
      for (let node = 0; node < nodes; node++) {
        const atUs = round * heartbeatUs + phaseUs[node];
        if (atUs >= this.scenario.run.untilUs) return next < this.records.length ? "a record after the end" : null;
        for (; next < this.records.length && this.isOn(this.records[next], node, atUs); next++) {
          const record = this.records[next];
          const problem = each(record) ?? this.count(record);
          if (problem !== null) return `${problem}, at record ${String(next)}: ${JSON.stringify(record)}`;
        }
        const problem = heartbeatOver(node, atUs);
        if (problem !== null) return `${problem}, on the heartbeat of node ${String(node)} at ${String(atUs)} us`;
        if (next < this.records.length && this.records[next].atUs < atUs) return "a record off its heartbeat";
      }
    }
    return next < this.records.length ? "a record after every task has ended" : null;
  }

  freeOn(node: number, type: TaskType): number {
    return this.free[type][node];
  }

  /** Tasks of the job that a free slot could run now, as far as the job itself decides. */
  launchable(job: ReplayedJob, type: TaskType, nowUs: number): number {
    if (job.readyUs > nowUs) return 0;
    if (type === "reduce" && job.done.map < job.slowStartMaps) return 0;
    return job.total[type] - job.launched[type];
  }

  running(job: ReplayedJob, type: TaskType): number {
    return job.launched[type] - job.done[type];
  }

  /** Every task of every job that a pool took has been done once, clean-ups too. */
  get isComplete(): boolean {
    return this.jobs.every((job) => job.pool === null || (job.isCleanedUp && this.isDone(job)));
  }

  private isOn(record: RunRecord, node: number, atUs: number): boolean {
    return record.node === node && record.atUs === atUs;
  }

  private isDone({ done, total }: ReplayedJob): boolean {
    return TYPES.every((type) => done[type] === total[type]);
  }

  private count(record: RunRecord): string | null {
    const { what, type, job, node } = record;
    if (isSetupTask(type)) return this.countSetupTask(type, record);
    const change = what === "launch" ? 1 : -1;
    this.free[type][node] -= change;
    const slots = type === "map" ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
    if (this.free[type][node] < 0 || this.free[type][node] > slots) return "more tasks than slots";
    if (what === "finish") this.jobs[job].done[type]++;
    else this.jobs[job].launched[type] += change;
    return null;
  }

  /** A set-up goes before every task of its job, a clean-up after; each is done once, in a map slot if one was free. */
  private countSetupTask(setupTask: SetupTaskType, { what, job, node, atUs }: RunRecord): string | null {
    const key = `${setupTask} ${String(job)}`;
    const replayed = this.jobs[job];
    if (what === "launch") {
      if (this.held.has(key)) return "a set-up task that was given twice";
      if (setupTask === "set-up" && replayed.readyUs < Infinity) return "a set-up of a job that is set up";
      if (setupTask === "clean-up" && (replayed.isCleanedUp || !this.isDone(replayed)))
        return "a clean-up at a wrong time";
      const slot = TYPES.find((type) => this.free[type][node] > 0);
      if (slot === undefined) return "a set-up task without a slot";
      this.free[slot][node]--;
      this.held.set(key, slot);
      return null;
    }
    const slot = this.held.get(key);
    if (what !== "finish" || slot === undefined) return `a ${what} of a set-up task that does not run`;
    this.held.delete(key);
    this.free[slot][node]++;
    if (setupTask === "set-up") replayed.readyUs = atUs;
    else replayed.isCleanedUp = true;
    return null;
  }
}

export function isSetupTask(type: RunRecord["type"]): type is SetupTaskType {
  return SETUP_TASKS.some((setupTask) => setupTask === type);
}
