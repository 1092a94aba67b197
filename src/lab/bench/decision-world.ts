import { BlockStore } from "../../core/cluster/block-store.js";
import { uniformPlacement } from "../../core/cluster/placement.js";
import { buildTopology, type Topology } from "../../core/cluster/topology.js";
import { JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../../core/jobs/job-table.js";
import { NearestMaps } from "../../core/jobs/map-source.js";
import { LEVELS } from "../../core/jobs/nearness.js";
import { PendingMaps } from "../../core/jobs/pending-maps.js";
import { assert } from "../../core/kernel/assert.js";
import { seedWord } from "../../core/kernel/hash.js";
import { DOUBLE_ZERO } from "../../core/kernel/time.js";
import type { SchedulerSpec } from "../../core/scenario/scenario.js";
import type {
  BuiltScheduler,
  HeldSlots,
  Launcher,
  SchedulerContext,
  VisitAttempt,
  VisitHeld,
} from "../../core/scheduler/scheduler.js";
import { inlineWorkload } from "../../core/workload/build.js";
import { drained, type Workload } from "../../core/workload/job.js";
import { clusterOf, type DecisionCase, HEARTBEAT_US, REPLICATION, schedulerOf } from "./decision-case.js";

/** What a case begins with: all jobs are in the table, ready, and known to the scheduler; every slot is free. */
export interface DecisionWorld {
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly slots: NodeSlots;
  readonly launcher: LeanLauncher;
  readonly built: BuiltScheduler;
}

/** Composes what decides. */
export type BuildDecisions = (spec: SchedulerSpec, around: SchedulerContext, launcher: LeanLauncher) => BuiltScheduler;

const NORMAL = 2;

/** @param seed of the places of blocks. */
export function buildWorld(which: DecisionCase, seed: string, build: BuildDecisions): DecisionWorld {
  const topology = buildTopology(clusterOf(which));
  const workload = workloadOf(which, seed);
  const place = uniformPlacement(topology, REPLICATION, seedWord(seed, "block placement"));
  const fileBlocks = workload.files.map(({ blocks }) => blocks);
  const store = new BlockStore(fileBlocks, topology, place, REPLICATION);
  const jobs = new JobTable();
  const pending = new PendingMaps(jobs, store, topology);
  const slots = new NodeSlots(topology);
  const launcher = new LeanLauncher(jobs, pending, slots);
  const around = {
    ...{ jobs, launcher, pending, topology, store, workload, heldSlots: slots },
    source: new NearestMaps(pending, topology),
    blockBytes: 1,
    slots: [topology.totalMapSlots, topology.totalReduceSlots] as const,
    heartbeatUs: HEARTBEAT_US,
    nodes: topology.nodes,
    hasRows: false,
    readShareOf: (): number => 1,
    mapsMayReturn: false,
    mapsMayBeCopied: false,
  };
  const built = build(schedulerOf(which), around, launcher);
  const world = { topology, jobs, pending, slots, launcher, built };
  workload.jobs.forEach((_, id) => {
    submit(world, workload, store, id);
  });
  // Nobody waits for the first update.
  built.scheduler.update(0);
  return world;
}

/** Equal jobs, all submitted at 0, dealt out to the pools; reduces need not wait for maps. */
function workloadOf({ jobs, pools, maps, reduces }: DecisionCase, seed: string): Workload {
  const entry = {
    atUs: 0,
    user: "user",
    priority: "normal" as const,
    ...{ maps, reduces, mapUs: HEARTBEAT_US, copyUs: 0, reduceUs: HEARTBEAT_US },
    file: "",
    ...{ count: 1, everyUs: 0, sigma: 0, deadlineUs: null },
  };
  const list = Array.from({ length: jobs }, (_, job) => ({
    ...entry,
    name: `job${String(job)}`,
    pool: `pool${String(job % pools)}`,
  }));
  return drained(inlineWorkload({ kind: "jobs", jobs: list }, seed));
}

function submit({ jobs, pending, built }: DecisionWorld, workload: Workload, store: BlockStore, id: number): void {
  const spec = workload.jobs[id];
  const job = jobs.enter({
    id,
    pool: built.poolOf(spec.pool, spec.user, 0),
    user: built.users.named(spec.user),
    priority: NORMAL,
    startUs: 0,
    maps: spec.maps,
    reduces: spec.reduces,
    slowStartMaps: 0,
    firstBlock: spec.input === null ? -1 : store.fileStart[spec.input.file] + spec.input.firstBlock,
  });
  built.scheduler.jobAdded(job, 0);
  jobs.state[job] = RUNNING;
  pending.add(job);
  built.scheduler.jobReady(job, 0);
}

const FREE = -1;

/** What runs in which slot, and until which round of heartbeats: all that the nodes of a case are. */
class NodeSlots implements HeldSlots {
  readonly slotCount: number;
  /** By node, per type. */
  readonly free: readonly [Int32Array, Int32Array];
  /** Job in the slot, FREE if none. */
  readonly job: Int32Array;
  /** The round on which its node reports that it has ended. */
  readonly endRound: Int32Array;
  private readonly task: Int32Array;
  private readonly launchUs: Float64Array;

  constructor(private readonly topology: Topology) {
    this.slotCount = topology.totalMapSlots + topology.totalReduceSlots;
    this.free = [topology.mapSlots.slice(), topology.reduceSlots.slice()];
    this.job = new Int32Array(this.slotCount).fill(FREE);
    this.endRound = new Int32Array(this.slotCount);
    this.task = new Int32Array(this.slotCount);
    this.launchUs = new Float64Array(this.slotCount);
  }

  /** First slot of the type on the node; they lie side by side. */
  start(node: number, type: SlotType): number {
    const { slotStart, mapSlots } = this.topology;
    return type === MAP ? slotStart[node] : slotStart[node] + mapSlots[node];
  }

  /** Puts a task in a free slot of the node. */
  begin(job: number, type: SlotType, task: number, node: number, endRound: number, nowUs: number): void {
    assert(this.free[type][node] > 0, "the node has no free slot");
    let slot = this.start(node, type);
    while (this.job[slot] !== FREE) slot++;
    this.free[type][node]--;
    this.job[slot] = job;
    this.endRound[slot] = endRound;
    this.task[slot] = task;
    this.launchUs[slot] = nowUs;
  }

  /** Frees a slot. */
  end(slot: number, type: SlotType, node: number): void {
    this.job[slot] = FREE;
    this.free[type][node]++;
  }

  freeOn(node: number, type: SlotType): number {
    return this.free[type][node];
  }

  slotsOf(node: number, type: SlotType): number {
    return type === MAP ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
  }

  forEach(type: SlotType, visit: VisitHeld): void {
    for (let node = 0; node < this.topology.nodes; node++) {
      const first = this.start(node, type);
      for (let slot = first; slot < first + this.slotsOf(node, type); slot++) {
        if (this.job[slot] !== FREE) visit(slot, this.job[slot], this.task[slot], node, this.launchUs[slot], true);
      }
    }
  }
}

/** The least that a launch is: the job's counts, the index of pending maps and a slot change. */
export class LeanLauncher implements Launcher {
  readonly isSelective = false;
  /** Tasks launched so far. */
  launched = 0;
  /** Maps launched so far, by how near their blocks they run. */
  readonly mapsAt = new Int32Array(LEVELS);
  /** The task ends with its node's heartbeat on that round. */
  endRound = 0;
  nowUs = DOUBLE_ZERO;
  /** A hash over all launches in order. */
  fingerprint = 0;
  private readonly given = [0, 0];

  constructor(
    private readonly jobs: JobTable,
    private readonly pending: PendingMaps,
    private readonly slots: NodeSlots,
  ) {}

  /** A heartbeat begins; what it launches ends on that round. */
  begin(endRound: number, nowUs: number): void {
    this.endRound = endRound;
    this.nowUs = nowUs;
    this.given[MAP] = 0;
    this.given[REDUCE] = 0;
  }

  accepts(): boolean {
    return true;
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    this.pending.take(job, task);
    this.mapsAt[level]++;
    this.launch(job, MAP, task, node);
  }

  launchReduce(job: number, node: number): void {
    this.launch(job, REDUCE, this.jobs.total[REDUCE][job] - this.jobs.pending[REDUCE][job], node);
  }

  reportedOn(node: number, type: SlotType): number {
    return this.slots.slotsOf(node, type) - this.slots.free[type][node] - this.given[type];
  }

  slotsOf(node: number, type: SlotType): number {
    return this.slots.slotsOf(node, type);
  }

  /** Jobs need no set-up: they are ready right after they are entered. */
  initialise(): void {}

  forEachReported(type: SlotType, visit: VisitAttempt): void {
    this.slots.forEach(type, (place, job, task, _node, launchUs) => {
      visit(place, job, task, launchUs);
    });
  }

  kill(): void {
    assert(false, "a scheduler without preemption kills");
  }

  /** Makes it so without the index: for a scheduler that has none. */
  launch(job: number, type: SlotType, task: number, node: number): void {
    const { jobs } = this;
    jobs.pending[type][job]--;
    jobs.running[type][job]++;
    this.slots.begin(job, type, task, node, this.endRound, this.nowUs);
    this.given[type]++;
    this.launched++;
    this.fingerprint = Math.imul(this.fingerprint ^ (jobs.id[job] + Math.imul(task, 0x9e3779b1)), 0x01000193);
    this.fingerprint = Math.imul(this.fingerprint ^ (2 * node + type), 0x85ebca6b);
  }

  /** Tasks of any job that have not been launched. */
  get waiting(): number {
    const { jobs } = this;
    let tasks = 0;
    for (const type of SLOT_TYPES) for (let job = 0; job < jobs.handles; job++) tasks += jobs.pending[type][job];
    return tasks;
  }
}
