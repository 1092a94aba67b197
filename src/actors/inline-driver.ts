import { setImmediate as nextTurn } from "node:timers/promises";
import type { SliceGrid } from "../core/kernel/index.js";
import type { MasterActor } from "./master-actor.js";
import type { RackHost } from "./rack-host.js";

/**
 * Drives the master and one host of all racks on this thread. The master's commands go straight to the host: a rack has
 * computed the slice before the master processes it, and computes the next one after, as with frames. Without a host
 * the master asks its racks for what is due by itself.
 */
export async function driveInline(
  master: MasterActor,
  host: RackHost | null,
  grid: SliceGrid,
  pacer: Pacer,
): Promise<void> {
  for (let slice = 0; !master.isOver(slice); slice++) {
    if (host !== null && host.nextReportSlice() <= slice) master.take(host.collect(slice), slice);
    if (!master.process(slice, EVENTS_PER_LOOK)) await processRest(master, slice, grid, pacer);
    if (host !== null) host.applyCommands();
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
  }
}

/** The same, frame by frame, as between threads. */
export async function driveByFrames(master: MasterActor, host: RackHost, grid: SliceGrid, pacer: Pacer): Promise<void> {
  for (let slice = 0; !master.isOver(slice); slice++) {
    const frame = host.nextReportSlice() <= slice ? host.compute(slice) : null;
    if (frame !== null) master.receive(frame, 0, slice);
    if (!master.process(slice, EVENTS_PER_LOOK)) await processRest(master, slice, grid, pacer);
    const commands = master.commandsFor(0);
    if (commands !== null) host.receive(commands);
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
  }
}

/** Some milliseconds of work. */
export const EVENTS_PER_LOOK = 5000;

/**
 * Lets the master process the rest of a slice, and the event loop turn where that takes long. Nothing that is computed
 * depends on it.
 */
export async function processRest(master: MasterActor, slice: number, grid: SliceGrid, pacer: Pacer): Promise<void> {
  while (!master.process(slice, EVENTS_PER_LOOK)) {
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice));
  }
}

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
