import { Beats } from "../cluster/beats.js";
import { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/commands.js";
import { maySilence } from "../cluster/faults/fault-timeline.js";
import { livingPlacement } from "../cluster/faults/living-placement.js";
import { placementOf, type PlaceBlock } from "../cluster/placement.js";
import type { Topology } from "../cluster/topology.js";
import type { JobTable } from "../jobs/job-table.js";
import { seedWord } from "../kernel/hash.js";
import type { Scenario } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";
import { Absences } from "./absences.js";
import { LostReplicas } from "./lost-replicas.js";
import { MapOutputs } from "./map-outputs.js";
import { Rereplication } from "./rereplication.js";

export interface StorageParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly commandsOf: CommandsOf;
}

/** What is on which node, and what must be known to do without a node. */
export interface Storage {
  readonly store: BlockStore;
  /** null: no node can be lost. */
  readonly records: LossRecords | null;
}

export interface LossRecords {
  readonly absences: Absences;
  readonly outputs: MapOutputs;
  readonly replicas: LostReplicas;
}

export function buildStorage({ scenario, workload, topology, jobs, commandsOf }: StorageParts): Storage {
  const { cluster, faults, run, runtime, storage } = scenario;
  const { replication, blockBytes } = storage;
  const sizes = workload.files.map((file) => file.blocks);
  const placed = placementOf(storage, topology, sizes, run.seed);
  const storeOf = (place: PlaceBlock): BlockStore => new BlockStore(sizes, topology, place, replication);
  if (!maySilence(faults)) return { store: storeOf(placed), records: null };
  const beats = new Beats(topology, cluster, run.seed);
  const absences = new Absences(topology, beats, runtime.attempts.trackerExpiryUs);
  const lost = (block: number, node: number): void => {
    replicas.add(block, node);
  };
  const store = storeOf(livingPlacement(placed, topology, seedWord(run.seed, "lost replicas"), absences, lost));
  const nodes = absences;
  const copies = new Rereplication({ topology, store, nodes, replication, blockBytes, commandsOf });
  const replicas = new LostReplicas({ store, nodes, replication, copies });
  return { store, records: { absences, outputs: new MapOutputs(jobs), replicas } };
}
