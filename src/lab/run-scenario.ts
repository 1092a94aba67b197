import { availableParallelism } from "node:os";
import {
  MAP,
  REDUCE,
  type SlotType,
  LABELS,
  levelOf,
  wordsOf,
  type Master,
  type Recorder,
  DecisionLog,
  builderWith,
  needsStages,
  type WaitUnit,
  loggedBuilder,
  NO_WATCH,
  type SchedulerPlugin,
  type BuildKind,
  type Scheduler,
} from "../core/platforms/hadoop/index.js";
import { formatTime } from "../core/kernel/index.js";
import type { CostSummary, JobColumns, RunRecord, TaskColumns } from "../core/record/index.js";
import { type AllocationsSpec, isHadoop, type Scenario, SCHEDULER_KINDS } from "../core/scenario/index.js";
import type { Workload } from "../core/workload/index.js";
import type { DecisionCost } from "../experiments/index.js";
import { InputError, poolNotesOf, refuseStrayPools, LIMITS, quote, loadWorkload } from "../io/index.js";
import {
  foresee,
  foreseeTime,
  refuseFullHeap,
  refuseTooLarge,
  refuseTooLong,
  roomHere,
  roomToKeep,
  threadsFit,
} from "./foresee.js";
import { type OwnRunOptions, type Placement, type RunResult, type RunScenario, shareDone } from "./run.js";
import { runAlone } from "./run-alone.js";
import { pause, simulate, type ActorsRun } from "./simulate.js";
import { summarise } from "./summarise.js";

/**
 * One run from scenario to summary: the workload is loaded, the placement chosen (by a probe where the scenario says `auto`),
 * the actors run (`simulate.ts`), and what they recorded becomes tables and the summary (`summarise.ts`). A stopwatch around
 * the scheduler measures what its decisions cost.
 */
export const runScenario: RunScenario = (scenario, directory, options = {}) =>
  isHadoop(scenario) ? runOnActors(scenario, directory, options) : runAlone(scenario, directory, options);

/** The platform whose racks are actors. */
async function runOnActors(scenario: Scenario, directory: string, options: OwnRunOptions): Promise<RunResult> {
  const plugins = options.plugins ?? [];
  refuseUnknownKind(scenario, plugins);
  const { signal, anyway, recordTasks = false, inputs, workloadDigest } = options;
  // Only where the caller has this option.
  const advice = anyway === false ? "; --anyway starts it nevertheless" : "";
  const asked = { threads: rackThreadsAsked(options.placement, scenario), recordTasks };
  const room = roomHere();
  const refuse = (known: Workload | null): void => {
    const time = foreseeTime(scenario, known);
    const foreseen = foresee(scenario, known, asked);
    inputs?.limit(roomToKeep(foreseen, room, inputs.atOnce));
    if (anyway !== true) {
      refuseTooLarge(scenario.name, foreseen, room, 1, advice);
      refuseTooLong(scenario.name, time, advice);
    }
    if (known !== null && time !== null) options.onForeseen?.(time);
  };
  refuse(null);
  const checkHeap = (): void => {
    refuseFullHeap(scenario.name, inputs);
  };
  const onPause = (): void => {
    signal?.throwIfAborted();
    checkHeap();
  };
  const workload = await loadWorkload(scenario, directory, { onPause, kept: inputs, digest: workloadDigest });
  refuse(workload);
  if (scenario.scheduler.strict === true) refuseStrayPools(scenario.name, poolNotesOf(scenario, workload));
  await pause(signal);
  const watchOf = plugins.length === 0 ? NO_WATCH : (await import("./hanging-plugins.js")).watchOf;
  const plain = builderWith(plugins, scenario.run.seed, watchOf);
  const log = options.logDecisions === true ? new DecisionLog() : null;
  const build = log === null ? plain : loggedBuilder(log, plugins, scenario.run.seed, watchOf);
  const topology = inputs?.topologyOf(scenario.cluster);
  const placement = await choosePlacement(options.placement ?? "auto", scenario, workload, plain, signal);
  const stopwatch = options.timeDecisions === true ? new Stopwatch() : null;
  options.onStage?.("simulation");
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const run = await simulate(scenario, workload, {
    topology,
    threads: placement.rackThreads,
    ownRacks: placement.ownRacks,
    recordTasks,
    slices: options.slices ?? slicesFor(placement, scenario),
    onProgress: (progress) => {
      checkHeap();
      options.onProgress?.(progress);
    },
    signal,
    faultInjections: options.faultInjections,
    onRecovery: options.recover === true ? (options.onRecovery ?? (() => undefined)) : undefined,
    build: stopwatch === null ? build : stopwatch.timing(build),
  });
  const cpu = process.cpuUsage(cpuBefore);
  options.onStage?.("summary");
  await pause(signal);
  const spent = costOf(run, placement, (performance.now() - startMs) / 1000, (cpu.user + cpu.system) / 1e6);
  const { recoveries, commandLogBytes } = run;
  const cost = options.recover === true ? { ...spent, recoveries, commandLogBytes } : spent;
  const collected = collectRecord(run.master.master, run.stoppedUs);
  const record = log === null ? collected : { ...collected, decisions: log.columns(run.stoppedUs) };
  await pause(signal);
  const found = { summary: summarise(scenario, run, record, cost), record };
  await pause(signal);
  return stopwatch === null ? found : { ...found, decisions: stopwatch.costOf(run.master.master.launches.launched) };
}

