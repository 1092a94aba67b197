/** A platform at work, as one sequential simulation in virtual time. */
export interface Simulation {
  /** When something next happens; Infinity: nothing will. */
  nextUs: () => number;
  /** Handles all that happens until then, at that instant too. */
  advance: (untilUs: number) => void;
  /** All jobs have ended, or nothing can end the others. */
  isOver: () => boolean;
  progress: () => SimulationProgress;
}

export interface SimulationProgress {
  readonly jobsEnded: number;
  readonly jobsTotal: number;
  /** The last job comes then, or later. */
  readonly lastSubmitUs: number;
  readonly tasksEnded: number;
}
