import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { needsStages, rackModelOf } from "../core/platforms/hadoop/index.js";
import { sharedTopology, type Topology } from "../core/cluster/index.js";
import type { SliceGrid } from "../core/kernel/index.js";
import type { Scenario } from "../core/scenario/index.js";
import { MAX_COMMAND_BYTES, REPORT_WORDS, ReportWriter } from "../messages/index.js";
import { EVENTS_PER_LOOK, type Pacer, processRest } from "./inline-driver.js";
import type { MasterActor } from "./master-actor.js";
import { RackFailure, type RackHost } from "./rack-host.js";
import type { RackDeath, RackThreadTask, FaultInjection } from "./rack-thread.js";
import { CommandLog, Recoveries, type RecoverParts, type Replay } from "./recovery.js";
import { threadEnv } from "./thread-env.js";
import { ControlWords, FARTHEST, MOST_WAITING, Ring, ThreadLink } from "./thread-link.js";

/** Slices that a grant may reach ahead: bounds what rings must hold. */
const LONGEST_GRANT = 4096;
const WAIT_MS = 40;
/**
 * Number of slices by which commands are sent before they can show, so that the host has reported what the master needs
 * by the time it gets there. On facebook-day with a thread per rack the master waits 14,250, 11,110 or 8,860 times with
 * 1, 2 or 4, and threads are woken 123,000, 137,000 or 156,000 times.
 */
const AHEAD = 2;

export interface ThreadDriverParts extends RackThreadsParts {
  readonly master: MasterActor;
  /** The racks that stay on this thread and report slice by slice; null: there are none. */
  readonly ownHost: RackHost | null;
}

/**
 * Drives the master on this thread, with racks of its own if it has any, and the others on `hosts` piscina threads, by
 * conservative windows: rule M lets the master handle a slice when every host has done it or promised to be quiet; rule
 * G publishes replies ahead when they are known to be empty. Where recovery is on, a thread that dies is replaced;
 * else, or if that does no good, it rejects with RackFailure. No thread is left behind either way. Resolves to what was
 * kept for recovery, in bytes.
 */
export async function driveThreads(parts: ThreadDriverParts): Promise<number> {
  const threads = new RackThreads(parts);
  const ownRacks = new OwnRacks(parts.ownHost, parts.grid.perLookahead);
  let slice = 0;
  try {
    await threads.start();
    for (; !parts.master.isOver(slice); slice++) {
      if (slice === FARTHEST) throw new RangeError(`more than ${FARTHEST} slices need --threads 0`);
      await runSlice(parts, threads, ownRacks, slice);
    }
  } finally {
    await threads.stop();
  }
  threads.throwIfDead(slice);
  return threads.links.reduce((bytes, { log }) => bytes + (log?.bytes ?? 0), 0);
}

async function runSlice(
  parts: ThreadDriverParts,
  threads: RackThreads,
  ownRacks: OwnRacks,
  slice: number,
): Promise<void> {
  const { master, grid, pacer } = parts;
  const { links, control } = threads;
  for (;;) {
    const late: number[] = [];
    for (const link of links) if (!link.hasReached(slice)) late.push(link.host);
    for (const link of links) takeAll(master, link, slice);
    if (late.length === 0) break;
    if (ownRacks.computeNext(slice + grid.perLookahead)) continue;
    if (late.every((host) => control.isReady(host))) {
      control.awaitHosts(late, (host) => links[host].hasReached(slice), WAIT_MS);
    } else await sleep(1);
    if (pacer.isDue()) {
      await pacer.pause(grid.startUs(slice));
      await threads.mend(slice);
    }
  }
  ownRacks.reportTo(master, slice);
  if (!master.process(slice, EVENTS_PER_LOOK)) await processRest(master, slice, grid, pacer);
  ownRacks.applyCommands();
  const granted = Math.min(master.idleUntilSlice(), slice + 1 + LONGEST_GRANT);
  const published = Math.max(control.published, slice + 1, granted);
  const heldFrom = Math.max(published + grid.perLookahead, slice + 1 + AHEAD);
  for (const link of links) {
    const showsFrom = master.showsFrom(link.host, slice);
    if (showsFrom >= heldFrom) continue;
    const frame = master.commandsFor(link.host);
    if (frame === null) continue;
    link.send(frame, slice, showsFrom);
    if (threads.begin(link.host) && pacer.isDue()) await pacer.pause(grid.startUs(slice));
  }
  control.publish(published);
  for (const link of links) link.wakeIfWanted();
  if (pacer.isDue()) {
    await pacer.pause(grid.startUs(slice + 1));
    await threads.mend(slice + 1);
  }
}