/**
 * Makes or reads the workload of a scenario, for the names in it alone.
 * @throws InputError for pools that do not match. @param name is what the message is about.
 */
export async function refuseStrayNames(
  name: string,
  scenario: Scenario,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const workload = await loadWorkload(scenario, directory, { onPause: () => signal?.throwIfAborted() });
  refuseStrayPools(name, poolNotesOf(scenario, workload));
}

/** A scenario that was read with plugins may be run without them. */
function refuseUnknownKind({ name, scheduler: { kind } }: Scenario, plugins: readonly SchedulerPlugin[]): void {
  if ([...SCHEDULER_KINDS, ...plugins].some((known) => known.name === kind)) return;
  const message = `found ${quote(kind)} for scheduler.kind, allowed a built-in kind or one of options.plugins`;
  throw new InputError([{ file: name, line: 0, column: 0, message }]);
}

function costOf(run: ActorsRun, placement: ChosenPlacement, wallSeconds: number, cpuSeconds: number): CostSummary {
  const { recorder } = run.master.master;
  const tasks = recorder.tasksEnded[0] + recorder.tasksEnded[1];
  return {
    placement: describePlacement(placement, run.topology.racks),
    threads: placement.rackThreads + 1,
    placementReason: placement.reason,
    wallSeconds,
    cpuSeconds,
    tasksPerCpuSecond: cpuSeconds > 0 ? tasks / cpuSeconds : 0,
    peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    heartbeatsProcessed: run.master.visited,
    frames: run.master.frames,
    frameBytes: run.master.frameBytes,
  };
}

function describePlacement({ rackThreads, ownRacks }: Placed, racks: number): string {
  if (rackThreads === 0) return "inline";
  const count = `${rackThreads + 1} threads`;
  if (rackThreads === racks) return `${count} (one per rack, and the master's)`;
  return ownRacks === 0 ? count : `${count} (${ownRacks} of ${racks} racks on the master's)`;
}

/** Where the racks are: on so many threads beside the master's; some may stay on that one too. No rack thread: all of them. */
interface Placed {
  readonly rackThreads: number;
  readonly ownRacks: number;
}

/** A placement, and why it was chosen. */
export interface ChosenPlacement extends Placed {
  readonly reason: string;
}

const INLINE: Placed = { rackThreads: 0, ownRacks: 0 };

/**
 * The master's share of the work, with the frames that it makes and reads, where racks divide disks and links among flows: 0.21 without frames on
 * one hour of scale-10k (`npm run bench:profile`). Two threads are fastest with a share of 0.25 to 0.3.
 */
const MASTER_SHARE_OF_FLOWS = 0.25;
/** The same where racks simulate stages without flows: over one half. Its thread has no time for racks. */
const MASTER_SHARE_OF_STAGES = 0.6;

/**
 * Deals racks to so many threads, the master's among them. Each rack thread has one rack at least. Light racks cost less than the frames
 * that would tell of them, so all others stay with the master. Racks with stages are dealt so that the master with its own
 * racks has as much to do as each other thread.
 */
export function placeOn(threads: number, scenario: Scenario): Placed {
  const racks = scenario.cluster.racks.length;
  const rackThreads = Math.min(threads - 1, racks);
  if (rackThreads <= 0) return INLINE;
  if (!needsStages(scenario)) return { rackThreads, ownRacks: racks - rackThreads };
  const ofMaster = scenario.runtime.model === "detailed" ? MASTER_SHARE_OF_FLOWS : MASTER_SHARE_OF_STAGES;
  const share = Math.max(0, 1 / threads - ofMaster) / (1 - ofMaster);
  return { rackThreads, ownRacks: Math.min(Math.round(share * racks), racks - rackThreads) };
}

