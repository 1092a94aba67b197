import type { SchedulerSpec } from "../../dist/core/scenario/index.js";
import { TYPES, type NaiveJob, type TaskType } from "./naive-job.js";
import type { Candidate } from "./naive-preemption.js";
import { NaiveScheduler, type NaiveCluster } from "./naive-scheduler.js";
import { sum } from "./naive-shares.js";
import type { Signs } from "./run-records.js";

/**
 * Hadoop's JobQueueTaskScheduler by the letter: every count is taken and the queue sorted afresh for every single slot.
 * Of the Fair Scheduler's twin it has only how a job chooses among its own tasks.
 */
export class NaiveHadoopFifo<C extends Candidate> extends NaiveScheduler<C> {
  constructor(
    private readonly settings: SchedulerSpec,
    cluster: NaiveCluster<C>,
    signs: Signs,
  ) {
    super(settings, cluster, signs);
  }

  override heartbeat(node: number, nowUs: number): void {
    const { tasksPerHeartbeat, wait } = this.settings;
    const running = { map: this.cluster.running(node, "map"), reduce: this.cluster.running(node, "reduce") };
    if (TYPES.every((type) => running[type] === this.cluster.slotsOf(node, type))) return;
    this.advanceWaits(nowUs, running.map < this.cluster.slotsOf(node, "map"));
    const padded = { map: this.exceedsPadding("map", node), reduce: this.exceedsPadding("reduce", node) };
    const asked = new Set<NaiveJob>();
    const launched = new Set<NaiveJob>();
    let given = 0;
    const maps = Math.min(this.currentCapacity("map", node) - running.map, tasksPerHeartbeat);
    for (let i = 0; i < maps; i++) {
      const taken = this.giveMap(node, nowUs, asked);
      if (taken === null) break;
      given++;
      launched.add(taken);
      if (padded.map || taken.lastPick !== "near") break;
    }
    const reduces = this.currentCapacity("reduce", node) - running.reduce;
    if (reduces > 0 && given < tasksPerHeartbeat) this.giveReduce(node, padded.reduce);
    if (wait.kind !== "time" && wait.kind !== "auto") return;
    for (const job of asked) {
      const waits = job.tasks.map.some((task) => task.state === "pending");
      if (waits && !launched.has(job)) job.skipped = true;
    }
  }

  protected override isExempt(): boolean {
    return false;
  }

  /** Of several racks elsewhere the first with a map of the job, and of its maps the first. */
  protected override get rackByRack(): boolean {
    return true;
  }

  /** The job that launched a map, or null. */
  private giveMap(node: number, nowUs: number, asked: Set<NaiveJob>): NaiveJob | null {
    for (const job of this.queue) {
      asked.add(job);
      if (!this.cluster.accepts(job, "map", node)) {
        this.signs.refusals++;
        this.passUp(job, nowUs);
      } else if (this.launchMap(job, node, nowUs)) return job;
    }
    return null;
  }

  private giveReduce(node: number, isPadded: boolean): void {
    for (const job of this.queue) {
      if (job.tasks.reduce.length === 0) continue;
      const takes = this.cluster.accepts(job, "reduce", node) && this.launchReduce(job, node);
      if (takes || isPadded) return;
    }
  }

  /** The jobs that run, in the order of the queue. */
  private get queue(): NaiveJob[] {
    const jobs = this.jobs.filter(({ state }) => state === "running");
    return jobs.sort(
      (a, b) => a.spec.priority - b.spec.priority || a.spec.submitAtUs - b.spec.submitAtUs || a.rank - b.rank,
    );
  }

  private currentCapacity(type: TaskType, node: number): number {
    const slots = this.cluster.slotsOf(node, type);
    if (this.cluster.slots[type] === 0) return 0;
    const counted = this.queue.filter((job) => type === "map" || job.reducesMayStart);
    const remaining = sum(counted.map((job) => job.tasks[type].length - job.count(type, "done")));
    return Math.min(Math.ceil((remaining / this.cluster.slots[type]) * slots), slots);
  }

  /** By the tasks that all nodes have reported, the next task of the queue's jobs leaves too little free. */
  private exceedsPadding(type: TaskType, node: number): boolean {
    const runs = this.cluster.reportedInAll(type);
    let needed = 0;
    for (const job of this.queue) {
      if (job.tasks.reduce.length === 0) continue;
      needed += job.tasks[type].length;
      const part = Math.trunc(Math.fround(Math.fround(needed) * Math.fround(0.01)));
      const padding = this.cluster.nodes > 3 ? Math.min(this.cluster.slotsOf(node, type), part) : 0;
      if (runs + padding >= this.cluster.slots[type]) {
        this.signs.padded++;
        return true;
      }
    }
    return false;
  }
}