/**
 * The racks of the master's own thread. It computes them while it would wait for others, as far ahead as rule R lets
 * any host, and at the latest when it needs their reports. Commands are calls, and reports go without frames.
 */
export class OwnRacks {
  /** Reports of the slices that are computed and not yet processed: as many as a lookahead has. */
  private readonly reports: ReportWriter[];
  private readonly sliceOf: number[];
  /** All slices below this are computed. */
  private computed = 0;

  constructor(
    private readonly host: RackHost | null,
    perLookahead: number,
  ) {
    this.reports = Array.from({ length: perLookahead }, () => new ReportWriter());
    this.sliceOf = this.reports.map(() => -1);
  }

  /** Computes the next slice that has news, if it is below `end`; false: it is not. */
  computeNext(end: number): boolean {
    // After a command a rack may look for news in what it has computed. There are none, by the lookahead.
    const slice = Math.max(this.computed, this.host?.nextReportSlice() ?? Infinity);
    if (slice >= end) return false;
    const cell = slice % this.reports.length;
    this.host?.collect(slice, this.reports[cell]);
    this.sliceOf[cell] = slice;
    this.computed = slice + 1;
    return true;
  }

  /** Hands the master what these racks report in the slice. */
  reportTo(master: MasterActor, slice: number): void {
    const cell = slice % this.reports.length;
    while (this.computeNext(slice + 1));
    if (this.sliceOf[cell] === slice) master.take(this.reports[cell], slice);
  }

  applyCommands(): void {
    this.host?.applyCommands();
  }
}

function takeAll(master: MasterActor, link: ThreadLink, slice: number): void {
  for (;;) {
    const frame = link.takeReports(slice, master.hasPredictions);
    if (frame === null) return;
    master.receive(frame, link.host, slice);
    link.releaseReports();
  }
}

/** Threads that leave their loops by themselves need far less. */
const STOP_MS = 500;

/**
 * A pool of one thread, as far as its threads are used here: declarations of the package name no package that needs
 * declarations of Node.
 */
export interface OneThread {
  run(task: RackThreadTask): Promise<unknown>;
  destroy(): Promise<void>;
  on(event: "error" | "workerDestroy", listener: (error: Error) => void): unknown;
  removeAllListeners(event: "error" | "workerDestroy"): OneThread;
}

interface RackThreadsParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  readonly hostOfRack: Int32Array;
  readonly hosts: number;
  readonly pacer: Pacer;
  /** Threads that are to die; for tests. */
  readonly faultInjections: readonly FaultInjection[];
  /** Threads that die are replaced; null: the first death ends the run. */
  readonly recover: RecoverParts | null;
  /**
   * Threads that earlier runs have left, which this one takes and leaves in turn; undefined: it starts and ends its
   * own.
   */
  readonly idle?: OneThread[] | undefined;
}

/** A host whose thread has died. */
interface Death {
  readonly host: number;
  /** Null: the thread could not say. */
  readonly virtualUs: number | null;
  readonly rack: string;
  readonly cause: unknown;
  readonly isFinal: boolean;
}

/**
 * The threads of a run, a host on each, a pool of one thread for each: so that a task always goes to a thread, and the
 * end of that thread to the task. Knows which have died, and has them replaced or ends the run.
 */
class RackThreads {
  readonly control: ControlWords;
  /** By host. */
  readonly links: ThreadLink[] = [];
  private readonly pools: OneThread[] = [];
  private readonly ends: Promise<void>[] = [];
  /** Hosts whose threads have left their loops alive. */
  private readonly exitedHosts = new Set<number>();
  /** Deaths that have not been handled yet. */
  private readonly deaths: Death[] = [];
  private readonly recoveries: Recoveries | null;
  private readonly topology: Topology;
  private readonly isStaged: boolean;
  private readonly spins: boolean;
  private hasStopped = false;

