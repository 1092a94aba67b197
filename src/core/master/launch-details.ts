import type { BlockStore } from "../cluster/block-store.js";
import { needsStages } from "../cluster/build-rack.js";
import type { LaunchDetail, MapDetail, ReduceDetail } from "../cluster/commands.js";
import type { Topology } from "../cluster/topology.js";
import { MAP, REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import type { Scenario } from "../scenario/scenario.js";
import { hasOutputToCommit } from "./commits.js";
import type { OpenReads } from "./open-reads.js";
import type { TaskBytes } from "./task-bytes.js";

const MILLION = 1_000_000;
const SAME_SPEED = 1000;
const NOWHERE = -1;
/** Draws of one attempt. */
const WHETHER_IT_FAILS = 0;
const WHERE_IT_FAILS = 1;
const WHETHER_IT_STRAGGLES = 2;

export interface LaunchDetailsParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly store: BlockStore;
  readonly bytes: TaskBytes;
  readonly reads: OpenReads;
}

/** What launches tell racks that simulate attempts in stages; null where racks are light. */
export function buildLaunchDetails(parts: LaunchDetailsParts): LaunchDetails | null {
  return needsStages(parts.scenario) ? new LaunchDetails(parts) : null;
}

/**
 * The fate and the work of every attempt. Whether it fails, where, and whether it straggles are draws for (seed, job, task,
 * number of the attempt): the same wherever and whenever it runs.
 */
export class LaunchDetails {
  readonly reads: OpenReads;
  private readonly seed: number;
  /** Only the detailed model reads blocks. */
  private readonly readsBlocks: boolean;

  constructor(private readonly parts: LaunchDetailsParts) {
    this.reads = parts.reads;
    this.seed = seedWord(parts.scenario.run.seed, "attempts");
    this.readsBlocks = parts.scenario.runtime.model === "detailed";
  }

  /** Of attempt `number` of a map on that node. A map none of whose replicas is left fails when it would read. */
  map(job: number, task: number, number: number, node: number, lengthUs: number): MapDetail {
    const { jobs, bytes } = this.parts;
    const hasInput = jobs.firstBlock[job] >= 0;
    const sourceNode = hasInput ? this.sourceFor(jobs.firstBlock[job] + task, node) : NOWHERE;
    const inputBytes = this.readsBlocks && sourceNode !== NOWHERE ? bytes.mapInput(lengthUs) : 0;
    const outputBytes = bytes.outputOfMap(job);
    const fate = this.fateOf(job, MAP, task, number);
    const failsAt = hasInput && sourceNode === NOWHERE ? 0 : fate.failsAt;
    return { ...fate, failsAt, sourceNode: inputBytes > 0 ? sourceNode : NOWHERE, inputBytes, outputBytes };
  }

  /** Of attempt `number` of a reduce. */
  reduce(job: number, task: number, number: number, copyUs: number): ReduceDetail {
    const { bytes } = this.parts;
    const fetchBytes = bytes.fetched(copyUs);
    const fate = this.fateOf(job, REDUCE, task, number);
    return { ...fate, fetchBytes, outputBytes: bytes.reduceOutput(fetchBytes), available: this.available(job) };
  }

  /** Millionths of the job's map output that are there. */
  available(job: number): number {
    const { done, total } = this.parts.jobs;
    return total[MAP][job] === 0 ? MILLION : Math.floor((done[MAP][job] * MILLION) / total[MAP][job]);
  }

  private fateOf(job: number, type: SlotType, task: number, number: number): LaunchDetail {
    const { mapFailure, reduceFailure, stragglers, stragglerFactor } = this.parts.scenario.faults;
    const ofTask = counterHash(this.seed, 2 * this.parts.jobs.id[job] + type, task);
    const ofAttempt = counterHash(ofTask, number, 0);
    const draw = (purpose: number): number => fractionOf(counterHash(ofAttempt, purpose, 0));
    const fails = draw(WHETHER_IT_FAILS) < (type === MAP ? mapFailure : reduceFailure);
    const straggles = draw(WHETHER_IT_STRAGGLES) < stragglers;
    return {
      commits: this.parts.scenario.runtime.commit !== null && hasOutputToCommit(this.parts.jobs, job, type),
      failsAt: fails ? Math.floor(draw(WHERE_IT_FAILS) * MILLION) : -1,
      slowdown: straggles ? Math.round(SAME_SPEED * stragglerFactor) : SAME_SPEED,
    };
  }

  /**
   * The node itself if it holds the block; else a holder in its rack, in its row, or anywhere: the one from which fewest
   * reads are open, of those the lowest. -1: nobody holds it.
   */
  private sourceFor(block: number, node: number): number {
    const { reads } = this;
    const { store } = this.parts;
    let best = NOWHERE;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) {
      const holder = store.node(cell);
      const nearer = best === NOWHERE ? -1 : this.distance(node, holder) - this.distance(node, best);
      const order = nearer || reads.on(holder) - reads.on(best) || holder - best;
      if (order < 0) best = holder;
    }
    return best;
  }

  private distance(node: number, holder: number): number {
    const { rackOf, rowOfRack } = this.parts.topology;
    if (node === holder) return 0;
    if (rackOf[node] === rackOf[holder]) return 1;
    return rowOfRack[rackOf[node]] === rowOfRack[rackOf[holder]] ? 2 : 3;
  }
}
