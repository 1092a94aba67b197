import { mayNeedFiles } from "../scenario/needs-files.js";
import type { ClusterSpec } from "../scenario/cluster-spec.js";
import type { FaultsSpec } from "../scenario/faults-spec.js";
import type { RuntimeSpec } from "../scenario/runtime-spec.js";
import type { Scenario } from "../scenario/scenario.js";
import { mayStrike } from "./faults/fault-timeline.js";
import type { Topology } from "./topology.js";

/** As much of a scenario as says how racks behave; everything that a rack is a function of, with its commands. */
export interface RackModel {
  readonly cluster: ClusterSpec;
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
  const { cluster, storage, runtime, faults, run } = scenario;
  const makesReplicas = storage.dynamicReplication !== undefined;
  return { cluster, runtime, faults, makesReplicas, fetchesFiles: mayNeedFiles(scenario), seed: run.seed };
}

/** The scenario asks for something that only racks which simulate attempts in stages can do. */
export function needsStages({
  cluster,
  runtime,
  faults,
  makesReplicas,
  fetchesFiles,
}: Omit<RackModel, "seed">): boolean {
  const { model, commit, setupTasks, speculation, copyCompute } = runtime;
  if (model === "detailed" || commit !== null || setupTasks || speculation !== null) return true;
  if (copyCompute !== null || makesReplicas || fetchesFiles) return true;
  if (mayGoWrong(faults) || faults.stragglers > 0) return true;
  if (cluster.heartbeatJitter > 0 || cluster.outOfBandDelayUs > 0) return true;
  if (runtime.attempts.mapMemoryBytes > 0 || runtime.attempts.reduceMemoryBytes > 0) return true;
  return cluster.racks.some(({ nodes }) => nodes.some((of) => of.loadLimit < Infinity || of.diskBytes < Infinity));
}

/** What was launched may have to run again: attempts may fail, nodes and racks may be lost. */
export function mayGoWrong(faults: FaultsSpec): boolean {
  return mayStrike(faults) || faults.mapFailure > 0 || faults.reduceFailure > 0;
}
