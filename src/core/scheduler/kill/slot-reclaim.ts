import { MAP, REDUCE, RUNNING, SLOT_TYPES, type JobTable, type SlotType } from "../../jobs/job-table.js";
import { fairShares } from "../fair-shares.js";
import type { PreemptionCounts } from "../preemption.js";
import type { Launcher } from "../scheduler.js";

interface Attempt {
  readonly place: number;
  readonly job: number;
  readonly task: number;
  readonly launchUs: number;
}

/** Shares come from a bisection: a whole one may lack the last bits. */
const WHOLE = 1e-6;

/**
 * Slots taken back by killing (Delay Scheduling, EuroSys 2010, section 3, as the alternative to waiting): whatever jobs below
 * their fair shares lack, beyond free slots and those that are being freed, is taken at once from jobs above theirs, most
 * recently launched attempts first.
 *
 * Shares count in whole slots. A job is killed for only while it has fewer, and killed from only while it has more, of which kills
 * that are under way are taken off; so none makes another job fall below its share. And what jobs lacked at an occasion is killed for
 * once: who then passes a slot up, for locality or because its node may not serve it, is not killed for again before the next.
 */
export class SlotReclaim {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  /** By type, attempts that were chosen to be killed and may still run: when each was launched, by its place. */
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
    const left = new Map(present.map((job) => [job, jobs.running[type][job] - (dying.get(job) ?? 0)]));
    let lacking = 0;
    let kept = 0;
    for (const job of present) {
      const has = left.get(job) ?? 0;
      kept += has;
      if (this.pending(job, type) > 0) lacking += Math.max(0, (share.get(job) ?? 0) - has);
    }
    // What is free, or about to be, comes to whoever runs least.
    const wanted = Math.max(0, Math.min(lacking, lacking - (slots - kept)));
    this.owed[type] = Math.min(this.owed[type], wanted);
    counts.slotsWanted += this.owed[type];
    for (const { place, job, launchUs } of alive) {
      if (this.owed[type] === 0) return;
      const has = left.get(job) ?? 0;
      if (has <= (share.get(job) ?? Infinity)) continue;
      this.launcher.kill(place);
      this.condemned[type].set(place, launchUs);
      left.set(job, has - 1);
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
    this.launcher.forEachReported(type, (place, job, task, launchUs) => {
      if (before.get(place) === launchUs) {
        this.condemned[type].set(place, launchUs);
        dying.set(job, (dying.get(job) ?? 0) + 1);
      } else alive.push({ place, job, task, launchUs });
    });
    alive.sort((a, b) => b.launchUs - a.launchUs || jobs.id[b.job] - jobs.id[a.job] || b.task - a.task);
    return { alive, dying };
  }
}
