import {
  JobTable,
  MAP,
  OVER,
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

export interface HistoryOptions {
  /** `due`: only when the scheduler wants them. */
  readonly updates: "due" | "at every grid point";
  /** `wanted`: by the contract of `Scheduler`, those that cannot matter are kept from it, or passed over in runs. */
  readonly heartbeats: "all" | "wanted";
  /** Jobs whose last task ends turn OVER and are forgotten by the next update; otherwise they are removed at once. */
  readonly lingers?: boolean;
}

/** What a test looks at. */
export interface Watcher {
  beforeUpdate?(nowUs: number): void;
  afterUpdate?(nowUs: number): void;
  beforeCheck?(nowUs: number): void;
  afterCheck?(nowUs: number): void;
  beforeHeartbeat?(node: number, nowUs: number): void;
  afterHeartbeat?(node: number, nowUs: number): void;
  beforeReload?(allocations: AllocationsSpec, nowUs: number): void;
  afterStep?(step: Step, nowUs: number): void;
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
  /** Heartbeats kept from the scheduler, and those passed over in runs. */
  readonly spared = { unwanted: 0, passedOver: 0 };
  /** Slots of the cluster as they are; `cluster.slots` are those of the last update. */
  private slotsNow: [number, number];
  private submitted = 0;
  private updatedUs = 0;
  private lastRank = 0;
  private readonly over: number[] = [];

  constructor(
    readonly history: History,
    private readonly options: HistoryOptions,
  ) {
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
    const { steps } = this.history;
    for (let i = 0; i < steps.length;) i += this.playFrom(i);
  }

  /** Nothing happens until then but updates that are due. */
  rest(untilUs: number): void {
    this.advance(untilUs, false);
    this.nowUs = this.cluster.nowUs = untilUs;
  }

  /** Plays the step, and those after it that go with it; how many. */
  private playFrom(i: number): number {
    const step = this.history.steps[i];
    const rank = rankOf(step.what);
    const isTooLate = step.gapUs === 0 && rank < this.lastRank;
    this.lastRank = rank;
    const atUs = this.nowUs + (isTooLate ? BEAT_US / 4 : step.gapUs);
    // New allocations come before the update of their instant.
    this.advance(atUs, step.what === "reload" && this.history.scheduler.reloads.length > 0);
    this.nowUs = this.cluster.nowUs = atUs;
    const run = step.what === "heartbeat" && this.options.heartbeats === "wanted" ? this.passOver(i) : 0;
    if (run > 0) return run;
    this.perform(step);
    this.watcher.afterStep?.(step, this.nowUs);
    return 1;
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
      case "update":
        if (this.history.scheduler.updateIntervalUs === Infinity) this.update(this.nowUs);
        return;
      case "reload":
        return this.reload(a);
      case "priority":
        return this.withJob(a, (job) => this.scheduler.setPriority(job, b % 5));
      case "move":
        return this.withJob(a, (job) => {
          const pool = this.poolFor(b, this.jobs.user[job]);
          if (pool >= 0) this.scheduler.setPool(job, pool);
        });
      case "user":
        return this.withJob(a, (job) => this.scheduler.setUser(job, this.built.users.named(USERS[b % USERS.length])));
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
    if (updateIntervalUs === 0 || updateIntervalUs === Infinity) return;
    for (;;) {
      const gridUs = (Math.floor(this.updatedUs / updateIntervalUs) + 1) * updateIntervalUs;
      const dueUs = this.options.updates === "due" ? this.scheduler.nextUpdateUs() : gridUs;
      if (dueUs > untilUs || (isBefore && dueUs === untilUs)) return;
      this.nowUs = this.cluster.nowUs = dueUs;
      this.update(dueUs);
    }
  }

  private update(nowUs: number): void {
    this.updatedUs = nowUs;
    this.watcher.beforeUpdate?.(nowUs);
    this.takeSlots();
    this.scheduler.update(nowUs);
    for (const job of this.over.splice(0)) this.forget(job);
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
    if (this.history.scheduler.updateIntervalUs > 0) {
      this.watcher.beforeUpdate?.(this.nowUs);
      this.takeSlots();
    }
    this.scheduler.jobAdded(job, this.nowUs);
    if (this.history.scheduler.updateIntervalUs > 0) {
      for (const gone of this.over.splice(0)) this.forget(gone);
      this.watcher.afterUpdate?.(this.nowUs);
    }
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
      if (isRequeued) this.scheduler.attemptRequeued(job, type, this.nowUs);
      else this.scheduler.attemptEnded(job, type, this.nowUs);
      this.dropCopies(job, type, false);
      if (this.jobs.state[job] !== OVER && this.isComplete(job)) this.retire(job);
    }
  }

  private isComplete(job: number): boolean {
    return ([MAP, REDUCE] as const).every((type) => this.jobs.done[type][job] === this.jobs.total[type][job]);
  }

  private retire(job: number): void {
    if (this.options.lingers === true) {
      this.jobs.state[job] = OVER;
      this.scheduler.jobOver(job);
      this.over.push(job);
      return;
    }
    this.scheduler.jobRemoved(job, this.nowUs);
    this.forget(job);
  }

  private forget(job: number): void {
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
    const jobs = this.present.filter((job) => this.jobs.state[job] !== OVER);
    if (jobs.length > 0) change(jobs[draw % jobs.length]);
  }

  private heartbeat(node: number): void {
    this.cluster.beginHeartbeat(node, this.nowUs);
    if (!this.isOffered(node)) return;
    this.watcher.beforeHeartbeat?.(node, this.nowUs);
    this.scheduler.heartbeat(node, this.nowUs, this.cluster.free(node, MAP), this.cluster.free(node, REDUCE));
    this.watcher.afterHeartbeat?.(node, this.nowUs);
  }

  private isOffered(node: number): boolean {
    const has = (type: SlotType): boolean => this.cluster.free(node, type) > 0;
    if (!has(MAP) && !has(REDUCE)) return false;
    if (this.options.heartbeats === "all") return true;
    const isWanted = (has(MAP) && this.scheduler.wantsMapSlots()) || (has(REDUCE) && this.scheduler.wantsReduceSlots());
    if (!isWanted) this.spared.unwanted++;
    return isWanted;
  }

  /** Passes over the heartbeats from step `i` on, if on all of them jobs would only wait; how many steps were. */
  private passOver(i: number): number {
    const { steps, nodes } = this.history;
    const { scheduler, cluster } = this;
    if (!scheduler.wantsMapSlots()) return 0;
    let lastUs = this.nowUs;
    let count = 0;
    for (let k = i; k < steps.length && steps[k].what === "heartbeat"; k++) {
      const node = steps[k].draws[0] % nodes.length;
      const atUs = count === 0 ? lastUs : lastUs + steps[k].gapUs;
      if (atUs >= scheduler.nextUpdateUs() || !this.onlyWaits(node)) break;
      lastUs = atUs;
      count++;
    }
    // Even a run of one may be passed over.
    if (count === 0 || !scheduler.skipHeartbeats(count, this.nowUs, lastUs)) return 0;
    for (const { draws } of steps.slice(i, i + count)) cluster.beginHeartbeat(draws[0] % nodes.length, lastUs);
    this.nowUs = lastUs;
    this.spared.passedOver += count;
    return count;
  }

  /** A node on which jobs could only wait for locality. */
  private onlyWaits(node: number): boolean {
    const { cluster, scheduler } = this;
    if (cluster.free(node, MAP) === 0 || cluster.hasFailedMaps || cluster.mayHaveLocal(node)) return false;
    return !scheduler.hasReduces() || cluster.free(node, REDUCE) === 0;
  }
}
