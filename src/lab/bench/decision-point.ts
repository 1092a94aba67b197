import { InputError } from "../../io/input-error.js";
import { PAPER_CASE, type DecisionCase } from "./decision-case.js";
import { usualWait } from "./decision-grid.js";

/** What fits into a few gigabytes. */
export const MOST_DECISION_TASKS = 10_000_000;

/**
 * The paper's case with changes. What is not given follows what is: a kind has its own wait, few jobs are in few pools.
 * @throws InputError when that is no experiment.
 */
export function decisionPoint(changes: Partial<DecisionCase>): DecisionCase {
  const { kind = PAPER_CASE.kind, jobs = PAPER_CASE.jobs } = changes;
  const pools = Math.min(jobs, PAPER_CASE.pools);
  const point = { ...PAPER_CASE, wait: usualWait(kind), pools, ...changes };
  const tasks = point.jobs * (point.maps + point.reduces);
  if (changes.pools !== undefined && kind !== "hfs") {
    throw refusal("--pools", `found pools with --kind ${kind}, allowed with hfs alone`);
  }
  if (point.pools > point.jobs) {
    throw refusal(
      "--pools",
      `found ${String(point.pools)} for ${String(point.jobs)} jobs, allowed one per job at most`,
    );
  }
  if (tasks === 0) throw refusal("--maps", "found 0 maps and 0 reduces, allowed jobs with at least one task");
  if (tasks > MOST_DECISION_TASKS) {
    throw refusal("--maps", `found ${String(tasks)} tasks in all, allowed up to ${String(MOST_DECISION_TASKS)}`);
  }
  if (point.mapSlots < 1 && point.maps > 0) throw refusal("--slots", "found no map slots, allowed 0 without maps");
  if (point.reduceSlots < 1 && point.reduces > 0) {
    throw refusal("--slots", "found no reduce slots, allowed 0 without reduces");
  }
  return point;
}

function refusal(option: string, message: string): InputError {
  return new InputError([{ file: option, line: 0, column: 0, message }]);
}
