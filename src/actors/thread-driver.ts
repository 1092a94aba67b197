import { availableParallelism } from "node:os";
import { FARTHEST } from "./thread-control.js";
import type { MasterActor } from "./master-actor.js";
import { RackThreads, type RackThreadsParts } from "./rack-threads.js";
import type { ThreadLink } from "./thread-link.js";

/** Slices that a grant may reach ahead: bounds what rings must hold. */
const LONGEST_GRANT = 4096;
const WAIT_MS = 40;

export interface ThreadDriverParts extends RackThreadsParts {
  readonly master: MasterActor;
}

/**
 * Drives the master on this thread and the racks on `hosts` piscina threads, by conservative windows: rule M lets the
 * master handle a slice when every host has done it or promised to be quiet; rule G publishes replies ahead when they are
 * known to be empty. Where recovery is asked for, a thread that dies is replaced; else, or if that does no good, it rejects with
 * RackFailure. No thread is left behind either way. Resolves to what was kept for recovery, in bytes.
 */
export async function driveThreads(parts: ThreadDriverParts): Promise<number> {
  const threads = new RackThreads(parts);
  let slice = 0;
  try {
    await threads.start();
    for (; !parts.master.isOver(slice); slice++) {
      if (slice === FARTHEST) throw new RangeError(`more than ${FARTHEST} slices need --threads 0`);
      await runSlice(parts, threads, slice);
    }
  } finally {
    await threads.stop();
  }
  threads.throwIfDead(slice);
  return threads.links.reduce((bytes, { log }) => bytes + (log?.bytes ?? 0), 0);
}

async function runSlice(parts: ThreadDriverParts, threads: RackThreads, slice: number): Promise<void> {
  const { master, grid, pacer } = parts;
  const { links, control } = threads;
  for (;;) {
    const late = links.filter((link) => !link.hasReached(slice)).map(({ host }) => host);
    for (const link of links) takeAll(master, link, slice);
    if (late.length === 0) break;
    control.awaitHosts(late, (host) => links[host].hasReached(slice), WAIT_MS);
    if (pacer.isDue()) {
      await pacer.pause(grid.startUs(slice));
      await threads.mend(slice);
    }
  }
  master.process(slice);
  const granted = Math.min(master.idleUntilSlice(), slice + 1 + LONGEST_GRANT);
  const published = Math.max(control.published, slice + 1, granted);
  // Where threads are many, none is given to do what can wait at the cost of those that the master waits for.
  const isCrowded = links.length > availableParallelism();
  for (const link of links) {
    const showsFrom = master.showsFrom(link.host, slice);
    if (isCrowded && showsFrom >= published + grid.perLookahead) continue;
    link.send(master.commandsFor(link.host), slice, showsFrom);
  }
  control.publish(published);
  if (!isCrowded) for (const link of links) link.wakeIfWanted();
  if (pacer.isDue()) {
    await pacer.pause(grid.startUs(slice + 1));
    await threads.mend(slice + 1);
  }
}

function takeAll(master: MasterActor, link: ThreadLink, slice: number): void {
  for (;;) {
    const frame = link.takeReports(slice, master.isForetold);
    if (frame === null) return;
    master.receive(frame, link.host, slice);
    link.releaseReports();
  }
}
