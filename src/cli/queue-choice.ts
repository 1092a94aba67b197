import { readTextFile } from "../io/index.js";
import { parseQueueAddress, type QueueAddress, queueError } from "../lab/index.js";

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

const SECRET_VARIABLE = "BIDE_QUEUE_SECRET";
const LEAST_SECRET = 16;
const MOST_SECRET_BYTES = 65_536;

/**
 * What notices, runs and results are signed with; null: they are not.
 * @param file that holds it; undefined: the variable may.
 * @throws InputError, which never repeats it.
 */
export function queueSecret(file: string | undefined): string | null {
  const given = file === undefined ? process.env[SECRET_VARIABLE] : secretIn(file);
  if (given === undefined) return null;
  const secret = given.trim();
  if (secret.length >= LEAST_SECRET) return secret;
  const from = file === undefined ? SECRET_VARIABLE : `--queue-secret ${file}`;
  throw queueError(
    from,
    `found a secret of ${String(secret.length)} characters, allowed ${String(LEAST_SECRET)} or more`,
  );
}

function secretIn(file: string): string {
  return readTextFile(file, file, {
    file: "a file with the secret of a queue",
    contents: "the secret of a queue",
    mostBytes: MOST_SECRET_BYTES,
    tooLarge: (shown, found) => queueError(shown, `found ${found}, allowed 64 KiB at most`),
  });
}
