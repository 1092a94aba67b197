import { setImmediate as nextTurn } from "node:timers/promises";
import {
  driveByFrames,
  driveInline,
  Pacer,
  MasterActor,
  OWN_THREAD,
  buildRacks,
  RackHost,
  type FaultInjection,
  type Recovery,
  ReportTally,
  type OneThread,
  type ThreadDriverParts,
} from "../actors/index.js";
import {
  type CommandSink,
  lookaheadUs,
  needsStages,
  rackModelOf,
  type Recorder,
  type BuildKind,
} from "../core/platforms/hadoop/index.js";
import { buildTopology, type Topology } from "../core/cluster/index.js";
import { SliceGrid } from "../core/kernel/index.js";
import type { Scenario } from "../core/scenario/index.js";
import type { Workload } from "../core/workload/index.js";
import type { Progress } from "./run.js";

/** One simulation on a chosen number of rack threads, beside the calling one; 0: all actors on the calling thread. */
interface SimulationOptions {
  /** The scenario's cluster, if it was built before. */
  readonly topology?: Topology | undefined;
  readonly threads: number;
  /** Racks that stay on the master's own thread beside rack threads, which have at least one each. Default: none. */
  readonly ownRacks?: number | undefined;
  readonly recordTasks: boolean;
  readonly slices: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Deaths of threads, injected by tests. */
  readonly faultInjections?: readonly FaultInjection[] | undefined;
  /** Called when a rack thread that died is replaced; undefined: the first death ends the run. */
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined;
  /** Inline, frames go between the actors as they do between threads: for tests, and it costs time. */
  readonly framed?: boolean | undefined;
  /**
   * Rack threads that earlier runs have left, for this one and the next; undefined: a run starts and ends its own. For
   * many runs.
   */
  readonly idleThreads?: OneThread[] | undefined;
  /** Drives the actors in place of threads: for tests of the orders in which threads may do things. */
  readonly drive?: ((actors: DrivenActors) => Promise<void>) | undefined;
  /** Composes the scheduler; undefined: it is one of the built-in kinds. */
  readonly build?: BuildKind | undefined;
}

/** A master, and what its racks are to be built of and dealt out by. */
type DrivenActors = Omit<ThreadDriverParts, "faultInjections" | "recover" | "idle">;

/** A finished simulation, still in the words of its actors. */
export interface ActorsRun {
  readonly topology: Topology;
  readonly master: MasterActor;
  /** Virtual time at which it stopped. */
  readonly stoppedUs: number;
  readonly allEnded: boolean;
  /** Not all has ended, and no node is left that could do the rest. */
  readonly noNodesLeft: boolean;
  /** Rack threads that were replaced, and the memory kept for that; zeros without recovery. */
  readonly recoveries: number;
  readonly commandLogBytes: number;
}

