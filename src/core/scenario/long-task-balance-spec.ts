/**
 * Long-task balancing (Delay Scheduling, EuroSys 2010, section 3.5.1): long maps keep away from nodes that run more of them
 * than the cluster's average.
 */
export interface LongTaskBalanceSpec {
  /**
   * What makes a job's maps long, once one of them has finished: a mean above `overUs`; null: a mean above `overMean` times
   * that of all finished maps. Integer microseconds; > 0.
   */
  readonly overUs: number | null;
  readonly overMean: number;
  /** What jobs count as before one of their maps has finished. */
  readonly newJobs: "long" | "short";
  /** Long maps that a node may run beyond the average of nodes like it and still take another. >= 0. */
  readonly slack: number;
}
