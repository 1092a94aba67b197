/**
 * The wait of a job for a node-local, then for a rack-local slot, and then, where the cluster has rows, for one in its
 * row (left out: as long as for one in its rack). `time`: the paper's Algorithm 3, W1 and W2, and W3 for the row.
 * `auto`: each is 1.5 heartbeat intervals, at most 15 s, as Hadoop chooses them. `skips`: Algorithm 2, D1, D2 and D3
 * scheduling opportunities. `fraction`: as many opportunities as that share of the nodes.
 */
export type WaitSpec =
  | { readonly kind: "none" }
  | { readonly kind: "time"; readonly nodeUs: number; readonly rackUs: number; readonly rowUs?: number }
  | { readonly kind: "auto" }
  | { readonly kind: "skips"; readonly node: number; readonly rack: number; readonly row?: number }
  | { readonly kind: "fraction"; readonly node: number; readonly rack: number; readonly row?: number };

/**
 * Long-task balancing (Delay Scheduling, EuroSys 2010, section 3.5.1): long maps keep away from nodes that run more of
 * them than the cluster's average.
 */
export interface LongTaskBalanceSpec {
  /**
   * The threshold for long maps, once one map of the job has finished: a mean above `overUs`; null: a mean above
   * `overMean` times that of all finished maps. Integer microseconds; > 0.
   */
  readonly overUs: number | null;
  readonly overMean: number;
  /** The class of jobs before one of their maps has finished. */
  readonly newJobs: "long" | "short";
  /** Long maps that a node may run beyond the average of nodes like it and still take another. >= 0. */
  readonly slack: number;
}