/** Runs the actors to the end of the scenario. The placement decides only how long that takes. */
export async function simulate(scenario: Scenario, workload: Workload, options: SimulationOptions): Promise<ActorsRun> {
  options.signal?.throwIfAborted();
  const topology = options.topology ?? buildTopology(scenario.cluster);
  await pause(options.signal);
  const { recordTasks, build, framed = false } = options;
  const isInline = options.threads === 0;
  // A master that polls light racks for due ends never waits: slices would only cut rounds in two.
  const isCut = !isInline || framed || needsStages(scenario);
  const grid = new SliceGrid(lookaheadUs(scenario.cluster, scenario.runtime, topology), isCut ? options.slices : 1);
  const hosts = isInline ? (framed ? 1 : 0) : Math.min(options.threads, topology.racks);
  const hostOfRack = dealRacks(topology.racks, hosts, isInline ? 0 : (options.ownRacks ?? 0));
  const localHost = await hostHere(scenario, topology, grid, hostOfRack, isInline && framed ? 0 : OWN_THREAD);
  await pause(options.signal);
  const askedHost = framed || localHost === null ? null : localHost.polledRack;
  const slicewise = askedHost === null ? localHost : null;
  const commandsOf = framed
    ? undefined
    : askedHost === null
      ? localHost?.commandsOf
      : (): CommandSink => askedHost.commands;
  const dueEnds = askedHost?.dueEnds;
  const { onRecovery } = options;
  const tallies = onRecovery === undefined ? undefined : Array.from({ length: hosts }, () => new ReportTally());
  const master = new MasterActor({
    scenario,
    workload,
    topology,
    grid,
    hostOfRack,
    hosts,
    recordTasks,
    build,
    commandsOf,
    dueEnds,
    tallies,
  });
  await pause(options.signal);
  const report = (virtualUs: number): void => {
    const { recorder, stuck } = master.master.parts;
    options.onProgress?.({
      ...stuck.standstill(virtualUs),
      virtualUs: Math.min(virtualUs, scenario.run.untilUs),
      untilUs: scenario.run.untilUs,
      jobsEnded: recorder.jobsEnded,
      jobsTotal: workload.jobs.length,
      lastSubmitUs: workload.jobs.at(-1)?.submitAtUs ?? 0,
      tasksEnded: recorder.tasksEnded[0] + recorder.tasksEnded[1],
    });
  };
  const pacer = new Pacer(report, options.signal);
  let recoveries = 0;
  let commandLogBytes = 0;
  if (isInline) {
    if (framed && localHost !== null) await driveByFrames(master, localHost, grid, pacer);
    else await driveInline(master, slicewise, grid, pacer);
  } else if (options.drive !== undefined) {
    await options.drive({ scenario, topology, grid, hostOfRack, hosts, ownHost: slicewise, master, pacer });
  } else {
    const { faultInjections = [] } = options;
    const count = (recovery: Recovery): void => {
      recoveries++;
      onRecovery?.(recovery);
    };
    const recover = tallies === undefined ? null : { tallies, onRecovery: count };
    const { driveThreads } = await import("../actors/thread-driver.js");
    const idle = options.idleThreads;
    const racks = { scenario, topology, grid, hostOfRack, hosts, ownHost: slicewise };
    const parts = { ...racks, master, pacer, faultInjections, recover, idle };
    commandLogBytes = await driveThreads(parts);
  }
  const allEnded = master.master.allEnded;
  const noNodesLeft = !allEnded && master.haltedUs < Infinity && master.master.parts.stuck.diagnosis === null;
  const stoppedUs = allEnded ? lastEndUs(master.master.recorder) : Math.min(master.haltedUs, scenario.run.untilUs);
  master.master.recorder.close(stoppedUs);
  return { topology, master, stoppedUs, allEnded, noNodesLeft, recoveries, commandLogBytes };
}

/** When the last job so far ended or was refused, virtual time. */
function lastEndUs({ endUs, lastRefusalUs }: Recorder): number {
  return endUs.reduce((latest, atUs) => Math.max(latest, atUs), lastRefusalUs);
}

/**
 * Serves signals that have come meanwhile: with millions of jobs or nodes each stage takes a while in which none is
 * served.
 */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** The host of those racks that are on this thread; null: there are none. */
async function hostHere(
  scenario: Scenario,
  topology: Topology,
  grid: SliceGrid,
  hostOfRack: Int32Array,
  host: number,
): Promise<RackHost | null> {
  const racks = [...hostOfRack.keys()].filter((rack) => hostOfRack[rack] === host);
  if (racks.length === 0) return null;
  const model = rackModelOf(scenario);
  return new RackHost(topology, await buildRacks(needsStages(scenario), { ...model, topology }, racks), grid);
}

/**
 * Which host (thread) runs each rack: the last `ownRacks` stay on the master's thread, or as many as leave one for each
 * host. Of the others rack r is on host r mod hosts, so that hosts differ by one rack at most.
 */
export function dealRacks(racks: number, hosts: number, ownRacks = 0): Int32Array {
  const dealt = Math.max(hosts, racks - ownRacks);
  return Int32Array.from({ length: racks }, (_, rack) => (hosts > 0 && rack < dealt ? rack % hosts : OWN_THREAD));
}
