import { printable, US_PER_SECOND } from "../kernel/index.js";
import { GrowingColumns } from "./growing-columns.js";
import { type DecisionColumns, WAIT_COLUMNS } from "./run-record.js";
import { NO_LEVEL } from "./words.js";

/** A reason for which a stage waits, as its platform calls it. */
export interface WaitReason {
  /** In tables and JSON. */
  readonly key: string;
  /** In a sentence, behind the time that it took. */
  readonly says: (figures: WaitFound) => string;
  /** Nothing of the stage waits: all its tasks run. */
  readonly isWork?: true;
  /** It is offered nothing meanwhile: what passes counts for others. */
  readonly isUnoffered?: true;
  /** Nothing of it could be done yet: the time of the job went to the stages before it. */
  readonly isForOthers?: true;
  /** The value reached is a count: it adds up over rows. */
  readonly isCount?: true;
}

/** The facts of a wait beside its reason. */
export interface WaitFound {
  /** Title of the level up to which tasks might start; null: unknown. */
  readonly level: string | null;
  /** Holder of most of what was taken: a job in words; null: the same job; undefined: unknown. */
  readonly by?: string | null;
  /** Mean free amount meanwhile, with its unit: `8 cores`. */
  readonly free: string;
  /**
   * The last value reached when it stood in the way, and the value required; null: unknown. In the unit of the reason.
   */
  readonly reached: number | null;
  readonly bound: number | null;
}

/** A time among the facts of a wait. */
export const secondsIn = (us: number | null) => `${(us ?? 0) / US_PER_SECOND} s`;

/** Why nothing is taken for who is below its share: every preemption goes by timeouts. */
export const TIMEOUT_REASONS = [
  { key: "never", says: () => "it was below its share, for which no preemption timeout is set" },
  {
    key: "timeout",
    says: ({ reached, bound }) =>
      `it had been below its share for ${secondsIn(reached)}, and the preemption timeout is ${secondsIn(bound)}`,
  },
] as const satisfies readonly WaitReason[];

/** A platform's words for the waits of its stages. */
export interface WaitWords {
  /** In the order of their codes. */
  readonly reasons: readonly WaitReason[];
  /**
   * Why preemption takes nothing for a group, in the order of their codes; undefined: the platform does not preempt.
   */
  readonly preemption?: readonly WaitReason[];
  /** The event that may give a stage resources: `round of offers`. */
  readonly offer: { readonly one: string; readonly many: string };
}

/** Returns the words of the reason with that key. */
export function waitWords(reasons: readonly WaitReason[], key: string, values: WaitFound): string {
  return reasons.find((reason) => reason.key === key)?.says(values) ?? printable(key);
}

/** Returns the code of a key: its place among the reasons. */
export function codesOf(reasons: readonly WaitReason[]): ReadonlyMap<string, number> {
  return new Map(reasons.map(({ key }, code) => [key, code]));
}

/** The key of a row about launches, not about a wait: they go on while others wait. */
export const LAUNCH = "launch";

/** In place of a job, a stage or a quantity. */
const NONE = -1;

/** A reason, by its key, with the value reached and the value required in its unit; undefined: it has none. */
export interface Why<Key extends string = string> {
  readonly reason: Key;
  readonly reached?: number | undefined;
  readonly bound?: number | undefined;
}

/** The reason why a stage waits from now on. */
export interface StageState<Key extends string = string> extends Why<Key> {
  readonly level?: number | undefined;
  /** Job that holds most; called only where a row begins. */
  readonly takenBy?: (() => number) | undefined;
  /** End of the wait, even if no event has checked it since; Infinity: it is not a wait of time. */
  readonly dueUs?: number | undefined;
}

/**
 * The reasons why each stage waited, from its submission to its end; a job itself, before its stages come, is stage -1.
 * At every instant a stage is in one state. Equal states in a row are one row, which counts what passed the stage by.
 */
export class StageWaits<Key extends string = string> {
  readonly rows = new GrowingColumns(COLUMNS);
  private readonly codes: ReadonlyMap<string, number>;
  /** By job, by stage + 1. */
  private readonly open: (OpenRow | undefined)[][] = [];
  /** Now, and until it changed last. */
  private free = { amount: 0, sinceUs: 0, untilThenUs: 0 };
  private freeBefore = this.free;
  /** Offers of all events that are over. Each row that waits counts those since its last update. */
  private offers = 0;

