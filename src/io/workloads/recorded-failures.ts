import type { RecordedFailure } from "../../core/workload/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { quote } from "../scenario/show.js";
import type { TableRow } from "./csv-table.js";

/** A platform's names in tables for ends of attempts. */
export interface FailureReasons {
  readonly isOne: (reason: string) => boolean;
  /** The allowed form, as a message names it. */
  readonly form: string;
}

/**
 * Reads the column `failures`, `5000000:ExceptionFailure|...`: the failed attempts before the attempt of the row, in
 * order, each with the time that it was held and the reason of its end. @returns undefined if the column is empty.
 */
export function recordedFailures(
  row: Pick<TableRow<"failures">, "text" | "report">,
  { isOne, form }: FailureReasons,
): RecordedFailure[] | undefined {
  const text = row.text("failures");
  if (text === "") return undefined;
  const parts = text.split("|");
  if (parts.length > LIMITS.attempts) {
    row.report("failures", `failures holds ${parts.length}, expected at most ${LIMITS.attempts}`);
    return [];
  }
  return parts.flatMap((part): RecordedFailure[] => {
    const [, us = "", reason = ""] = /^(\d+):(\w+)$/.exec(part.trim()) ?? [];
    if (us !== "" && isOne(reason) && Number(us) <= LIMITS.taskUs) return [{ heldUs: Number(us), reason }];
    const allowed = `microseconds up to ${LIMITS.taskUs}, a colon and ${form}, joined by |`;
    row.report("failures", `failures holds ${quote(part)}, expected ${allowed}`);
    return [];
  });
}