  constructor(private readonly parts: RackThreadsParts) {
    this.spins = parts.hosts < availableParallelism();
    this.control = ControlWords.allocate(parts.hosts, this.spins);
    this.topology = sharedTopology(parts.topology);
    this.isStaged = needsStages(parts.scenario);
    this.recoveries = parts.recover === null ? null : new Recoveries(parts.recover, parts.grid.perLookahead);
    for (let host = 0; host < parts.hosts; host++) {
      this.links.push(this.linkTo(host, parts.recover === null ? null : new CommandLog()));
      if (!this.isStaged) this.control.isQuietAtFirst(host);
    }
  }

  /** Starts the threads that have something to do from the start, and waits for them: light racks have not. */
  async start(): Promise<void> {
    const { hosts, pacer } = this.parts;
    if (!this.isStaged) return;
    // One after the other: starting a thread blocks this one, and many would keep it from hearing an abort.
    for (let host = 0; host < hosts || !this.areReady(); await sleep(1)) {
      if (host < hosts) this.begin(host++);
      pacer.throwIfAborted();
      await this.mend(0);
    }
  }

  /** Starts the thread of a host unless it has one; returns whether it has done so, which takes milliseconds. */
  begin(host: number): boolean {
    if (host in this.pools) return false;
    this.launch(host, null);
    return true;
  }

  /**
   * Replaces the threads that have died, and waits until the new ones are where the old ones were: the master is about
   * to process the slice, or waits for its reports. Rejects with RackFailure if recovery is off, or does not help.
   */
  async mend(slice: number): Promise<void> {
    const replaying = new Set<number>();
    while (this.deaths.length > 0 || replaying.size > 0) {
      for (const death of this.deaths.splice(0)) {
        await this.replace(death, slice);
        replaying.add(death.host);
      }
      await sleep(1);
      this.parts.pacer.throwIfAborted();
      for (const host of replaying) {
        if (!this.control.isReady(host) || this.deaths.some((death) => death.host === host)) continue;
        this.recoveries?.hasEnded(host);
        replaying.delete(host);
      }
    }
  }

  /** Ends all threads. A thread that dies from now on ends as it should. */
  async stop(): Promise<void> {
    this.control.stop(this.parts.hosts);
    await Promise.race([Promise.all(this.ends), sleep(STOP_MS, undefined, { ref: false })]);
    this.hasStopped = true;
    await Promise.all(this.pools.map(async (pool, host) => this.dismiss(pool, host)));
  }

  private async dismiss(pool: OneThread, host: number): Promise<void> {
    const { idle } = this.parts;
    if (idle === undefined || !this.exitedHosts.has(host)) return pool.destroy();
    pool.removeAllListeners("error").removeAllListeners("workerDestroy");
    idle.push(pool);
  }

  /**
   * Throws if a thread died that was not replaced; when the run is over, that matters only where none would have been.
   */
  throwIfDead(slice: number): void {
    if (this.recoveries === null && this.deaths.length > 0) throw this.failureOf(this.deaths[0], slice);
  }

  private areReady(): boolean {
    return this.links.every(({ host }) => this.control.isReady(host));
  }

  private linkTo(host: number, log: CommandLog | null): ThreadLink {
    return new ThreadLink(host, this.control, ...allocateRings(this.parts, host), log);
  }

  /** Starts the thread of a host: the first, or one that replays. */
  private launch(host: number, replay: Replay | null): void {
    const link = this.links[host];
    const pool = this.parts.idle?.pop() ?? poolOfOne();
    this.exitedHosts.delete(host);
    const task = pool.run(this.taskOf(host, link, replay)) as Promise<RackDeath | null>;
    // A pool that could start no thread throws. Ending it would reject a task that is not awaited, so it is kept.
    this.pools[host] = pool;
    const onEnd = (death: RackDeath | null) => {
      if (death === null) this.exitedHosts.add(host);
      else this.note({ host, ...death });
    };
    const onDeath = (cause: unknown) => {
      this.note({ host, virtualUs: null, rack: this.namesOf(host), cause, isFinal: false });
    };
    this.ends[host] = Promise.race([task, endOfThread(pool)]).then(onEnd, onDeath);
  }

  private note(death: Death): void {
    if (!this.hasStopped) this.deaths.push(death);
  }

