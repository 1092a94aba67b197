import { type JobTable, MAP } from "../jobs/job-table.js";
import { type DecisionColumns, GrowingColumns, type PreemptionLog, WAIT_COLUMNS } from "../../../record/index.js";
import { levelOf } from "../jobs/nearness.js";

/** Why a job with pending maps launched none, in the order of the codes; the last two are instants, not waits. */
export const DECISIONS = [
  "setup",
  "limit",
  "offer",
  "locality",
  "node",
  "slot",
  "max",
  "cap",
  "update",
  "busy",
  "user",
  "kept",
  "refused",
  "answer",
  "plan",
  "unplanned",
  "share",
  "ready",
  "launch",
] as const;
export type Decision = (typeof DECISIONS)[number];

/** The code of each decision. */
export const CODE = Object.fromEntries(DECISIONS.map((decision, code) => [decision, code])) as Readonly<
  Record<Decision, number>
>;

/** In place of a code, a job or a node. */
export const NONE = -1;
/** In place of the pool or job that got a slot: the job that waits, for another map. */
const ITSELF = -2;

const COLUMNS = {
  ...WAIT_COLUMNS,
  node: Int32Array,
  takenBy: Int32Array,
};

/**
 * The log of the reasons why each job with pending maps waited, from its submission to the launch of its last map. At
 * every instant a job waits for one thing; from one opportunity to the next that is the reason why it did not get the
 * first. Equal reasons in a row are one row. The schedulers of `logged-scheduler.ts` write it.
 */
export class DecisionLog {
  private readonly rows = new GrowingColumns(COLUMNS);
  private readonly groups: WaitingJobs[] = [];
  /** The preemption log of a scheduler that may preempt: reasons why it took nothing. */
  preemption: PreemptionLog | null = null;

  /** The rows of the jobs of one scheduler. `byPool`: rows tell pools that got slots apart, not jobs. */
  rowsOf(jobs: Pick<JobTable, "id" | "pool" | "pending">, byPool: boolean): WaitingJobs {
    const group = new WaitingJobs(this, jobs, byPool);
    this.groups.push(group);
    return group;
  }

  write(job: number, fromUs: number, toUs: number, row: WrittenRow): void {
    this.rows.append(job, fromUs, toUs, row.decision, row.count, levelOf(row.level), row.node, row.takenBy);
  }

  /** The run has stopped. */
  columns(stoppedUs: number): DecisionColumns {
    for (const group of this.groups) group.close(stoppedUs);
    return { reasons: DECISIONS, ...this.rows.columns() };
  }
}

/** The open rows of the jobs of one scheduler. */
export class WaitingJobs {
  /** Handles with an open row, in any order. */
  readonly list: number[] = [];
  /** The open row of each job, by handle. */
  private readonly open: OpenRow[] = [];

  constructor(
    private readonly log: DecisionLog,
    private readonly table: Pick<JobTable, "id" | "pool" | "pending">,
    private readonly byPool: boolean,
  ) {}

  /**
   * Sets the reason why the job waits from now on; nothing has been offered to it. `holder`: the job that is in its
   * way, if any.
   */
  turn(job: number, decision: number, nowUs: number, holder = NONE): void {
    const row = this.rowOf(job);
    if (row.decision === decision) return;
    this.change(job, row, decision, nowUs);
    if (holder >= 0) row.takenBy = this.table.id[holder];
  }

  /** The job did not get `count` opportunities of `nowUs` and after, for that reason. */
  missed(
    job: number,
    decision: number,
    nowUs: number,
    count: number,
    level: number,
    node: number,
    taker: number,
  ): void {
    const row = this.rowOf(job);
    const { pool, id } = this.table;
    const by = taker < 0 ? NONE : taker === job ? ITSELF : this.byPool ? pool[taker] : id[taker];
    if (row.decision !== decision || (row.key !== by && row.count >= MOST_MIXED)) {
      this.change(job, row, decision, nowUs);
    }
    row.count += count;
    row.level = level;
    row.node = node;
    // The majority vote of Boyer and Moore: the job that got more than half of the slots stands at the end.
    if (row.key === by) row.votes += count;
    else if (row.votes >= count) {
      row.votes -= count;
      return;
    } else {
      row.votes = count - row.votes;
      row.key = by;
    }
    row.takenBy = taker < 0 ? NONE : id[taker];
  }

  /** The maps of the job may be launched from now on. */
  ready(job: number, nowUs: number): void {
    this.instant(job, CODE.ready, NONE, NONE, nowUs);
  }

  /**
   * The job launched a map. Only the first launch is a row of its own; what it waits for now, the rest of the heartbeat
   * tells.
   */
  launched(job: number, node: number, level: number, nowUs: number): void {
    const row = this.rowOf(job);
    if (!row.hasLaunched) {
      this.change(job, row, NONE, nowUs);
      row.hasLaunched = true;
      this.instant(job, CODE.launch, node, level, nowUs);
    }
    if (this.table.pending[MAP][job] <= 0) this.stoppedWaiting(job, nowUs);
    else if (row.decision < 0) this.turn(job, CODE.offer, nowUs);
  }

  /** The job waits no more. */
  stoppedWaiting(job: number, nowUs: number): void {
    const { list } = this;
    const row = this.rowOf(job);
    this.change(job, row, NONE, nowUs);
    if (row.place < 0) return;
    const last = list[list.length - 1];
    list[row.place] = last;
    this.rowOf(last).place = row.place;
    list.pop();
    row.place = NONE;
  }

  /** A new job takes the handle. */
  entered(job: number): void {
    this.rowOf(job).hasLaunched = false;
  }

  /** Returns the reason why the job waits; -1: it has no open row. */
  decisionOf(job: number): number {
    return this.rowOf(job).decision;
  }

  /** The run has stopped. */
  close(stoppedUs: number): void {
    for (const job of [...this.list]) this.stoppedWaiting(job, stoppedUs);
  }

  private rowOf(job: number): OpenRow {
    return (this.open[job] ??= new OpenRow());
  }

  /** The open row ends, if there is one, and the next begins; -1: none does. */
  private change(job: number, row: OpenRow, decision: number, nowUs: number): void {
    if (row.decision >= 0) {
      if (nowUs > row.fromUs || row.count > 0) this.log.write(this.table.id[job], row.fromUs, nowUs, row);
    } else if (decision >= 0 && row.place < 0) row.place = this.list.push(job) - 1;
    row.decision = decision;
    row.fromUs = nowUs;
    row.key = NONE;
    row.votes = 0;
    row.count = 0;
    row.level = NONE;
    row.node = NONE;
    row.takenBy = NONE;
  }

  private instant(job: number, decision: number, node: number, level: number, nowUs: number): void {
    this.log.write(this.table.id[job], nowUs, nowUs, { decision, node, level, count: 0, takenBy: NONE });
  }
}

/**
 * Opportunities of a row that went to several pools, or jobs, at least: with 200 busy pools each heartbeat would begin
 * one.
 */
const MOST_MIXED = 16;

interface WrittenRow {
  /** -1: there is no open row. */
  decision: number;
  count: number;
  level: number;
  node: number;
  takenBy: number;
}

class OpenRow implements WrittenRow {
  decision = NONE;
  count = 0;
  level = NONE;
  node = NONE;
  takenBy = NONE;
  fromUs = 0;
  /** The pool, or the job, that the row says got the slots, and by how many votes. */
  key = NONE;
  votes = 0;
  /** Index of the job in `waiting`; -1: it is not there. */
  place = NONE;
  /** The job has launched a map. */
  hasLaunched = false;
}
