import { Beats } from "../cluster/beats.js";
import { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/commands.js";
import { maySilence } from "../cluster/faults/fault-timeline.js";
import { AllLiving, livingPlacement, type LivingNodes } from "../cluster/faults/living-placement.js";
import { placementOf, type PlaceBlock } from "../cluster/placement.js";
import type { Topology } from "../cluster/topology.js";
import type { JobTable } from "../jobs/job-table.js";
import { seedWord } from "../kernel/hash.js";
import { StorageUse } from "../metrics/storage-use.js";
import type { Scenario } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";
import { Absences } from "./absences.js";
import { LostReplicas } from "./lost-replicas.js";
import { MapOutputs } from "./map-outputs.js";
import { OrderedReplicas } from "./ordered-replicas.js";
import { ReplicaTraffic } from "./replica-traffic.js";
import { Rereplication } from "./rereplication.js";

export interface StorageParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly commandsOf: CommandsOf;
  readonly nowUs: () => number;
  /** The node has room for so many blocks more than it has and gets now. Asked only where replication changes. */
  readonly hasRoom: (node: number, blocks: number) => boolean;
}

/** What is on which node, and what must be known to do without a node. */
export interface Storage {
  readonly store: BlockStore;
  /** null: no node can be lost. */
  readonly records: LossRecords | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
}

export interface LossRecords {
  readonly absences: Absences;
  readonly outputs: MapOutputs;
  readonly replicas: LostReplicas;
}

export function buildStorage(parts: StorageParts): Storage {
  const { scenario, workload, topology, jobs } = parts;
  const { cluster, faults, run, runtime, storage } = scenario;
  const { replication } = storage;
  const sizes = workload.files.map((file) => file.blocks);
  const placed = placementOf(storage, topology, sizes, run.seed);
  const storeOf = (place: PlaceBlock): BlockStore => new BlockStore(sizes, topology, place, replication);
  if (!maySilence(faults)) {
    const store = storeOf(placed);
    if (storage.dynamicReplication === undefined) return { store, records: null, traffic: null };
    return { store, records: null, traffic: trafficOf(parts, store, new AllLiving(topology)) };
  }
  const beats = new Beats(topology, cluster, run.seed);
  const absences = new Absences(topology, beats, runtime.attempts.trackerExpiryUs);
  const lost = (block: number, node: number): void => {
    replicas.add(block, node);
  };
  const store = storeOf(livingPlacement(placed, topology, seedWord(run.seed, "lost replicas"), absences, lost));
  const traffic = trafficOf(parts, store, absences);
  const { copies, ordered } = traffic;
  const onLost = ordered === null ? undefined : (node: number): void => ordered.nodeLost(node);
  const replicas = new LostReplicas({ store, nodes: absences, copies, onLost });
  return { store, records: { absences, outputs: new MapOutputs(jobs), replicas }, traffic };
}

/** What makes replicas, and what takes them away where replication changes. */
function trafficOf(parts: StorageParts, store: BlockStore, nodes: LivingNodes): ReplicaTraffic {
  const { topology, commandsOf, nowUs } = parts;
  const { replication, blockBytes, dynamicReplication } = parts.scenario.storage;
  const known = { topology, store, nodes, replication, blockBytes, commandsOf };
  if (dynamicReplication === undefined) return new ReplicaTraffic(new Rereplication(known), null);
  const { hasRoom } = parts;
  const copies = new Rereplication({ ...known, hasRoom });
  const use = new StorageUse(store, Math.min(replication, topology.nodes), nowUs);
  return new ReplicaTraffic(copies, new OrderedReplicas({ ...known, copies, use, hasRoom }));
}