  /** Puts a new thread in the place of a dead one, whose words and rings have no writer any more. */
  private async replace(death: Death, slice: number): Promise<void> {
    const { host } = death;
    const { recoveries, links, control } = this;
    const failure = this.failureOf(death, slice);
    if (death.isFinal || recoveries?.allows(host, slice) !== true) throw failure;
    recoveries.hasBegun(host, failure, slice);
    await this.pools[host].destroy();
    const { log } = links[host];
    if (log === null) throw failure;
    const untilSlice = this.hasAll(host, slice) ? slice + 1 : slice;
    const reported = recoveries.reportedBy(host);
    control.forget(host);
    links[host] = this.linkTo(host, log);
    this.launch(host, { log: log.logged(), untilSlice, reported });
  }

  /** The master has already taken the reports of the slice, which it has not processed. */
  private hasAll(host: number, slice: number): boolean {
    return this.isStaged && this.links[host].hasTaken(slice);
  }

  private failureOf({ host, rack, virtualUs, cause }: Death, slice: number): RackFailure {
    const replaced = this.recoveries?.deathCount(host) ?? 0;
    return new RackFailure(rack, virtualUs ?? this.parts.grid.startUs(slice), cause, replaced);
  }

  private taskOf(host: number, link: ThreadLink, replay: Replay | null): RackThreadTask {
    const { scenario, faultInjections, hostOfRack, grid } = this.parts;
    const injections = faultInjections.filter(({ rack }) => hostOfRack[rack] === host);
    const injection = injections.at(this.recoveries?.deathCount(host) ?? 0);
    return {
      host,
      racks: this.racksOf(host),
      model: rackModelOf(scenario),
      topology: this.topology,
      isStaged: this.isStaged,
      lookaheadUs: grid.lookaheadUs,
      slicesPerLookahead: grid.perLookahead,
      control: this.control.memory,
      spins: this.spins,
      reports: link.reports.memory,
      commands: link.commands.memory,
      replay,
      injectedFault: injection === undefined ? null : injection.how,
    };
  }

  private racksOf(host: number): number[] {
    const racks: number[] = [];
    this.parts.hostOfRack.forEach((owner, rack) => {
      if (owner === host) racks.push(rack);
    });
    return racks;
  }

  private namesOf(host: number): string {
    return this.racksOf(host)
      .map((rack) => this.parts.topology.rackNames[rack])
      .join(", ");
  }
}

function poolOfOne(): OneThread {
  return new Piscina({
    filename: fileURLToPath(new URL("./rack-thread.js", import.meta.url)),
    env: threadEnv(),
    // None is started in the place of a dead one only to be ended at once.
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: 24 * 3600 * 1000,
    atomics: "disabled",
    recordTiming: false,
  });
}

/**
 * Rejects when the thread of a pool ends, which rejects a task only if that has reached the thread. A turn later, so
 * that a task is first.
 */
async function endOfThread(pool: OneThread): Promise<never> {
  return new Promise((_, reject) => {
    let cause = new Error("its thread ended before it had begun");
    pool.on("error", (error: Error) => {
      cause = error;
    });
    pool.on("workerDestroy", () => {
      setImmediate(() => {
        reject(cause);
      });
    });
  });
}

const REPORT_BYTES = 4 * REPORT_WORDS;

/**
 * The rings of a host, for reports and for commands, with room for every slot of the host's racks to be reported, or
 * commanded, in every slice of a lookahead: so the master, which is never further ahead of a host, never waits for
 * room. Attempts in stages have more to say: their ends and how far they are, also while they commit, and the rates of
 * reads between racks, on every tick from both ends. Of light ones a host may miss more slices, but no slot is
 * launched, notified of its maps and killed more than once before it reports.
 */
function allocateRings(
  { scenario, topology, grid, hostOfRack }: Pick<RackThreadsParts, "scenario" | "topology" | "grid" | "hostOfRack">,
  host: number,
): [Ring, Ring] {
  const { rackSlotStart } = topology;
  let slots = 0;
  hostOfRack.forEach((owner, rack) => {
    if (owner === host) slots += rackSlotStart[rack + 1] - rackSlotStart[rack];
  });
  const { perLookahead } = grid;
  if (!needsStages(scenario)) {
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
