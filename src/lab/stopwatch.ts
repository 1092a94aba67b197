import type { BuildKind, Scheduler } from "../core/platforms/hadoop/index.js";
import type { DecisionCost } from "../experiments/index.js";

const MS_PER_SECOND = 1000;

const TRIALS = 20_000;

/** The calls that count: reports and decisions. The master's queries about future heartbeats are not counted. */
const DECISIONS = [
  ...(["jobAdded", "jobReady", "jobRemoved", "attemptLeft", "pendingChanged"] as const),
  ...(["slotsChanged", "update", "checkPreemption", "reload", "heartbeat"] as const),
] as const satisfies readonly (keyof Scheduler)[];

/**
 * Measures the cost of one run's decisions by wall time: the thread that decides waits for no other meanwhile. The
 * launches and kills that a decision causes included, for they are applied inside.
 */
export class Stopwatch {
  private seconds = 0;
  private heartbeats = 0;
  /** The number of times it was started: each costs a reading of the clock. */
  private readings = 0;

  /** @param onCall receives the duration of each call, the clock included. */
  constructor(
    private readonly clock: Clock = () => performance.now() / MS_PER_SECOND,
    private readonly onCall?: (call: (typeof DECISIONS)[number], seconds: number) => void,
  ) {}

  /** Puts what `build` composes under the stopwatch. */
  timing(build: BuildKind): BuildKind {
    return (spec, around) => {
      const built = build(spec, around);
      clocked(built.scheduler, DECISIONS, this.clock, (call, seconds) => {
        this.seconds += seconds;
        this.readings++;
        if (call === "heartbeat") this.heartbeats++;
        this.onCall?.(call, seconds);
      });
      return built;
    };
  }

  /** The duration of the run's decisions, without the readings of the clock. */
  costOf(launches: number): DecisionCost {
    const { heartbeats } = this;
    return { seconds: Math.max(0, this.seconds - this.readings * this.secondsPerReading()), heartbeats, launches };
  }

  /** The time that starting and stopping adds to an interval: that of one reading. */
  private secondsPerReading(): number {
    const start = this.clock();
    for (let i = 0; i < TRIALS; i++) this.clock();
    return (this.clock() - start) / TRIALS;
  }
}

/** Time of some clock, in a unit of its own. */
type Clock = () => number;

/** Puts a clock around methods of an object. A call within another one is part of that. */
export function clocked<T extends object, Name extends keyof T>(
  target: T,
  names: readonly Name[],
  clock: Clock,
  onCall: (name: Name, took: number) => void,
): void {
  let isWithin = false;
  for (const name of names) {
    const unbound = target[name] as ((...values: unknown[]) => unknown) | undefined;
    // An optional method that this object does not have.
    if (unbound === undefined) continue;
    const method = unbound.bind(target);
    const value = (...values: unknown[]) => {
      if (isWithin) return method(...values);
      isWithin = true;
      const start = clock();
      const result = method(...values);
      const took = clock() - start;
      isWithin = false;
      onCall(name, took);
      return result;
    };
    Object.defineProperty(target, name, { value, configurable: true });
  }
}
