import type { SliceGrid } from "../core/kernel/slices.js";
import type { MasterActor } from "./master-actor.js";
import type { Pacer } from "./pacer.js";
import type { RackHost } from "./rack-host.js";

/**
 * Drives the master and one host of all racks on this thread. The master's commands go straight to the host: a rack has
 * computed the slice before the master processes it, and computes the next one after, as with frames.
 */
export async function driveInline(master: MasterActor, host: RackHost, grid: SliceGrid, pacer: Pacer): Promise<void> {
  for (let slice = 0; !master.isOver(slice); slice++) {
    if (host.nextReportSlice() <= slice) master.take(host.collect(slice), slice);
    master.process(slice);
    host.heedCommands();
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
  }
}

/** The same, frame by frame, as between threads. */
export async function driveByFrames(master: MasterActor, host: RackHost, grid: SliceGrid, pacer: Pacer): Promise<void> {
  for (let slice = 0; !master.isOver(slice); slice++) {
    const frame = host.nextReportSlice() <= slice ? host.compute(slice) : null;
    if (frame !== null) master.receive(frame, 0, slice);
    master.process(slice);
    const commands = master.commandsFor(0);
    if (commands !== null) host.receive(commands);
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
  }
}
