import { setImmediate as turn } from "node:timers/promises";
import { BlockStore, uniformPlacement, buildTopology, type Topology } from "../../core/cluster/index.js";
import {
  JobTable,
  MAP,
  REDUCE,
  RUNNING,
  SLOT_TYPES,
  type SlotType,
  NearestMaps,
  LEVELS,
  NODE_LOCAL,
  PendingMaps,
  buildScheduler,
  PoolScheduler,
  type BuiltScheduler,
  type HeldSlots,
  type Launcher,
  type OperationCounts,
  type Scheduler,
  type SchedulerContext,
  type VisitAttempt,
  type VisitHeld,
} from "../../core/platforms/hadoop/index.js";
import { assert, seedWord, DOUBLE_ZERO } from "../../core/kernel/index.js";
import type { SchedulerSpec } from "../../core/scenario/index.js";
import { inlineWorkload, drained, type Workload } from "../../core/workload/index.js";
import { clusterOf, type DecisionCase, HEARTBEAT_US, REPLICATION, schedulerOf } from "./decision-case.js";
import { CallTimes, type MillisecondClock, RunDelay, WALL_CLOCK } from "./machine.js";

/** What the scheduler did. */
interface DecisionCounts extends Readonly<OperationCounts> {
  /** Jobs with pending maps that searches looked at. */
  readonly jobsVisited: number;
}

/** What one run of a case did and took. */
export interface DecisionRun {
  readonly busy: Tally;
  /** null: tasks were left, so that there was none. */
  readonly drain: Tally | null;
  readonly tasks: number;
  readonly maps: number;
  /** Of the maps, how many ran on a node with their block. */
  readonly nodeLocal: number;
  /** Over all launches in order: equal runs decided alike. */
  readonly fingerprint: number;
  /** From the first heartbeat to the last assignment. */
  readonly counts: DecisionCounts;
  /** Of the process in that time: all that the experiment does, and what the engine does beside it. */
  readonly cpuSeconds: number;
}

const TURN_EVERY_MS = 100;

const NOTHING: DecisionCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0, jobsVisited: 0 };

