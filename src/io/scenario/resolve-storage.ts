import type { StorageSpec, WorkloadSpec } from "../../core/scenario/scenario.js";
import type { DataSetSpec } from "../../core/scenario/uneven-load-spec.js";
import { resolveReplication } from "./resolve-replication.js";
import type { ScenarioFile } from "./scenario-schema.js";

const DEFAULT_REPLICATION = 3;
const DEFAULT_NODES_PER_FILE = 10;

/**
 * Where data lies, on a cluster of so many nodes.
 * @param kind of the workload that reads it.
 * @param notes receives what was cut down, and which settings nobody looks at.
 */
export function resolveStorage(
  file: ScenarioFile["storage"],
  kind: WorkloadSpec["kind"],
  nodes: number,
  notes: string[],
): StorageSpec {
  const { blockSize, placement, rereadProbability, hotSpots, dataSet, cachedFiles, dynamicReplication } = file;
  const replication = replicasOf(file, nodes);
  if (file.replication === undefined && replication < DEFAULT_REPLICATION) {
    notes.push(`storage.replication is ${String(replication)}: one replica per node`);
  }
  if (file.nodesPerFile !== undefined && placement !== "correlated") {
    notes.push(`storage.nodesPerFile has no effect on ${placement} placement`);
  }
  if (dataSet !== "off" && kind !== "facebook" && kind !== "benchmark") {
    notes.push(`storage.dataSet has no effect: a workload of kind ${kind} says itself what its jobs read`);
  }
  if (hotSpots !== "off" && kind !== "facebook" && kind !== "benchmark") {
    notes.push(`storage.hotSpots has no effect: a workload of kind ${kind} says itself what its jobs read`);
  }
  if (cachedFiles !== "off" && kind !== "facebook" && kind !== "benchmark") {
    notes.push(`storage.cachedFiles has no effect: a workload of kind ${kind} says itself what its jobs need`);
  }
  return {
    blockBytes: blockSize,
    replication,
    placement,
    nodesPerFile: file.nodesPerFile ?? Math.max(replication, Math.min(DEFAULT_NODES_PER_FILE, nodes)),
    rereadProbability,
    hotSpots:
      hotSpots === "off"
        ? undefined
        : { share: hotSpots.share, files: hotSpots.files, skew: hotSpots.skew, redrawUs: hotSpots.redraw },
    cachedFiles:
      cachedFiles === "off"
        ? undefined
        : { share: cachedFiles.share, files: cachedFiles.files, bytes: cachedFiles.size },
    nodeCacheBytes: file.nodeCache,
    dynamicReplication: resolveReplication(dynamicReplication),
    dataSet: dataSet === "off" ? undefined : resolveDataSet(dataSet, blockSize),
  };
}

function resolveDataSet(
  { size, hotShare, readHot, redraw }: Exclude<ScenarioFile["storage"]["dataSet"], "off">,
  blockSize: number,
): DataSetSpec {
  return { blocks: Math.ceil(size / blockSize), hotShare, readHot, redrawUs: redraw };
}

/** How many replicas each block has, said or not. */
export function replicasOf(file: ScenarioFile["storage"], nodes: number): number {
  return file.replication ?? Math.min(DEFAULT_REPLICATION, nodes);
}
