/** Chooses the map of a job that a free slot gets, and remembers which maps wait (semantics section 10). */
export interface MapSource {
  /** A launch may make a node near for other jobs: nothing that a search found in vain holds for the next one. */
  readonly launchesBringNear: boolean;
  /** How near its block the map picked last would run: a label of nearness.ts. */
  readonly level: number;
  /**
   * A pending map of the job to launch on the node, no farther from its block than `allowed` (NODE_LOCAL, RACK_LOCAL,
   * ROW_LOCAL or OFF_RACK, which is anywhere), or -1. Changes nothing.
   */
  pick(job: number, node: number, allowed: number): number;
  /** Some map of the job that was never launched has no input: the job may launch anywhere (section 9.4). */
  hasPlaceless(job: number): boolean;
  /** False: `pick` with NODE_LOCAL finds nothing on the node, whatever the job. */
  mayHaveLocal(node: number): boolean;
  /** False: `pick` with NODE_LOCAL finds nothing of this job on the node. */
  mayHaveLocalOf(job: number, node: number): boolean;
  /** A bit for each node of word `w` (32 nodes) of which `mayHaveLocal` is true. */
  localNodes(w: number): number;
  /** A search met every job with pending maps on the node in vain; jobs that the node may not serve were not looked into. */
  nothingOn(node: number): void;
}
