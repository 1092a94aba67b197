/** Schedulers whose decisions are measured: those that are an order, pools and a wait. */
export const DECISION_KINDS = ["hfs", "fair", "delay", "fifo"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
