import { Lists } from "../../../kernel/index.js";
import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { WantedCopies } from "../jobs/map-source.js";
import type { SpeculationSpec } from "../../../scenario/index.js";
import { attemptsOn, KILL_NONE, type MasterTables } from "./attempts.js";

const MILLION = 1_000_000;

/** The tasks of one type of one job that run now. */
interface RunningTasks {
  readonly job: number;
  readonly type: SlotType;
  /** Slots of their attempts, ascending; of two for one task both are there. */
  readonly slots: number[];
}

/**
 * Chooses which tasks get a second attempt (semantics section 10, "Speculation"), by what nodes have reported of their
 * progress. `hadoop`: the mean progress of the job's tasks of the type, those that wait and those that are done
 * included, is so far above that of the task. `late`: its rate of progress is so far below the mean rate of the job's
 * tasks, done ones included, longest time left first, and only so many copies at once. Tasks that commit, or are being
 * killed, get none.
 */
export class Speculation {
  nextCheckUs: number;
  readonly seconds: SecondAttempts;
  private readonly rates = new ProgressRates();
  /** By slot: millionths done, as reported last. */
  private readonly progress: Int32Array;

  constructor(
    private readonly spec: SpeculationSpec,
    private readonly tables: MasterTables,
    onPendingChanged: OnPendingChanged,
  ) {
    this.nextCheckUs = spec.checkEveryUs;
    this.seconds = new SecondAttempts(tables, onPendingChanged);
    this.progress = new Int32Array(tables.attempts.slots);
  }

  /** An attempt begins in the slot. */
  launched(slot: number): void {
    this.progress[slot] = 0;
    this.seconds.launched(slot);
  }

  progressed(slot: number, progress: number): void {
    if (slot < this.progress.length) this.progress[slot] = progress;
  }

  /** A task of the job is done: the attempt that succeeded has run so long. */
  taskDone(job: number, type: SlotType, ranUs: number): void {
    this.rates.add(job, type, MILLION / Math.max(1, ranUs));
  }

  /** The job leaves the table. */
  jobLeft(job: number): void {
    this.rates.forget(job);
    this.seconds.jobLeft(job);
  }

  /** Looks at all running tasks. */
  check(nowUs: number): void {
    const { spec } = this;
    this.nextCheckUs += spec.checkEveryUs;
    const running = this.runningTasks();
    if (spec.rule === "hadoop") for (const tasks of running) this.wantLaggards(tasks, nowUs);
    else this.wantLatest(running, nowUs);
  }

  private runningTasks(): RunningTasks[] {
    const { topology, slots, attempts } = this.tables;
    const groups = new Map<number, RunningTasks>();
    for (let node = 0; node < topology.nodes; node++) {
      for (const slot of attemptsOn(this.tables, node)) {
        const job = attempts.jobOf(slot);
        if (job < 0 || slot >= attempts.slots) continue;
        const type = slots.typeOf(node, slot);
        const tasks = groups.get(2 * job + type);
        if (tasks === undefined) groups.set(2 * job + type, { job, type, slots: [slot] });
        else tasks.slots.push(slot);
      }
    }
    const sorted = [...groups.values()].sort((a, b) => 2 * a.job + a.type - (2 * b.job + b.type));
    for (const { slots: ofTasks } of sorted) ofTasks.sort((a, b) => a - b);
    return sorted;
  }

  /** It may have a second attempt: it runs alone, is old enough, and no kill is pending for it. */
  private isCandidate(slot: number, nowUs: number): boolean {
    const { spec, seconds } = this;
    const { attempts } = this.tables;
    const isOld = nowUs - attempts.launchUsOf(slot) >= spec.minAgeUs;
    return isOld && attempts.killStateOf(slot) === KILL_NONE && seconds.isAlone(slot);
  }

  private wantLaggards({ job, type, slots }: RunningTasks, nowUs: number): void {
    const { spec, seconds } = this;
    const mean = this.progressOf(job, type, slots) / this.tables.jobs.total[type][job];
    for (const slot of slots) {
      const isBehind = mean - this.progress[slot] >= spec.progressGap * MILLION;
      if (isBehind && this.isCandidate(slot, nowUs)) seconds.want(slot, type, nowUs);
    }
  }

