import { MAP, PREP, REDUCE, type SlotType } from "../../dist/core/platforms/hadoop/index.js";
import type { JobSpec } from "../../dist/core/workload/index.js";
import { NaiveJob, TYPES, type NaiveTask, type TaskType } from "./naive-job.js";
import type { Candidate } from "./naive-preemption.js";
import { NaiveScheduler, type NaiveCluster } from "./naive-scheduler.js";
import type { Task } from "./random-history-cluster.js";
import type { HistoryRun } from "./random-history-run.js";
import { noSigns, type Signs } from "./run-records.js";

interface ShadowAttempt extends Candidate {
  readonly number: number;
}

/** The reduces of a history's job start by a number, not by a share. */
class ShadowJob extends NaiveJob {
  constructor(
    readonly handle: number,
    private readonly slowStartMaps: number,
    rank: number,
    spec: JobSpec,
  ) {
    super(rank, spec, 0);
  }

  override get reducesMayStart(): boolean {
    return this.count("map", "done") >= this.slowStartMaps;
  }
}

/**
 * The naive scheduler beside the one under test, through a random history: the same nodes, jobs and tasks, copied anew
 * whenever something is decided; its own waits, demands, shares and clocks. `problem` is where they first decide
 * differently, on a heartbeat or at a check for preemption.
 */
export class NaiveShadow implements NaiveCluster<ShadowAttempt> {
  problem: string | null = null;
  readonly signs: Signs = noSigns();
  launches = 0;
  copies = 0;
  readonly nodes: number;
  readonly slots: Record<TaskType, number>;
  private readonly scheduler: NaiveScheduler<ShadowAttempt>;
  private jobs: ShadowJob[] = [];
  private expected: string[] = [];
  private killed: string[] = [];
  private seen = { decisions: 0, kills: 0 };

  constructor(
    private readonly run: HistoryRun,
    readonly heartbeatUs: number,
  ) {
    this.nodes = run.history.nodes.length;
    this.slots = { map: run.cluster.slots[MAP], reduce: run.cluster.slots[REDUCE] };
    this.scheduler = new NaiveScheduler(run.history.scheduler, this, this.signs);
    run.watcher = {
      beforeReload: (allocations, nowUs) => {
        this.copy(nowUs);
        this.scheduler.reload(allocations, nowUs);
      },
      afterUpdate: (nowUs) => this.update(nowUs),
      beforeCheck: () => (this.seen.kills = run.cluster.killCalls.length),
      afterCheck: (nowUs) => this.check(nowUs),
      beforeHeartbeat: (node, nowUs) => this.heartbeat(node, nowUs),
      afterHeartbeat: (_, nowUs) => this.compareLaunches(nowUs),
    };
  }

  holders(job: NaiveJob, task: NaiveTask): readonly number[] {
    return this.run.cluster.tasks((job as ShadowJob).handle).holders?.[task.index] ?? [];
  }

  rackOf(node: number): number {
    return this.run.history.nodes[node].rack;
  }

  rowOf(): null {
    return null;
  }

  slotsOf(node: number, type: TaskType): number {
    return this.run.cluster.slotsOf(node, slotTypeOf(type));
  }

  running(node: number, type: TaskType): number {
    return this.slotsOf(node, type) - this.run.cluster.free(node, slotTypeOf(type));
  }

  accepts(job: NaiveJob, type: TaskType, node: number): boolean {
    return this.run.cluster.accepts((job as ShadowJob).handle, slotTypeOf(type), node);
  }

  launch(job: NaiveJob, type: TaskType, task: NaiveTask, _node: number, level: number): void {
    task.state = "running";
    this.launches++;
    if (task.isCopy === true) this.copies++;
    // Which reduce is launched is no matter of the scheduler.
    this.expected.push(type === "map" ? `map ${task.index} of ${job.rank} as ${level}` : `a reduce of ${job.rank}`);
  }

  reportedInAll(): never {
    throw new Error("no scheduler of a random history asks for it");
  }

  reported(type: TaskType): ShadowAttempt[] {
    const found: ShadowAttempt[] = [];
    this.run.cluster.forEachReported(slotTypeOf(type), (number, handle, index, launchUs) => {
      const job = this.jobs.find((other) => other.handle === handle) as ShadowJob;
      found.push({ number, job, task: { index, state: "running", attempts: 1, requeued: 0 }, launchUs });
    });
    return found;
  }

  kill({ number }: ShadowAttempt, forPool: string): void {
    this.killed.push(`${number} for ${forPool}`);
  }

