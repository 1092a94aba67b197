import { GrowingColumns } from "./growing-columns.js";
import type { PreemptionColumns } from "./run-record.js";
import type { WaitReason } from "./stage-waits.js";

/** Why nothing is taken from others for a group that wants more, as of the last round of preemption. */
export interface PreemptionState {
  /** Index into the reasons. */
  readonly reason: number;
  /** Value reached, and the value required, in the unit of the reason; undefined: the reason has none. */
  readonly reached?: number | undefined;
  readonly bound?: number | undefined;
}

/** In place of a quantity. */
const NONE = -1;
const COLUMNS = ["group", "reason", "fromUs", "toUs", "reached", "bound"] as const;

/**
 * The intervals in which preemption did nothing, or something, for each group, with the reasons: equal reasons in a row
 * are one row.
 */
export class PreemptionLog {
  private readonly rows = new GrowingColumns(COLUMNS);
  private readonly groups: string[] = [];
  private readonly open = new Map<string, { readonly fromUs: number; state: PreemptionState }>();

  constructor(private readonly reasons: readonly WaitReason[]) {}

  /** As a round of preemption leaves it. @param state null: the group wants nothing more. */
  is(group: string, state: PreemptionState | null, nowUs: number): void {
    const open = this.open.get(group);
    if (open !== undefined && open.state.reason === state?.reason) {
      open.state = state;
      return;
    }
    this.close(group, nowUs);
    if (state !== null) this.open.set(group, { fromUs: nowUs, state });
  }

  columns(stoppedUs: number): PreemptionColumns {
    for (const group of this.open.keys()) this.close(group, stoppedUs);
    const { rows, groups } = this;
    return {
      rows: rows.rows,
      reasons: this.reasons.map(({ key }) => key),
      group: Array.from(rows.column("group"), (number) => groups[number]),
      reason: Uint8Array.from(rows.column("reason")),
      fromUs: rows.column("fromUs").slice(),
      toUs: rows.column("toUs").slice(),
      reached: rows.column("reached").slice(),
      bound: rows.column("bound").slice(),
    };
  }

  private close(group: string, nowUs: number): void {
    const open = this.open.get(group);
    if (open === undefined) return;
    this.open.delete(group);
    const { fromUs, state } = open;
    if (nowUs <= fromUs) return;
    const known = this.groups.indexOf(group);
    const number = known >= 0 ? known : this.groups.push(group) - 1;
    this.rows.append(number, state.reason, fromUs, nowUs, state.reached ?? NONE, state.bound ?? NONE);
  }
}
