import { tally } from "../../../kernel/index.js";
import { type JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { buildFlatWith, buildWait } from "./build-pool-scheduler.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { RULES } from "./rules.js";
import type { BuiltScheduler, Launcher, PreemptionCounts, SchedulerContext } from "./scheduler.js";
import { type Attempt, latestFirst } from "./preemption.js";
import { fairShares } from "./shares.js";

/**
 * A pool scheduler whose jobs do not wait for slots to be freed. It looks for jobs below their shares at the instant at
 * which a job becomes ready, its reduces may start, tasks become pending again for another reason than a kill, or slots
 * come or go. Attempts that their nodes have not reported yet cannot be killed at once: what is lacking still is looked
 * for a heartbeat interval later.
 */
class KillScheduler extends PoolScheduler {
  private readonly reclaim = new SlotReclaim(this.parts.jobs, this.parts.launcher);
  private isOccasion = false;
  private checkUs = Infinity;

  override get preemptions(): PreemptionCounts {
    return this.reclaim.counts;
  }

  override jobReady(job: number, nowUs: number): void {
    super.jobReady(job, nowUs);
    this.lookNow(nowUs);
  }

  override attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    super.attemptLeft(job, type, requeued, nowUs);
    const { done, slowStartMaps, pending } = this.parts.jobs;
    if (requeued || type === REDUCE) return;
    if (done[MAP][job] === slowStartMaps[job] && pending[REDUCE][job] > 0) this.lookNow(nowUs);
  }

  override pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    super.pendingChanged(job, type, change, nowUs);
    if (change > 0) this.lookNow(nowUs);
  }

  override slotsChanged(maps: number, reduces: number, nowUs: number): void {
    super.slotsChanged(maps, reduces, nowUs);
    this.lookNow(nowUs);
  }

  override nextUpdateUs(): number {
    return Math.min(this.checkUs, super.nextUpdateUs());
  }

  override update(nowUs: number): void {
    if (super.nextUpdateUs() <= nowUs) super.update(nowUs);
  }

  override checkPreemption(nowUs: number): void {
    if (nowUs < this.checkUs) return;
    this.reclaim.check(this.state.slotsNow, this.isOccasion);
    this.isOccasion = false;
    this.checkUs = this.reclaim.isOwed ? nowUs + this.parts.heartbeatUs : Infinity;
  }

  private lookNow(nowUs: number): void {
    this.isOccasion = true;
    this.checkUs = nowUs;
  }
}

/** Shares come from a bisection: a whole one may lack the last bits. */
const WHOLE = 1e-6;

/**
 * Slots taken back by killing (Delay Scheduling, EuroSys 2010, section 3, as the alternative to waiting): whatever jobs
 * below their fair shares lack, beyond free slots and those that are being freed, is taken at once from jobs above
 * theirs, most recently launched attempts first.
 *
 * Shares count in whole slots. A job is killed for only while it has fewer, and killed from only while it has more, of
 * which kills that are under way are taken off; so none makes another job fall below its share. And what jobs lacked at
 * an occasion is killed for once: who then passes a slot up, for locality or because its node may not serve it, is not
 * killed for again before the next.
 */
class SlotReclaim {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  /** By type, attempts that were chosen to be killed and may still run: when each was launched, by its attempt id. */
  private readonly condemned: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];

  /** By type, slots that jobs lacked at the last occasion and that have not been killed for. */
  private readonly owed: [number, number] = [0, 0];

  constructor(
    private readonly jobs: JobTable,
    private readonly launcher: Launcher,
  ) {}

  /** Victims were too few: attempts may turn up that were not reported yet. */
  get isOwed(): boolean {
    return this.owed[MAP] + this.owed[REDUCE] > 0;
  }

  /** `slots`: of the cluster, per type. `isOccasion`: jobs may have come to lack more since the last check. */
  check(slots: readonly [number, number], isOccasion: boolean): void {
    const wantedBefore = this.counts.slotsWanted;
    for (const type of SLOT_TYPES) {
      if (isOccasion) this.owed[type] = Infinity;
      if (this.owed[type] > 0) this.checkType(type, slots[type]);
    }
    if (this.counts.slotsWanted > wantedBefore) this.counts.checks++;
  }

  private checkType(type: SlotType, slots: number): void {
    const { jobs, counts } = this;
    const present = this.present();
    const { alive, dying } = this.attempts(type);
    const demands = present.map((job) => jobs.running[type][job] + this.pending(job, type));
    const shares = fairShares(
      demands.map((demand) => ({ weight: 1, minShare: 0, demand })),
      slots,
    );
    const share = new Map(present.map((job, i) => [job, Math.floor(shares[i] + WHOLE)]));
    const surviving = new Map(present.map((job) => [job, jobs.running[type][job] - (dying.get(job) ?? 0)]));
    let lacking = 0;
    let kept = 0;
    for (const job of present) {
      const has = surviving.get(job) ?? 0;
      kept += has;
      if (this.pending(job, type) > 0) lacking += Math.max(0, (share.get(job) ?? 0) - has);
    }
    // A slot that is free, or about to be, goes to the job that runs the fewest tasks.
    const wanted = Math.max(0, Math.min(lacking, lacking - (slots - kept)));
    this.owed[type] = Math.min(this.owed[type], wanted);
    counts.slotsWanted += this.owed[type];
    for (const { attempt, job, launchUs } of alive) {
      if (this.owed[type] === 0) return;
      const has = surviving.get(job) ?? 0;
      if (has <= (share.get(job) ?? Infinity)) continue;
      this.launcher.kill(attempt);
      this.condemned[type].set(attempt, launchUs);
      surviving.set(job, has - 1);
      counts.kills++;
      this.owed[type]--;
    }
  }

  /** Jobs that may run tasks. */
  private present(): number[] {
    const { jobs } = this;
    return Array.from({ length: jobs.handles }, (_, job) => job).filter((job) => jobs.state[job] === RUNNING);
  }

  /** Tasks of the job that may be launched now. */
  private pending(job: number, type: SlotType): number {
    const { jobs } = this;
    return type === REDUCE && !jobs.reducesMayStart(job) ? 0 : jobs.pending[type][job];
  }

  /** Attempts that may be killed, launched last first, and by job how many are being killed already. */
  private attempts(type: SlotType): {
    readonly alive: readonly Attempt[];
    readonly dying: ReadonlyMap<number, number>;
  } {
    const { jobs } = this;
    const alive: Attempt[] = [];
    const dying = new Map<number, number>();
    const before = new Map(this.condemned[type]);
    this.condemned[type].clear();
    this.launcher.forEachReported(type, (attempt, job, task, launchUs) => {
      if (before.get(attempt) === launchUs) {
        this.condemned[type].set(attempt, launchUs);
        tally(dying, job);
      } else alive.push({ attempt, job, task, launchUs });
    });
    alive.sort(latestFirst(jobs));
    return { alive, dying };
  }
}

/** Fair order, under which jobs get their shares at once, by killing. */
export function buildKill(spec: SchedulerSpec, context: SchedulerContext): BuiltScheduler {
  const around = { ...context, mapsMayReturn: true };
  const wait = buildWait(spec, RULES.paper, around);
  return buildFlatWith(wait, spec, around, KillScheduler);
}