  /**
   * @param overdue reason of a stage from the end of its wait until an event checks the stage.
   * @param firstJob number, in the run, of the first job of the log's application.
   */
  constructor(
    readonly reasons: readonly WaitReason[],
    private readonly overdue: Key,
    private readonly firstJob = 0,
  ) {
    this.codes = codesOf(reasons);
  }

  /** Sets the amount that is free from now on. */
  freeIs(amount: number, nowUs: number): void {
    if (nowUs > this.free.sinceUs) {
      this.freeBefore = this.free;
      this.free = { amount, sinceUs: nowUs, untilThenUs: this.freeUntil(nowUs) };
    } else this.free.amount = amount;
  }

  /** An event is over. Its offers gave nothing to stages without a call of `is`: they wait for the same. */
  offered(offers: number): void {
    this.offers += offers;
  }

  /** Updates the value reached by the cause of its wait, which stays the same. */
  reaches(job: number, stage: number, reached: number): void {
    const row = this.open[job]?.[stage + 1];
    if (row !== undefined) row.reached = reached;
  }

  /**
   * Sets the reason why a stage waits from now on. To be called for each stage for which that may have changed, for all
   * whose waits end by themselves at every event that changes the free amount, and then `offered` for the event.
   * @param offers of this event, which gave it nothing unless a task of it was launched.
   */
  is(job: number, stage: number, state: StageState<Key>, offers: number, nowUs: number): void {
    const row = this.rowOf(job, stage, nowUs);
    this.countOffers(row);
    row.offersAt += offers;
    this.cut(job, stage, row, nowUs);
    const { dueUs = Infinity } = state;
    const missed = row.hasLaunched || this.isUnoffered(state.reason) ? 0 : offers;
    const isOverdue = dueUs < nowUs;
    const reason = isOverdue ? this.overdue : state.reason;
    const level = isOverdue ? NO_LEVEL : (state.level ?? NO_LEVEL);
    const isOther = reason !== row.reason || level !== row.level;
    if (isOther) {
      // If the end of its wait had been checked then, the next one would have begun there.
      const wasNext =
        row.reason === this.overdue && !row.hasLaunched && reason === row.cutReason && level > row.cutLevel;
      if (!wasNext) this.close(job, stage, row, nowUs);
      row.reason = reason;
      row.level = level;
      row.takenBy = state.takenBy?.() ?? NONE;
    }
    if (isOther || missed > 0) {
      row.reached = state.reached ?? NONE;
      row.bound = state.bound ?? NONE;
    }
    row.missed += missed;
    row.hasLaunched = false;
    row.dueUs = isOverdue ? Infinity : dueUs;
  }

  /** A task of it was launched just now; what wait that ends `is` tells. */
  launched(job: number, stage: number, level: number, nowUs: number): void {
    const row = this.rowOf(job, stage, nowUs);
    row.hasLaunched = true;
    const known = row.launches.get(level);
    if (known === undefined) row.launches.set(level, { count: 1, fromUs: nowUs, toUs: nowUs });
    else {
      known.count++;
      known.toUs = nowUs;
    }
  }

  /** It has ended. */
  ended(job: number, stage: number, nowUs: number): void {
    const row = this.open[job]?.[stage + 1];
    if (row === undefined) return;
    this.countOffers(row);
    this.cut(job, stage, row, nowUs);
    this.close(job, stage, row, nowUs);
    this.open[job][stage + 1] = undefined;
  }

  jobEnded(job: number, nowUs: number): void {
    this.open[job]?.forEach((row, place) => {
      if (row !== undefined) this.ended(job, place - 1, nowUs);
    });
  }

  /** The run has stopped. */
  stop(stoppedUs: number): void {
    for (const job of this.open.keys()) this.jobEnded(job, stoppedUs);
  }

  private rowOf(job: number, stage: number, nowUs: number): OpenRow {
    const ofJob = (this.open[job] ??= []);
    return (ofJob[stage + 1] ??= new OpenRow(nowUs, this.freeUntil(nowUs), this.offers));
  }

  private countOffers(row: OpenRow): void {
    if (!this.isUnoffered(row.reason)) row.missed += this.offers - row.offersAt;
    row.offersAt = this.offers;
  }

  private isUnoffered(reason: string): boolean {
    const code = this.codes.get(reason);
    if (code === undefined) return true;
    const { isWork = false, isUnoffered = false } = this.reasons[code];
    return isWork || isUnoffered;
  }

