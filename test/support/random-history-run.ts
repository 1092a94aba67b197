import {
  JobTable,
  MAP,
  REDUCE,
  RUNNING,
  type SlotType,
  buildScheduler,
  type PoolScheduler,
  RULES,
  type Rules,
  type BuiltScheduler,
  type SchedulerContext,
} from "../../dist/core/platforms/hadoop/index.js";
import type { AllocationsSpec } from "../../dist/core/scenario/index.js";
import { HistoryCluster } from "./random-history-cluster.js";
import { BEAT_US, type History, type Step, type StepKind } from "./random-history.js";

/** What a test looks at. */
export interface Watcher {
  afterUpdate?(nowUs: number): void;
  beforeCheck?(nowUs: number): void;
  afterCheck?(nowUs: number): void;
  beforeHeartbeat?(node: number, nowUs: number): void;
  afterHeartbeat?(node: number, nowUs: number): void;
  beforeReload?(allocations: AllocationsSpec, nowUs: number): void;
}

/** The master handles what happens at one instant in this order; what is not listed comes last. */
const ORDER: readonly StepKind[] = ["reload", "ready", "submit"];

function rankOf(what: StepKind): number {
  const rank = ORDER.indexOf(what);
  return rank < 0 ? ORDER.length : rank;
}

const USERS = ["ann", "bob", "cy"];

/** Plays a random history to a scheduler, in the order in which the master would. */
export class HistoryRun {
  readonly jobs = new JobTable();
  readonly cluster: HistoryCluster;
  readonly built: BuiltScheduler;
  readonly rules: Rules;
  /** Handles of the jobs in the table, in order of submission. */
  present: number[] = [];
  nowUs = 0;
  watcher: Watcher = {};
  /** Slots of the cluster as they are; `cluster.slots` are those of the last update. */
  private slotsNow: [number, number];
  private submitted = 0;
  private updatedUs = 0;
  private lastRank = 0;

  constructor(readonly history: History) {
    const { scheduler, nodes } = history;
    this.rules = RULES[scheduler.rules];
    const has = (what: StepKind): boolean => history.steps.some((step) => step.what === what);
    this.cluster = new HistoryCluster(nodes, this.jobs, this.rules.requeuedIgnoreLocality, has("refuse"));
    const { cluster, jobs } = this;
    this.slotsNow = [...cluster.slots];
    this.built = buildScheduler(scheduler, {
      jobs,
      source: cluster,
      launcher: cluster,
      slots: [...cluster.slots],
      nodes: nodes.length,
      heartbeatUs: BEAT_US,
      readShareOf: () => 1,
      mapsMayReturn: scheduler.preemption.mode === "kill" || has("lose"),
      mapsMayBeCopied: has("copy"),
      hasRows: false,
    } satisfies Partial<SchedulerContext> as unknown as SchedulerContext);
  }

  get scheduler(): PoolScheduler {
    return this.built.scheduler as PoolScheduler;
  }

  play(): void {
    for (const step of this.history.steps) this.playStep(step);
  }

  private playStep(step: Step): void {
    const rank = rankOf(step.what);
    const isTooLate = step.gapUs === 0 && rank < this.lastRank;
    this.lastRank = rank;
    const atUs = this.nowUs + (isTooLate ? BEAT_US / 4 : step.gapUs);
    // New allocations come before the update of their instant.
    this.advance(atUs, step.what === "reload" && this.history.scheduler.reloads.length > 0);
    this.nowUs = this.cluster.nowUs = atUs;
    this.perform(step);
  }

  private perform(step: Step): void {
    const [a, b] = step.draws;
    switch (step.what) {
      case "submit":
        return this.submit(step);
      case "ready":
        return this.makeReady(a);
      case "heartbeat":
        return this.heartbeat(a % this.history.nodes.length);
      case "finish":
        return this.endSome((_, k, count) => k === a % count, true);
      case "finishNode":
        return this.endSome((node) => node === a % this.history.nodes.length, true);
      case "killed":
        return this.endSome((_, k, count) => k === a % count, false);
      case "reload":
        return this.reload(a);
      case "slots":
        this.slotsNow = [a % (2 * this.slotsNow[MAP] + 3), b % (2 * this.slotsNow[REDUCE] + 3)];
        this.scheduler.slotsChanged(...this.slotsNow, this.nowUs);
        if (this.history.scheduler.updateIntervalUs === 0) this.takeSlots();
        return;
      case "refuse":
        return this.withJob(a, (job) => this.cluster.toggleRefusal(job, b % this.history.nodes.length));
      default:
        return this.changeTasks(step);
    }
  }

  /** What happens to a job beside the ends of its attempts. */
  private changeTasks({ what, draws: [a, b, c] }: Step): void {
    const type = c % 2 === 0 ? MAP : REDUCE;
    const { cluster, scheduler, nowUs } = this;
    this.withJob(a, (job) => {
      if (this.jobs.state[job] !== RUNNING) return;
      if (what === "lose" && cluster.lose(job, b)) scheduler.pendingChanged(job, MAP, 1, nowUs);
      if (what === "copy" && cluster.wantCopy(job, type, b)) scheduler.pendingChanged(job, type, 1, nowUs);
      if (what === "drop") this.dropCopies(job, type, true);
      if (what === "fail") this.retire(job);
    });
  }