/** Wall time that measuring may take, per candidate: a share of what the run seems to take, so that code of a long run is warm. */
const PROBE = { leastMs: 500, mostMs: 3000, share: 0.05 };

/** A run that the probe got through this much of is not worth a second probe. */
const WORTH_PROBING = 0.25;

/** Threads must be this much faster than inline to be chosen. Not more: a run begins with little load, and threads gain more later. */
const WORTH_THREADS = 1.05;

/** The master alone has a quarter of the work or more: with a fourth thread all wait for it, and cost more CPU time. */
const MOST_USEFUL = 3;

const PROBE_OVER = Symbol("the probe has seen enough");

/**
 * Slices per lookahead. Inline, nothing overlaps and one is enough. So it is of light racks, which tell what is to come long before. Of others,
 * two let the master schedule one slice while the racks compute the next, and four waste less time on large clusters, whose slices are
 * much longer than a wake-up. With more threads than cores there is nobody to overlap with, and each further slice costs wake-ups.
 */
export function slicesFor({ rackThreads }: Placed, scenario: Scenario): number {
  if (rackThreads === 0 || rackThreads >= availableParallelism()) return 1;
  if (!needsStages(scenario)) return 1;
  return nodesOf(scenario) < LARGE_NODES ? 2 : 4;
}

/** Of a cluster whose racks work for a millisecond or more in a lookahead. */
const LARGE_NODES = 4000;

function nodesOf({ cluster }: Scenario): number {
  return cluster.racks.reduce((sum, { nodes }) => sum + nodes.reduce((of, { count }) => of + count, 0), 0);
}

/** Rack threads that a run certainly has; `auto` may do without. */
export function rackThreadsAsked(placement: Placement = "auto", { cluster }: Scenario): number {
  if (placement === "auto") return 0;
  return Math.min(placement === "rack" ? LIMITS.rackThreads : Math.max(0, placement - 1), cluster.racks.length);
}

/** Resolves a placement; `auto` measures this machine on a prefix of the run, then discards that. */
export async function choosePlacement(
  placement: Placement,
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  signal: AbortSignal | undefined,
): Promise<ChosenPlacement> {
  const racks = scenario.cluster.racks.length;
  if (placement === "rack") {
    const rackThreads = Math.min(racks, LIMITS.rackThreads);
    if (rackThreads === racks) return { rackThreads, ownRacks: 0, reason: asAsked(rackThreads + 1) };
    const reason = `--threads asks for more, but ${racks} racks share the most threads there may be`;
    return { rackThreads, ownRacks: 0, reason };
  }
  if (typeof placement === "number") {
    const placed = placeOn(placement, scenario);
    if (placement <= racks + 1) return { ...placed, reason: asAsked(placement) };
    return { ...placed, reason: `${placement} were asked for; there are ${racks} racks` };
  }
  if (!needsStages(scenario)) return { ...INLINE, reason: "auto: light racks are fastest inline" };
  const threads = Math.min(availableParallelism(), racks + 1, MOST_USEFUL);
  if (threads < 2) return { ...INLINE, reason: "auto: one core" };
  if (!threadsFit(threads - 1)) return { ...INLINE, reason: "auto: no address space for threads (ulimit -v)" };
  const inline = await probe(scenario, workload, build, INLINE, scenario.run.untilUs, signal);
  if (inline.share > WORTH_PROBING) {
    return { ...INLINE, reason: "auto: so short a run is fastest inline" };
  }
  const placed = placeOn(threads, scenario);
  const packed = await probe(scenario, workload, build, placed, inline.virtualUs, signal);
  const endUs = Math.min(inline.virtualUs, packed.virtualUs);
  const times = msOfSecondHalf(inline, endUs) / msOfSecondHalf(packed, endUs);
  const span = formatTime(Math.round(endUs / 1e6) * 1e6);
  const found = `${threads} threads ran ${times.toFixed(2)} times as fast as inline`;
  const rule = `threads are used from ${WORTH_THREADS} times on`;
  return {
    ...(times > WORTH_THREADS ? placed : INLINE),
    reason: `auto: on the first ${span}, ${found}; ${rule}`,
  };
}

