/** Hadoop waits no longer than this, however far apart the heartbeats of a large cluster are. */
const LONGEST_MS = 15_000;

/** The automatic locality wait of either level: 1.5 heartbeat intervals in whole milliseconds, at most 15 s (semantics section 2.2). */
export function autoWaitUs(heartbeatUs: number): number {
  return Math.min(LONGEST_MS, Math.trunc((1.5 * heartbeatUs) / 1000)) * 1000;
}
