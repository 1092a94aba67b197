/** Who decides, while a run goes on, that a block is to have more replicas than `storage.replication`, or fewer again. */
export type DynamicReplicationSpec = DsbraSpec | HotSpotReplicationSpec;

export type AveragedBlocks = "all" | "read" | "delayed";

interface AnyReplicationSpec {
  /** The rule looks at the blocks at multiples of it. > 0. */
  readonly everyUs: number;
  /** No block gets more. Infinity: one per node. */
  readonly maxReplicas: number;
}

/**
 * Delay Scheduling Based Replication (Suresh and Gopalan 2015). What follows `step` settles what the print leaves open; the
 * page on replication says where.
 */
export interface DsbraSpec extends AnyReplicationSpec {
  readonly rule: "dsbra";
  /** Share of the present load in a replication factor; the rest is history. 0 to 1. */
  readonly alpha: number;
  /** D: the wait that delays are shares of. null: what the scheduler lets jobs wait for their nodes. */
  readonly delayUs: number | null;
  /** Average from which on replicas are added; how far above it a block is hot; and how far for each replica more. */
  readonly step: number;
  /** RF is half of the weighted sum, as formula 1 is printed. */
  readonly halved: boolean;
  /** The loop over blocks runs once for every node, inside the loop that averages nodes; or once, after it. */
  readonly loops: "nested" | "twoPasses";
  /** Nodes get replicas in this order of their averages. */
  readonly targets: "descending" | "ascending";
  /** A block at or below it may lose a replica while others gain some. While none does, 0.1 is printed, and holds. */
  readonly removeAt: number;
  /** How a number of replicas becomes a whole one. */
  readonly rounding: "floor" | "round" | "ceil";
  /** What Y is: the mean of all RF so far, or an exponential average with weight `alpha`. */
  readonly history: "cumulative" | "exponential";
  /** The average that a block is compared with: over all blocks, those read since the last look, or those that delayed a job. */
  readonly average: AveragedBlocks;
  /** The average that must be above `step` before any replica is added. */
  readonly gate: AveragedBlocks;
  /** A delay beyond D counts in full, or as D. */
  readonly beyondDelay: "full" | "capped";
  /** Tasks that read a block are counted from there. */
  readonly readersFrom: 0 | 1;
  /** Averages of nodes stay as they were at the beginning of a look, or follow every replica that it adds or removes. */
  readonly nodeAverages: "fixed" | "updated";
}

/** Replicas after the number of maps that want a block now (Delay Scheduling, EuroSys 2010, section 3.5.1). */
export interface HotSpotReplicationSpec extends AnyReplicationSpec {
  readonly rule: "hotSpots";
  /** Maps, pending or running, that share one replica. >= 1. */
  readonly readersPerReplica: number;
  /** A block loses replicas once it has needed fewer for so long. */
  readonly coolUs: number;
}
