import type { BlockStore } from "../cluster/block-store.js";
import { needsStages, rackModelOf } from "../cluster/rack-model.js";
import type { CommandsOf, LaunchDetail, MapDetail, ReduceDetail } from "../cluster/commands.js";
import type { Topology } from "../cluster/topology.js";
import { MAP, REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import type { Scenario } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";
import { hasOutputToCommit } from "./commits.js";
import { OpenReads } from "./open-reads.js";
import { TaskBytes } from "./task-bytes.js";

const MILLION = 1_000_000;
const SAME_SPEED = 1000;
const NOWHERE = -1;
const NEVER = -1;
/** More jobs than a run may have. */
const MOST_JOBS = 20_000_000;
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
export function buildLaunchDetails(
  scenario: Scenario,
  workload: Workload,
  topology: Topology,
  jobs: JobTable,
  store: BlockStore,
  commandsOf: CommandsOf,
): LaunchDetails | null {
  if (!needsStages(rackModelOf(scenario))) return null;
  const bytes = new TaskBytes(scenario, workload, jobs);
  const reads = new OpenReads(topology, commandsOf);
  return new LaunchDetails({ scenario, topology, jobs, store, bytes, reads });
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The fate and the work of every attempt. Whether it fails, where, and whether it straggles are draws for (seed, job, task,
 * number of the attempt): the same wherever and whenever it runs. There is one record for maps and one for reduces, each
 * filled anew for every launch.
 */
export class LaunchDetails {
  readonly reads: OpenReads;
  readonly bytes: TaskBytes;
  private readonly seed: number;
  /** Only the detailed model reads blocks. */
  private readonly readsBlocks: boolean;
  private readonly ofMap: Writable<MapDetail> = {
    ...{ commits: false, failsAt: NEVER, slowdown: SAME_SPEED, prepareUs: 0 },
    ...{ sourceNode: NOWHERE, inputBytes: 0, outputBytes: 0 },
  };
  private readonly ofReduce: Writable<ReduceDetail> = {
    ...{ commits: false, failsAt: NEVER, slowdown: SAME_SPEED, prepareUs: 0 },
    ...{ fetchBytes: 0, outputBytes: 0, available: 0, rank: 0 },
  };

  constructor(private readonly parts: LaunchDetailsParts) {
    this.reads = parts.reads;
    this.bytes = parts.bytes;
    this.seed = seedWord(parts.scenario.run.seed, "attempts");
    this.readsBlocks = parts.scenario.runtime.model === "detailed";
  }

  /**
   * Of attempt `number` of a map on that node, which waits so long for a file. A map none of whose replicas is left fails when it
   * would read.
   */
  map(job: number, task: number, number: number, node: number, lengthUs: number, prepareUs = 0): MapDetail {
    const { jobs, bytes } = this.parts;
    const detail = this.ofMap;
    this.decideFate(detail, job, MAP, task, number);
    const firstBlock = jobs.firstBlock[job];
    const sourceNode = firstBlock >= 0 ? this.sourceFor(firstBlock + task, node) : NOWHERE;
    if (firstBlock >= 0 && sourceNode === NOWHERE) detail.failsAt = 0;
    detail.inputBytes = this.readsBlocks && sourceNode !== NOWHERE ? bytes.mapInput(job, lengthUs) : 0;
    detail.sourceNode = detail.inputBytes > 0 ? sourceNode : NOWHERE;
    detail.outputBytes = bytes.outputOfMap(job);
    detail.prepareUs = prepareUs;
    return detail;
  }

  /** Of attempt `number` of a reduce, which waits so long for a file. */
  reduce(job: number, task: number, number: number, copyUs: number, prepareUs = 0): ReduceDetail {
    const { bytes, jobs } = this.parts;
    const detail = this.ofReduce;
    this.decideFate(detail, job, REDUCE, task, number);
    detail.fetchBytes = bytes.fetched(job, copyUs);
    detail.outputBytes = bytes.reduceOutput(job, detail.fetchBytes);
    detail.available = this.available(job);
    detail.prepareUs = prepareUs;
    detail.rank = jobs.priority[job] * MOST_JOBS + jobs.id[job];
    return detail;
  }

  /** Millionths of the job's map output that are there. */
  available(job: number): number {
    const { done, total } = this.parts.jobs;
    return total[MAP][job] === 0 ? MILLION : Math.floor((done[MAP][job] * MILLION) / total[MAP][job]);
  }

  private decideFate(detail: Writable<LaunchDetail>, job: number, type: SlotType, task: number, number: number): void {
    const { mapFailure, reduceFailure, stragglers, stragglerFactor } = this.parts.scenario.faults;
    const failure = type === MAP ? mapFailure : reduceFailure;
    detail.commits = this.parts.scenario.runtime.commit !== null && hasOutputToCommit(this.parts.jobs, job, type);
    detail.failsAt = NEVER;
    detail.slowdown = SAME_SPEED;
    if (failure === 0 && stragglers === 0) return;
    const ofTask = counterHash(this.seed, 2 * this.parts.jobs.id[job] + type, task);
    const ofAttempt = counterHash(ofTask, number, 0);
    if (drawn(ofAttempt, WHETHER_IT_FAILS) < failure) {
      detail.failsAt = Math.floor(drawn(ofAttempt, WHERE_IT_FAILS) * MILLION);
    }
    if (drawn(ofAttempt, WHETHER_IT_STRAGGLES) < stragglers) {
      detail.slowdown = Math.round(SAME_SPEED * stragglerFactor);
    }
  }

  /**
   * The node itself if it holds the block; else a holder in its rack, in its row, or anywhere: the one from which fewest
   * reads are open, of those the lowest. -1: nobody holds it.
   */
  private sourceFor(block: number, node: number): number {
    const { reads } = this;
    const { store } = this.parts;
    if (store.holdsOn(block, node)) return node;
    let best = NOWHERE;
    let bestDistance = 0;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) {
      const holder = store.node(cell);
      const distance = this.distance(node, holder);
      const nearer = best === NOWHERE ? -1 : distance - bestDistance;
      const order = nearer || reads.on(holder) - reads.on(best) || holder - best;
      if (order >= 0) continue;
      best = holder;
      bestDistance = distance;
    }
    return best;
  }

  /** Of two nodes that are not the same one. */
  private distance(node: number, holder: number): number {
    const { rackOf, rowOfRack } = this.parts.topology;
    if (rackOf[node] === rackOf[holder]) return 1;
    return rowOfRack[rackOf[node]] === rowOfRack[rackOf[holder]] ? 2 : 3;
  }
}

/** The draw of an attempt for that purpose, a fraction between 0 and 1. */
function drawn(ofAttempt: number, purpose: number): number {
  return fractionOf(counterHash(ofAttempt, purpose, 0));
}
