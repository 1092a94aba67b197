import { formatTime } from "../core/kernel/time.js";

/** A rack actor that failed, or whose thread died: where, when in virtual time, and why. */
export class RackFailure extends Error {
  override readonly name = "RackFailure";

  constructor(
    /** Name of the rack, or names of all racks on the thread that died. */
    readonly rack: string,
    readonly virtualUs: number,
    cause: unknown,
    /** How often a thread in its place had died already. */
    replaced = 0,
  ) {
    const inVain = replaced === 0 ? "" : `; replaced ${replaced === 1 ? "once" : `${replaced} times`} before`;
    super(`${rack} died at virtual time ${formatTime(virtualUs)}: ${describe(cause)}${inVain}`, { cause });
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
