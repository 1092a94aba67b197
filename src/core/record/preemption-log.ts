import { keysOf } from "../kernel/index.js";
import { GrowingColumns } from "./growing-columns.js";
import type { PreemptionColumns } from "./run-record.js";
import { codesOf, type WaitReason, type Why } from "./stage-waits.js";

/** In place of a quantity. */
const NONE = -1;
const COLUMNS = {
  group: Int32Array,
  reason: Uint8Array,
  fromUs: Float64Array,
  toUs: Float64Array,
  reached: Float64Array,
  bound: Float64Array,
};

/**
 * The intervals in which preemption did nothing, or something, for each group, with the reasons: equal reasons in a row
 * are one row.
 */
export class PreemptionLog {
  private readonly rows = new GrowingColumns(COLUMNS);
  private readonly groups: string[] = [];
  private readonly open = new Map<string, { readonly fromUs: number; state: Why }>();

  constructor(private readonly reasons: readonly WaitReason[]) {}

  /**
   * As a round of preemption leaves it. @param state why nothing is taken from others for the group; null: it wants
   *   nothing more.
   */
  is(group: string, state: Why | null, nowUs: number): void {
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
    const { rows, group, ...columns } = this.rows.columns();
    const reasons = keysOf(this.reasons);
    return { rows, reasons, group: Array.from(group, (number) => this.groups[number]), ...columns };
  }

  private close(group: string, nowUs: number): void {
    const open = this.open.get(group);
    if (open === undefined) return;
    this.open.delete(group);
    const { fromUs, state } = open;
    if (nowUs <= fromUs) return;
    const known = this.groups.indexOf(group);
    const number = known >= 0 ? known : this.groups.push(group) - 1;
    const code = codesOf(this.reasons).get(state.reason) ?? NONE;
    this.rows.append(number, code, fromUs, nowUs, state.reached ?? NONE, state.bound ?? NONE);
  }
}
