import type { DecisionCost } from "../core/metrics/measures/decision-cost.js";
import type { BuildKind } from "../core/scheduler/built-scheduler.js";
import { TimedScheduler, type Clock } from "../core/scheduler/timed-scheduler.js";

const MS_PER_SECOND = 1000;
const TRIALS = 20_000;

/** Measures what the decisions of one run cost, by wall time: the thread that decides waits for nobody meanwhile. */
export class Stopwatch {
  private timed: TimedScheduler | null = null;

  constructor(private readonly clock: Clock = () => performance.now() / MS_PER_SECOND) {}

  /** Puts what `build` composes under the stopwatch. */
  timing(build: BuildKind): BuildKind {
    return (spec, around) => {
      const built = build(spec, around);
      this.timed = new TimedScheduler(built.scheduler, this.clock);
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