  /** Returns the free amount until then, times its duration; no earlier than the event before. */
  private freeUntil(us: number): number {
    const { amount, sinceUs, untilThenUs } = us < this.free.sinceUs ? this.freeBefore : this.free;
    return untilThenUs + amount * (us - sinceUs);
  }

  /** Its wait is over since the event before, and has not been checked. */
  private cut(job: number, stage: number, row: OpenRow, nowUs: number): void {
    const { dueUs, reason, level } = row;
    if (dueUs >= nowUs) return;
    this.write(job, stage, row, dueUs);
    row.begin(dueUs, this.freeUntil(dueUs));
    row.reason = this.overdue;
    row.level = NO_LEVEL;
    row.cutReason = reason;
    row.cutLevel = level;
    row.takenBy = row.reached = row.bound = NONE;
    row.dueUs = Infinity;
  }

  /** The row ends, and the next begins. */
  private close(job: number, stage: number, row: OpenRow, nowUs: number): void {
    this.write(job, stage, row, nowUs);
    row.begin(nowUs, this.freeUntil(nowUs));
    this.writeLaunches(job, stage, row);
  }

  private write(job: number, stage: number, row: OpenRow, toUs: number): void {
    const code = this.codes.get(row.reason);
    if (code === undefined || toUs <= row.fromUs) return;
    const free = this.freeUntil(toUs) - row.freeAtUs;
    const { fromUs, missed, level, takenBy, reached, bound } = row;
    const { firstJob } = this;
    const taker = takenBy < 0 ? NONE : firstJob + takenBy;
    this.rows.append(firstJob + job, fromUs, toUs, code, missed, level, taker, stage, free, reached, bound);
  }

  private writeLaunches(job: number, stage: number, row: OpenRow): void {
    if (row.launches.size === 0) return;
    for (const [level, { count, fromUs, toUs }] of [...row.launches].sort(([a], [b]) => a - b)) {
      const { firstJob, reasons } = this;
      this.rows.append(firstJob + job, fromUs, toUs, reasons.length, count, level, NONE, stage, 0, NONE, NONE);
    }
    row.launches.clear();
  }
}

const COLUMNS = {
  ...WAIT_COLUMNS,
  takenBy: Int32Array,
  stage: Int32Array,
  freeUs: Float64Array,
  reached: Float64Array,
  bound: Float64Array,
};

class OpenRow {
  /** Empty: there is none. */
  reason = "";
  level = NO_LEVEL;
  takenBy = NONE;
  /** Offers that gave it nothing. */
  missed = 0;
  reached = NONE;
  bound = NONE;
  dueUs = Infinity;
  /** The reason of its wait until that was over. */
  cutReason = "";
  cutLevel = NO_LEVEL;
  hasLaunched = false;
  /** By level, since its begin. */
  readonly launches = new Map<number, { count: number; fromUs: number; toUs: number }>();

  /** @param freeAtUs what had been free by then. @param offersAt of all offers, those that it has counted. */
  constructor(
    public fromUs: number,
    public freeAtUs: number,
    public offersAt: number,
  ) {}

  begin(fromUs: number, freeAtUs: number): void {
    this.fromUs = fromUs;
    this.freeAtUs = freeAtUs;
    this.missed = 0;
  }
}

/**
 * The logs of the parts of a run as one.
 * @param rankOf place of a job in the order of submission, in which the record has them.
 * @param nameOf a stage, by job.
 */
export function decisionColumns(
  logs: readonly StageWaits[],
  stoppedUs: number,
  rankOf: (job: number) => number,
  nameOf: (job: number, stage: number) => string,
): DecisionColumns {
  for (const log of logs) log.stop(stoppedUs);
  const [{ rows: table, reasons }, ...furtherLogs] = logs;
  for (const further of furtherLogs) table.appendTable(further.rows);
  const { rows, job, stage, takenBy, freeUs, reached, bound, ...columns } = table.columns();
  const name = Array.from(job, (number, row) => (stage[row] < 0 ? "" : nameOf(number, stage[row])));
  return {
    rows,
    reasons: [...reasons.map(({ key }) => key), LAUNCH],
    job: job.map(rankOf),
    ...columns,
    node: new Int32Array(rows).fill(NONE),
    takenBy: takenBy.map((taker) => (taker < 0 ? NONE : rankOf(taker))),
    stages: { stage, name, freeUs, reached, bound },
  };
}
