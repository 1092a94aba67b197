import type { RecordedFailure } from "../../core/workload/index.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";

/** A platform's names in tables for ends of attempts. */
export interface FailureReasons {
  readonly isOne: (reason: string) => boolean;
  /** The allowed form, as a message names it. */
  readonly form: string;
}

/**
 * `5000000:ExceptionFailure|...`: attempts before the one that a row's time is of, in order, each with how long it was
 * held and what ended it.
 * @param report takes what is wrong and what is allowed.
 */
export function recordedFailures(
  text: string,
  { isOne, form }: FailureReasons,
  report: (message: string) => void,
): RecordedFailure[] {
  const parts = text.split("|");
  if (parts.length > LIMITS.attempts) {
    report(`failures holds ${String(parts.length)}; allowed: at most ${String(LIMITS.attempts)}`);
    return [];
  }
  return parts.flatMap((part): RecordedFailure[] => {
    const [, us = "", reason = ""] = /^(\d+):(\w+)$/.exec(part.trim()) ?? [];
    if (us !== "" && isOne(reason) && Number(us) <= LIMITS.taskUs) return [{ heldUs: Number(us), reason }];
    const allowed = `microseconds up to ${String(LIMITS.taskUs)}, a colon and ${form}, joined by |`;
    report(`failures holds ${quote(part)}; allowed: ${allowed}`);
    return [];
  });
}
