import type { BuildKind, Scheduler, SlotType } from "../core/platforms/hadoop/index.js";
import type { AllocationsSpec } from "../core/scenario/index.js";
import type { DecisionCost } from "../experiments/index.js";

const MS_PER_SECOND = 1000;

const TRIALS = 20_000;

/** Measures the cost of one run's decisions by wall time: the thread that decides waits for no other meanwhile. */
export class Stopwatch {
  private timed: TimedScheduler | null = null;

  /** @param onCall receives the duration of each heartbeat and each update, the clock included. */
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

  /** The duration of the run's decisions, without the readings of the clock. */
  costOf(launches: number): DecisionCost {
    const { seconds, heartbeats, readings } = this.timed ?? { seconds: 0, heartbeats: 0, readings: 0 };
    return { seconds: Math.max(0, seconds - readings * this.secondsPerReading()), heartbeats, launches };
  }

  /** The time that starting and stopping adds to an interval: that of one reading. */
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
 * A scheduler that decides as the given one does, under a stopwatch. Its reports and decisions count, the launches and
 * kills that it causes included, for they are applied inside; the master's queries about heartbeats to come do not.
 */
export class TimedScheduler implements Scheduler {
  seconds = 0;
  /** Times that `heartbeat` was called. */
  heartbeats = 0;
  /** The number of times the stopwatch was started: each costs a reading of the clock. */
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