/** Says when more threads were asked for than can run at once: a choice for the actors' sake, not for speed. */
function asAsked(threads: number): string {
  const cores = availableParallelism();
  return threads > cores
    ? `as --threads says, but there are ${cores} cores: --threads auto is faster`
    : "as --threads says";
}

interface Probe {
  readonly virtualUs: number;
  /** Of the run: by time if it has an end, else by jobs. */
  readonly share: number;
  /** How far it was after how much wall time, in order. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly virtualUs: number;
  readonly wallMs: number;
}

/** Wall time from the middle to `endUs`, which the probe reached: by then threads have started and know the code. */
export function msOfSecondHalf({ marks }: Pick<Probe, "marks">, endUs: number): number {
  return Math.max(1, msUntil(marks, endUs) - msUntil(marks, endUs / 2));
}

/** Straight between marks. */
function msUntil(marks: readonly Mark[], virtualUs: number): number {
  let before: Mark = { virtualUs: 0, wallMs: 0 };
  for (const mark of marks) {
    if (mark.virtualUs >= virtualUs && mark.virtualUs > before.virtualUs) {
      const part = (virtualUs - before.virtualUs) / (mark.virtualUs - before.virtualUs);
      return before.wallMs + part * (mark.wallMs - before.wallMs);
    }
    before = mark;
  }
  return before.wallMs;
}

async function probe(
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  placed: Placed,
  untilUs: number,
  signal: AbortSignal | undefined,
): Promise<Probe> {
  const enough = new AbortController();
  const signals = signal === undefined ? [enough.signal] : [enough.signal, signal];
  const startMs = performance.now();
  const marks: Mark[] = [];
  let seen: Probe = { virtualUs: 0, share: 0, marks };
  const limited = { ...scenario, run: { ...scenario.run, untilUs } };
  try {
    const done = await simulate(limited, workload, {
      threads: placed.rackThreads,
      ownRacks: placed.ownRacks,
      recordTasks: false,
      slices: slicesFor(placed, scenario),
      build,
      signal: AbortSignal.any(signals),
      onProgress: (progress) => {
        const { virtualUs } = progress;
        const wallMs = performance.now() - startMs;
        marks.push({ virtualUs, wallMs });
        const share = shareDone({ ...progress, untilUs: scenario.run.untilUs });
        seen = { virtualUs, share, marks };
        const enoughMs = Math.min(
          PROBE.mostMs,
          Math.max(PROBE.leastMs, (PROBE.share * wallMs) / Math.max(share, 1e-9)),
        );
        if (wallMs > enoughMs) enough.abort(PROBE_OVER);
      },
    });
    marks.push({ virtualUs: done.stoppedUs, wallMs: performance.now() - startMs });
    return { virtualUs: done.stoppedUs, share: done.allEnded ? 1 : seen.share, marks };
  } catch (reason) {
    if (reason === PROBE_OVER) return seen;
    throw reason;
  }
}

/** In place of a wait that nobody knows. */
const UNKNOWN = -1;

/** The tables of a finished run. Only jobs that were submitted have a row. */
export function collectRecord(master: Master, stoppedUs: number): RunRecord {
  const { recorder, sampler, built } = master;
  const { samples, poolSamples } = sampler;
  const killsFor = recorder.killsFor.flatMap((kills, pool) =>
    kills > 0 && built.hasPools ? [{ group: built.pools.names[pool], kills }] : [],
  );
  const ints = (column: Float64Array): Int32Array => Int32Array.from(column);
  const changesReplication = master.traffic !== null && master.traffic.ordered !== null;
  return {
    words: wordsOf(recorder.topology),
    jobs: jobColumns(master, stoppedUs),
    tasks: recorder.tasks === null ? null : taskColumns(recorder.tasks),
    samples: {
      rows: samples.rows,
      atUs: samples.column("atUs"),
      activeJobs: ints(samples.column("activeJobs")),
      running: [ints(samples.column("runningMaps")), ints(samples.column("runningReduces"))],
      pending: [ints(samples.column("pendingMaps")), ints(samples.column("pendingReduces"))],
      launchedAt: [
        samples.column("nodeLocalMaps"),
        samples.column("rackLocalMaps"),
        samples.column("rowLocalMaps"),
        samples.column("offRackMaps"),
      ],
      ...(changesReplication ? { extraReplicas: ints(samples.column("extraReplicas")) } : {}),
    },
    groupSamples: {
      rows: poolSamples.rows,
      groupNames: sampler.poolNames,
      minShare: sampler.minShareMaps,
      atUs: poolSamples.column("atUs"),
      group: ints(poolSamples.column("pool")),
      running: [ints(poolSamples.column("runningMaps")), ints(poolSamples.column("runningReduces"))],
      fairShare: [poolSamples.column("fairShareMaps"), poolSamples.column("fairShareReduces")],
      demand: [ints(poolSamples.column("demandMaps")), ints(poolSamples.column("demandReduces"))],
      held: [poolSamples.column("heldMaps"), poolSamples.column("heldReduces")],
    },
    ...(killsFor.length > 0 ? { killsFor } : {}),
  };
}

function jobColumns(master: Master, stoppedUs: number): JobColumns {
  const { recorder } = master;
  const rows = recorder.jobsSubmitted;
  const jobs = recorder.workload.jobs.slice(0, rows);
  const { clockOf, localityUs, longestLocalityUs, clock, pendingUs } = recorder.waits;
  const where = (isKnown: (unit: WaitUnit | null) => boolean, values: Float64Array): Float64Array =>
    Float64Array.from(jobs, (_, job) => (isKnown(clockOf[job]) ? values[job] : UNKNOWN));
  return {
    rows,
    name: jobs.map((job) => job.name),
    user: jobs.map((job) => job.user),
    group: jobs.map((job) => job.pool),
    placedIn: recorder.placedIn.slice(0, rows),
    priority: Uint8Array.from(jobs, (job) => job.priority),
    tasks: [Int32Array.from(jobs, (job) => job.maps), Int32Array.from(jobs, (job) => job.reduces)],
    submitAtUs: Float64Array.from(jobs, (job) => job.submitAtUs),
    firstLaunchAtUs: recorder.firstLaunchUs.subarray(0, rows),
    fairShareAtUs: recorder.fairShareUs.subarray(0, rows),
    deadlineAtUs: Float64Array.from(jobs, (job) =>
      job.deadlineUs === undefined ? -1 : job.submitAtUs + job.deadlineUs,
    ),
    endAtUs: recorder.endUs.subarray(0, rows),
    hasFailed: recorder.hasFailed.subarray(0, rows),
    launchedAt: LABELS.map((label) => recorder.mapsAt[label].subarray(0, rows)),
    launched: Int32Array.from(jobs, (_, job) => recorder.mapsAt.reduce((sum, maps) => sum + maps[job], 0)),
    localityWaitUs: where((unit) => unit !== null, localityUs),
    longestLocalityWaitUs: where((unit) => unit !== null, longestLocalityUs),
    waitClockUs: where((unit) => unit === "microseconds", clock),
    waitClockSkips: where((unit) => unit === "opportunities", clock),
    pendingUs: pendingUs.subarray(0, rows),
    heldUs: slotTimes(master, rows, stoppedUs),
    kills: recorder.killsOf.subarray(0, rows),
    killedUs: recorder.killedUsOf.subarray(0, rows),
  };
}

/**
 * Of each job, time that its attempts ran: those that have ended, and those that still run. An attempt that was lost with its node
 * has ended when the master learned of the loss, whatever becomes of the slot that it leaves behind.
 */
function slotTimes(
  { recorder, slots, attempts, reports, losses }: Master,
  rows: number,
  stoppedUs: number,
): readonly Float64Array[] {
  const ranUs = recorder.ranUs.slice(0, 2 * rows);
  for (let attempt = 0; attempt < 2 * attempts.slots; attempt++) {
    const node = attempts.node[attempt];
    if (!reports.runsOn(node, attempt) || attempts.isSetupTask(attempt) || losses?.isZombie(attempt) === true) continue;
    const type = slots.typeOf(node, attempt % attempts.slots);
    ranUs[2 * attempts.rankOf(attempt) + type] += Math.max(0, stoppedUs - attempts.launchUsOf(attempt));
  }
  const ofType = (type: SlotType): Float64Array =>
    Float64Array.from({ length: rows }, (_, job) => ranUs[2 * job + type]);
  return [ofType(MAP), ofType(REDUCE)];
}

function taskColumns(tasks: NonNullable<Recorder["tasks"]>): TaskColumns {
  return {
    rows: tasks.rows,
    job: Int32Array.from(tasks.column("job")),
    type: Uint8Array.from(tasks.column("type")),
    index: Int32Array.from(tasks.column("index")),
    attempt: Int32Array.from(tasks.column("attempt")),
    node: Int32Array.from(tasks.column("node")),
    level: Uint8Array.from(tasks.column("level"), levelOf),
    launchAtUs: tasks.column("launchAtUs"),
    finishAtUs: tasks.column("finishAtUs"),
    outcome: Uint8Array.from(tasks.column("outcome")),
  };
}

const MS_PER_SECOND = 1000;

const TRIALS = 20_000;

/** Measures what the decisions of one run cost, by wall time: the thread that decides waits for nobody meanwhile. */
export class Stopwatch {
  private timed: TimedScheduler | null = null;

