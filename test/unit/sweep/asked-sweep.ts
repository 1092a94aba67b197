import type { SweepRecord } from "../../../dist/experiments/index.js";
import { type CellForm, askSweep, SQL_LIMITS } from "../../../dist/io/index.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";

/** Four points of two runs, of which one failed and one is not there. */
export const record = sweepRecord(
  sweepPlan([secondsAxis("W1", 0, 5), wordAxis("system", "fair", "hfs")]),
  (point, replication) => {
    if (point.index === 3) return replication === 0 ? failedRun("no room") : null;
    return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 * point.index + replication });
  },
);

/** What SQL says of it. */
export async function rows(
  sql: string | null,
  of: SweepRecord = record,
  { form = "text" as CellForm, folder = "nowhere", limits = {}, signal = undefined as AbortSignal | undefined } = {},
): Promise<(string | null)[][]> {
  const found: (string | null)[][] = [];
  for await (const page of askSweep({ folder, record: of }, sql, form, { ...SQL_LIMITS, ...limits }, signal)) {
    found.push(...page.rows.map((row) => [...row]));
  }
  return found;
}