  private update(nowUs: number): void {
    this.copy(nowUs);
    for (const type of TYPES) this.slots[type] = this.run.cluster.slots[slotTypeOf(type)];
    for (const job of this.scheduler.update(nowUs)) job.handedOver = true;
  }

  private check(nowUs: number): void {
    const { preemption, updateIntervalUs } = this.run.history.scheduler;
    const periodUs = Math.ceil(preemption.intervalUs / updateIntervalUs) * updateIntervalUs;
    if (preemption.mode === "off" || nowUs === 0 || nowUs % periodUs !== 0) return;
    this.killed = [];
    this.scheduler.checkPreemption(nowUs);
    this.signs.kills += this.killed.length;
    this.compare(`kills at ${nowUs} us`, this.killed, this.killCalls());
  }

  private killCalls(): string[] {
    const { killCalls, killedFor } = this.run.cluster;
    const { names } = this.run.built.pools;
    return killCalls
      .slice(this.seen.kills)
      .map((number, i) => `${number} for ${names[killedFor[this.seen.kills + i]]}`);
  }

  private heartbeat(node: number, nowUs: number): void {
    this.copy(nowUs);
    if (this.run.history.scheduler.updateIntervalUs === 0) this.update(nowUs);
    this.expected = [];
    this.seen.decisions = this.run.cluster.decisions.length;
    this.scheduler.heartbeat(node, nowUs);
  }

  private compareLaunches(nowUs: number): void {
    const launches = this.run.cluster.decisions.slice(this.seen.decisions).filter(({ what }) => what === "launch");
    const found = launches.map(({ job, type, task, level }) =>
      type === MAP ? `map ${task} of ${job} as ${level}` : `a reduce of ${job}`,
    );
    this.compare(`launches at ${nowUs} us`, this.expected, found);
  }

  private compare<T>(what: string, expected: readonly T[], found: readonly T[]): void {
    const [naive, actual] = [expected, found].map((list) => list.join(", ") || "none");
    if (naive !== actual) this.problem ??= `${what}: naive ${naive}; actual ${actual}`;
  }

  /** Makes jobs and tasks what they are in the run. */
  private copy(nowUs: number): void {
    const { run } = this;
    const isGone = (job: ShadowJob): boolean => !run.present.some((handle) => run.jobs.id[handle] === job.rank);
    for (const job of this.jobs.filter(isGone)) this.scheduler.remove(job);
    this.jobs = this.jobs.filter((job) => !isGone(job));
    for (const handle of run.present) {
      const job = this.jobs.find(({ rank }) => rank === run.jobs.id[handle]) ?? this.enter(handle, nowUs);
      job.state = run.jobs.state[handle] === PREP ? "prep" : "running";
      for (const type of TYPES) job.tasks[type] = run.cluster.tasks(handle).tasks[slotTypeOf(type)].flatMap(copiesOf);
    }
  }

  private enter(handle: number, nowUs: number): ShadowJob {
    const { jobs, built, cluster } = this.run;
    const spec = {
      pool: built.pools.names[jobs.pool[handle]],
      user: built.users.names[jobs.user[handle]],
      priority: jobs.priority[handle],
      submitAtUs: jobs.startUs[handle],
      maps: jobs.total[MAP][handle],
      reduces: jobs.total[REDUCE][handle],
      input: cluster.hasInput(handle) ? { file: 0, firstBlock: 0 } : null,
    };
    const job = new ShadowJob(handle, jobs.slowStartMaps[handle], jobs.id[handle], spec as JobSpec);
    if (!this.scheduler.add(job, nowUs)) throw new Error("the naive scheduler refused a job");
    this.jobs.push(job);
    return job;
  }
}

function slotTypeOf(type: TaskType): SlotType {
  return type === "map" ? MAP : REDUCE;
}

/** As many tasks as count: one that is done may still run in vain, and one that runs may be wanted twice. */
function copiesOf({ state, requeued, running, begun, wantsCopy }: Task, index: number): NaiveTask[] {
  const some = (count: number, as: NaiveTask["state"], isCopy: boolean): NaiveTask[] =>
    Array.from({ length: count }, () => ({
      index,
      state: as,
      attempts: begun,
      requeued: isCopy ? 0 : requeued,
      isCopy,
    }));
  return [
    ...some(state === "running" ? 0 : 1, state, false),
    ...some(running, "running", false),
    ...some(wantsCopy ? 1 : 0, "pending", true),
  ];
}