/** Runs a case once; between rounds of heartbeats other code has a turn, for example an abort. */
export async function runDecisions(
  which: DecisionCase,
  seed: string,
  signal?: AbortSignal,
  build: BuildDecisions = buildScheduler,
): Promise<DecisionRun> {
  const world = buildWorld(which, seed, build);
  const { scheduler } = world.built;
  const before = countsOf(scheduler);
  let counts = NOTHING;
  const started = process.cpuUsage();
  let cpu = started;
  const delay = RunDelay.open();
  const rounds = new HeartbeatRounds(world, which, WALL_CLOCK, delay, () => {
    cpu = process.cpuUsage(started);
    counts = countsOf(scheduler);
  });
  let turned = performance.now();
  while (!rounds.isDone) {
    rounds.next();
    if (performance.now() - turned < TURN_EVERY_MS) continue;
    await turn();
    signal?.throwIfAborted();
    turned = performance.now();
  }
  const { launcher } = world;
  const isWhole = launcher.waiting === 0;
  if (isWhole) rounds.drainAll();
  delay?.close();
  return {
    busy: rounds.busy,
    drain: isWhole ? rounds.drain : null,
    tasks: launcher.launched,
    maps: launcher.mapsAt.reduce((sum, maps) => sum + maps, 0),
    nodeLocal: launcher.mapsAt[NODE_LOCAL],
    fingerprint: launcher.fingerprint >>> 0,
    counts: difference(counts, before),
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}

/** CPU seconds that the experiment takes by itself: the same heartbeats, with nobody who decides. */
export async function bareSeconds(which: DecisionCase, seed: string, signal?: AbortSignal): Promise<number> {
  const run = await runDecisions(which, seed, signal, (spec, around, launcher) => {
    return { ...buildScheduler(spec, around), scheduler: new BareAssignment(around.jobs, launcher) };
  });
  return run.cpuSeconds;
}

function countsOf(scheduler: Scheduler): DecisionCounts {
  if (!(scheduler instanceof PoolScheduler)) return NOTHING;
  return { ...scheduler.counts, jobsVisited: scheduler.jobsVisited };
}

function difference(after: DecisionCounts, before: DecisionCounts): DecisionCounts {
  return {
    heartbeats: after.heartbeats - before.heartbeats,
    passedOver: after.passedOver - before.passedOver,
    searches: after.searches - before.searches,
    updates: after.updates - before.updates,
    jobsVisited: after.jobsVisited - before.jobsVisited,
  };
}

/** More rounds without a launch than any wait of a benchmark lasts. */
const MOST_IDLE_ROUNDS = 100_000;

/** What a stretch of heartbeats took, the cost of the clock included; without those during which others had the processor. */
export class Tally {
  /** Heartbeats of all nodes. */
  beats = 0;
  /** `heartbeat` alone, for each call. */
  readonly offers = new CallTimes();
  /** The same with what the node reported right before. */
  readonly whole = new CallTimes();
  /** All offers together, and the tasks that they gave. */
  offersMs = DOUBLE_ZERO;
  tasks = 0;
  /** Ends of tasks that heartbeats reported, of heartbeats without an offer too; and how many there were of both. */
  reportsMs = DOUBLE_ZERO;
  reports = 0;
  updatesMs = DOUBLE_ZERO;
  updates = 0;
  /** Heartbeats and updates that are not in the above. */
  interrupted = 0;
}

/** What is shorter has not lost its processor: a time slice of others lasts longer. */
const SHORT_MS = 0.02;

/** So often the delay is asked for in any case, so that what it tells is of just before. */
const BEATS_PER_LOOK = 8;

/**
 * Lets all nodes heartbeat in turn, on a simulated clock. A heartbeat first reports the tasks that have ended, then its
 * free slots are offered; updates of the scheduler come between heartbeats, as they fall due. Calls of the scheduler are
 * timed one by one, and nothing else is.
 */
export class HeartbeatRounds {
  /** Up to the last assignment. */
  readonly busy = new Tally();
  /** After it, until nothing runs. */
  readonly drain = new Tally();
  /** Rounds that have begun. */
  round = 0;
  /** All tasks were handed out, or as many as the case asks for. */
  isDone = false;
  private readonly scheduler: Scheduler;
  private readonly tasks: number;
  /** How many rounds a task lasts. */
  private readonly taskRounds: number;
  private tally = this.busy;
  private lastLaunchRound = 0;

  /** @param onDone called right after the last assignment. */
  constructor(
    private readonly world: DecisionWorld,
    which: DecisionCase,
    private readonly clock: MillisecondClock,
    private readonly delay: Pick<RunDelay, "takeMs"> | null,
    private readonly onDone: () => void,
  ) {
    this.scheduler = world.built.scheduler;
    this.tasks = Math.min(which.assignments, which.jobs * (which.maps + which.reduces));
    // As many as it takes to fill a node, so that a full cluster stays full.
    this.taskRounds = Math.max(1, Math.ceil((which.mapSlots + which.reduceSlots) / which.tasksPerHeartbeat));
  }

  /** The next heartbeat of every node; up to the last assignment only. */
  next(): void {
    const { phaseUs, nodes } = this.world.topology;
    const startUs = this.round * HEARTBEAT_US;
    assert(this.round - this.lastLaunchRound < MOST_IDLE_ROUNDS, "nothing is launched any more");
    for (let node = 0; node < nodes && !this.isDone; node++) this.beat(node, startUs + phaseUs[node]);
    this.round++;
  }

  /** Heartbeats after the last assignment, until every node has reported its last tasks. */
  drainAll(): void {
    const { phaseUs, nodes } = this.world.topology;
    this.tally = this.drain;
    for (let left = this.taskRounds + 1; left > 0; left--) {
      const startUs = this.round * HEARTBEAT_US;
      for (let node = 0; node < nodes; node++) this.beat(node, startUs + phaseUs[node]);
      this.round++;
    }
  }

  private beat(node: number, nowUs: number): void {
    const { scheduler, tally, clock } = this;
    const { launcher, slots } = this.world;
    while (scheduler.nextUpdateUs() <= nowUs) this.update();
    tally.beats++;
    launcher.begin(this.round + this.taskRounds, nowUs);
    const before = launcher.launched;
    if (tally.beats % BEATS_PER_LOOK === 0) this.delay?.takeMs();
    const start = clock();
    this.report(node, nowUs);
    const reported = clock();
    const maps = slots.free[MAP][node];
    const reduces = slots.free[REDUCE][node];
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, nowUs, maps, reduces);
      this.noteOffer(reported - start, clock() - reported, launcher.launched - before);
    } else {
      this.noteReport(reported - start);
    }
    if (launcher.launched === before) return;
    this.lastLaunchRound = this.round;
    if (launcher.launched < this.tasks || this.isDone) return;
    this.isDone = true;
    this.onDone();
  }

  private noteOffer(reportMs: number, offerMs: number, tasks: number): void {
    if (!this.noteReport(reportMs, reportMs + offerMs)) return;
    const { tally } = this;
    tally.offersMs += offerMs;
    tally.tasks += tasks;
    tally.offers.add(offerMs, tasks);
    tally.whole.add(reportMs + offerMs, tasks);
  }

  /** False: others had the processor, so that nothing is noted. @param wholeMs of the heartbeat. */
  private noteReport(reportMs: number, wholeMs = reportMs): boolean {
    if (this.wasInterrupted(wholeMs)) return false;
    this.tally.reportsMs += reportMs;
    this.tally.reports++;
    return true;
  }

  /** What took so long just now lost its processor, or what came shortly before it. */
  private wasInterrupted(tookMs: number): boolean {
    if (tookMs < SHORT_MS || this.delay === null || this.delay.takeMs() === 0) return false;
    this.tally.interrupted++;
    return true;
  }

  /** The node's tasks of earlier rounds have ended. */
  private report(node: number, nowUs: number): void {
    const { slots, jobs } = this.world;
    for (const type of SLOT_TYPES) {
      const first = slots.start(node, type);
      const end = first + slots.slotsOf(node, type);
      for (let slot = first; slot < end; slot++) {
        const job = slots.job[slot];
        if (job < 0 || slots.endRound[slot] > this.round) continue;
        slots.end(slot, type, node);
        jobs.running[type][job]--;
        jobs.done[type][job]++;
        this.scheduler.attemptEnded(job, type, nowUs);
        if (jobs.done[MAP][job] + jobs.done[REDUCE][job] === jobs.total[MAP][job] + jobs.total[REDUCE][job]) {
          this.retire(job, nowUs);
        }
      }
    }
  }

  private retire(job: number, nowUs: number): void {
    const { jobs, pending } = this.world;
    this.scheduler.jobRemoved(job, nowUs);
    pending.remove(job);
    jobs.leave(job);
  }

  private update(): void {
    const { scheduler, tally, clock } = this;
    const atUs = scheduler.nextUpdateUs();
    this.delay?.takeMs();
    const start = clock();
    scheduler.update(atUs);
    scheduler.checkPreemption(atUs);
    const tookMs = clock() - start;
    if (this.wasInterrupted(tookMs)) return;
    tally.updatesMs += tookMs;
    tally.updates++;
  }
}

