import { parseQueueAddress, type QueueAddress } from "../lab/index.js";

const VARIABLE = "BIDE_QUEUE";

/**
 * The queue that was asked for, if one was.
 * @param given of `--queue`, or of the variable that stands for it.
 * @throws InputError, which never repeats what was given.
 */
export function queueChoice(given: string | undefined): QueueAddress | null {
  if (given === undefined) return null;
  return parseQueueAddress(given, given === process.env[VARIABLE] ? VARIABLE : "--queue");
}
