import type { Recovery } from "../actors/recovery.js";
import { formatTime } from "../core/kernel/time.js";

/** What is said of a rack thread that died and was replaced: `rack01, rack03 died at virtual time 1h02m (why); ...`. */
export function recoveryWords({ racks, virtualUs, cause, wallSeconds }: Recovery): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  return `${racks} died at virtual time ${formatTime(virtualUs)} (${why}); replayed in ${wallSeconds.toFixed(1)} s, and goes on`;
}