/**
 * No scheduler at all: free slots get the tasks of the jobs one job after the other, without index, order or wait. What an
 * experiment costs with it is the cost of the experiment itself.
 */
class BareAssignment implements Scheduler {
  /** The job whose tasks go now, per type. */
  private readonly first: [number, number] = [0, 0];

  constructor(
    private readonly jobs: JobTable,
    private readonly launcher: LeanLauncher,
  ) {}

  jobAdded(): void {}
  jobReady(): void {}
  jobRemoved(): void {}
  attemptEnded(): void {}
  attemptRequeued(): void {}
  pendingChanged(): void {}
  slotsChanged(): void {}
  update(): void {}
  checkPreemption(): void {}
  reload(): void {}

  nextUpdateUs(): number {
    return Infinity;
  }

  wantsMapSlots(): boolean {
    return true;
  }

  wantsReduceSlots(): boolean {
    return true;
  }

  skipHeartbeats(): boolean {
    return false;
  }

  hasReduces(): boolean {
    return true;
  }

  heartbeat(node: number, _nowUs: number, freeMaps: number, freeReduces: number): void {
    this.give(node, MAP, freeMaps);
    this.give(node, REDUCE, freeReduces);
  }

  private give(node: number, type: SlotType, free: number): void {
    const { jobs, first } = this;
    const pending = jobs.pending[type];
    for (let left = free; left > 0; left--) {
      while (first[type] < jobs.handles && pending[first[type]] === 0) first[type]++;
      const job = first[type];
      if (job === jobs.handles) return;
      this.launcher.launch(job, type, jobs.total[type][job] - pending[job], node);
    }
  }
}

/** What a case begins with: all jobs are in the table, ready, and known to the scheduler; every slot is free. */
interface DecisionWorld {
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
    slots: [topology.totalMapSlots, topology.totalReduceSlots] as const,
    heartbeatUs: HEARTBEAT_US,
    nodes: topology.nodes,
    hasRows: false,
    inputBytesOf: (): number => 1,
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

  taken(type: SlotType): number {
    const { totalMapSlots, totalReduceSlots } = this.topology;
    return this.free[type].reduce((taken, free) => taken - free, type === MAP ? totalMapSlots : totalReduceSlots);
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
class LeanLauncher implements Launcher {
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