  /** Sum over the job's tasks: of two attempts of one task the one that is ahead counts. */
  private progressOf(job: number, type: SlotType, slots: readonly number[]): number {
    const { jobs, attempts } = this.tables;
    const best = new Map<number, number>();
    for (const slot of slots) {
      const task = attempts.taskOf(slot);
      best.set(task, Math.max(best.get(task) ?? 0, this.progress[slot]));
    }
    let sum = jobs.done[type][job] * MILLION;
    for (const progress of best.values()) sum += progress;
    return sum;
  }

  private wantLatest(running: readonly RunningTasks[], nowUs: number): void {
    const { spec, seconds } = this;
    const { slots: cluster } = this.tables;
    const late: { readonly slot: number; readonly type: SlotType; readonly leftUs: number }[] = [];
    let copies = seconds.wanted;
    for (const { job, type, slots } of running) {
      const rates = slots.map((slot) => this.rateOf(slot, nowUs));
      const slowest = this.rates.slowest(job, type, rates, spec.slowerBy);
      slots.forEach((slot, i) => {
        if (seconds.isRunningCopy(slot)) copies++;
        if (rates[i] >= slowest || !this.isCandidate(slot, nowUs)) return;
        late.push({ slot, type, leftUs: rates[i] > 0 ? (MILLION - this.progress[slot]) / rates[i] : Infinity });
      });
    }
    const share = spec.maxShareOfSlots * (cluster.living[MAP] + cluster.living[REDUCE]);
    const mostCopies = share > 0 ? Math.max(1, Math.floor(share)) : 0;
    late.sort((a, b) => (a.leftUs === b.leftUs ? a.slot - b.slot : b.leftUs - a.leftUs));
    for (const { slot, type } of late.slice(0, Math.max(0, mostCopies - copies))) seconds.want(slot, type, nowUs);
  }

  /** Millionths per microsecond since the launch. */
  private rateOf(slot: number, nowUs: number): number {
    return this.progress[slot] / Math.max(1, nowUs - this.tables.attempts.launchUsOf(slot));
  }
}

const NONE = -1;

const FIRST = 0;

const COPY = 1;

/** The other attempt of its task has succeeded, or has leave to commit. */
const REDUNDANT = 2;

/**
 * Notified that `change` more tasks of the job are pending, fewer if negative; the job table has the change already.
 */
export type OnPendingChanged = (job: number, type: SlotType, change: number, nowUs: number) => void;

/**
 * Speculative copies: which running attempts shall have one, which attempts run side by side for one task, and which
 * are of no use any more. A wanted copy counts as a pending task of its job. It starts anywhere but where the other
 * attempt runs, or one of the task has failed (semantics section 10, step 5). The first to succeed, or to get leave to
 * commit, wins. The other one is redundant: when it ends, its task does not wait again.
 */
export class SecondAttempts implements WantedCopies {
  /** Copies that are wanted and have not started. */
  wanted = 0;
  /** By attempt id: the id of the other attempt of the task, NONE. */
  private readonly beside: Int32Array;
  private readonly role: Uint8Array;
  /** By slot. */
  private readonly isWanted: Uint8Array;
  /** By type, then by job: slots of the attempts that shall have a copy, those wanted first in front. */
  private readonly wantedOf = [new Lists<number>(), new Lists<number>()] as const;

  constructor(
    private readonly tables: MasterTables,
    private readonly onPendingChanged: OnPendingChanged,
  ) {
    const { slots } = tables.attempts;
    this.beside = new Int32Array(2 * slots).fill(NONE);
    this.role = new Uint8Array(2 * slots);
    this.isWanted = new Uint8Array(slots);
  }

  /** An attempt begins in the slot. */
  launched(slot: number): void {
    this.beside[slot] = NONE;
    this.role[slot] = FIRST;
    this.isWanted[slot] = 0;
  }

  /** The attempt that has just begun in the slot is a copy of the attempt in `first`. */
  copyLaunched(first: number, slot: number): void {
    this.forgetWish(first);
    this.role[slot] = COPY;
    this.beside[slot] = first;
    this.beside[first] = slot;
  }

  /** The attempt in the slot is the only one of its task, and shall remain so for all that is known. */
  isAlone(slot: number): boolean {
    return this.role[slot] !== REDUNDANT && this.beside[slot] === NONE && this.isWanted[slot] === 0;
  }

  /** The attempt is a copy beside another. */
  isRunningCopy(attempt: number): boolean {
    return this.role[attempt] === COPY && this.beside[attempt] !== NONE;
  }

  isCopy(attempt: number): boolean {
    return this.role[attempt] === COPY;
  }

  isRedundant(attempt: number): boolean {
    return this.role[attempt] === REDUNDANT;
  }

