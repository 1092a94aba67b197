import type { CapacityQueueSpec, CapacitySpec, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { TYPES, type NaiveJob, type TaskType } from "./naive-job.js";
import type { Candidate } from "./naive-preemption.js";
import { NaiveScheduler, type NaiveCluster } from "./naive-scheduler.js";
import { sum } from "./naive-shares.js";
import type { Signs } from "./run-records.js";

/**
 * The capacity scheduler by the letter of its rules: every count is taken and every order sorted afresh for every
 * single slot. Of the Fair Scheduler's twin it has only how a job chooses among its own tasks.
 */
export class NaiveCapacity<C extends Candidate> extends NaiveScheduler<C> {
  private readonly queueOf = new Map<NaiveJob, CapacityQueueSpec>();
  private readonly capacity: CapacitySpec;

  constructor(
    private readonly settings: SchedulerSpec,
    cluster: NaiveCluster<C>,
    signs: Signs,
    private readonly initialise: (job: NaiveJob) => void,
  ) {
    super(settings, cluster, signs);
    if (settings.capacity === undefined) throw new Error("no settings of the capacity scheduler");
    this.capacity = settings.capacity;
  }

  override get eagerInit(): boolean {
    return false;
  }

  override add(job: NaiveJob): boolean {
    const { poolBy } = this.settings;
    const asked = poolBy === "pool" ? job.spec.pool : poolBy === "user" ? job.spec.user : "default";
    const { queues, undeclaredQueues } = this.capacity;
    const other = undeclaredQueues === "default" ? "default" : "";
    const queue = queues.find(({ name }) => name === asked) ?? queues.find(({ name }) => name === other);
    if (queue === undefined) return false;
    this.queueOf.set(job, queue);
    this.jobs.push(job);
    return true;
  }

  override remove(job: NaiveJob): void {
    this.jobs.splice(this.jobs.indexOf(job), 1);
  }

  override reload(): void {}

  override checkPreemption(): void {}

  /** The jobs that may be set up now. */
  override update(): readonly NaiveJob[] {
    const handedOver: NaiveJob[] = [];
    for (const queue of this.capacity.queues) {
      const taken = new Map<string, number>();
      for (const job of this.jobsIn(queue)) {
        const count = job.handedOver && this.countsAsInitialized(job) ? 1 : 0;
        taken.set(job.spec.user, (taken.get(job.spec.user) ?? 0) + count);
      }
      for (const job of this.jobsIn(queue)) {
        const places = taken.get(job.spec.user) ?? 0;
        if (job.handedOver) continue;
        if (places >= queue.maximumInitializedJobsPerUser) {
          this.signs.keptOut++;
          continue;
        }
        taken.set(job.spec.user, places + 1);
        handedOver.push(job);
      }
    }
    return handedOver;
  }

  override heartbeat(node: number, nowUs: number): void {
    const { mapsPerHeartbeat, reducesPerHeartbeat, tasksPerHeartbeat, wait } = this.settings;
    const freeOf = (type: TaskType): number => this.cluster.slotsOf(node, type) - this.cluster.running(node, type);
    if (freeOf("map") + freeOf("reduce") === 0) return;
    this.advanceWaits(nowUs, freeOf("map") > 0);
    const left = {
      map: Math.min(freeOf("map"), mapsPerHeartbeat),
      reduce: Math.min(freeOf("reduce"), reducesPerHeartbeat),
    };
    const asked = new Set<NaiveJob>();
    const launched = new Set<NaiveJob>();
    for (let given = 0; given < tasksPerHeartbeat && left.map + left.reduce > 0;) {
      const type = left.reduce > left.map ? "reduce" : "map";
      const job = this.serve(type, node, nowUs, asked);
      left[type] = job === null ? 0 : left[type] - 1;
      if (job === null) continue;
      given++;
      if (type === "map") launched.add(job);
      for (let news = this.update(); news.length > 0; news = this.update()) news.forEach(this.initialise);
    }
    if (wait.kind !== "time" && wait.kind !== "auto") return;
    for (const job of asked) if (!launched.has(job)) job.skipped = true;
  }

  protected override isExempt(): boolean {
    return false;
  }

  private serve(type: TaskType, node: number, nowUs: number, asked: Set<NaiveJob>): NaiveJob | null {
    const queues = this.capacity.queues.map((queue) => ({ queue, ratio: this.ratio(queue, type) }));
    queues.sort((a, b) => a.ratio - b.ratio || (a.queue.name < b.queue.name ? -1 : 1));
    for (const { queue } of queues) {
      if (this.occupied(queue, type) + 1 > this.mostSlots(queue, type)) continue;
      const waiting = this.jobsIn(queue).filter((job) => this.waitsFor(job, type));
      const below = waiting.filter((job) => this.mayHaveAnother(job, queue, type));
      if (below.length < waiting.length) this.signs.refusals++;
      const over = this.capacity.userLimits === "soft" ? waiting.filter((job) => !below.includes(job)) : [];
      for (const job of [...below, ...over]) {
        if (type === "map") asked.add(job);
        if (!this.cluster.accepts(job, type, node)) {
          if (type === "map") this.passUp(job, nowUs);
          continue;
        }
        if (type === "map" ? this.launchMap(job, node, nowUs) : this.launchReduce(job, node)) return job;
      }
    }
    return null;
  }

  private jobsIn(queue: CapacityQueueSpec): NaiveJob[] {
    const priority = (job: NaiveJob): number => (queue.supportsPriority ? job.spec.priority : 0);
    const jobs = this.jobs.filter((job) => this.queueOf.get(job) === queue);
    return jobs.sort((a, b) => priority(a) - priority(b) || a.spec.submitAtUs - b.spec.submitAtUs || a.rank - b.rank);
  }

  private waitsFor(job: NaiveJob, type: TaskType): boolean {
    return job.state === "running" && job.count(type, "pending") > 0 && (type === "map" || job.reducesMayStart);
  }

  private countsAsInitialized(job: NaiveJob): boolean {
    if (this.capacity.initializedJobs === "unfinished") return true;
    return TYPES.every((type) => job.tasks[type].every(({ attempts }) => attempts === 0));
  }

  private mayHaveAnother(job: NaiveJob, queue: CapacityQueueSpec, type: TaskType): boolean {
    const { user } = job.spec;
    const own = this.jobsIn(queue).filter((other) => other.spec.user === user);
    const has = sum(own.map((other) => other.count(type, "running")));
    return has + 1 <= Math.max(1, this.userLimit(queue, type));
  }

  private userLimit(queue: CapacityQueueSpec, type: TaskType): number {
    const capacity = Math.max(this.slotsOf(queue, type), 1);
    const occupied = this.occupied(queue, type);
    const current = occupied < capacity ? capacity : occupied + 1;
    const jobs = this.jobsIn(queue);
    const counted = this.capacity.countedUsers === "active" ? jobs.filter((job) => this.waitsFor(job, type)) : jobs;
    const users = new Set(counted.map((job) => job.spec.user)).size;
    const part = Math.max(Math.ceil(current / users), Math.ceil((queue.minimumUserLimitPercent * current) / 100));
    return Math.min(part, Math.trunc(Math.fround(capacity * Math.fround(queue.userLimitFactor))));
  }

  private ratio(queue: CapacityQueueSpec, type: TaskType): number {
    const capacity = this.slotsOf(queue, type);
    if (this.capacity.rule === "hadoop") return capacity === 0 ? 1 : this.occupied(queue, type) / capacity;
    const ready = this.jobsIn(queue).filter((job) => job.state === "running");
    const counted =
      this.capacity.runningJobs === "ready" ? ready : ready.filter((job) => job.count(type, "running") > 0);
    return capacity === 0 ? Number.MAX_VALUE : counted.length / capacity;
  }

  private occupied(queue: CapacityQueueSpec, type: TaskType): number {
    return sum(this.jobsIn(queue).map((job) => job.count(type, "running")));
  }

  private slotsOf(queue: CapacityQueueSpec, type: TaskType): number {
    const percent = Math.fround(queue.capacityPercent);
    return Math.trunc(Math.fround(Math.fround(percent * this.cluster.slots[type]) / 100));
  }

  private mostSlots(queue: CapacityQueueSpec, type: TaskType): number {
    if (queue.maximumCapacityPercent === Infinity) return Infinity;
    const percent = Math.fround(queue.maximumCapacityPercent);
    const slots = Math.trunc(Math.fround(Math.fround(percent * this.cluster.slots[type]) / 100));
    return slots > 0 ? slots : Infinity;
  }
}