  private dropCopies(job: number, type: SlotType, ofAll: boolean): void {
    const dropped = this.cluster.dropCopies(job, type, ofAll);
    if (dropped > 0) this.scheduler.pendingChanged(job, type, -dropped, this.nowUs);
  }

  private takeSlots(): void {
    for (const type of [MAP, REDUCE] as const) this.cluster.slots[type] = this.slotsNow[type];
  }

  /** Updates that are due up to an instant; `isBefore`: not those at it. */
  private advance(untilUs: number, isBefore: boolean): void {
    const { updateIntervalUs } = this.history.scheduler;
    if (updateIntervalUs === 0) return;
    for (;;) {
      const gridUs = (Math.floor(this.updatedUs / updateIntervalUs) + 1) * updateIntervalUs;
      if (gridUs > untilUs || (isBefore && gridUs === untilUs)) return;
      this.nowUs = this.cluster.nowUs = gridUs;
      this.update(gridUs);
    }
  }

  private update(nowUs: number): void {
    this.updatedUs = nowUs;
    this.takeSlots();
    this.scheduler.update(nowUs);
    this.watcher.afterUpdate?.(nowUs);
    this.watcher.beforeCheck?.(nowUs);
    this.scheduler.checkPreemption(nowUs);
    this.watcher.afterCheck?.(nowUs);
  }

  private submit({ draws: [a, b, c, d] }: Step): void {
    const user = this.built.users.named(USERS[b % USERS.length]);
    const pool = this.poolFor(a, user);
    if (pool < 0) return;
    const maps = c % 7;
    const reduces = maps === 0 ? 1 + (d % 3) : d % 4;
    const hasInput = d % 5 > 0;
    const job = this.jobs.enter({
      id: this.submitted++,
      pool,
      user,
      priority: (a >> 4) % 5,
      startUs: this.nowUs,
      maps,
      reduces,
      slowStartMaps: Math.ceil(((d >> 3) % 3) * 0.5 * maps),
      firstBlock: hasInput ? 0 : -1,
    });
    const { nodes } = this.history;
    const replicas = (i: number): number[] => [(b + 3 * i) % nodes.length, (c + i) % nodes.length].slice(d % 2);
    const holders = Array.from({ length: maps }, (_, i) => replicas(i));
    this.cluster.enter(job, hasInput ? holders : null);
    this.present.push(job);
    if (this.history.scheduler.updateIntervalUs > 0) this.takeSlots();
    this.scheduler.jobAdded(job, this.nowUs);
    if (this.history.scheduler.updateIntervalUs > 0) this.watcher.afterUpdate?.(this.nowUs);
  }

  private poolFor(draw: number, user: number): number {
    const { jobPools } = this.history;
    return this.built.poolOf(jobPools[draw % jobPools.length], this.built.users.names[user], this.nowUs);
  }

  /** Set-ups end: of one job, or of all. */
  private makeReady(draw: number): void {
    const { initialising } = this.cluster;
    const ready =
      draw % 2 === 0 ? initialising.splice(0) : initialising.splice(draw % Math.max(1, initialising.length), 1);
    for (const job of ready) {
      this.jobs.state[job] = RUNNING;
      this.scheduler.jobReady(job, this.nowUs);
    }
  }

  /** Attempts that `isMeant` names succeed, or were killed and are reported so. */
  private endSome(isMeant: (node: number, k: number, count: number) => boolean, isDone: boolean): void {
    const all = [...this.cluster.attempts].filter(([, attempt]) => isDone || attempt.isCondemned);
    const meant = all.filter(([, { node }], k) => isMeant(node, k, all.length));
    for (const [number, attempt] of meant) {
      const { job, type } = attempt;
      const isRequeued = this.cluster.end(number, isDone);
      if (attempt.isOrphan) continue;
      this.scheduler.attemptLeft(job, type, isRequeued, this.nowUs);
      this.dropCopies(job, type, false);
      if (this.isComplete(job)) this.retire(job);
    }
  }

  private isComplete(job: number): boolean {
    return ([MAP, REDUCE] as const).every((type) => this.jobs.done[type][job] === this.jobs.total[type][job]);
  }

  private retire(job: number): void {
    this.scheduler.jobRemoved(job, this.nowUs);
    this.cluster.leave(job);
    this.jobs.leave(job);
    this.present = this.present.filter((other) => other !== job);
  }

  private reload(draw: number): void {
    const { reloads } = this.history.scheduler;
    if (reloads.length === 0) return;
    const { allocations } = reloads[draw % reloads.length];
    this.watcher.beforeReload?.(allocations, this.nowUs);
    this.scheduler.reload(allocations, this.nowUs);
    this.update(this.nowUs);
  }

  private withJob(draw: number, change: (job: number) => void): void {
    const { present } = this;
    if (present.length > 0) change(present[draw % present.length]);
  }

  private heartbeat(node: number): void {
    const { cluster } = this;
    cluster.beginHeartbeat(node, this.nowUs);
    const [maps, reduces] = [cluster.free(node, MAP), cluster.free(node, REDUCE)];
    if (maps + reduces === 0) return;
    this.watcher.beforeHeartbeat?.(node, this.nowUs);
    this.scheduler.heartbeat(node, this.nowUs, maps, reduces);
    this.watcher.afterHeartbeat?.(node, this.nowUs);
  }
}
