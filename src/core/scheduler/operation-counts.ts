/** Operation counts: what the scheduler did, for tests of cost and for reports. */
export interface OperationCounts {
  heartbeats: number;
  /** Heartbeats settled without looking at any job. */
  passedOver: number;
  searches: number;
  updates: number;
}
