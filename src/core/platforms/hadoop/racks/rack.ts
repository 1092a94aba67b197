import { assert, US_PER_SECOND } from "../../../kernel/index.js";
import {
  type ClusterSpec,
  type FaultsSpec,
  type RuntimeSpec,
  mayNeedFiles,
  type Scenario,
} from "../../../scenario/index.js";
import type { CommandSink, ReportSink } from "./protocol.js";
import { mayFault, type Topology } from "../../../cluster/index.js";
import { shortestGapUs } from "./heartbeats.js";
import type { DueEnds } from "./heartbeat-calendar.js";

/**
 * The rack as the actors see it: its interface, the part of a scenario that it is a function of, and its promise, the
 * lookahead.
 */

/**
 * The model of the nodes of one rack actor, or of several that share a calendar: commands in, reports out, in virtual
 * time.
 */
export interface Rack {
  readonly racks: readonly number[];
  /**
   * Asked for heartbeats to come, it tells what holds unless an attempt is killed before; else only calls for the past
   * may be made.
   */
  readonly predicts: boolean;
  /**
   * From now on an end before `untilUs` is reported when the command comes that makes it certain, and not again when it
   * is due. Only of racks that predict.
   */
  predict?(sink: ReportSink, untilUs: number): void;
  readonly commands: CommandSink;
  /** Its ends for a master on the same thread, if they can be polled as they fall due. */
  readonly dueEnds?: DueEnds;
  /** The rack's promise: it reports nothing before this, unless a command comes. Infinity for nothing at all. */
  nextReportUs(): number;
  /** Reports everything before `untilUs`: in order of heartbeat, then end, then place. Calls come in order of time. */
  reportUntil(untilUs: number, sink: ReportSink): void;
}

/** The part of a scenario that decides how racks behave: a rack is a function of it and of its commands. */
export interface RackModel {
  /** The racks themselves are in the topology, which threads share. */
  readonly cluster: Omit<ClusterSpec, "racks">;
  readonly nominal: NominalNode;
  readonly runtime: RuntimeSpec;
  readonly faults: FaultsSpec;
  /** Replicas are made although no node can be lost. */
  readonly makesReplicas: boolean;
  /** Tasks may have to wait for files that they need. */
  readonly fetchesFiles: boolean;
  /** Root of every random draw. */
  readonly seed: string;
}

export interface RackParts extends RackModel {
  readonly topology: Topology;
  readonly rack: number;
}

export function rackModelOf(scenario: Scenario): RackModel {
  const { storage, runtime, faults, run } = scenario;
  const { racks, ...cluster } = scenario.cluster;
  return {
    cluster,
    nominal: nominalNode({ racks }),
    runtime,
    faults,
    seed: run.seed,
    makesReplicas: storage.dynamicReplication !== undefined,
    fetchesFiles: mayNeedFiles(scenario),
  };
}

/** The scenario asks for something that only racks which simulate attempts in stages can do. */
export function needsStages(scenario: Scenario): boolean {
  const { cluster, storage, runtime, faults } = scenario;
  const { model, commit, setupTasks, speculation, copyCompute } = runtime;
  if (model === "detailed" || commit !== null || setupTasks || speculation !== null) return true;
  if (copyCompute !== null || storage.dynamicReplication !== undefined || mayNeedFiles(scenario)) return true;
  if (mayGoWrong(faults) || faults.stragglers > 0) return true;
  if (cluster.heartbeatJitter > 0 || cluster.outOfBandDelayUs > 0) return true;
  if (runtime.attempts.mapMemoryBytes > 0 || runtime.attempts.reduceMemoryBytes > 0) return true;
  return cluster.racks.some(({ nodes }) =>
    nodes.some((node) => node.loadLimit < Infinity || node.diskBytes < Infinity),
  );
}

/** A launched task may have to run again: attempts may fail, nodes and racks may be lost. */
export function mayGoWrong(faults: FaultsSpec): boolean {
  return mayFault(faults) || faults.mapFailure > 0 || faults.reduceFailure > 0;
}

/**
 * The promise of every rack, stated here and nowhere else: what the reply to a heartbeat at `t` causes is reported at
 * `t + lookaheadUs` or later. It is the least of
 *
 * - the shortest time between two regular heartbeats of a node, for such a heartbeat reports it at the earliest;
 * - the delay of out-of-band heartbeats, where there are any, for one comes so long after the end that it reports;
 * - in the detailed model, half the start-up of an attempt: a rack tells others of a transfer when the start-up is half
 *   over, and they need as long to answer.
 */
export function lookaheadUs(
  cluster: Pick<ClusterSpec, "heartbeatJitter" | "outOfBandDelayUs">,
  runtime: Pick<RuntimeSpec, "model" | "io">,
  topology: Pick<Topology, "heartbeatUs">,
): number {
  let us = shortestGapUs(topology, cluster);
  if (cluster.outOfBandDelayUs > 0) us = Math.min(us, cluster.outOfBandDelayUs);
  if (runtime.model === "detailed") us = Math.min(us, Math.floor(runtime.io.taskStartUs / 2));
  assert(us >= 1, "the lookahead is less than a microsecond");
  return us;
}

/**
 * The further promise of light racks for an attempt, from its launch command: it does not end sooner. So code that runs
 * them may receive the launch later.
 */
export class SoonestEnds {
  private readonly leastFactor: number;
  private readonly greatestSpeed: number;
  /** By slot: how long a reduce that waits for its maps runs at least after their end. */
  private readonly afterMapsUs: Float64Array;

  constructor(
    { localityFactor }: Pick<RuntimeSpec, "localityFactor">,
    { speed, rackSlotStart, racks }: Pick<Topology, "speed" | "rackSlotStart" | "racks">,
  ) {
    const { node, rack, row, any } = localityFactor;
    this.leastFactor = Math.min(node, rack, row, any);
    this.greatestSpeed = speed.reduce((greatest, factor) => Math.max(greatest, factor), 0);
    this.afterMapsUs = new Float64Array(rackSlotStart[racks]);
  }

  /** The soonest end of a map launched at `atUs`. */
  ofMapUs(atUs: number, lengthUs: number): number {
    return atUs + Math.floor((lengthUs * this.leastFactor) / this.greatestSpeed);
  }

  /**
   * The soonest end of a reduce launched at `atUs`; Infinity where it must first be notified that its maps are done.
   */
  ofReduceUs(atUs: number, slot: number, copyUs: number, reduceUs: number, mapsDone: boolean): number {
    const leastUs = Math.floor(reduceUs / this.greatestSpeed);
    if (mapsDone) return atUs + copyUs + leastUs;
    this.afterMapsUs[slot] = leastUs;
    return Infinity;
  }

  /**
   * The soonest end of the reduce that was launched last in the slot, and is notified at `atUs` that its maps have
   * ended.
   */
  afterMaps(atUs: number, slot: number): number {
    return atUs + this.afterMapsUs[slot];
  }
}

/**
 * The node that given task times are meant for: the first group of the first rack. Alone on it, with its block there, a
 * task of the detailed model takes exactly the time that it was given, unless start-up and transfers alone take longer.
 */
export interface NominalNode {
  readonly diskBytesPerSecond: number;
  readonly linkBytesPerSecond: number;
}

export function nominalNode({ racks }: Pick<ClusterSpec, "racks">): NominalNode {
  return racks[0].nodes[0];
}

/** Time to move bytes over one disk alone; 0 over a disk without limit. */
export function diskUs(bytes: number, { diskBytesPerSecond }: NominalNode): number {
  return (bytes / diskBytesPerSecond) * US_PER_SECOND;
}
