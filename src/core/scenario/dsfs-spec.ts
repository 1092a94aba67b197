/**
 * DSFS (Li and Zhang 2012): fair sharing in which a job waits T1 for its node and until T2 for its rack. What the print leaves
 * open is a setting.
 */
export interface DsfsSpec {
  /** Integer microseconds, >= 0. */
  readonly t1Us: number;
  /** As `t2Is` says; if absolute, >= `t1Us`. */
  readonly t2Us: number;
  /** T2 counts from the start of the wait, as the algorithm has it, or from its T1 on, as the text describes it. */
  readonly t2Is: "absolute" | "additional";
  /**
   * A job that has waited exactly T1 or T2 may go on, waits on, or, by the letter (`asPrinted`), is in no case at all: then it
   * takes nothing but node-local slots.
   */
  readonly at: "goes" | "waits" | "asPrinted";
  /** What takes the wait back to 0: a launch of the job, a node-local one, or nothing ever. */
  readonly reset: "launch" | "nodeLocal" | "never";
  /** Jobs that compute more than they read do not wait for their node (section 2.3). */
  readonly jobTypes: boolean;
  /** Share of a map's time, after its start-up, from which on a job counts as one that reads. 0 to 1. */
  readonly ioBoundFrom: number;
}

/** The print names no times. These are W1 of the delay scheduling paper's own runs, and twice that. */
export const DEFAULT_DSFS: DsfsSpec = {
  t1Us: 5_000_000,
  t2Us: 10_000_000,
  t2Is: "absolute",
  at: "goes",
  reset: "launch",
  jobTypes: true,
  ioBoundFrom: 0.5,
};

/** T2, counted from the start of the wait. */
export function fullWaitUs({ t1Us, t2Us, t2Is }: DsfsSpec): number {
  return t2Is === "absolute" ? t2Us : t1Us + t2Us;
}
