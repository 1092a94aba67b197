import { setImmediate as nextTurn } from "node:timers/promises";
import type { Piscina } from "piscina";
import { driveByFrames, driveInline, Pacer } from "../actors/inline-driver.js";
import { MasterActor } from "../actors/master-actor.js";
import { buildRacks, RackHost } from "../actors/rack-host.js";
import type { FaultInjection } from "../actors/rack-thread.js";
import { type Recovery, ReportTally } from "../actors/recovery.js";
import type { ThreadDriverParts } from "../actors/thread-driver.js";
import { lookaheadUs, needsStages, rackModelOf } from "../core/cluster/rack.js";
import { buildTopology, type Topology } from "../core/cluster/topology.js";
import { SliceGrid } from "../core/kernel/slices.js";
import type { Recorder } from "../core/metrics/recorder.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { BuildKind } from "../core/scheduler/scheduler.js";
import type { Workload } from "../core/workload/job.js";
import type { Progress } from "./run.js";

/** One simulation on a chosen number of rack threads; 0: all actors on the calling thread. */
interface SimulationOptions {
  readonly threads: number;
  readonly recordTasks: boolean;
  readonly slices: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Threads that are to die, for tests of what happens then. */
  readonly faultInjections?: readonly FaultInjection[] | undefined;
  /** Rack threads that die are replaced, and this is told; undefined: the first death ends the run. */
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined;
  /** Inline, frames go between the actors as they do between threads: for tests, and it costs time. */
  readonly framed?: boolean | undefined;
  /** Rack threads that earlier runs have left, for this one and the next; undefined: a run starts and ends its own. For tests of many runs. */
  readonly idleThreads?: Piscina[] | undefined;
  /** Drives the actors in place of threads: for tests of the orders in which threads may do things. */
  readonly drive?: ((actors: DrivenActors) => Promise<void>) | undefined;
  /** How the scheduler is composed; undefined: it is one of the built-in kinds. */
  readonly build?: BuildKind | undefined;
}

/** A master, and what its racks are to be built of and dealt out by. */
type DrivenActors = Omit<ThreadDriverParts, "faultInjections" | "recover" | "idle">;

/** A finished simulation, still in the words of its actors. */
export interface Simulation {
  readonly topology: Topology;
  readonly master: MasterActor;
  /** Virtual time at which it stopped. */
  readonly stoppedUs: number;
  readonly allEnded: boolean;
  /** Not all has ended, and no node is left that could do the rest. */
  readonly noNodesLeft: boolean;
  /** Rack threads that were replaced, and what was kept for that; zeros where nobody asked for it. */
  readonly recoveries: number;
  readonly commandLogBytes: number;
}

/** Runs the actors to the end of the scenario. The placement decides only how long that takes. */
export async function simulate(
  scenario: Scenario,
  workload: Workload,
  options: SimulationOptions,
): Promise<Simulation> {
  options.signal?.throwIfAborted();
  const topology = buildTopology(scenario.cluster);
  await pause(options.signal);
  const grid = new SliceGrid(lookaheadUs(scenario.cluster, scenario.runtime, topology), options.slices);
  const hosts = Math.max(1, Math.min(options.threads, topology.racks));
  const hostOfRack = dealRacks(topology.racks, hosts);
  const { recordTasks, build } = options;
  const inline = options.threads === 0 ? await hostOfAll(scenario, topology, grid) : null;
  await pause(options.signal);
  const commandsOf = inline === null || options.framed === true ? undefined : inline.commandsOf;
  const { onRecovery } = options;
  const tallies = onRecovery === undefined ? undefined : Array.from({ length: hosts }, () => new ReportTally());
  const master = new MasterActor({
    ...{ scenario, workload, topology, grid, hostOfRack, hosts, recordTasks, build, commandsOf, tallies },
  });
  await pause(options.signal);
  const report = (virtualUs: number): void => {
    const { recorder, stuck } = master.master;
    options.onProgress?.({
      ...stuck.standstill(virtualUs),
      virtualUs: Math.min(virtualUs, scenario.run.untilUs),
      untilUs: scenario.run.untilUs,
      jobsEnded: recorder.jobsEnded,
      jobsTotal: workload.jobs.length,
      tasksEnded: recorder.tasksEnded[0] + recorder.tasksEnded[1],
    });
  };
  const pacer = new Pacer(report, options.signal);
  let recoveries = 0;
  let commandLogBytes = 0;
  if (inline !== null) {
    await (commandsOf === undefined ? driveByFrames : driveInline)(master, inline, grid, pacer);
  } else if (options.drive !== undefined) {
    await options.drive({ scenario, topology, grid, hostOfRack, hosts, master, pacer });
  } else {
    const { faultInjections = [] } = options;
    const count = (recovery: Recovery): void => {
      recoveries++;
      onRecovery?.(recovery);
    };
    const recover = tallies === undefined ? null : { tallies, onRecovery: count };
    const { driveThreads } = await import("../actors/thread-driver.js");
    const idle = options.idleThreads;
    const parts = { scenario, topology, grid, hostOfRack, hosts, master, pacer, faultInjections, recover, idle };
    commandLogBytes = await driveThreads(parts);
  }
  const allEnded = master.master.allEnded;
  const noNodesLeft = !allEnded && master.haltedUs < Infinity && master.master.stuck.found === null;
  const stoppedUs = allEnded ? lastEndUs(master.master.recorder) : Math.min(master.haltedUs, scenario.run.untilUs);
  master.master.recorder.close(stoppedUs);
  return { topology, master, stoppedUs, allEnded, noNodesLeft, recoveries, commandLogBytes };
}

/** When the last job so far ended or was refused, virtual time. */
function lastEndUs({ endUs, lastRefusalUs }: Recorder): number {
  return endUs.reduce((latest, atUs) => Math.max(latest, atUs), lastRefusalUs);
}

/** Serves signals that have come meanwhile: with millions of jobs or nodes each stage takes a while in which nobody listens. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** One host of all racks, for this thread. */
async function hostOfAll(scenario: Scenario, topology: Topology, grid: SliceGrid): Promise<RackHost> {
  const model = rackModelOf(scenario);
  const all = Array.from({ length: topology.racks }, (_, rack) => rack);
  return new RackHost(topology, await buildRacks(needsStages(model), { ...model, topology }, all), grid);
}

/** Which host (thread) runs each rack: rack r on host r mod hosts, so that hosts differ by one rack at most. */
export function dealRacks(racks: number, hosts: number): Int32Array {
  return Int32Array.from({ length: racks }, (_, rack) => rack % hosts);
}