  /** @param onCall told what each heartbeat and each update took, the clock included. */
  constructor(
    private readonly clock: Clock = () => performance.now() / MS_PER_SECOND,
    private readonly onCall?: OnCall,
  ) {}

  /** Puts what `build` composes under the stopwatch. */
  timing(build: BuildKind): BuildKind {
    return (spec, around) => {
      const built = build(spec, around);
      this.timed = new TimedScheduler(built.scheduler, this.clock, this.onCall);
      return { ...built, scheduler: this.timed };
    };
  }

  /** What the run's decisions took, without what reading the clock took. */
  costOf(launches: number): DecisionCost {
    const { seconds, heartbeats, readings } = this.timed ?? { seconds: 0, heartbeats: 0, readings: 0 };
    return { seconds: Math.max(0, seconds - readings * this.secondsPerReading()), heartbeats, launches };
  }

  /** What starting and stopping adds to an interval: that of one reading. */
  private secondsPerReading(): number {
    const start = this.clock();
    for (let i = 0; i < TRIALS; i++) this.clock();
    return (this.clock() - start) / TRIALS;
  }
}

/** Time of some clock, in seconds. */
type Clock = () => number;

type OnCall = (call: "heartbeat" | "update", seconds: number) => void;

/**
 * A scheduler that decides as the given one does, under a stopwatch. What it is told and what it decides counts, the launches and
 * kills that it causes included, for they are applied inside; what the master asks it about heartbeats to come does not.
 */
export class TimedScheduler implements Scheduler {
  seconds = 0;
  /** Times that `heartbeat` was called. */
  heartbeats = 0;
  /** How often the stopwatch was started: each time costs what the clock itself takes. */
  readings = 0;

