/** What the decisions of a run took on this machine. */
export interface DecisionCost {
  /** Inside the scheduler, the launches that it causes included. */
  readonly seconds: number;
  /** Heartbeats that offered slots. */
  readonly heartbeats: number;
  /** Tasks launched. */
  readonly launches: number;
}
