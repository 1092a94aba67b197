import { placeBlocks } from "./block-placement.js";
import type { Draws } from "./monte-carlo.js";

export interface StickyCluster {
  readonly jobs: number;
  readonly nodes: number;
  readonly slotsPerNode: number;
  readonly replication: number;
  readonly blocksPerJob: number;
}

export interface StickyOutcome {
  /** Fraction of all blocks with one of their job's slots, as first owned, on a node that holds a copy. */
  readonly reachable: number;
  /** Fraction of the blocks that their job's task read locally. */
  readonly locality: number;
  /** How many slots went to another job than the one that had just left them. */
  readonly ownerChanges: number;
}

/**
 * Jobs of equal share scan inputs of their own under naive fair sharing (Algorithm 1). The cluster starts full, with
 * slots dealt out at random; then one random slot after another finishes its task and goes to the job with the fewest
 * running tasks, which launches a local task if it has one there and any other if not. A job that has launched its
 * whole scan scans anew, uncounted, until every job has scanned once.
 */
export function runStickyCluster(draws: Draws, cluster: StickyCluster): StickyOutcome {
  const slots = cluster.nodes * cluster.slotsPerNode;
  const owner = new Int32Array(slots);
  draws.shuffled(slots).forEach((slot, rank) => (owner[slot] = rank % cluster.jobs));
  const firstScans = Array.from({ length: cluster.jobs }, () => new ScanInput(draws, cluster));
  const scans = [...firstScans];
  const reachable = reachableFraction(firstScans, owner, cluster);
  const running = new Int32Array(cluster.jobs);
  for (const job of owner) running[job] += 1;
  let unfinished = cluster.jobs;
  let ownerChanges = 0;
  while (unfinished > 0) {
    const slot = draws.below(slots);
    running[owner[slot]] -= 1;
    const job = fewestRunning(running);
    if (job !== owner[slot]) ownerChanges += 1;
    owner[slot] = job;
    running[job] += 1;
    const scan = scans[job];
    scan.launchOn(Math.floor(slot / cluster.slotsPerNode), draws);
    if (scan.pending.length > 0) continue;
    if (scan === firstScans[job]) unfinished -= 1;
    scans[job] = new ScanInput(draws, cluster);
  }
  const local = firstScans.reduce((sum, scan) => sum + scan.localLaunches, 0);
  return { reachable, locality: local / (cluster.jobs * cluster.blocksPerJob), ownerChanges };
}

function fewestRunning(running: Int32Array): number {
  let fewest = 0;
  for (let job = 1; job < running.length; job++) if (running[job] < running[fewest]) fewest = job;
  return fewest;
}

function reachableFraction(inputs: ScanInput[], owner: Int32Array, cluster: StickyCluster): number {
  const nodesOf = inputs.map(() => new Set<number>());
  owner.forEach((job, slot) => nodesOf[job].add(Math.floor(slot / cluster.slotsPerNode)));
  let reached = 0;
  inputs.forEach((input, job) => {
    reached += input.placement.filter((holders) => holders.some((node) => nodesOf[job].has(node))).length;
  });
  return reached / (inputs.length * cluster.blocksPerJob);
}

class ScanInput {
  readonly placement: number[][];
  readonly pending: number[];
  localLaunches = 0;
  readonly #at: number[];
  readonly #pendingOn: number[][];

  constructor(draws: Draws, cluster: StickyCluster) {
    this.placement = placeBlocks(draws, cluster.blocksPerJob, cluster.nodes, cluster.replication);
    this.pending = this.placement.map((_, block) => block);
    this.#at = [...this.pending];
    this.#pendingOn = Array.from({ length: cluster.nodes }, () => []);
    this.placement.forEach((holders, block) => holders.forEach((node) => this.#pendingOn[node].push(block)));
  }

  /** Launches a pending task on `node`, a local one if there is one. */
  launchOn(node: number, draws: Draws): void {
    const here = this.#pendingOn[node];
    while (here.length > 0) {
      const block = here.pop()!;
      if (this.#at[block] < 0) continue;
      this.localLaunches += 1;
      this.#take(block);
      return;
    }
    this.#take(this.pending[draws.below(this.pending.length)]);
  }

  #take(block: number): void {
    const last = this.pending.pop()!;
    if (last !== block) {
      this.pending[this.#at[block]] = last;
      this.#at[last] = this.#at[block];
    }
    this.#at[block] = -1;
  }
}
