import { setImmediate as nextTurn } from "node:timers/promises";

const PAUSE_EVERY_MS = 50;

/**
 * Lets the event loop turn at least ten times a second while a driver runs, for progress, signals and the news of a
 * thread that died. The clock decides when to pause, never what is computed.
 */
export class Pacer {
  private lastPauseMs = performance.now();

  constructor(
    private readonly onPause: (virtualUs: number) => void,
    private readonly signal: AbortSignal | undefined,
  ) {}

  isDue(): boolean {
    return performance.now() - this.lastPauseMs >= PAUSE_EVERY_MS;
  }

  /** Throws the signal's reason when the run was aborted. */
  throwIfAborted(): void {
    this.signal?.throwIfAborted();
  }

  /** Reports progress and lets the event loop turn. Rejects with the signal's reason when the run was aborted. */
  async pause(virtualUs: number): Promise<void> {
    this.onPause(virtualUs);
    await nextTurn();
    this.throwIfAborted();
    this.lastPauseMs = performance.now();
  }
}
