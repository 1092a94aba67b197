import type { SliceGrid } from "../core/kernel/slices.js";
import type { MasterActor } from "./master-actor.js";
import type { Pacer } from "./pacer.js";
import type { RackHost } from "./rack-host.js";

/** Drives the master and one host of all racks on this thread, frame by frame. Resolves with the last slice processed. */
export async function driveInline(master: MasterActor, host: RackHost, grid: SliceGrid, pacer: Pacer): Promise<void> {
  let nextReport = host.nextReportSlice();
  for (let slice = 0; !master.isOver(slice); slice++) {
    if (nextReport <= slice) {
      const frame = host.compute(slice);
      if (frame !== null) master.receive(frame, 0, slice);
      nextReport = host.nextReportSlice();
    }
    master.process(slice);
    const commands = master.commandsFor(0, slice);
    if (commands !== null) {
      host.receive(commands);
      nextReport = host.nextReportSlice();
    }
    if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
  }
}