  constructor(
    private readonly timed: Scheduler,
    private readonly clock: Clock,
    private readonly onCall?: OnCall,
  ) {}

  jobAdded(job: number, nowUs: number): void {
    const start = this.clock();
    this.timed.jobAdded(job, nowUs);
    this.stop(start);
  }

  jobReady(job: number, nowUs: number): void {
    const start = this.clock();
    this.timed.jobReady(job, nowUs);
    this.stop(start);
  }

  jobRemoved(job: number, nowUs: number): void {
    const start = this.clock();
    this.timed.jobRemoved(job, nowUs);
    this.stop(start);
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    const start = this.clock();
    this.timed.attemptEnded(job, type, nowUs);
    this.stop(start);
  }

  attemptRequeued(job: number, type: SlotType, nowUs: number): void {
    const start = this.clock();
    this.timed.attemptRequeued(job, type, nowUs);
    this.stop(start);
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    const start = this.clock();
    this.timed.pendingChanged(job, type, change, nowUs);
    this.stop(start);
  }

  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    const start = this.clock();
    this.timed.slotsChanged(maps, reduces, nowUs);
    this.stop(start);
  }

  nextUpdateUs(): number {
    return this.timed.nextUpdateUs();
  }

  update(nowUs: number): void {
    const start = this.clock();
    this.timed.update(nowUs);
    const seconds = this.stop(start);
    this.onCall?.("update", seconds);
  }

  checkPreemption(nowUs: number): void {
    const start = this.clock();
    this.timed.checkPreemption(nowUs);
    this.stop(start);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    const start = this.clock();
    this.timed.reload(allocations, nowUs);
    this.stop(start);
  }

  wantsMapSlots(): boolean {
    return this.timed.wantsMapSlots();
  }

  wantsReduceSlots(): boolean {
    return this.timed.wantsReduceSlots();
  }

  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean {
    return this.timed.skipHeartbeats(heartbeats, firstUs, lastUs);
  }

  hasReduces(): boolean {
    return this.timed.hasReduces();
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const start = this.clock();
    this.timed.heartbeat(node, nowUs, freeMaps, freeReduces);
    this.heartbeats++;
    const seconds = this.stop(start);
    this.onCall?.("heartbeat", seconds);
  }

  private stop(start: number): number {
    const seconds = this.clock() - start;
    this.seconds += seconds;
    this.readings++;
    return seconds;
  }
}
