import { parseQueueAddress, type QueueAddress } from "../lab/index.js";

const VARIABLE = "BIDE_QUEUE";

/**
 * The queue of the command, if it names one.
 * @param option of `--queue`, or of the variable that stands for it.
 * @throws InputError, which never repeats the option.
 */
export function queueChoice(option: string | undefined): QueueAddress | null {
  if (option === undefined) return null;
  return parseQueueAddress(option, option === process.env[VARIABLE] ? VARIABLE : "--queue");
}
