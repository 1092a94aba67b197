import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { needsStages, rackModelOf } from "../core/cluster/rack-model.js";
import type { Topology } from "../core/cluster/topology.js";
import type { SliceGrid } from "../core/kernel/slices.js";
import type { Scenario } from "../core/scenario/scenario.js";
import { MAX_COMMAND_BYTES } from "../messages/command-codes.js";
import { REPORT_WORDS } from "../messages/report-words.js";
import { ControlWords, FARTHEST } from "./thread-control.js";
import type { MasterActor } from "./master-actor.js";
import type { Pacer } from "./pacer.js";
import { RackFailure } from "./rack-failure.js";
import type { RackDeath, RackThreadTask } from "./rack-thread.js";
import { Ring } from "./thread-ring.js";
import type { Sabotage } from "./sabotage.js";
import { MOST_WAITING, ThreadLink } from "./thread-link.js";

/** Slices that a grant may reach ahead: bounds what rings must hold. */
const LONGEST_GRANT = 4096;
const WAIT_MS = 40;
/** Threads that leave their loops by themselves need far less. */
const STOP_MS = 500;
const REPORT_BYTES = 4 * REPORT_WORDS;

export interface ThreadDriverParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  readonly hostOfRack: Int32Array;
  readonly hosts: number;
  readonly master: MasterActor;
  readonly pacer: Pacer;
  /** Rack number and how its thread is to die; for tests. */
  readonly sabotage: { readonly rack: number; readonly how: Sabotage } | null;
}

/**
 * Drives the master on this thread and the racks on `hosts` piscina threads, by conservative windows: rule M lets the
 * master handle a slice when every host has done it or promised to be quiet; rule G publishes replies ahead when they are
 * known to be empty. Rejects with RackFailure when a thread dies; no thread is left behind either way.
 */
export async function driveThreads(parts: ThreadDriverParts): Promise<void> {
  const control = ControlWords.allocate(parts.hosts);
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./rack-thread.js", import.meta.url)),
    minThreads: 1,
    maxThreads: parts.hosts,
    concurrentTasksPerWorker: 1,
    idleTimeout: 24 * 3600 * 1000,
    atomics: "disabled",
  });
  let fault: RackFailure | null = null;
  let slice = 0;
  const links: ThreadLink[] = [];
  const ends: Promise<void>[] = [];
  const start = (host: number): void => {
    const link = new ThreadLink(host, control, ...allocateRings(parts, host));
    links.push(link);
    const task = pool.run(taskOf(parts, host, control, link)) as Promise<RackDeath | null>;
    const onEnd = (death: RackDeath | null): void => {
      if (death !== null) fault ??= new RackFailure(death.rack, death.virtualUs, death.cause);
    };
    const onDeath = (cause: unknown): void => {
      fault ??= new RackFailure(namesOf(parts, host), parts.grid.startUs(slice), cause);
    };
    ends.push(task.then(onEnd, onDeath));
  };
  const check = (): void => {
    if (fault !== null) throw fault;
  };
  try {
    // One after the other: starting a thread blocks this one, and many would keep it from hearing an abort.
    for (let host = 0; control.ready < parts.hosts; await sleep(1)) {
      if (host < parts.hosts) start(host++);
      parts.pacer.throwIfAborted();
      check();
    }
    for (; !parts.master.isOver(slice); slice++) {
      if (slice === FARTHEST) throw new RangeError(`more than ${FARTHEST} slices need --threads 0`);
      await runSlice(parts, control, links, slice, check);
    }
  } finally {
    control.stop(parts.hosts);
    if (fault === null) await Promise.race([Promise.all(ends), sleep(STOP_MS, undefined, { ref: false })]);
    await pool.destroy();
  }
  check();
}

async function runSlice(
  parts: ThreadDriverParts,
  control: ControlWords,
  links: readonly ThreadLink[],
  slice: number,
  check: () => void,
): Promise<void> {
  const { master, grid, pacer } = parts;
  for (;;) {
    const late = links.filter((link) => !link.hasReached(slice)).map(({ host }) => host);
    for (const link of links) takeAll(master, link, slice);
    if (late.length === 0) break;
    control.awaitHosts(late, (host) => links[host].hasReached(slice), WAIT_MS);
    if (pacer.isDue()) {
      await pacer.pause(grid.startUs(slice));
      check();
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
    check();
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

function taskOf(parts: ThreadDriverParts, host: number, control: ControlWords, link: ThreadLink): RackThreadTask {
  const { scenario, sabotage, hostOfRack } = parts;
  const struck = sabotage !== null && hostOfRack[sabotage.rack] === host;
  return {
    host,
    racks: racksOf(parts, host),
    model: rackModelOf(scenario),
    isStaged: needsStages(rackModelOf(scenario)),
    lookaheadUs: parts.grid.lookaheadUs,
    slicesPerLookahead: parts.grid.perLookahead,
    control: control.memory,
    reports: link.reports.memory,
    commands: link.commands.memory,
    sabotage: struck ? sabotage.how : null,
  };
}

function racksOf(parts: ThreadDriverParts, host: number): number[] {
  const racks: number[] = [];
  parts.hostOfRack.forEach((of, rack) => {
    if (of === host) racks.push(rack);
  });
  return racks;
}

function namesOf(parts: ThreadDriverParts, host: number): string {
  return racksOf(parts, host)
    .map((rack) => parts.topology.rackNames[rack])
    .join(", ");
}

/**
 * Room for every slot of the host's racks to be reported, or commanded, in every slice of a lookahead: so the master,
 * which is never further ahead of a host, never waits for room. Attempts in stages have more to say: their ends and how
 * far they are, also while they commit, and the rates of reads between racks, on every tick from both ends. Of light
 * ones a host may miss more slices, but no slot is launched, told of its maps and killed more than once before it reports.
 */
function allocateRings({ scenario, topology, grid, ...parts }: ThreadDriverParts, host: number): [Ring, Ring] {
  const { rackSlotStart } = topology;
  let slots = 0;
  parts.hostOfRack.forEach((of, rack) => {
    if (of === host) slots += rackSlotStart[rack + 1] - rackSlotStart[rack];
  });
  const { perLookahead } = grid;
  if (!needsStages(rackModelOf(scenario))) {
    const frames = MOST_WAITING + perLookahead;
    const commands = Ring.allocate(frames, Math.ceil((3 * slots * MAX_COMMAND_BYTES) / MOST_WAITING));
    return [Ring.allocate(frames, Math.ceil((3 * slots * REPORT_BYTES) / MOST_WAITING)), commands];
  }
  const rates = 2 * (Math.ceil(grid.lookaheadUs / scenario.cluster.network.settleUs) + 1);
  return [
    Ring.allocate(perLookahead, slots * REPORT_BYTES * (4 + rates)),
    Ring.allocate(perLookahead, slots * MAX_COMMAND_BYTES * (2 + rates)),
  ];
}
