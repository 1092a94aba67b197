/** Racks of nodes. Racks may differ; nodes inside one rack group are alike. */
export interface ClusterSpec {
  /** One entry per rack, in rack order (rack groups of the file are already expanded). */
  readonly racks: readonly RackSpec[];
  readonly heartbeat: HeartbeatSpec;
  /**
   * Largest delay of a heartbeat, as a share of the interval, from 0 to 0.9. Each heartbeat draws its own delay; 0: all
   * are on time.
   */
  readonly heartbeatJitter: number;
  /**
   * Delay of the out-of-band heartbeat that a node sends after one of its attempts ends, or asks for permission to
   * commit. 0: there are no such heartbeats.
   */
  readonly outOfBandDelayUs: number;
  readonly network: NetworkSpec;
}

export interface RackSpec {
  /** Unique name, used in reports: `rack00`. */
  readonly name: string;
  /** The row of racks it stands in; all empty: there are no rows. */
  readonly row: string;
  /** Each way, between the rack and the rest. Infinity: the link never limits. */
  readonly uplinkBytesPerSecond: number;
  readonly nodes: readonly NodeGroupSpec[];
}

/** `count` equal nodes. Only the detailed model looks at what follows `speed`. */
export interface NodeGroupSpec {
  readonly count: number;
  readonly mapSlots: number;
  readonly reduceSlots: number;
  /** Speed relative to the nominal node; computing times are divided by it. > 0. */
  readonly speed: number;
  /** Of all disks of the node together, for reading and writing alike. */
  readonly diskBytesPerSecond: number;
  /** Each way, between the node and its rack's switch. */
  readonly linkBytesPerSecond: number;
  /** Memory that tasks may use together. Infinity: no limit. */
  readonly memoryBytes: number;
  /** Room for map output. Infinity: no limit. */
  readonly diskBytes: number;
  /** Tasks that may compute at once before the node offers no further slot; Infinity: it always offers all it has. */
  readonly loadLimit: number;
}

export interface NetworkSpec {
  /** Each way, between a row and the core. Infinity: the link never limits. */
  readonly rowUplinkBytesPerSecond: number;
  /** Rates of transfers between racks are settled at multiples of it. */
  readonly settleUs: number;
}

/**
 * The interval between reports of a node. `hadoop-0.20` and `hadoop-1.1` are the size rules of those versions
 * (semantics section 13), resolved against the number of nodes when the cluster is built.
 */
export type HeartbeatSpec =
  | { readonly rule: "fixed"; readonly intervalUs: number }
  | {
      readonly rule: "hadoop-0.20" | "hadoop-1.1";
      readonly perSecond: number;
      readonly scalingFactor: number;
      /** Nodes join so far apart, each with heartbeats by the nodes known then; undefined: evenly spread heartbeats. */
      readonly joinEveryUs?: number | undefined;
    };