  /** Requests a copy of the attempt in the slot. */
  want(slot: number, type: SlotType, nowUs: number): void {
    const { attempts, jobs } = this.tables;
    const job = attempts.jobOf(slot);
    this.isWanted[slot] = 1;
    this.wanted++;
    this.wantedOf[type].add(job, slot);
    jobs.pending[type][job]++;
    this.onPendingChanged(job, type, 1, nowUs);
  }

  /** Returns the slot of the attempt whose copy was wanted first, of those that the node may start; or -1. */
  firstFor(job: number, type: SlotType, node: number): number {
    const { attempts, failures } = this.tables;
    for (const slot of this.wantedOf[type].of(job)) {
      if (attempts.node[slot] !== node && !failures.refuses(job, type, attempts.taskOf(slot), node)) return slot;
    }
    return NONE;
  }

  mapFor(job: number, node: number): number {
    const first = this.firstFor(job, MAP, node);
    return first < 0 ? NONE : this.tables.attempts.taskOf(first);
  }

  /** The attempt has ended without success. Whether its task waits again: no other attempt of it is left. */
  ended(attempt: number, nowUs: number): boolean {
    if (this.role[attempt] === REDUNDANT) return false;
    const counterpart = this.beside[attempt];
    if (counterpart === NONE) {
      this.withdraw(attempt, nowUs);
      return true;
    }
    this.beside[counterpart] = NONE;
    this.beside[attempt] = NONE;
    return false;
  }

  /** The attempt has succeeded, or got leave to commit. The id of the other, which is redundant now, or -1. */
  won(attempt: number, nowUs: number): number {
    this.withdraw(attempt, nowUs);
    const counterpart = this.beside[attempt];
    if (counterpart === NONE) return NONE;
    this.beside[attempt] = NONE;
    this.beside[counterpart] = NONE;
    this.role[counterpart] = REDUNDANT;
    return counterpart;
  }

  /** The attempt in the slot has left it to await its commit, and has a new id. */
  awaitsCommit(slot: number, attempt: number, nowUs: number): void {
    this.withdraw(slot, nowUs);
    const counterpart = this.beside[slot];
    this.role[attempt] = this.role[slot];
    this.beside[attempt] = counterpart;
    if (counterpart !== NONE) this.beside[counterpart] = attempt;
  }

  /** The job leaves the table. */
  jobLeft(job: number): void {
    for (const type of SLOT_TYPES) {
      this.wanted -= this.wantedOf[type].of(job).length;
      this.wantedOf[type].delete(job);
    }
  }

  private withdraw(attempt: number, nowUs: number): void {
    const { attempts, jobs, slots } = this.tables;
    if (attempt >= attempts.slots || this.isWanted[attempt] === 0) return;
    const job = attempts.jobOf(attempt);
    const type = slots.typeOf(attempts.node[attempt], attempt);
    this.forgetWish(attempt);
    jobs.pending[type][job]--;
    this.onPendingChanged(job, type, -1, nowUs);
  }

  private forgetWish(slot: number): void {
    const { attempts, slots } = this.tables;
    const type = slots.typeOf(attempts.node[slot], slot);
    this.wantedOf[type].remove(attempts.jobOf(slot), slot);
    this.isWanted[slot] = 0;
    this.wanted--;
  }
}

interface Sums {
  count: number;
  sum: number;
  squares: number;
}

/** Progress rates of the finished tasks of present jobs, for means and deviations; in millionths per microsecond. */
export class ProgressRates {
  private readonly done = new Map<number, Sums>();

  add(job: number, type: SlotType, rate: number): void {
    const key = 2 * job + type;
    const { count, sum, squares } = this.done.get(key) ?? { count: 0, sum: 0, squares: 0 };
    this.done.set(key, { count: count + 1, sum: sum + rate, squares: squares + rate * rate });
  }

  forget(job: number): void {
    this.done.delete(2 * job);
    this.done.delete(2 * job + 1);
  }

  /** The mean of the rates of finished tasks and of these, less so many standard deviations. */
  slowest(job: number, type: SlotType, rates: readonly number[], deviations: number): number {
    const sums = { ...(this.done.get(2 * job + type) ?? { count: 0, sum: 0, squares: 0 }) };
    for (const rate of rates) {
      sums.count++;
      sums.sum += rate;
      sums.squares += rate * rate;
    }
    const mean = sums.sum / sums.count;
    // Rounding may leave less than nothing.
    return mean - deviations * Math.sqrt(Math.max(0, sums.squares / sums.count - mean * mean));
  }
}
